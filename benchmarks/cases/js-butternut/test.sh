#!/bin/bash
# interesting: acorn parses the script, butternut squashes it without a complaint, and what it wrote is no
# JavaScript: an identifier directly after a number
H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}
[ -s structured-clone.js ] || exit 1
D=$H/js/butternut/node_modules timeout 20 node -e '
let ok = false;
try {
  const s = require("fs").readFileSync("structured-clone.js", "utf8");
  const acorn = require(process.env.D + "/acorn");
  const parse = (t) => acorn.parse(t, {ecmaVersion: 2017});
  parse(s);
  const out = require(process.env.D + "/butternut").squash(s, {check: false, sourceMap: false}).code;
  try { parse(out); } catch (e) { ok = /^Identifier directly after number/.test(e.message); }
} catch (e) { ok = false; }
process.exit(ok ? 0 : 1);
' > /dev/null 2>&1
