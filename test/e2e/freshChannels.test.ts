import { Client, credentials, Server, ServerCredentials } from "@grpc/grpc-js";

import { grpcClientOptions } from "./freshChannels";

const bytes = (value: Buffer) => value;
const service = {
  Run: {
    path: "/Engine/Run",
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  },
} as const;

async function engineAt(port: number): Promise<{ port: number; stop: () => void }> {
  const server = new Server();
  const answer = (_: unknown, callback: (error: null, value: Buffer) => void) => callback(null, Buffer.of());
  server.addService(service, { Run: answer });
  const bound = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, own) =>
      error ? reject(error) : resolve(own),
    ),
  );
  return { port: bound, stop: () => server.forceShutdown() };
}

/** By default a failure is remembered for only a second, which may pass on a busy machine before the next program connects. */
const REMEMBERED_FOR_LONG = { "grpc.initial_reconnect_backoff_ms": 60_000 };

/** A program that calls the engine at a port, with or without the options of Pulumi's own clients. */
class Program {
  private readonly client: Client;

  constructor(port: number, options: Record<string, unknown>) {
    this.client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), options);
  }

  hears(): Promise<string> {
    return new Promise((resolve) =>
      this.client.makeUnaryRequest(service.Run.path, bytes, bytes, Buffer.of(), (error) =>
        resolve(error?.message ?? "an answer"),
      ),
    );
  }

  close(): void {
    this.client.close();
  }
}

/** The answer that a program gets from an engine at the port of an engine that has ended. */
async function heardAtOldPort(options: Record<string, unknown>): Promise<string> {
  const old = await engineAt(0);
  const late = new Program(old.port, options);
  expect(await late.hears()).toBe("an answer");
  old.stop();
  expect(await late.hears()).toContain("UNAVAILABLE");
  const next = await engineAt(old.port);
  const program = new Program(old.port, options);
  try {
    return await program.hears();
  } finally {
    program.close();
    late.close();
    next.stop();
  }
}

describe("an engine at the port of an engine that has ended", () => {
  test("is reached by its program with grpcClientOptions", async () => {
    expect(await heardAtOldPort({ ...grpcClientOptions, ...REMEMBERED_FOR_LONG })).toBe("an answer");
  });

  test("is not reached without these options, because channels share what they remember", async () => {
    expect(await heardAtOldPort(REMEMBERED_FOR_LONG)).toContain("No connection established");
  });
});
