"use strict";
// Older Node.js versions have to be able to read this file: see supportedNode.js.
require("../src/supportedNode");
require("./pack");
