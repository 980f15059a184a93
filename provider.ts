// Ahead of everything that older versions of Node.js cannot load.
import "./src/supportedNode";

import "./src/provider";
