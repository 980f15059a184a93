import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { Client, credentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CreateRequest } from "@pulumi/pulumi/proto/provider_pb";

import type { ProviderDefinition } from "../../../local/plugins/provider";
import { serveConnections } from "../../../local/plugins/provider/serve";

const ends: [number, boolean][] = [];
let made = 0;
let under = 0;
let letGo: () => void;

/** Each provider knows its number; creates wait until they are released. */
function provider(): ProviderDefinition {
  const place = ++made;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  return {
    name: "demo",
    version: "1.2.3",
    kinds: () => ({
      check: ({ news }) => ({ inputs: news }),
      diff: () => ({ changes: false }),
      create: async () => {
        under += 1;
        await held;
        return { id: `${place}`, state: {} };
      },
      read: () => undefined,
      update: ({ news }) => news,
      delete: () => undefined,
    }),
    finish: ({ cancelled }) => {
      ends.push([place, cancelled]);
    },
  };
}

const URN = "urn:pulumi:dev::demo::demo:index:Thing::one";
const { path, requestSerialize, responseDeserialize } = ResourceProviderService.create;

function creating(client: Client): Promise<string> {
  const request = new CreateRequest().setUrn(URN);
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, reply) =>
      error ? reject(error) : resolve(reply!.getId()),
    );
  });
}

/** A connection to a port that can be cut, as when an engine is killed. */
async function wayTo(port: number) {
  const sockets: Socket[] = [];
  const listener = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    sockets.push(near, far);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on("error", () => undefined);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const cut = () => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  };
  return { client: new Client(addressOf(listener), credentials.createInsecure()), cut };
}

const addressOf = (listener: Server) => `127.0.0.1:${(listener.address() as AddressInfo).port}`;

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !isSo(); turn++) await sleep(10);
  expect(isSo()).toBe(true);
}

test("each connection has its own provider, which ends with it, as cancelled if a call was in progress", async () => {
  const { port, close } = await serveConnections(provider);
  const first = await wayTo(port);
  const created = creating(first.client);
  await until(() => under === 1);
  letGo();
  expect(await created).toBe("1");
  first.cut();
  await until(() => ends.length === 1);

  const second = await wayTo(port);
  const failed = creating(second.client).catch((error: Error) => error.message);
  await until(() => under === 2);
  second.cut();
  second.client.close();
  await until(() => ends.length === 2);
  letGo();
  expect(await failed).toMatch(/UNAVAILABLE|CANCELLED/);
  first.client.close();
  close();
  expect(ends).toEqual([
    [1, false],
    [2, true],
  ]);
});
