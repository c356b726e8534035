// A small program: it names a file, and says so in colour.
const chalk = require("chalk");
const debug = require("debug")("app");
const minimist = require("minimist");
const semver = require("semver");
const uuid = require("uuid/v4");

const options = minimist(["--count=2"]);
debug("options %o", options);
const names = Array.from({ length: options.count }, () => uuid());
if (!semver.gt("2.0.0", "1.0.0") || new Set(names).size !== 2) process.exit(2);
console.log(chalk.green("fine"));
