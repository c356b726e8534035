#!/bin/bash
# interesting: a folder of sheets that less 4.2.0 compiles to some CSS, and less 3.5.0 refuses to parse
# with "Missing '[...]' lookup in variable call"
H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}
cd semantic 2> /dev/null || exit 1
[ -s definitions/views/item.less ] || exit 1
D=$H/js timeout 30 node -e '
const fs = require("fs"), file = "definitions/views/item.less";
const src = fs.readFileSync(file, "utf8");
const run = (v, done) => require(process.env.D + "/" + v + "/node_modules/less").render(src, {filename: file, paths: ["."], math: "always"}, done);
const no = () => process.exit(1);
run("less35", (e) => {
  if (!e || !/^Missing .\[\.\.\.\]. lookup in variable call/.test(e.message)) return no();
  run("less42", (e, out) => process.exit(!e && out.css.trim() !== "" ? 0 : 1));
});
' > /dev/null 2>&1
