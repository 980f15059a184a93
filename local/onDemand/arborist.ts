import { createRequire } from "node:module";
import { join } from "node:path";

import { repositoryRoot } from "../repository";
import { ES_MODULE, onDemand } from "./onDemand";

/** In tests, stands in for npm's arborist, which builds the package tree. Loads it by file because its name resolves to this module. */
export = onDemand(
  () =>
    createRequire(__filename)(join(repositoryRoot, "node_modules/@npmcli/arborist/lib/index.js")) as object,
  ES_MODULE,
);
