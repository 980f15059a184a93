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

/** A failure is remembered for a second, which a busy machine may take until the next program asks. */
const REMEMBERED_FOR_LONG = { "grpc.initial_reconnect_backoff_ms": 60_000 };

/** What a program hears that asks the engine at a port, with the options of Pulumi's own clients or without one of them. */
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

/** What the program of an engine hears whose port was that of an engine that is gone. */
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

describe("an engine at the port of one that is gone", () => {
  test("is reached by its program", async () => {
    expect(await heardAtOldPort({ ...grpcClientOptions, ...REMEMBERED_FOR_LONG })).toBe("an answer");
  });

  test("is not where channels share what they remember", async () => {
    expect(await heardAtOldPort(REMEMBERED_FOR_LONG)).toContain("No connection established");
  });
});
