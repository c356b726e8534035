#!/bin/bash
# interesting: ghdl analyses the design without an error and dies with "GHDL Bug occurred" when it synthesizes it:
# an Ada assertion of its own fails in synth-vhdl_expr.adb
export LC_ALL=C
[ -s crossing.vhd ] || exit 1
out=$(timeout 10 "${GHDL:-ghdl}" --synth --std=08 --out=none crossing.vhd -e crossing 2>&1 < /dev/null)
[[ $out == *"GHDL Bug occurred"*"raised ADA.ASSERTIONS.ASSERTION_ERROR : synth-vhdl_expr.adb:628"* && $out != *":error:"* ]]
