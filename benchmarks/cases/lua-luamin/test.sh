#!/bin/bash
# interesting: LuaJIT runs the program twice with the same output (so nothing random or an address is printed), and
# runs luamin's minified form of it to another output; no run ends in an error
H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}
export LC_ALL=C
[ -s sim.lua ] || exit 1
lua=${LUAJIT:-luajit}
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
timeout 2 "$lua" sim.lua > "$t/1" 2> /dev/null < /dev/null || exit 1
[ -s "$t/1" ] || exit 1
D=$H/js/luamin/node_modules timeout 10 node -e '
const s = require("fs").readFileSync("sim.lua", "utf8");
process.stdout.write(require(process.env.D + "/luamin").minify(s));
' > "$t/min.lua" 2> /dev/null || exit 1
timeout 2 "$lua" "$t/min.lua" 2> /dev/null < /dev/null > "$t/2" || exit 1
cmp -s "$t/1" "$t/2" && exit 1
timeout 2 "$lua" sim.lua 2> /dev/null < /dev/null | cmp -s - "$t/1" || exit 1
! grep -q 'attempt to\|\.lua:' "$t/1"
