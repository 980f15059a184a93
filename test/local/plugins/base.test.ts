import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  type CheckResponse,
  CreateRequest,
  type CreateResponse,
  DiffRequest,
  type DiffResponse,
  ErrorResourceInitFailed,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";

import { listenOnLoopback } from "../../../local/loopback";
import {
  compareProps,
  type Props,
  readCalls,
  type ResourceKind,
  Secret,
  UnfinishedError,
  UNKNOWN_VALUE,
} from "../../../local/plugins/provider";
import { CallLog, INTERRUPT_VARIABLE } from "../../../local/plugins/provider/callLog";
import { Engine } from "../../../local/plugins/provider/engine";
import { providerServer } from "../../../local/plugins/provider/serve";
import { fromWire, toWire } from "../../../local/plugins/provider/wire";

const urn = "urn:pulumi:dev::demo::demo:index:Parent$demo:index:Thing::one::two";
const seen: Props[] = [];
const thing: ResourceKind = {
  check: ({ news, name }) => ({
    inputs: { ...news, name },
    failures: news.color === "octarine" ? [{ property: "color", reason: "only wizards see it" }] : [],
  }),
  diff: ({ oldInputs, news }) =>
    compareProps(oldInputs, news, { replaceOn: new Set(["place"]), deleteBeforeReplace: true }),
  create: ({ inputs, preview }) => {
    seen.push(inputs);
    if (inputs.color === "broken") throw new Error("the server says no");
    if (inputs.color === "half") throw new UnfinishedError("thing-1", inputs, ["it does not get ready"]);
    return {
      id: preview ? "" : "thing-1",
      state: { ...inputs, key: preview ? UNKNOWN_VALUE : new Secret("k") },
    };
  },
  read: () => undefined,
  update: ({ news }) => news,
  delete: () => undefined,
};

type Answer<T> = { error?: ServiceError; reply?: T };

async function serving<T>(
  log: CallLog,
  use: (call: <R>(method: string, message: object) => Promise<Answer<R>>) => Promise<T>,
) {
  const kinds = new Map([["demo:index:Thing", thing]]);
  const server = providerServer({ name: "demo", version: "1.2.3", kinds }, new Engine(), log);
  const port = await listenOnLoopback(server);
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  try {
    return await use(
      <R>(method: string, message: object) =>
        new Promise<Answer<R>>((resolve) => {
          const { path, requestSerialize, responseDeserialize } = (
            ResourceProviderService as unknown as Record<string, (typeof ResourceProviderService)["create"]>
          )[method]!;
          client.makeUnaryRequest(
            path,
            requestSerialize as (value: object) => Buffer,
            responseDeserialize as unknown as (bytes: Buffer) => R,
            message,
            (error, reply) => resolve(error ? { error } : { reply }),
          );
        }),
    );
  } finally {
    client.close();
    server.forceShutdown();
  }
}

const noLog = new CallLog({});
const create = (props: Props, preview = false) =>
  new CreateRequest().setUrn(urn).setProperties(toWire(props)).setPreview(preview);

const file = mkdtempSync(join(tmpdir(), "provider-base-"));
afterAll(() => rmSync(file, { recursive: true }));

test("secrets reach the provider as plain values and stay secret in the reply", async () => {
  const wanted = {
    color: new Secret("red"),
    deep: { plain: 1, hidden: new Secret("x") },
    list: [new Secret(1), 2],
  };
  const { reply } = await serving(noLog, (call) => call<CreateResponse>("create", create(wanted)));
  expect(seen.at(-1)).toEqual({ color: "red", deep: { plain: 1, hidden: "x" }, list: [1, 2] });
  const { props, secrets } = fromWire(reply?.getProperties());
  expect(props).toEqual({ color: "red", deep: { plain: 1, hidden: "x" }, list: [1, 2], key: "k" });
  expect(secrets).toEqual({ color: true, deep: { hidden: true }, list: true, key: true });
});

test("unknown values of any type reach the provider as UNKNOWN_VALUE, and outputs of a preview are unknown", async () => {
  const typed = { size: "3eeb2bf0-c639-47a8-9e75-3b44932eb421", on: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7" };
  const { reply } = await serving(noLog, (call) => call<CreateResponse>("create", create(typed, true)));
  expect(seen.at(-1)).toEqual({ size: UNKNOWN_VALUE, on: UNKNOWN_VALUE });
  expect(reply?.getId()).toBe("");
  expect(fromWire(reply?.getProperties()).props.key).toBe(UNKNOWN_VALUE);
});

test("a check returns all failures and the name from the URN", async () => {
  const message = new CheckRequest().setUrn(urn).setNews(toWire({ color: "octarine" }));
  const { reply } = await serving(noLog, (call) => call<CheckResponse>("check", message));
  expect(reply?.getFailuresList().map((failure) => failure.toObject())).toEqual([
    { property: "color", reason: "only wizards see it" },
  ]);
  expect(fromWire(reply?.getInputs()).props.name).toBe("one::two");
});

test("a diff lists the paths that change and those that replace", async () => {
  const message = new DiffRequest()
    .setUrn(urn)
    .setOldInputs(toWire({ color: "red", place: { x: 1 }, gone: 1, ports: [{ port: 1 }] }))
    .setNews(toWire({ color: UNKNOWN_VALUE, place: { x: 2 }, ports: [{ port: 1 }, { port: 2 }] }));
  const { reply } = await serving(noLog, (call) => call<DiffResponse>("diff", message));
  expect(reply?.getReplacesList()).toEqual(["place.x"]);
  expect(reply?.getDeletebeforereplace()).toBe(true);
  expect(reply?.getDiffsList().sort()).toEqual(["color", "gone", "place", "ports"]);
  expect([...(reply?.getDetaileddiffMap().keys() ?? [])].sort()).toEqual([
    "color",
    "gone",
    "place.x",
    "ports[1]",
  ]);
});

test("an error is returned as its message, without a stack trace", async () => {
  const { error } = await serving(noLog, (call) => call("create", create({ color: "broken" })));
  expect(error?.details).toBe("the server says no");
});

test("an object that was created but is not ready keeps its ID, state and secrets", async () => {
  const half = create({ color: "half", password: new Secret("p") });
  const { error } = await serving(noLog, (call) => call("create", half));
  const [bytes] = error?.metadata.get("grpc-status-details-bin") ?? [];
  const detail = Status.deserializeBinary(bytes as Buffer)
    .getDetailsList()[0]!
    .unpack(
      (packed) => ErrorResourceInitFailed.deserializeBinary(packed),
      "pulumirpc.ErrorResourceInitFailed",
    )!;
  expect(detail.getId()).toBe("thing-1");
  expect(detail.getReasonsList()).toEqual(["it does not get ready"]);
  expect(fromWire(detail.getProperties()).secrets).toEqual({ password: true });
});

test("an unknown type fails with the advice to install the official provider", async () => {
  const message = new CreateRequest()
    .setUrn("urn:pulumi:dev::demo::demo:index:Other::x")
    .setProperties(toWire({}));
  const { error } = await serving(noLog, (call) => call("create", message));
  expect(error?.details).toContain("demo:index:Other: install the official provider");
});

test("the log of calls holds method, URN, type and preview flag, but no property", async () => {
  const log = join(file, "calls");
  await serving(new CallLog({ HYPERSHIFT_NETWORK_CALL_LOG: log }), async (call) => {
    await call("check", new CheckRequest().setUrn(urn).setNews(toWire({ color: "secret-value" })));
    await call("create", create({}, true));
  });
  const type = "demo:index:Thing";
  expect(readCalls(log)).toEqual([
    expect.objectContaining({ method: "Check", provider: "demo", urn, type }),
    expect.objectContaining({ method: "Create", provider: "demo", urn, type, preview: true }),
  ]);
  expect(readFileSync(log, "utf8")).not.toContain("secret-value");
});

describe.each(["before", "after"] as const)("an interruption %s the second call", (when) => {
  test("kills the engine once, with the call served only if the interruption comes after it", async () => {
    const counter = join(file, `count-${when}`);
    const done: string[] = [];
    const environment = { HYPERSHIFT_NETWORK_INTERRUPT: JSON.stringify({ counter, at: 2, when }) };
    const killed = () => Promise.reject<never>(new Error("killed"));
    // Two logs stand for two providers that count together.
    const [first, second] = [new CallLog(environment, killed), new CallLog(environment, killed)];
    const entry = { method: "Create", provider: "demo", urn, type: "demo:index:Thing", preview: false };
    const work = (name: string) => () => Promise.resolve(void done.push(name));
    await first.around(entry, work("one"));
    await expect(second.around(entry, work("two"))).rejects.toThrow("killed");
    await first.around(entry, work("three"));
    expect(done).toEqual(when === "before" ? ["one", "three"] : ["one", "two", "three"]);
    expect(readCalls(counter)).toHaveLength(3);
  });
});

test("a call that a test holds is served on release, and no other call waits for it", async () => {
  const [counter, heldUntil] = [join(file, "held"), join(file, "go")];
  const interruption = { counter, at: 1, when: "before", counting: "changes", provider: "demo", heldUntil };
  const log = new CallLog({ [INTERRUPT_VARIABLE]: JSON.stringify(interruption) });
  const served: string[] = [];
  const call = (name: string, method: string, provider = "demo") =>
    log.around({ method, provider, urn: name, type: "" }, () => Promise.resolve(void served.push(name)));
  await Promise.all([call("check", "Check"), call("other", "Create", "another")]);
  const held = call("held", "Create");
  await call("next", "Create");
  expect(served).toEqual(["check", "other", "next"]);
  writeFileSync(heldUntil, "");
  await held;
  expect(served).toEqual(["check", "other", "next", "held"]);
});
