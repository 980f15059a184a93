/**
 * Hosts what an engine otherwise starts for each command in one process that keeps running: the provider stand-ins, the runner of
 * programs, and a key service. Prints their addresses, and ends when its input ends.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

import {
  Client,
  credentials,
  type MethodDefinition,
  type sendUnaryData,
  Server,
  type ServerUnaryCall,
} from "@grpc/grpc-js";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import { GetRequiredPluginsResponse, type RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";

import { replyWith } from "../engine/languageRuntime";
import { listenOnLoopback } from "../loopback";
import { awsProvider } from "../plugins/aws/provider";
import { kubernetesProvider } from "../plugins/kubernetes/provider";
import { serveConnections } from "../plugins/provider";
import { Empty } from "../protobuf";
import { compiled, repositoryRoot } from "../repository";
import { serveKeys } from "./keyService";
import { firstLine, type Resident } from "./startResident";

const requireAnew = createRequire(__filename);

/** The server that the Automation API uses for inline programs; its types are internal. */
const { LanguageServer } = requireAnew("@pulumi/pulumi/automation/server") as {
  LanguageServer: new (program: () => Promise<unknown>) => {
    run(call: ServerUnaryCall<RunRequest, unknown>, done: sendUnaryData<unknown>): unknown;
  };
};

/** Loads the modules of a program and of examples anew for each run; other modules that they import stay loaded. */
function load(program: string): Promise<unknown> {
  const entry = requireAnew.resolve(program);
  const own = [`${dirname(entry)}/`, join(repositoryRoot, "dist", "examples", "/")];
  for (const file of Object.keys(requireAnew.cache))
    if (own.some((folder) => file.startsWith(folder))) delete requireAnew.cache[file];
  return Promise.resolve({ ...(requireAnew(entry) as object) });
}

/** Each run gets its own server for the program that its project names. */
const programs = {
  getPluginInfo: replyWith(() => new PluginInfo().setVersion("1.0.0")),
  getRequiredPlugins: replyWith(() => new GetRequiredPluginsResponse()),
  run: (call: ServerUnaryCall<RunRequest, unknown>, done: sendUnaryData<unknown>) => {
    const info = call.request.getInfo();
    const folder = info?.getProgramDirectory() || call.request.getPwd();
    const program = resolve(folder, info?.getEntryPoint() || call.request.getProgram() || ".");
    return new LanguageServer(() => load(program)).run(call, done);
  },
};

function servePrograms(): Promise<number> {
  const server = new Server();
  server.addService(LanguageRuntimeService, programs);
  return listenOnLoopback(server);
}

/**
 * Serves dynamic providers from their own process, as the engine does: Pulumi's SDK has no other way to serve them. The SDK does not
 * support engines that attach to a running provider, so `attach` is answered here.
 */
async function serveDynamicProviders(): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      ...["--require", compiled("local/engine/exitWithParent")],
      requireAnew.resolve("@pulumi/pulumi/cmd/dynamic-provider"),
      "no engine",
    ],
    { cwd: repositoryRoot, stdio: ["ignore", "pipe", "inherit"] },
  );
  process.on("exit", () => child.kill());
  child.on("exit", () => process.exit(1));
  const provider = new Client(`127.0.0.1:${await firstLine(child)}`, credentials.createInsecure());
  type Answer = (call: ServerUnaryCall<unknown, unknown>, done: sendUnaryData<unknown>) => void;
  const passOn = Object.entries(ResourceProviderService).map(([name, method]): [string, Answer] => {
    const { path, requestSerialize, responseDeserialize } = method as MethodDefinition<unknown, unknown>;
    return [
      name,
      ({ request }, done) =>
        provider.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, done),
    ];
  });
  const server = new Server();
  server.addService(ResourceProviderService, {
    ...Object.fromEntries(passOn),
    attach: replyWith(() => new Empty()),
  });
  return listenOnLoopback(server);
}

// Ignores what a run was still waiting for when its engine was killed, so that it does not affect the next run.
process.on("unhandledRejection", () => undefined);
// The input ends when the tests end, whatever the reason.
process.stdin.on("end", () => process.exit(0)).resume();

void Promise.all([
  serveConnections(awsProvider),
  serveConnections(kubernetesProvider),
  serveDynamicProviders(),
  servePrograms(),
  serveKeys(),
]).then(([aws, kubernetes, dynamic, client, keys]) => {
  const ports = { aws: aws.port, kubernetes: kubernetes.port, "pulumi-nodejs": dynamic };
  const providers = Object.entries(ports).map(([name, port]) => `${name}:${port}`);
  const resident: Resident = {
    providers: { PULUMI_DEBUG_PROVIDERS: providers.join(",") },
    programs: { PULUMI_OPTION_CLIENT: `127.0.0.1:${client}` },
    keys,
  };
  process.stdout.write(`${JSON.stringify(resident)}\n`);
});
