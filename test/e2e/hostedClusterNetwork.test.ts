import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { HostedClusterNetwork } from "../../src/hostedCluster/component/hostedClusterNetwork";
import { Platform, type HostedClusterTopology } from "../../src";
import type { HostedClusterNetworkArgs } from "../../src/hostedCluster/component/hostedClusterNetworkArgs";
import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { ALL_PLATFORMS } from "../../src/requirements/requirement";
import { inputsOn, restJson } from "../hostedCluster/inputs";
import { projectIn, type Project, type Run } from "./badInput/project";
import { Bench, fine } from "./conformance/kubernetesBench";
import { World } from "./world";
import { sharedSession } from "./sharedSession";

/** The real engine and the real API server, with the published definition of a HostedCluster. */
const folder = mkdtempSync(join(tmpdir(), "hosted-cluster-network-"));
let session: Session;
let world: World;
const benches: Bench[] = [];

beforeAll(async () => {
  session = await sharedSession(folder);
  world = new World(session);
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "clusters" } };
  execFileSync("kubectl", ["apply", "-f", "-"], {
    env: { ...process.env, KUBECONFIG: session.kubeconfig },
    input: JSON.stringify(namespace),
  });
}, 900_000);
afterAll(async () => {
  for (const bench of benches) bench.close();
  await session?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const open = async (name: string) => {
  const bench = await Bench.open(session, name);
  benches.push(bench);
  return bench;
};
const pathOf = (name: string) =>
  `/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/${name}`;
const cluster = async (name: string) =>
  (await world.object(pathOf(name))) as
    { spec: Record<string, never>; metadata: { uid: string } } | undefined;

const topologyOf = (name: string): HostedClusterTopology => ({
  name,
  platform: Platform.AWS,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterNatCidrs: ["198.51.100.1/32"],
  workerNatCidrs: ["198.51.100.7/32"],
  internalJoinSubnet: "100.99.0.0/16",
  internalTransitSwitchSubnet: "100.69.0.0/16",
  dnsServerCidrs: ["10.0.0.2/32"],
});
const additionalSpecJson = restJson(Platform.AWS, { dns: { baseDomain: "example.com" } });

const DESTROYS = /would destroy the control plane/;

describe("M2 the spec of each platform", () => {
  test.each(ALL_PLATFORMS)("on %s is accepted with strict field validation", async (platform) => {
    const name = `on-${platform.toLowerCase()}`;
    const inputs = inputsOn(platform, { name }) as unknown as HostedClusterNetworkArgs;
    const bench = await open(name);
    fine(
      await bench.up(() => {
        new HostedClusterNetwork("cluster", inputs);
        return Promise.resolve();
      }),
    );
    const { inputs: written } = bench.resources().find(({ type }) => type.endsWith(":HostedCluster"))!;
    const { __defaults: _, ...manifest } = { __defaults: undefined, ...written };
    const metadata = { name: `${name}-strict`, namespace: "clusters" };
    const query = "?dryRun=All&fieldValidation=Strict";
    const collection = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters";
    const answer = await session.kubernetes.request("POST", collection + query, { ...manifest, metadata });
    expect([answer.status, (answer.body as { message?: string }).message]).toEqual([201, undefined]);
  });
});

describe("M2 M6 M8 a HostedCluster through its life", () => {
  const name = "tenant-a";
  const program =
    (topology: object = {}, more: Partial<HostedClusterNetworkArgs> = {}) =>
    () => {
      new HostedClusterNetwork("cluster", {
        topology: { ...topologyOf(name), ...topology },
        additionalSpecJson,
        ...more,
      });
      return Promise.resolve();
    };
  let bench: Bench;
  let uid: string;

  test("is created, and a second up changes nothing, with or without refresh", async () => {
    bench = await open("life");
    fine(await bench.up(program()));
    uid = (await cluster(name))!.metadata.uid;
    expect(fine(await bench.up(program())).changes).toEqual({ same: 3 });
    expect(fine(await bench.up(program(), true)).changes).toEqual({ same: 3 });
  });

  test.each<[string, object, Partial<HostedClusterNetworkArgs>, object]>([
    [
      "M6 the join subnet",
      { internalJoinSubnet: "100.98.0.0/16" },
      {},
      {
        operatorConfiguration: {
          clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: "100.98.0.0/16" } } },
        },
      },
    ],
    [
      "M2 the allowed CIDR blocks",
      {},
      { allowedCidrBlocks: ["198.51.100.0/24"] },
      { networking: { apiServer: { allowedCIDRBlocks: ["198.51.100.0/24"] } } },
    ],
    [
      "M8 the proxy",
      { proxy: { httpsProxy: "http://me:hunter2@proxy.example.com:3128" } },
      {},
      { configuration: { proxy: { httpsProxy: "http://me:hunter2@proxy.example.com:3128" } } },
    ],
  ])("%s changes in place", async (_, topology, more, spec) => {
    const outcome = fine(await bench.up(program(topology, more)));
    expect(outcome.changes).toEqual({ same: 1, update: 2 });
    expect(await cluster(name)).toMatchObject({ spec, metadata: { uid } });
    expect(outcome.output + bench.state()).not.toContain("hunter2");
  });

  const proxy = { httpsProxy: "http://me:hunter2@proxy.example.com:3128" };

  test.each<[string, object, string, RegExp?]>([
    [
      "the cluster network",
      { clusterNetwork: [{ cidr: "10.136.0.0/14" }] },
      "spec.networking.clusterNetwork",
    ],
    [
      "the service network",
      { serviceNetwork: [{ cidr: "172.30.0.0/16" }] },
      "spec.networking.serviceNetwork",
    ],
    [
      "the machine network, removed",
      { machineNetwork: undefined },
      "spec.networking.machineNetwork",
      /HyperShift then has no range of the nodes/,
    ],
    [
      "a service",
      { services: { apiServer: { type: "Route", hostname: "api.example.com" } } },
      "spec.services",
    ],
  ])(
    "M2 %s: the change is refused at preview and at up with the field's name, and the cluster stays unchanged",
    async (_, change, field, consequence = DESTROYS) => {
      for (const verb of ["preview", "up"] as const) {
        const { ok, output } = await bench[verb](program({ proxy, ...change }));
        expect(ok).toBe(false);
        expect(output).toContain(field);
        expect(output).toMatch(consequence);
        expect(output).not.toContain("hunter2");
      }
      expect((await cluster(name))!.metadata.uid).toBe(uid);
      // The engine stored the component's new inputs before the refusal; the HostedCluster itself has nothing to change.
      expect(fine(await bench.up(program({ proxy }))).changes).toEqual({ same: 2, update: 1 });
    },
    600_000,
  );

  test("destroy is refused", async () => {
    const { ok, output } = await bench.destroy();
    expect(ok).toBe(false);
    expect(output).toMatch(/cannot be deleted\s+because it is protected/);
    expect((await cluster(name))!.metadata.uid).toBe(uid);
  });

  test("destroy deletes it once deletable is deployed", async () => {
    fine(await bench.up(program({ proxy }, { deletable: true })));
    fine(await bench.destroy());
    expect(await cluster(name)).toBeUndefined();
  });
});

test("M2 a corrected HostedCluster may differ in immutable fields from one that the server refused to create", async () => {
  const bench = await open("second-try");
  const program = (cidr: string, spec: object) => () => {
    const topology = { ...topologyOf("tenant-c"), serviceNetwork: [{ cidr }] };
    new HostedClusterNetwork("cluster", { topology, additionalSpecJson: restJson(Platform.AWS, spec) });
    return Promise.resolve();
  };
  const wrong = { dns: { baseDomain: "not a domain" } };
  expect((await bench.up(program("172.30.0.0/16", wrong))).ok).toBe(false);
  expect(await cluster("tenant-c")).toBeUndefined();
  fine(await bench.up(program("172.29.0.0/16", {})));
  expect((await cluster("tenant-c"))!.spec).toMatchObject({
    networking: { serviceNetwork: [{ cidr: "172.29.0.0/16" }] },
  });
});

test("M2 additionalSpecJson may be an Output that resolves later", async () => {
  const bench = await open("later");
  const program = () => {
    const text = pulumi.output(
      new Promise<string>((resolve) => setTimeout(() => resolve(additionalSpecJson), 200)),
    );
    new HostedClusterNetwork("cluster", { topology: topologyOf("tenant-d"), additionalSpecJson: text });
    return Promise.resolve();
  };
  fine(await bench.preview(program));
  fine(await bench.up(program));
  expect(fine(await bench.up(program)).changes).toEqual({ same: 3 });
  expect((await cluster("tenant-d"))!.spec).toMatchObject({ dns: { baseDomain: "example.com" } });
});

/** Programs in a separate process: the engine learns of a refusal in an Output when that process ends with it. */
const programs = {
  "a TypeScript program": (name: string, inputs: object) => [
    `import { HostedClusterNetwork } from "hypershift-network";`,
    `new HostedClusterNetwork("${name}", ${JSON.stringify(inputs)} as never);`,
  ],
  "the component provider, as programs in other languages reach it": (name: string, inputs: object) => [
    `import * as pulumi from "@pulumi/pulumi";`,
    `class Remote extends pulumi.ComponentResource {`,
    `  constructor(inputs: pulumi.Inputs) {`,
    `    super("hypershift-network:index:HostedClusterNetwork", "${name}", inputs, {}, true);`,
    `  }`,
    `}`,
    `new Remote(${JSON.stringify(inputs)});`,
  ],
};

describe.each(Object.entries(programs))("M2 through %s", (_, textOf) => {
  const name = textOf === programs["a TypeScript program"] ? "tenant-e" : "tenant-f";
  const other = `${name}-renamed`;
  const program = (topology: object = {}, more: object = {}) =>
    textOf(name, { topology: { ...topologyOf(name), ...topology }, additionalSpecJson, ...more }).join("\n");
  let project: Project;
  let uid: string;

  const expectRefusal = ({ status, output }: Run, field: string) => {
    expect(status).not.toBe(0);
    expect(output).toContain(field);
    expect(output).toMatch(DESTROYS);
  };
  /** Expects that the change is refused at preview and at up, and that the object does not change. */
  const expectRefused = async (text: string, field: string) => {
    expectRefusal(await project.preview(text), field);
    expectRefusal(await project.up(text), field);
    expect((await cluster(name))!.metadata.uid).toBe(uid);
    expect(await cluster(other)).toBeUndefined();
  };

  beforeAll(async () => {
    const provider = `{ name: hypershift-network, path: ${JSON.stringify(repositoryRoot)} }`;
    project = await projectIn(session, `p-${name}`, `plugins:\n  providers:\n    - ${provider}\n`);
    expect((await project.up(program())).status).toBe(0);
    ({ uid } = (await cluster(name))!.metadata);
  }, 600_000);

  test("a different cluster network is refused", () =>
    expectRefused(
      program({ clusterNetwork: [{ cidr: "10.136.0.0/14" }] }),
      "spec.networking.clusterNetwork",
    ));

  test("a different name is refused", () => expectRefused(program({ name: other }), "metadata.name"));

  test("a different name is refused even if the cluster is deletable", () =>
    expectRefused(program({ name: other }, { deletable: true }), "metadata.name"));

  test("a mutable subnet is updated in place", async () => {
    expect((await project.up(program({ internalJoinSubnet: "100.98.0.0/16" }))).status).toBe(0);
    expect((await cluster(name))!.metadata.uid).toBe(uid);
    expect(JSON.stringify((await cluster(name))!.spec)).toContain("100.98.0.0/16");
  });
});
