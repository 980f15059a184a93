// Ahead of everything that older versions of Node.js cannot load.
import "./src/supportedNode";

export * from "./src";
