import { Server } from "@grpc/grpc-js";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";

import { listenOnLoopback } from "../loopback";
import { languageRuntime } from "./languageRuntime";
import { endPrograms } from "./nodeProgram";

/**
 * `pulumi-language-nodejs`: the engine calls it to run Node.js programs, policy packs and component providers. Pulumi's
 * own comes with Pulumi's installer and is preferred; this one is for engines that were built from the Go module. Prints
 * the port that it listens on, as the engine expects.
 */
const NO_LIMIT = -1;

const server = new Server({
  "grpc.max_receive_message_length": NO_LIMIT,
  "grpc.max_send_message_length": NO_LIMIT,
});
const engine = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
server.addService(LanguageRuntimeService, languageRuntime(engine ?? ""));
void listenOnLoopback(server).then((port) => process.stdout.write(`${port}\n`));

for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => process.exit(0));
}
process.on("exit", endPrograms);
