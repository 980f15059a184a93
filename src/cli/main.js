#!/usr/bin/env node
"use strict";
// Older Node.js versions have to be able to read this file: see supportedNode.js.
try {
  require("../supportedNode");
} catch (error) {
  process.stderr.write(error.message + "\n");
  process.exit(2);
}
require("./commandLine");
