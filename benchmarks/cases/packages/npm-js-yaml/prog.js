const yaml = require("js-yaml");
const app = require("express")();
app.set("settings", yaml.safeLoad("port: 8080"));
if (app.get("settings").port !== 8080) throw new Error("settings are not read");
