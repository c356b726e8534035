#!/bin/bash
# interesting: TypeScript that Rome formats, and formats differently when it is given its own output
H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}
R=$H/js/rome/node_modules/@rometools/cli-linux-x64/rome
f=ReadonlyNonEmptyArray.d.ts
[ -s $f ] || exit 1
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
timeout 10 "$R" format --stdin-file-path=$f < $f > "$t/1" 2> /dev/null || exit 1
timeout 10 "$R" format --stdin-file-path=$f < "$t/1" > "$t/2" 2> /dev/null || exit 1
! cmp -s "$t/1" "$t/2"
