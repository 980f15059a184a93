import { join } from "node:path";

import { chooseCrds, installCrds, readCrds } from "../../../local/servers/crds";
import type { Session } from "../../../local/session";
import { MACHINE_CONFIGS, MIGRATION_LIST, MIGRATION_OBJECT } from "../../../src/networkTypeMigration/cluster";
import { applied } from "../applied";

type Condition = "Available" | "Degraded" | "Progressing" | "Ready" | "Updated" | "Updating";
const conditions = (...all: [Condition, boolean][]) =>
  all.map(([type, status]) => ({ type, status: status ? "True" : "False", reason: "AsPlayed", message: "" }));

const NODES = { one: "master", two: "master", three: "worker" } as const;
const POOLS = ["master", "worker"] as const;
const TYPES = ["OpenShiftSDN", "OVNKubernetes"] as const;
const MULTUS = { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "multus" } };
const kind = (apiVersion: string, name: string, what: string) => ({
  apiVersion,
  kind: what,
  metadata: { name },
});

interface PoolObject {
  metadata: { generation: number };
  spec: { paused?: boolean };
  status?: { configuration?: { name: string } };
}

/** An OpenShift 4.7 cluster on an API server without operators and nodes, which the test simulates. */
export class PlayedOpenShift {
  private boots = 0;
  private multusVersion = 0;

  private constructor(private readonly session: Session) {}

  static async install(session: Session): Promise<PlayedOpenShift> {
    const played = new PlayedOpenShift(session);
    await installMissingCrds(session);
    await Promise.all(["openshift-multus", "openshift-sdn"].map((name) => played.namespace(name)));
    await played.cluster();
    for (const pool of POOLS) for (const type of TYPES) await played.machineConfig(pool, type);
    await Promise.all([
      ...Object.entries(NODES).map(([name, role], place) => played.node(name, role, `10.0.0.${place + 1}`)),
      ...POOLS.map((name) => played.pool(name)),
      played.operator("network"),
      played.rollOutMultus(),
    ]);
    await played.reboot();
    return played;
  }

  object(path: string): Promise<Record<string, unknown>> {
    return this.session.kubernetes.request("GET", path).then(({ body }) => body as Record<string, unknown>);
  }

  private apply(path: string, object: object, manager?: string) {
    return applied(this.session, path, object, manager);
  }

  private namespace(name: string) {
    return this.apply(`/api/v1/namespaces/${name}`, kind("v1", name, "Namespace"));
  }

  private async cluster(): Promise<void> {
    const network = kind("config.openshift.io/v1", "cluster", "Network");
    const ranges = {
      clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
      serviceNetwork: ["172.30.0.0/16"],
    };
    // With a field manager that does not apply again, because others change the type.
    await this.apply(
      MIGRATION_OBJECT.config,
      {
        ...network,
        spec: { ...ranges, networkType: "OpenShiftSDN" },
      },
      "installer",
    );
    await this.configStatus("OpenShiftSDN");
    await this.apply(
      MIGRATION_OBJECT.operator,
      {
        ...kind("operator.openshift.io/v1", "cluster", "Network"),
        spec: { ...ranges, defaultNetwork: { type: "OpenShiftSDN" } },
      },
      "installer",
    );
    await this.release("4.7.60");
    await this.platform("AWS");
  }

  /** The platform on which the cluster was installed. */
  async platform(type: string): Promise<void> {
    const infrastructure = kind("config.openshift.io/v1", "cluster", "Infrastructure");
    await this.apply(MIGRATION_OBJECT.infrastructure, infrastructure);
    const status = { platformStatus: { type } };
    await this.apply(`${MIGRATION_OBJECT.infrastructure}/status`, { ...infrastructure, status });
  }

  /** The user writes the isolation mode of OpenShift SDN, or removes it. */
  async sdnMode(mode?: string): Promise<void> {
    const object = kind("operator.openshift.io/v1", "cluster", "Network");
    const spec = mode === undefined ? {} : { defaultNetwork: { openshiftSDNConfig: { mode } } };
    await this.apply(MIGRATION_OBJECT.operator, { ...object, spec }, "isolation");
  }

  async release(version: string): Promise<void> {
    const object = kind("config.openshift.io/v1", "version", "ClusterVersion");
    await this.apply(MIGRATION_OBJECT.version, object);
    const status = {
      desired: { version },
      history: [{ state: "Completed", version }],
      conditions: conditions(["Available", true], ["Progressing", false]),
    };
    await this.apply(`${MIGRATION_OBJECT.version}/status`, { ...object, status });
  }

  private configStatus(networkType: string): Promise<void> {
    const status = { networkType, clusterNetworkMTU: networkType === "OVNKubernetes" ? 1400 : 1450 };
    const object = { ...kind("config.openshift.io/v1", "cluster", "Network"), status };
    return this.apply(MIGRATION_OBJECT.config, object, "network-operator");
  }

  async operator(name: string, degraded = false): Promise<void> {
    const path = `${MIGRATION_LIST.operators}/${name}`;
    const object = kind("config.openshift.io/v1", name, "ClusterOperator");
    await this.apply(path, object);
    const status = { conditions: conditions(["Available", true], ["Degraded", degraded]) };
    await this.apply(`${path}/status`, { ...object, status });
  }

  /** A ready node, created by the Machine API or by a user. */
  async node(name: string, role: string, address: string, isMachine = true): Promise<void> {
    await this.apply(`${MIGRATION_LIST.nodes}/${name}`, {
      ...kind("v1", name, "Node"),
      metadata: {
        name,
        labels: { [`node-role.kubernetes.io/${role}`]: "" },
        annotations: {
          ...(isMachine && { "machine.openshift.io/machine": `openshift-machine-api/${name}` }),
          "machineconfiguration.openshift.io/currentConfig": "rendered-1",
          "machineconfiguration.openshift.io/desiredConfig": "rendered-1",
          "machineconfiguration.openshift.io/state": "Done",
        },
      },
    });
    const status = {
      addresses: [{ type: "InternalIP", address }],
      conditions: conditions(["Ready", true]),
    };
    await this.apply(`${MIGRATION_LIST.nodes}/${name}/status`, { ...kind("v1", name, "Node"), status });
  }

  /** The user restarts all nodes, or the named ones. */
  async reboot(...names: string[]): Promise<void> {
    const boot = `${(++this.boots).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
    const chosen = names.length > 0 ? names : Object.keys(NODES);
    for (const [place, name] of chosen.entries()) {
      const nodeInfo = { ...NODE_INFO, bootID: boot.replace("-0000-", `-000${place}-`) };
      const object = { ...kind("v1", name, "Node"), status: { nodeInfo } };
      await this.apply(`${MIGRATION_LIST.nodes}/${name}/status`, object, "kubelet");
    }
  }

  /** What the Machine Config Operator renders for a pool in a cluster of a type. */
  private machineConfig(pool: string, type: string): Promise<void> {
    const name = `rendered-${pool}-${type}`.toLowerCase();
    const contents = `[Service]\nExecStart=/usr/local/bin/configure-ovs.sh ${type}\n`;
    const units = [{ name: "ovs-configuration.service", enabled: true, contents }];
    const object = kind("machineconfiguration.openshift.io/v1", name, "MachineConfig");
    return this.apply(`${MACHINE_CONFIGS}/${name}`, { ...object, spec: { config: { systemd: { units } } } });
  }

  /** A pool as the Machine Config Operator reports it: with its newest generation, or with an older one. */
  async pool(name: string, state: "updated" | "updating" | "degraded" = "updated"): Promise<void> {
    const path = `${MIGRATION_LIST.pools}/${name}`;
    const object = kind("machineconfiguration.openshift.io/v1", name, "MachineConfigPool");
    const { networkType } = (await this.object(MIGRATION_OBJECT.config)).status as { networkType: string };
    const configuration = { name: `rendered-${name}-${networkType}`.toLowerCase() };
    await this.apply(path, { ...object, spec: { maxUnavailable: 1, configuration } });
    const now = (await this.object(path)) as unknown as PoolObject;
    const { generation } = now.metadata;
    // A paused pool renders configurations, but does not apply them to its machines.
    const isFollowing = state === "updated" && now.spec.paused !== true;
    const status = {
      configuration: isFollowing ? configuration : (now.status?.configuration ?? configuration),
      observedGeneration: generation,
      machineCount: 3,
      updatedMachineCount: state === "updated" ? 3 : 1,
      conditions: conditions(
        ["Updated", state === "updated"],
        ["Updating", state === "updating"],
        ["Degraded", state === "degraded"],
      ),
    };
    await this.apply(`${path}/status`, { ...object, status });
  }

  /** No machine configurations, as in a hosted cluster. */
  async withoutPools(): Promise<void> {
    for (const name of POOLS)
      await this.session.kubernetes.request("DELETE", `${MIGRATION_LIST.pools}/${name}`);
  }

  async poolsFollow(): Promise<void> {
    await Promise.all(POOLS.map((name) => this.pool(name)));
  }

  /** A new generation of Multus, with the given number of updated pods. */
  async rollOutMultus(updated = 3): Promise<void> {
    const path = MIGRATION_OBJECT.multus;
    await this.apply(path, {
      ...MULTUS,
      spec: {
        selector: { matchLabels: { app: "multus" } },
        template: {
          metadata: { labels: { app: "multus" }, annotations: { version: `${++this.multusVersion}` } },
          spec: { containers: [{ name: "multus", image: "multus" }] },
        },
      },
    });
    await this.multusHas(updated);
  }

  /** The given number of pods of the current generation are updated and available. */
  async multusHas(updated: number): Promise<void> {
    const path = MIGRATION_OBJECT.multus;
    const { generation } = (await this.object(path)).metadata as { generation: number };
    const status = {
      observedGeneration: generation,
      currentNumberScheduled: 3,
      desiredNumberScheduled: 3,
      numberMisscheduled: 0,
      numberReady: updated,
      updatedNumberScheduled: updated,
      numberAvailable: updated,
    };
    await this.apply(`${path}/status`, { ...MULTUS, status });
  }

  /** The network operator applies the type: its pods' namespace, Multus, the status. */
  async operatorFollows(): Promise<void> {
    const config = await this.object(MIGRATION_OBJECT.config);
    const { networkType } = config.spec as { networkType: string };
    if ((config.status as { networkType: string }).networkType === networkType) return;
    await this.namespace(networkType === "OVNKubernetes" ? "openshift-ovn-kubernetes" : "openshift-sdn");
    await this.configStatus(networkType);
    await this.rollOutMultus();
  }

  /** What a phase has changed, without the counters of the server. */
  async written(): Promise<object> {
    const [config, operator, ...pools] = await Promise.all(
      [
        MIGRATION_OBJECT.config,
        MIGRATION_OBJECT.operator,
        ...POOLS.map((name) => `${MIGRATION_LIST.pools}/${name}`),
      ].map((path) => this.object(path)),
    );
    const namespaces = [MIGRATION_OBJECT.sdnNamespace, MIGRATION_OBJECT.ovnNamespace].map(async (path) => {
      const { metadata } = (await this.object(path)) as { metadata?: { deletionTimestamp?: string } };
      return metadata?.deletionTimestamp === undefined
        ? (metadata as { name?: string } | undefined)?.name
        : undefined;
    });
    return {
      config: { spec: config!.spec, annotations: annotationsOf(config!) },
      operator: { spec: operator!.spec, annotations: annotationsOf(operator!) },
      paused: pools.map(({ spec }) => (spec as { paused?: boolean }).paused === true),
      namespaces: await Promise.all(namespaces),
    };
  }
}

/** What phases have written, without the recorded boots, which differ each time. */
export function withoutRecord(written: object): object {
  const { config, ...rest } = written as { config: { spec: object; annotations: Record<string, string> } };
  const { ["hypershift-network/migration"]: record, ...annotations } = config.annotations;
  return { ...rest, config: { ...config, annotations, isNoted: record !== undefined } };
}

const annotationsOf = (object: Record<string, unknown>): object =>
  (object.metadata as { annotations?: object }).annotations ?? {};

const NODE_INFO = {
  machineID: "",
  systemUUID: "",
  kernelVersion: "",
  osImage: "",
  containerRuntimeVersion: "",
  kubeletVersion: "v1.20.0",
  kubeProxyVersion: "",
  operatingSystem: "linux",
  architecture: "amd64",
};

/** Kinds that the definitions of a session do not have. */
async function installMissingCrds({ kubernetes }: Session): Promise<void> {
  const there = new Set(readCrds(chooseCrds().folder).map(({ metadata }) => metadata.name));
  await installCrds(kubernetes, join(__dirname, "crds"), (name) => !there.has(name));
}
