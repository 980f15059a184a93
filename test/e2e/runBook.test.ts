import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { isolationPolicies } from "../../src/isolation/judge";
import { networkPolicySpec } from "../../src/isolation/networkPolicy";
import { Platform } from "../../src/requirements/vocabulary";
import { clusterWith, type Change } from "../rules/refusals/objects";
import { refusedChanges } from "../rules/refusals/changes";
import { normal } from "../topology/topologies";
import { networkOperatorObject } from "./networkOperatorObject";
import { sharedSession } from "./sharedSession";
import { Answer, type Patch, type RunBook } from "../../src/runBook/runBook";

const command = join(repositoryRoot, "dist", "src", "cli", "main.js");
const API = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters";
const OPERATOR = "/apis/operator.openshift.io/v1/networks";
const HCP = "clusters-tenant-a";
const POLICIES = `/apis/networking.k8s.io/v1/namespaces/${HCP}/networkpolicies`;

type Known = Record<string, unknown>;

/** Sends every patch of a run book to a real kube-apiserver with the real CRDs, which refuses what the run book calls immutable. */
describe("the patches of a run book", () => {
  const folder = mkdtempSync(join(tmpdir(), "run-book-"));
  let session: Session;

  const bin = join(folder, "bin");
  type Method = Parameters<Session["kubernetes"]["request"]>[0];
  const send = (method: Method, path: string, object?: object) =>
    session.kubernetes.request(method, path, object);
  const apply = async (path: string, object: object) => {
    const { status, body } = await send("PATCH", `${path}?fieldManager=admin&force=true`, object);
    if (status >= 300) throw new Error(JSON.stringify(body));
  };
  /** Runs the command of a patch in a shell unchanged, with kubectl for oc. */
  const carryOut = ({ command: line }: Patch): Promise<string> =>
    new Promise((resolve) =>
      execFile(
        "bash",
        ["-c", line.replace("--kubeconfig HOSTED", `--kubeconfig ${session.kubeconfig}`)],
        { env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, KUBECONFIG: session.kubeconfig } },
        (failure, _, error) => resolve(failure ? `${line}\n${error}` : ""),
      ),
    );
  const write = (name: string, ...objects: unknown[]): string => {
    const file = join(folder, name);
    writeFileSync(file, objects.map((one) => JSON.stringify(one)).join("\n---\n"));
    return file;
  };
  const plan = (...args: string[]): Promise<{ status: number; book: RunBook; error: string }> =>
    new Promise((resolve, reject) =>
      execFile(process.execPath, [command, "plan", ...args, "--format", "json"], (failure, out, error) => {
        if (out === "") reject(new Error(error));
        const [book] = (JSON.parse(out) as { hostedClusters: RunBook[] }).hostedClusters;
        resolve({ status: failure ? Number(failure.code) : 0, book: book!, error });
      }),
    );
  /** The run book from the object on the server to the wanted manifests. */
  const toward = async (wanted: Known, ...more: unknown[]) => {
    const { body } = await send("GET", `${API}/tenant-a`);
    return plan(write("wanted.yaml", wanted, ...more), "--change", write("current.yaml", body));
  };
  const put = async (platform: Platform, spec: Change) => {
    await send("DELETE", `${API}/tenant-a`);
    await apply(`${API}/tenant-a`, clusterWith(platform, spec));
  };
  const specOf = async () => ((await send("GET", `${API}/tenant-a`)).body as { spec: Known }).spec;

  beforeAll(async () => {
    mkdirSync(bin);
    writeFileSync(join(bin, "oc"), '#!/bin/sh\nexec kubectl "$@"\n', { mode: 0o755 });
    session = await sharedSession(join(folder, "state"));
    for (const name of ["clusters", HCP])
      await apply(`/api/v1/namespaces/${name}`, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    await apply(`${OPERATOR}/cluster`, networkOperatorObject());
  });
  afterAll(async () => {
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const ovn = (ovnKubernetesConfig: object): Change => ({
    operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig } },
  });
  const image = (release: string) => ({
    release: { image: `quay.io/openshift-release-dev/ocp-release:${release}.0-x86_64` },
  });
  const proxy = (settings: object): Change => ({ configuration: { proxy: settings } });
  const url = "http://proxy.example.com:3128";

  /** A current state, a wanted state, and the steps between them. */
  const mutable: readonly [string, Platform, Change, Change, string[]][] = [
    [
      "internal subnets that come",
      Platform.None,
      {},
      ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16", internalTransitSwitchSubnet: "100.69.0.0/16" } }),
      ["internal-subnets"],
    ],
    [
      "internal subnets that move",
      Platform.AWS,
      ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }),
      ovn({ ipv4: { internalJoinSubnet: "100.98.0.0/16" } }),
      ["internal-subnets"],
    ],
    [
      "internal subnets that go back to the default",
      Platform.AWS,
      ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }),
      {},
      ["internal-subnets"],
    ],
    [
      "a subnet that can be set once",
      Platform.KubeVirt,
      {},
      ovn({ v4InternalSubnet: "100.99.0.0/16" }),
      ["internal-subnets"],
    ],
    [
      "a proxy",
      Platform.AWS,
      {},
      proxy({ httpProxy: url, httpsProxy: url, noProxy: ".example.com" }),
      ["proxy"],
    ],
    [
      "a secondary network in noProxy",
      Platform.KubeVirt,
      proxy({ httpProxy: url, noProxy: ".example.com" }),
      proxy({ httpProxy: url, noProxy: ".example.com,192.168.7.0/24" }),
      ["proxy"],
    ],
    ["a proxy that goes", Platform.AWS, proxy({ httpProxy: url }), {}, ["proxy"]],
    [
      "access from public to private",
      Platform.AWS,
      { platform: { aws: { endpointAccess: "Public" } } },
      { platform: { aws: { endpointAccess: "Private" } } },
      ["endpoint-access-PublicAndPrivate", "endpoint-access-Private"],
    ],
    [
      "blocks that reach the API server",
      Platform.AWS,
      {},
      { networking: { apiServer: { allowedCIDRBlocks: ["198.51.100.0/24"] } } },
      ["allowed-blocks"],
    ],
    ["a release", Platform.None, image("4.20"), image("4.21"), ["upgrade-4.21"]],
    [
      "a release with its subnets before it",
      Platform.None,
      image("4.20"),
      { ...image("4.21"), ...ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }) },
      ["internal-subnets", "upgrade-4.21"],
    ],
  ];

  const FORWARD_ONLY = new Set([
    "a subnet that can be set once",
    "a release",
    "a release with its subnets before it",
  ]);

  test.each(mutable)(
    "for %s are accepted by the server, and so are those of the way back",
    async (what, platform, from, to, ids) => {
      await put(platform, from);
      const { status, book } = await toward(clusterWith(platform, to));
      expect([status, book.obstacles]).toEqual([0, []]);
      const steps = book.steps.filter(({ patches }) => patches.length > 0);
      expect(steps.map(({ id }) => id)).toEqual(ids);
      for (const { patches } of steps) for (const patch of patches) expect(await carryOut(patch)).toBe("");
      // Nothing is left to do, and repeating a step changes nothing.
      const after = await specOf();
      const again = await toward(clusterWith(platform, to));
      expect(again.book.steps.filter(({ patches }) => patches.length > 0)).toEqual([]);
      for (const { patches } of steps.slice(-1)) for (const patch of patches) await carryOut(patch);
      expect(await specOf()).toEqual(after);
      for (const { wayBack } of [...steps].reverse())
        for (const patch of wayBack.patches) expect(await carryOut(patch)).toBe("");
      // Releases only go forward, and some subnets can be set only once.
      const isReversible = steps.every(({ wayBack }) => wayBack.patches.length > 0);
      expect(isReversible).toBe(!FORWARD_ONLY.has(what));
      const back = await toward(clusterWith(platform, from));
      expect(back.book.steps.some(({ patches }) => patches.length > 0)).toBe(false);
    },
  );

  test("change NodePort to Route on IBM Cloud by writing the whole list of services", async () => {
    const entry = (service: string, type: string, more: object = {}) => ({
      service,
      servicePublishingStrategy: { type, ...more },
    });
    const names = ["APIServer", "Ignition", "Konnectivity", "OAuthServer"];
    const byNodePort = names.map((name) => entry(name, "NodePort", { nodePort: { address: "192.0.2.10" } }));
    const byRoute = names.map((name) =>
      entry(name, "Route", name === "APIServer" ? { route: { hostname: "api.example.com" } } : {}),
    );
    const none = entry("OIDC", "None");
    await put(Platform.IBMCloud, { services: [...byNodePort, none] });
    const { status, book } = await toward(clusterWith(Platform.IBMCloud, { services: byRoute }));
    expect([status, book.outcome]).toEqual([0, "in-place"]);
    const step = book.steps.find(({ id }) => id === "services")!;
    expect(await carryOut(step.patches[0]!)).toBe("");
    expect((await specOf()).services).toEqual([...byRoute, none]);
    expect(await carryOut(step.wayBack.patches[0]!)).toBe("");
    expect((await specOf()).services).toEqual([...byNodePort, none]);
  });

  test("preset subnets before 4.14 and keep the masquerade subnet before 4.17 in the Network operator", async () => {
    const config = (name: string, more: object) =>
      write(name, {
        hostedClusters: [
          { name: "tenant-a", platform: "None", machineNetwork: [{ cidr: "10.0.0.0/16" }], ...more },
        ],
      });
    const wanted = config("preset.yaml", { release: "4.17", internalTransitSwitchSubnet: "100.69.0.0/16" });
    const { status, book } = await plan("-c", wanted, "--change", config("before.yaml", { release: "4.13" }));
    expect(status).toBe(0);
    const steps = book.steps.filter(({ patches }) => patches.length > 0);
    expect(steps.map(({ id }) => id)).toEqual(["preset-internalTransitSwitchSubnet", "keep-masquerade"]);
    for (const { patches } of steps) expect(await carryOut(patches[0]!)).toBe("");
    expect((await send("GET", `${OPERATOR}/cluster`)).body).toMatchObject({
      spec: {
        defaultNetwork: {
          ovnKubernetesConfig: {
            ipv4: { internalTransitSwitchSubnet: "100.69.0.0/16" },
            gatewayConfig: { ipv4: { internalMasqueradeSubnet: "169.254.169.0/29" } },
          },
        },
      },
    });
    for (const { wayBack } of steps) expect(await carryOut(wayBack.patches[0]!)).toBe("");
    expect(JSON.stringify((await send("GET", `${OPERATOR}/cluster`)).body)).not.toContain("100.69.0.0/16");
  });

  test("apply isolation policies step by step, remove the opening policy last, and can restore it", async () => {
    const topology = normal({ platform: "None", machineNetwork: [{ cidr: "10.0.0.0/16" }] });
    const policies = isolationPolicies(topology).map((policy) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: policy.name, namespace: HCP },
      spec: networkPolicySpec(policy),
    }));
    await put(Platform.None, {});
    const { status, book } = await toward(clusterWith(Platform.None, {}), ...policies);
    expect([status, book.steps.map(({ id }) => id)]).toEqual([
      0,
      ["isolation-opening", "isolation-policies", "isolation-closing"],
    ]);
    const names = async () => {
      const { body } = await send("GET", POLICIES);
      return (body as { items: { metadata: { name: string } }[] }).items
        .map(({ metadata }) => metadata.name)
        .sort();
    };
    const current = async () => {
      const { body } = await send("GET", POLICIES);
      const kind = { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy" };
      return (body as { items: object[] }).items.map((policy) => ({ ...kind, ...policy }));
    };
    // The user stops after each step, and plans again.
    const left = [
      ["isolation-opening", "isolation-policies", "isolation-closing"],
      ["isolation-closing"],
      [],
    ];
    for (const [index, { patches }] of book.steps.entries()) {
      for (const patch of patches) expect(await carryOut(patch)).toBe("");
      const object = (await send("GET", `${API}/tenant-a`)).body;
      const again = await plan(
        write("wanted.yaml", clusterWith(Platform.None, {}), ...policies),
        ...["--change", write("current.yaml", object, ...(await current()))],
      );
      expect(again.book.steps.map(({ id }) => id)).toEqual(left[index]);
    }
    expect(await names()).toEqual(policies.map(({ metadata }) => metadata.name).sort());
    expect(await carryOut(book.steps[2]!.wayBack.patches[0]!)).toBe("");
    expect(await names()).toContain("hypershift-network-opening");
  });

  test("M11 add a secondary network to the noProxy entries of others, and fail if others have changed noProxy since", async () => {
    const PROXY = "/apis/config.openshift.io/v1/proxies/cluster";
    const proxyWith = (noProxy: string) =>
      apply(PROXY, {
        apiVersion: "config.openshift.io/v1",
        kind: "Proxy",
        metadata: { name: "cluster" },
        spec: { httpProxy: "http://proxy.example.com:3128", noProxy },
      });
    const noProxy = async () => ((await send("GET", PROXY)).body as { spec: Known }).spec.noProxy;
    const machineNetwork = [{ cidr: "192.168.10.0/24" }];
    const cluster = clusterWith(Platform.KubeVirt, { networking: { machineNetwork } });
    const pool = {
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "NodePool",
      metadata: { name: "workers", namespace: "clusters" },
      spec: {
        clusterName: "tenant-a",
        platform: {
          type: "KubeVirt",
          kubevirt: { attachDefaultNetwork: false, additionalNetworks: [{ name: "shop/vlan-10" }] },
        },
      },
    };
    const planned = async () => {
      const current = write("current.yaml", cluster, (await send("GET", PROXY)).body);
      return (await plan(write("wanted.yaml", cluster, pool), "--change", current)).book.steps;
    };
    await proxyWith(".corp.example.com");
    const [stale] = await planned();
    await proxyWith(".corp.example.com,theirs.example.com");
    expect(await carryOut(stale!.patches[0]!)).toMatch(/the object has been modified/);
    const [step] = await planned();
    expect(await carryOut(step!.patches[0]!)).toBe("");
    expect(await noProxy()).toBe(".corp.example.com,theirs.example.com,192.168.10.0/24");
    expect(await planned()).toEqual([]);
  });

  describe("do not make a change that the server refuses", () => {
    /** Refused changes that a run book replaces by a way that the server accepts. */
    const otherWays = new Set([
      // A field that the wanted object omits stays, because the server writes defaults.
      "the MTU is taken out",
      // The run book writes the default instead.
      "ovnKubernetesConfig is taken out",
    ]);
    /** Refused as written, although it means the current state: an obstacle, not a new cluster. */
    const rewordings = new Set(["services in another order", "Azure's public topology is taken out"]);
    const enforced = refusedChanges.filter(({ by }) => by === "API server");

    test.each(enforced.map((one) => [one.fact, one] as const))(
      "%s",
      async (fact, { on = Platform.AWS, before, after }) => {
        await put(on, before);
        const wanted = clusterWith(on, after);
        const { status, book } = await toward(wanted);
        const isImmutable = book.changes.some(({ answer }) => answer === Answer.Immutable);
        expect([isImmutable, status]).toEqual([
          !otherWays.has(fact) && !rewordings.has(fact),
          otherWays.has(fact) ? 0 : 1,
        ]);
        // The steps for the other changes do not make the refused change.
        for (const { patches } of book.steps)
          for (const patch of patches) expect(await carryOut(patch)).toBe("");
        const { metadata } = (await send("GET", `${API}/tenant-a`)).body as { metadata: Known };
        const { resourceVersion } = metadata;
        const whole = { ...wanted, metadata: { ...(wanted.metadata as object), resourceVersion } };
        expect((await send("PUT", `${API}/tenant-a?dryRun=All`, whole)).status).toBe(422);
      },
    );
  });
});
