import { createRequire } from "node:module";

import { onDemand } from "./onDemand";

/** In tests, stands in for the module through which Pulumi loads the compiler. */
export = onDemand(() => createRequire(__filename)("typescript") as object);
