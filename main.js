"use strict";
// What is loaded by the path of the package's folder. Pulumi's runner of plugins, which programs in other languages have, gets the
// provider; everybody else gets what programs in Node.js get by the package's name.
// Ahead of everything that older versions of Node.js cannot load, so ES5.
require("./src/supportedNode");

var runner = String(require.main && require.main.filename);
module.exports = /[\\/]cmd[\\/]run-plugin([\\/]|$)/.test(runner)
  ? require("./src/provider")
  : require("./index");
