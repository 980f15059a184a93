// Must come before everything that older versions of Node.js cannot load.
import "./src/supportedNode";

import "./src/components/sdkCopies";

export * from "./src";
