#!/bin/bash
# interesting: parse5 reads the page without a parse error, and html-minifier, run over its own output, drops a
# <tbody> tag that it had kept (so the rows move into the <thead>)
H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}
[ -s data-types.html ] || exit 1
D=$H/js/html-minifier/node_modules timeout 20 node -e '
let ok = false;
try {
  const s = require("fs").readFileSync("data-types.html", "utf8");
  const {minify} = require(process.env.D + "/html-minifier");
  const opts = {collapseWhitespace: true, removeOptionalTags: true, removeAttributeQuotes: true};
  const bodies = (t) => (t.match(/<tbody\b/g) || []).length;
  const a = minify(s, opts), b = minify(a, opts);
  ok = a !== b && bodies(b) < bodies(a);
  if (ok) require(process.env.D + "/parse5").parse(s, {onParseError: () => { ok = false; }, sourceCodeLocationInfo: true});
} catch (e) { ok = false; }
process.exit(ok ? 0 : 1);
' > /dev/null 2>&1
