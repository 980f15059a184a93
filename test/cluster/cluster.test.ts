import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { Cluster, NoCredentials, serverHost } from "../../src/cluster/cluster";
import { LiveCluster, LiveFault } from "../../src/cluster/liveCluster";

/** The content of the kubeconfigs below, as the mock reads it. */
interface Content {
  context?: string;
  contexts: Record<string, object | null>;
  user?: object;
}

/** The Kubernetes client is an ES module that Jest does not load. */
jest.mock("@kubernetes/client-node", () => ({
  KubeConfig: class {
    content!: Content;
    loadFromString = (text: string) => void (this.content = JSON.parse(text) as Content);
    loadFromFile = (file: string) => Object.assign(this, JSON.parse(readFileSync(file, "utf8")) as object);
    loadFromOptions = (options: object) => void (mockMerged = options);
    getCurrentContext = () => this.content.context;
    setCurrentContext = (name: string) => void (this.content.context = name);
    getContextObject = (name: string) => (name in this.content.contexts ? {} : null);
    getCurrentCluster = () => this.content.contexts[this.content.context ?? ""] ?? null;
    getCurrentUser = () => this.content.user ?? null;
    applyToHTTPSOptions = () => Promise.reject(mockFailure());
  },
}));

let mockFailure: () => Error;
let mockMerged: object | undefined;

const CONTENT: Content = { context: "dev", contexts: { dev: { server: "https://127.0.0.1:1" }, bare: null } };

const opened = (content: Content, context?: string) =>
  LiveCluster.open({ kubeconfig: JSON.stringify(content), context }, "the cluster");

const failureOf = (running: Promise<unknown>) =>
  running.then(
    () => "no failure",
    ({ message, remedy }: LiveFault) => `${message}: ${remedy}`,
  );

test.each(["", " "])("an empty kubeconfig is not that of the environment: %j", async (kubeconfig) => {
  await expect(Cluster.open({ kubeconfig })).rejects.toThrow("the kubeconfig is empty");
});

test("of the files of KUBECONFIG, the first context and the first of each name count, and missing files are left out", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hypershift-network-"));
  const write = (name: string, currentContext: string, clusters: object[]) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({ currentContext, clusters, contexts: [], users: [] }));
    return file;
  };
  const [dev, other] = ["dev", "prod"].map((name) => ({ name, server: `https://${name}.example.com` }));
  const files = [
    join(folder, "absent"),
    write("first", "", [dev!]),
    write("second", "dev", [{ ...dev, server: "https://later.example.com" }]),
    write("third", "prod", [other!]),
  ];
  const before = process.env.KUBECONFIG;
  process.env.KUBECONFIG = files.join(delimiter);
  try {
    await Cluster.open({}).catch(() => undefined);
  } finally {
    if (before === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = before;
    rmSync(folder, { recursive: true });
  }
  expect(mockMerged).toEqual({ currentContext: "dev", clusters: [dev, other], contexts: [], users: [] });
});

describe("the host of a cluster", () => {
  test.each([
    ["https://api.example.com:6443", "api.example.com:6443"],
    ["https://me:hunter2@api.example.com:6443/k8s/clusters/c-1", "api.example.com:6443"],
    ["https://[fd00::1]:6443/", "[fd00::1]:6443"],
    ["api.example.com", undefined],
  ])("of %s is %s, without path and credentials", (server, host) => {
    expect(serverHost(server)).toBe(host);
  });
});

describe("a context without a cluster", () => {
  test.each([
    [CONTENT, "prod", "the kubeconfig has no context prod"],
    [{ ...CONTENT, context: "gone" }, undefined, "the kubeconfig has no context gone"],
    [{ contexts: {} }, undefined, "the kubeconfig has no current context"],
    [CONTENT, "bare", "the context bare of the kubeconfig names no cluster that the kubeconfig has"],
  ])("of %j with --context %s is named", async (content, context, problem) => {
    expect(await failureOf(opened(content, context))).toBe(
      `the kubeconfig of the cluster cannot be used: ${problem}: check its path, clusters, users and contexts`,
    );
  });

  test("is not one that has a cluster", async () => {
    await expect(opened(CONTENT, "dev")).resolves.toMatchObject({ host: "127.0.0.1:1" });
  });
});

describe("credentials that cannot be obtained", () => {
  const exec = (command?: string) => ({ exec: { command } });
  const system = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
  const plugin = (name: string, why: string) =>
    `the credential plugin ${name} of the kubeconfig did not work: ${why}: run it, and correct the command, arguments and variables of that user in the kubeconfig`;
  const printed = "what it prints is not an ExecCredential with a status";

  test.each<[what: string, user: object, failure: Error, expected: string]>([
    [
      "output that is not JSON",
      exec("echo"),
      new SyntaxError("Unexpected token 's', \"sha256~AbC\""),
      plugin("echo", printed),
    ],
    ["no status", exec("aws"), new TypeError("Cannot read properties"), plugin("aws", printed)],
    ["an error", exec("aws"), new Error("sha256~AbC"), plugin("aws", "it ends with an error")],
    [
      "no such program",
      exec("oc-login"),
      system("ENOENT", { syscall: "spawn oc-login", path: "oc-login" }),
      plugin("oc-login", "there is no such program"),
    ],
    [
      "a program that is not executable",
      exec("./login"),
      system("EACCES", { syscall: "spawn ./login", path: "./login" }),
      plugin("./login", "it cannot be started (EACCES)"),
    ],
    [
      "no command",
      exec(),
      new Error("No command was specified"),
      "a credential plugin of the kubeconfig has no command: write its command",
    ],
    [
      "an older plugin",
      { authProvider: { name: "gcp", config: { "cmd-path": "gcloud" } } },
      new SyntaxError("sha256~AbC"),
      plugin("gcloud", printed),
    ],
    [
      "a server of identities",
      { authProvider: { name: "oidc" } },
      new Error("sha256~AbC"),
      "oidc gives no credentials for the kubeconfig: log in again",
    ],
    [
      "a missing file",
      {},
      system("ENOENT", { syscall: "open", path: "/keys/tls.crt" }),
      "a file that the kubeconfig names cannot be read: there is no such file: /keys/tls.crt: check the paths of its certificates, keys and tokens",
    ],
  ])("because of %s are named without what the plugin wrote", async (_, user, failure, expected) => {
    mockFailure = () => failure;
    const cluster = await opened({ ...CONTENT, user });
    expect(await failureOf(cluster.get("/api"))).toBe(`the cluster cannot be asked: ${expected}`);
    const direct = await Cluster.open({ kubeconfig: JSON.stringify({ ...CONTENT, user }) });
    await expect(direct.send("GET", "/api")).rejects.toThrow(expected);
    await expect(direct.send("GET", "/api")).rejects.toBeInstanceOf(NoCredentials);
  });

  test("leave other faults of the client as they are", async () => {
    mockFailure = () => new Error("HTTP protocol is not allowed");
    expect(await failureOf((await opened(CONTENT)).get("/api"))).toContain(
      "the cluster does not answer: HTTP protocol is not allowed: check the server",
    );
  });
});
