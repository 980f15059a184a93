import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ask } from "../../local/servers/jsonRpc";

let folder: string;
let server: Server;
const socket = () => join(folder, "control");

/** A server that answers each request with these pieces, and closes the connection if there are none. */
const answering = (...pieces: readonly string[]) =>
  new Promise<void>((resolve) => {
    server = createServer((connection) => {
      connection.on("data", () => {
        if (pieces.length === 0) connection.end();
        pieces.forEach((piece, position) =>
          setImmediate(() => setTimeout(() => connection.write(piece), 5 * position)),
        );
      });
    }).listen(socket(), resolve);
  });

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "json-rpc-"))));
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

describe("JSON-RPC", () => {
  test("joins an answer that arrives in pieces", async () => {
    await answering('{"id":0,"error":null,"result":{"a":{}}', "}");
    await expect(ask(socket(), "get", [])).resolves.toEqual({ a: {} });
  });

  test("fails with the error text of the server", async () => {
    await answering('{"id":0,"error":"unknown option\\n","result":null}');
    await expect(ask(socket(), "trace", [])).rejects.toThrow(`${socket()}, trace: unknown option`);
  });

  test("fails if the server closes the connection without an answer", async () => {
    await answering();
    await expect(ask(socket(), "trace", [])).rejects.toThrow("closed without an answer");
  });
});
