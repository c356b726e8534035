#!/bin/bash
# interesting: wasm-opt reads and validates the module, and fails its own assertion in getValidLocalType when it flattens it
exec 2> /dev/null < /dev/null
ulimit -c 0
export LC_ALL=C BINARYEN_CORES=1  # with more threads the failing function varies
[ -s module.wat ] || exit 1
w=${WASM_OPT:-wasm-opt}
out=$(timeout 10 "$w" -all --flatten module.wat -o .t.wasm 2>&1)
rc=$?
rm -f .t.wasm
[ $rc -eq 134 ] || exit 1
[[ $out == *"getValidLocalType"*"Assertion \`canHandleAsLocal(type)' failed"* ]] || exit 1
timeout 10 "$w" -all module.wat -o .t.wasm > /dev/null
rc=$?
rm -f .t.wasm
exit $rc
