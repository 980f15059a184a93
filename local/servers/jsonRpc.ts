import { createConnection } from "node:net";

interface Reply {
  readonly result: unknown;
  readonly error: unknown;
}

/** Calls a server on a Unix socket that speaks JSON-RPC 1.0, as OVN's databases and control sockets do. One request per connection. */
export function ask<Result>(socket: string, method: string, params: readonly unknown[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    let text = "";
    const connection = createConnection(socket);
    const fail = (reason: string) => {
      connection.destroy();
      reject(new Error(`${socket}, ${method}: ${reason}`));
    };
    connection.setEncoding("utf8");
    connection.on("connect", () => connection.write(JSON.stringify({ id: 0, method, params })));
    connection.on("error", ({ message }) => fail(message));
    connection.on("close", () => fail("closed without an answer"));
    connection.on("data", (chunk: string) => {
      text += chunk;
      const reply = replyIn(text);
      if (!reply) return;
      if (reply.error !== null && reply.error !== undefined) return fail(textOf(reply.error));
      resolve(reply.result as Result);
      connection.destroy();
    });
  });
}

/** Returns the reply once it is complete. */
function replyIn(text: string): Reply | undefined {
  if (!text.trimEnd().endsWith("}")) return undefined;
  try {
    return JSON.parse(text) as Reply;
  } catch {
    return undefined;
  }
}

const textOf = (error: unknown): string => (typeof error === "string" ? error.trim() : JSON.stringify(error));
