const runAsync = require("run-async");
runAsync(() => 42)().then((found) => {
  if (found !== 42) throw new Error(`found ${found}`);
});
