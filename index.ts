// Ahead of everything that older versions of Node.js cannot load.
import "./src/supportedNode";

import { giveStoredSchema } from "./src/storedSchema";

giveStoredSchema(__dirname);

export * from "./src";
