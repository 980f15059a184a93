"use strict";
// Throws where this Node.js is not one that `engines` in package.json names. Older ones have to be able to read this file, and
// every file that loads it before all others: ES5, without `node:` before the names of modules.
var fs = require("fs");
var path = require("path");

/** Beside it in a policy pack that is a folder of its own, beside the sources, or above what is compiled. */
var manifest = ["package.json", "../package.json", "../../package.json"]
  .map(function (file) {
    return path.join(__dirname, file);
  })
  .filter(fs.existsSync)[0];
var engines = JSON.parse(fs.readFileSync(manifest, "utf8")).engines.node;

/** `^20.19.0 || >=22.12.0`: of each line of releases the first version, the last one with all that follow. */
var ranges = engines.split("||").map(function (range) {
  var parts = /^\s*(\^|>=)(\d+)\.(\d+)\.0\s*$/.exec(range);
  return { isOpen: parts[1] === ">=", major: Number(parts[2]), minor: Number(parts[3]) };
});

function isSupported(version) {
  var parts = version.split(".").map(Number);
  return ranges.some(function (range) {
    return (parts[0] === range.major && parts[1] >= range.minor) || (range.isOpen && parts[0] > range.major);
  });
}

if (!isSupported(process.versions.node)) {
  var supported = ranges.map(function (range) {
    return range.major + "." + range.minor;
  });
  var needed = supported.join(", ") + " or newer";
  var is = "this is " + process.versions.node;
  var error = new Error("hypershift-network needs Node.js " + needed + "; " + is + ": install one of these");
  // Programs print stacks of errors. The line above helps no user.
  error.stack = error.message;
  throw error;
}
