import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * `pulumi-resource-pulumi-nodejs ENGINE`: dynamic providers, whose code lies in the resources. Pulumi's own comes with its
 * installer and takes the SDK from the folder of the program; so does this one, and from nowhere else.
 */
const program = createRequire(join(process.cwd(), "program.js"));
program(program.resolve("@pulumi/pulumi/cmd/dynamic-provider"));
