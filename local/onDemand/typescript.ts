import { createRequire } from "node:module";

import { onDemand } from "./onDemand";

/** The compiler, in place of Pulumi's way to it in tests. */
export = onDemand(() => createRequire(__filename)("typescript") as object);
