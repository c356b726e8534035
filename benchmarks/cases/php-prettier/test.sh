#!/bin/bash
# interesting: php accepts the file, prettier's PHP plugin formats it, and php finds a syntax error in the result
H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}
export LC_ALL=C
[ -s AutowirePass.php ] || exit 1
timeout 10 "${PHP:-php}" -n -l AutowirePass.php > /dev/null 2>&1 < /dev/null || exit 1
out=$(D=$H/js/prettier-php/node_modules timeout 20 node -e '
const prettier = require(process.env.D + "/prettier/standalone");
const s = require("fs").readFileSync("AutowirePass.php", "utf8");
process.stdout.write(prettier.format(s, {parser: "php", plugins: [require(process.env.D + "/@prettier/plugin-php/standalone")]}));
' 2> /dev/null) || exit 1
timeout 10 "${PHP:-php}" -n -d display_errors=1 -l <<< "$out" 2>&1 | grep -q 'Parse error: *syntax error, unexpected token "->"'
