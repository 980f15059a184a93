import type { MigrationObjects } from "../../src/networkTypeMigration/cluster";
import type { MigrationWrite } from "../../src/networkTypeMigration/patches";

type Json = { [key: string]: unknown };

const condition = (type: string, status: boolean) => ({ type, status: status ? "True" : "False" });

const bootId = (count: number, name: string): string =>
  `${String(count).padStart(4, "0")}-${name}-0000-0000-000000000000`;

const pool = (name: string): Json => ({
  metadata: { name, generation: 1, resourceVersion: "1" },
  spec: { paused: false, configuration: { name: `rendered-${name}-OpenShiftSDN` } },
  status: {
    configuration: { name: `rendered-${name}-OpenShiftSDN` },
    observedGeneration: 1,
    machineCount: 3,
    updatedMachineCount: 3,
    conditions: [condition("Updated", true), condition("Updating", false), condition("Degraded", false)],
  },
});

const TYPES = ["OpenShiftSDN", "OVNKubernetes"] as const;
/** The configuration that the Machine Config Operator renders for a pool with a network type. */
const machineConfig = (pool: string, type: string): Json => ({
  metadata: { name: `rendered-${pool}-${type}` },
  spec: {
    config: {
      systemd: {
        units: [
          { name: "kubelet.service", enabled: true },
          { name: "crio.service", contents: "[Service]\nExecStart=/usr/bin/crio\n" },
          {
            name: "ovs-configuration.service",
            contents: `[Service]\nType=oneshot\nExecStart=/usr/local/bin/configure-ovs.sh ${type}\nStandardOutput=journal\n`,
          },
        ],
      },
    },
  },
});

const node = (name: string, role: string, address: string): Json => ({
  metadata: {
    name,
    labels: { [`node-role.kubernetes.io/${role}`]: "" },
    annotations: {
      "machine.openshift.io/machine": `openshift-machine-api/${name}`,
      "machineconfiguration.openshift.io/currentConfig": "rendered-1",
      "machineconfiguration.openshift.io/desiredConfig": "rendered-1",
      "machineconfiguration.openshift.io/state": "Done",
    },
  },
  status: {
    nodeInfo: { bootID: bootId(1, name) },
    addresses: [
      { type: "InternalIP", address },
      { type: "Hostname", address: name },
    ],
    conditions: [condition("Ready", true)],
  },
});

/** A cluster of OpenShift 4.7 with OpenShift SDN, as openshift-install leaves it on AWS. */
const installed = (): { [name: string]: Json | Json[] | undefined } => ({
  config: {
    metadata: { name: "cluster", resourceVersion: "1" },
    spec: {
      networkType: "OpenShiftSDN",
      clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
      serviceNetwork: ["172.30.0.0/16"],
    },
    status: { networkType: "OpenShiftSDN", clusterNetworkMTU: 1450 },
  },
  operator: {
    metadata: { name: "cluster", resourceVersion: "1" },
    spec: { defaultNetwork: { type: "OpenShiftSDN" } },
  },
  version: {
    metadata: { name: "version" },
    status: {
      desired: { version: "4.7.60" },
      history: [{ state: "Completed", version: "4.7.60" }],
      conditions: [condition("Available", true), condition("Progressing", false)],
    },
  },
  infrastructure: { metadata: { name: "cluster" }, status: { platformStatus: { type: "AWS" } } },
  multus: {
    metadata: { name: "multus", generation: 1 },
    status: {
      observedGeneration: 1,
      desiredNumberScheduled: 3,
      updatedNumberScheduled: 3,
      numberAvailable: 3,
    },
  },
  sdnNamespace: { metadata: { name: "openshift-sdn", resourceVersion: "1" } },
  ovnNamespace: undefined,
  pools: [pool("master"), pool("worker")],
  machineConfigs: ["master", "worker"].flatMap((name) => TYPES.map((type) => machineConfig(name, type))),
  operators: ["network", "dns"].map((name) => ({
    metadata: { name },
    status: { conditions: [condition("Available", true), condition("Degraded", false)] },
  })),
  nodes: [
    node("one", "master", "10.0.0.1"),
    node("two", "master", "10.0.0.2"),
    node("three", "worker", "10.0.0.3"),
  ],
  egressNetworkPolicies: [],
  netNamespaces: [{ metadata: { name: "default" }, netname: "default", netid: 0 }],
  hostSubnets: [],
});

/** A cluster whose operators, kubelets and people the test simulates. */
export class PlayedCluster {
  private readonly parts = installed();
  private version = 1;

  get objects(): MigrationObjects {
    return this.parts as unknown as MigrationObjects;
  }

  part(name: string): Json {
    return this.parts[name] as Json;
  }

  list(name: string): Json[] {
    return this.parts[name] as Json[];
  }

  without(name: string): void {
    this.parts[name] = undefined;
  }

  /** Sets a value inside an object: `config`, `spec.networkType`. */
  set(object: Json, path: string, value: unknown): void {
    const keys = path.split(".");
    const last = keys.pop()!;
    const place = keys.reduce((at, key) => (at[key] ??= {}) as Json, object);
    place[last] = value;
  }

  /** Carries out a write like the API server, which refuses a write with an outdated resource version. */
  write({ path, method, body }: MigrationWrite): void {
    const object = this.at(path);
    const { resourceVersion } = (body.preconditions ?? body.metadata) as Json;
    if (resourceVersion !== (object.metadata as Json).resourceVersion) throw new Error(`conflict at ${path}`);
    if (method === "DELETE") return this.set(object, "metadata.deletionTimestamp", "2026-01-02T03:04:05Z");
    merge(object, body);
    this.set(object, "metadata.resourceVersion", String(++this.version));
    if (path.includes("machineconfigpools")) this.set(object, "metadata.generation", this.version);
  }

  /** The network operator applies the type and rolls out Multus. */
  operatorFollows(): void {
    const config = this.part("config");
    const { networkType } = config.spec as Json;
    if ((config.status as Json).networkType === networkType) return;
    config.status = { networkType, clusterNetworkMTU: networkType === "OVNKubernetes" ? 1400 : 1450 };
    const multus = this.part("multus");
    const generation = ((multus.metadata as Json).generation as number) + 1;
    (multus.metadata as Json).generation = generation;
    (multus.status as Json).observedGeneration = generation;
    const namespace = networkType === "OVNKubernetes" ? "ovnNamespace" : "sdnNamespace";
    this.parts[namespace] = { metadata: { name: namespace, resourceVersion: "1" } };
  }

  /** Whether each pool is paused. */
  get paused(): unknown[] {
    return this.list("pools").map(({ spec }) => (spec as Json).paused);
  }

  /** The user restarts all nodes. */
  reboot(nodes = this.list("nodes")): void {
    for (const one of nodes) {
      const info = (one.status as Json).nodeInfo as { bootID: string };
      const [count = "", name = ""] = info.bootID.split("-");
      info.bootID = bootId(Number(count) + 1, name);
    }
  }

  /** The Machine Config Operator processes its pools. */
  poolsFollow(): void {
    const { networkType } = this.part("config").status as Json;
    for (const { metadata, spec, status } of this.list("pools") as Record<string, Json>[]) {
      spec!.configuration = { name: `rendered-${String(metadata!.name)}-${String(networkType)}` };
      status!.observedGeneration = metadata!.generation;
      if (spec!.paused !== true) status!.configuration = { ...(spec!.configuration as Json) };
    }
  }

  private at(path: string): Json {
    const name = path.split("/").at(-1)!;
    if (path.includes("machineconfigpools"))
      return this.list("pools").find((one) => (one.metadata as Json).name === name)!;
    if (path.includes("namespaces"))
      return this.part(name === "openshift-sdn" ? "sdnNamespace" : "ovnNamespace");
    return this.part(path.includes("operator.openshift.io") ? "operator" : "config");
  }
}

/** RFC 7386 */
function merge(into: Json, patch: Json): void {
  for (const [key, value] of Object.entries(patch))
    if (value === null) delete into[key];
    else if (typeof value === "object" && !Array.isArray(value))
      merge((into[key] ??= {}) as Json, value as Json);
    else into[key] = value;
}
