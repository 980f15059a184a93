import { createRequire } from "node:module";

import { toolOf } from "./nodeProgram";

/**
 * `pulumi-analyzer-policy-nodejs ENGINE FOLDER`: how engines start a policy pack that do not ask a language host for it.
 * They run it in the pack's folder; the SDK's runner reads the same arguments.
 */
createRequire(__filename)(toolOf("run-policy-pack", process.cwd()));
