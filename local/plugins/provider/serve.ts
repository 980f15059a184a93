import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

import { type sendUnaryData, Server, ServerCredentials, type ServerUnaryCall, status } from "@grpc/grpc-js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaResponse, ProviderHandshakeResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { ProviderHandshakeRequest } from "@pulumi/pulumi/proto/provider_pb";

import { CallLog, type LoggedCall } from "./callLog";
import { endWithParent, Engine } from "./engine";
import { failureOf } from "./errors";
import { Handlers, partsOf } from "./handlers";
import type { ProviderDefinition } from "./kind";
import { listenOnLoopback } from "../../loopback";
import { Empty } from "../../protobuf";
import { mergePlaces } from "./secrets";
import { fromWire } from "./wire";

/** The largest message; the engine itself allows 400 MB. */
const MESSAGE_LIMIT_BYTES = 400 * 1024 * 1024;

/** The engine waits 5 seconds for a provider that it asked to end; this leaves time for `finish`. */
const FINISH_LIMIT_MS = 4_000;

/** The calls that are counted and recorded, by their gRPC names. */
const COUNTED = [
  "checkConfig",
  "diffConfig",
  "configure",
  "invoke",
  "check",
  "diff",
  "create",
  "read",
  "update",
  "delete",
] as const;
type Counted = (typeof COUNTED)[number];

type Handle = (message: unknown) => Promise<unknown>;
type Unary = (call: ServerUnaryCall<unknown, unknown>, reply: sendUnaryData<unknown>) => void;

/**
 * Serves a provider to the engine that started this process: prints the port, and answers until the engine ends it or is gone.
 * `finish` runs when the engine ends it normally.
 */
export async function serveProvider(provider: ProviderDefinition): Promise<void> {
  const engine = new Engine();
  engine.connect(process.argv.slice(2).find((argument) => /^[\w.[\]:-]+:\d+$/.test(argument)));
  endWithParent();
  endWhenAsked(provider, engine);
  const server = providerServer(provider, engine, new CallLog());
  process.stdout.write(`${await listenOnLoopback(server)}\n`);
}

/**
 * Serves a provider to successive engines: each connection has its own provider, which ends with the connection, normally unless a
 * call was in progress. An engine that was killed between two calls looks like one that ended normally.
 */
export async function serveConnections(
  provider: () => ProviderDefinition,
): Promise<{ port: number; close: () => void }> {
  const listener = createServer((connection) => {
    const engine = new Engine();
    const served = provider();
    const server = providerServer(served, engine, new CallLog());
    server.createConnectionInjector(ServerCredentials.createInsecure()).injectConnection(connection);
    connection.on("close", () => {
      engine.cancel();
      void Promise.resolve(served.finish?.({ cancelled: engine.cutOff }))
        .catch((error: unknown) => console.error(error))
        .finally(() => server.forceShutdown());
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return { port: (listener.address() as AddressInfo).port, close: () => listener.close() };
}

/** The gRPC server of a provider, not yet bound to a port. */
export function providerServer(provider: ProviderDefinition, engine: Engine, log: CallLog): Server {
  const server = new Server({
    "grpc.max_receive_message_length": MESSAGE_LIMIT_BYTES,
    "grpc.max_send_message_length": MESSAGE_LIMIT_BYTES,
  });
  const handlers = new Handlers(provider, engine);
  const counted = COUNTED.map((method): [string, Unary] => [
    method,
    unary((message) => {
      const work = () => (handlers[method] as Handle).call(handlers, message);
      const call = loggedCall(provider.name, method, message as LoggedMessage);
      return engine.serving(() => log.around(call, work));
    }),
  ]);
  const unimplemented = ["parameterize", "call", "construct", "getMapping", "getMappings", "list"].map(
    (method): [string, Unary] => [
      method,
      (_call, reply) => reply({ code: status.UNIMPLEMENTED, details: method }),
    ],
  );
  server.addService(ResourceProviderService, {
    ...Object.fromEntries([...unimplemented, ...counted]),
    ...manners(provider, engine),
  });
  return server;
}

/** The calls by which engine and provider exchange their capabilities. */
function manners(provider: ProviderDefinition, engine: Engine): Record<string, Unary> {
  const now = (answer: (message: unknown) => unknown) => unary((message) => Promise.resolve(answer(message)));
  return {
    handshake: now((message) => {
      engine.connect((message as ProviderHandshakeRequest).getEngineAddress());
      return new ProviderHandshakeResponse().setAcceptSecrets(true).setSupportsAutonamingConfiguration(true);
    }),
    attach: now((message) => {
      engine.connect((message as PluginAttach).getAddress());
      return new Empty();
    }),
    getPluginInfo: now(() => new PluginInfo().setVersion(provider.version)),
    getSchema: now(() => {
      const { name, version, schema = { resources: {} } } = provider;
      return new GetSchemaResponse().setSchema(JSON.stringify({ name, version, ...schema, functions: {} }));
    }),
    cancel: now(() => {
      engine.cancel();
      return new Empty();
    }),
  };
}

/** Handles a call: an error becomes a message for the user; only a debug log shows the stack of a programming error. */
function unary(handle: Handle): Unary {
  return ({ request }, reply) => {
    handle(request).then(
      (answer) => reply(null, answer),
      (error: unknown) => {
        if (error instanceof TypeError || error instanceof ReferenceError) console.error(error);
        reply(failureOf(error, secretsIn(request as LoggedMessage)));
      },
    );
  };
}

interface LoggedMessage {
  getUrn?(): string;
  getTok?(): string;
  getPreview?(): boolean;
  getProperties?(): Struct | undefined;
  getNews?(): Struct | undefined;
  getInputs?(): Struct | undefined;
}

function loggedCall(provider: string, method: Counted, message: LoggedMessage): LoggedCall {
  const urn = message.getUrn?.() ?? "";
  const type = message.getTok?.() ?? partsOf(urn).type;
  const name = `${method.charAt(0).toUpperCase()}${method.slice(1)}`;
  const preview = message.getPreview?.();
  return { method: name, provider, urn, type, ...(preview !== undefined && { preview }) };
}

function secretsIn(message: LoggedMessage) {
  const bags = [message.getProperties?.(), message.getNews?.(), message.getInputs?.()];
  return bags.map((bag) => fromWire(bag).secrets).reduce(mergePlaces, undefined);
}

/** The engine ends its providers with SIGINT; SIGTERM comes from elsewhere and is not a normal end. */
function endWhenAsked(provider: ProviderDefinition, engine: Engine): void {
  let ending = false;
  process.on("SIGINT", () => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(0), FINISH_LIMIT_MS);
    void Promise.resolve(provider.finish?.({ cancelled: engine.cutOff }))
      .catch((error: unknown) => console.error(error))
      .finally(() => process.exit(0));
  });
  process.on("SIGTERM", () => process.exit(0));
}
