/* global __dirname */
/**
 * Serves the program of the quick start to one engine after another, as the Automation API serves an inline program:
 * a process that has loaded the SDKs once. Prints the port on which it listens.
 */
const { join } = require("node:path");

const { Server, ServerCredentials } = require("@grpc/grpc-js");
const { LanguageServer } = require("@pulumi/pulumi/automation/server");
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb");

const examples = join(__dirname, "..", "..", "..", "dist", "examples", "quickstart");

/** The modules of the program run anew each time; those that they import stay. */
function program() {
  for (const file of Object.keys(require.cache).filter((name) => name.startsWith(examples))) {
    delete require.cache[file];
  }
  return Promise.resolve({ ...require(join(examples, "index.js")) });
}

// What a run still waited for when its engine was killed comes to nothing, and is not the next run's business.
process.on("unhandledRejection", () => undefined);
// The end of the input is the end of the test, however that came about.
process.stdin.on("end", () => process.exit(0)).resume();

const server = new Server();
server.addService(LanguageRuntimeService, new LanguageServer(program));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
});
