import { onDemand } from "./onDemand";

/** The compiler, in place of Pulumi's way to it in tests. */
export = onDemand(() => require("typescript") as object);
