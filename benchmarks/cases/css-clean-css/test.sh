#!/bin/bash
# interesting: css-tree reads the sheet without a parse error, and clean-css's level-2 optimizer throws in everyValuesPair
H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}
[ -s tree.css ] || exit 1
D=$H/js/clean-css/node_modules timeout 20 node -e '
let ok = false;
try {
  const s = require("fs").readFileSync("tree.css", "utf8");
  const Clean = require(process.env.D + "/clean-css");
  try { new Clean({level: 2, inline: false}).minify(s); } catch (e) {
    ok = e instanceof TypeError && /reading .value./.test(e.message) && /everyValuesPair/.test(String(e.stack).split("\n")[1]);
  }
  if (ok) require(process.env.D + "/css-tree").parse(s, {onParseError: () => { ok = false; }});
} catch (e) { ok = false; }
process.exit(ok ? 0 : 1);
' > /dev/null 2>&1
