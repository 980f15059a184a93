import { createRequire } from "node:module";

import { toolOf } from "./nodeProgram";

/**
 * `pulumi-analyzer-policy-nodejs ENGINE FOLDER`: starts a policy pack for engines that do not use a language host for it.
 * They run it in the pack's folder; the SDK's runner reads the same arguments.
 */
createRequire(__filename)(toolOf("run-policy-pack", process.cwd()));
