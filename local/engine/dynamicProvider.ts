import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * `pulumi-resource-pulumi-nodejs ENGINE`: dynamic providers, whose code is stored in the resources. Pulumi's own comes
 * with its installer and loads the SDK from the folder of the program; this one does too, and only from there.
 */
const program = createRequire(join(process.cwd(), "program.js"));
program(program.resolve("@pulumi/pulumi/cmd/dynamic-provider"));
