import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { mergeCommaSeparated } from "../../src/objects/sharedField";
import { SharedFieldShare, sharedFieldFaults } from "../../src/components/dynamicProvider";
import {
  compareAndSwap,
  objectField,
  type SharedFieldSettings,
} from "../../src/components/compareAndSwap/swap";
import type { ServerAnswer } from "../../src/cluster/cluster";
import { provider } from "../../src/components/compareAndSwap/provider";
import { run, unknownValue } from "./program";

const settings: SharedFieldSettings = {
  apiVersion: "config.openshift.io/v1",
  object: "Proxy",
  name: "cluster",
  path: ["spec", "noProxy"],
  shape: { kind: "noProxy" },
  entries: ["x"],
  fieldManager: "ours",
};

/** An API server with one Proxy object. `between` runs after each read, as another writer would. */
class OneProxy {
  version = 1;
  requests: string[] = [];
  spec: Record<string, unknown> = {};
  between: () => void = () => undefined;

  write(noProxy: unknown): void {
    this.version++;
    if (noProxy === null) delete this.spec.noProxy;
    else this.spec.noProxy = noProxy;
  }

  send(method: string, path: string, patch?: object): Promise<ServerAnswer> {
    this.requests.push(`${method} ${path}`);
    return Promise.resolve(method === "GET" ? this.get(path) : this.patch(patch as Patch));
  }

  private get(path: string): ServerAnswer {
    if (path === "/apis/config.openshift.io/v1") {
      const resources = [
        { name: "proxies/status", kind: "Proxy", namespaced: false },
        { name: "proxies", kind: "Proxy", namespaced: false },
      ];
      return { status: 200, body: { resources } };
    }
    if (!path.startsWith("/apis/config.openshift.io/v1/proxies/cluster"))
      return { status: 404, body: { message: "not found" } };
    const body = { metadata: { resourceVersion: `${this.version}` }, spec: { ...this.spec } };
    this.between();
    return { status: 200, body };
  }

  private patch({ metadata, spec }: Patch): ServerAnswer {
    if (metadata.resourceVersion !== `${this.version}`) return { status: 409, body: { message: "modified" } };
    this.write(spec.noProxy);
    return { status: 200, body: {} };
  }
}
interface Patch {
  metadata: { resourceVersion: string };
  spec: { noProxy: unknown };
}

const swap = async (server: OneProxy, wanted: string[], ours: string[] = []) =>
  compareAndSwap(
    await objectField(server, settings),
    (current) => mergeCommaSeparated(current as string | undefined, { wanted, ours }),
    () => Promise.resolve(),
  );

describe("M11 compare and swap", () => {
  it("writes what is missing with the version that it read, under its field manager", async () => {
    const server = new OneProxy();
    server.write(".corp");
    expect((await swap(server, ["x"])).ours).toEqual(["x"]);
    expect(server.spec).toEqual({ noProxy: ".corp,x" });
    expect(server.requests.at(-1)).toBe(
      "PATCH /apis/config.openshift.io/v1/proxies/cluster?fieldManager=ours",
    );
  });

  it("reads again if another program wrote between its read and its write, and keeps the other's entries", async () => {
    const server = new OneProxy();
    server.write(".corp");
    let times = 3;
    server.between = () => {
      if (times-- > 0) server.write(`${String(server.spec.noProxy)}, theirs-${times}`);
    };
    expect((await swap(server, ["x"])).ours).toEqual(["x"]);
    expect(server.spec.noProxy).toBe(".corp, theirs-2, theirs-1, theirs-0,x");
  });

  it("keeps the entries of another program when it removes its own", async () => {
    const server = new OneProxy();
    server.write(".corp,x");
    let isFirst = true;
    server.between = () => {
      if (isFirst) server.write(".corp,x, theirs");
      isFirst = false;
    };
    expect((await swap(server, [], ["x"])).ours).toEqual([]);
    expect(server.spec.noProxy).toBe(".corp, theirs");
  });

  it("sends no write if nothing changes", async () => {
    const server = new OneProxy();
    server.write("x");
    expect((await swap(server, ["x"])).ours).toEqual([]);
    expect(server.requests.filter((request) => request.startsWith("PATCH"))).toEqual([]);
  });

  it("removes the field with its last entry", async () => {
    const server = new OneProxy();
    await swap(server, ["x"]);
    await swap(server, [], ["x"]);
    expect(server.spec).toEqual({});
  });

  it("gives up with an error after 60 attempts against a constant writer", async () => {
    const server = new OneProxy();
    server.between = () => server.write("theirs");
    await expect(swap(server, ["x"])).rejects.toThrow(
      /^spec\.noProxy of Proxy cluster: another program changed the object between read and write in each of 60 attempts/,
    );
    expect(server.spec.noProxy).toBe("theirs");
  });

  describe("if the answer to its write is lost", () => {
    const lost = new Error("socket hang up");
    const losing = (server: OneProxy, send: OneProxy["send"]) => {
      const ask = server.send.bind(server);
      server.send = (method, ...rest) =>
        method === "GET" ? ask(method, ...rest) : send.call({ send: ask }, method, ...rest);
    };

    it("counts the entries as its own if the write was carried out", async () => {
      const server = new OneProxy();
      server.write("a");
      losing(server, async function (this: { send: OneProxy["send"] }, ...args) {
        await this.send(...args);
        throw lost;
      });
      expect(await swap(server, ["x"])).toMatchObject({ ours: ["x"], value: "a,x" });
      expect(server.requests.filter((line) => line.startsWith("PATCH"))).toHaveLength(1);
    });

    it("fails if the write was not carried out, if others wrote, and if the server stays unreachable", async () => {
      const untouched = new OneProxy();
      losing(untouched, () => Promise.reject(lost));
      await expect(swap(untouched, ["x"])).rejects.toThrow(lost);
      const others = new OneProxy();
      losing(others, () => (others.write("b"), Promise.reject(lost)));
      await expect(swap(others, ["x"])).rejects.toThrow(lost);
      const away = new OneProxy();
      losing(away, () => {
        away.send = () => Promise.reject(new Error("connection refused"));
        return Promise.reject(lost);
      });
      await expect(swap(away, ["x"])).rejects.toThrow(lost);
    });
  });

  it("names an object that does not exist, and a kind that the server does not know", async () => {
    const server = new OneProxy();
    await expect((await objectField(server, { ...settings, name: "other" })).read()).rejects.toThrow(
      "Proxy other: not found",
    );
    await expect(objectField(server, { ...settings, apiVersion: "config.openshift.io/v2" })).rejects.toThrow(
      "Proxy cluster: the server knows no Proxy of config.openshift.io/v2",
    );
  });
});

describe("a share of a field", () => {
  const diff = (old: object, now: object) =>
    provider.diff!("id", { ...settings, ours: [], value: "", ...old }, { ...settings, ...now });

  it("is updated in place, and replaced for another field or object", async () => {
    expect(await diff({}, {})).toEqual({ changes: false, replaces: [] });
    expect(await diff({}, { entries: ["y"] })).toEqual({ changes: true, replaces: [] });
    expect(await diff({}, { kubeconfig: "other" })).toEqual({ changes: true, replaces: [] });
    expect(await diff({ lost: ["x"] }, {})).toEqual({ changes: true, replaces: [] });
    expect(await diff({}, { name: "other" })).toEqual({ changes: true, replaces: ["name"] });
  });

  it("fails immediately with the reason if the folder has no package", () => {
    expect(sharedFieldFaults("manage")).toEqual([]);
    const [fault] = sharedFieldFaults("manage", tmpdir());
    expect(fault).toMatchObject({ path: "manage" });
    // Jest resolves this package by its name from any folder.
    expect(fault!.problem).toMatch(
      /^true, but @pulumi\/pulumi.* cannot be loaded from .*, the folder of the program$/,
    );
    expect(fault!.remedy).toMatch(/^write it in a Node.js program/);
  });

  it("is a resource of Pulumi's dynamic provider, and a preview accepts an unknown kubeconfig", async () => {
    const share = (kubeconfig: string) => () => new SharedFieldShare("share", { ...settings, kubeconfig });
    const { objects, failures } = await run(share("apiVersion: v1\n"));
    expect(failures).toEqual([]);
    expect(objects).toMatchObject([
      { type: "pulumi-nodejs:dynamic/hypershift-network:SharedFieldShare", inputs: { entries: ["x"] } },
    ]);
    const preview = await run(share(unknownValue<string>() as unknown as string), { preview: true });
    expect(preview.failures).toEqual([]);
  });

  it("loads its provider by a name that the package exports", async () => {
    const { objects } = await run(() => new SharedFieldShare("share", settings));
    const [, name] = /\("(hypershift-network\/[^"]+)"\)/.exec(objects[0]!.inputs.__provider as string)!;
    const root = createRequire(`${process.cwd()}/package.json`);
    const { exports } = root("./package.json") as { exports: Record<string, string> };
    expect(exports[name!.replace("hypershift-network", ".")]).toBe(
      "./dist/src/components/compareAndSwap/provider.js",
    );
  });
});
