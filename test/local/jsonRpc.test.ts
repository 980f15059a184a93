import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ask } from "../../local/servers/jsonRpc";

let folder: string;
let server: Server;
const socket = () => join(folder, "control");

/** A server that answers each request with these pieces, and ends the connection where there are none. */
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
  test("an answer may come in pieces", async () => {
    await answering('{"id":0,"error":null,"result":{"a":{}}', "}");
    await expect(ask(socket(), "get", [])).resolves.toEqual({ a: {} });
  });

  test("an error is the server's own words", async () => {
    await answering('{"id":0,"error":"unknown option\\n","result":null}');
    await expect(ask(socket(), "trace", [])).rejects.toThrow(`${socket()}, trace: unknown option`);
  });

  test("a server that ends the connection has not answered", async () => {
    await answering();
    await expect(ask(socket(), "trace", [])).rejects.toThrow("closed without an answer");
  });
});
