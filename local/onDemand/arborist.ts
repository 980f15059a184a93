import { createRequire } from "node:module";
import { join } from "node:path";

import { repositoryRoot } from "../repository";
import { ES_MODULE, onDemand } from "./onDemand";

/** The package manager's tree of packages, in place of itself in tests: by its file, since its name leads here. */
export = onDemand(
  () =>
    createRequire(__filename)(join(repositoryRoot, "node_modules/@npmcli/arborist/lib/index.js")) as object,
  ES_MODULE,
);
