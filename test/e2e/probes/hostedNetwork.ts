import type { Session } from "../../../local/session";
import { applied, namespaced } from "../applied";
import { networkOperatorObject } from "../networkOperatorObject";

const OVN = "openshift-ovn-kubernetes";
const DAEMON_SET = `/apis/apps/v1/namespaces/${OVN}/daemonsets/ovnkube-node`;
const daemonSet = { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "ovnkube-node" } };

export const TRANSIT = "100.69.0.0/16";

/** What the Network operator, ovnkube-node and the nodes of a hosted cluster would write, written by tests. */
export class HostedNetwork {
  constructor(private readonly session: Pick<Session, "kubernetes">) {}

  /** Everything has rolled out with a join subnet, on two nodes. */
  async runs(join: string): Promise<void> {
    await namespaced(this.session, OVN);
    await this.operatorHas(join);
    await this.template("1");
    await this.rolledOut(await this.generation(), 2);
    const [start] = join.split(".0.0/");
    await Promise.all([this.node("one", `${start}.0.2/16`), this.node("two", `${start}.0.3/16`)]);
  }

  operatorHas(internalJoinSubnet: string): Promise<void> {
    const ipv4 = { internalJoinSubnet, internalTransitSwitchSubnet: TRANSIT };
    const object = networkOperatorObject({ ipv4 });
    return applied(this.session, "/apis/operator.openshift.io/v1/networks/cluster", object);
  }

  /** A changed template starts a new generation. */
  template(version: string): Promise<void> {
    return applied(this.session, DAEMON_SET, {
      ...daemonSet,
      spec: {
        selector: { matchLabels: { app: "ovnkube-node" } },
        template: {
          metadata: { labels: { app: "ovnkube-node" }, annotations: { version } },
          spec: { containers: [{ name: "ovn", image: "ovn" }] },
        },
      },
    });
  }

  async generation(): Promise<number> {
    const { body } = await this.session.kubernetes.request("GET", DAEMON_SET);
    return (body as { metadata: { generation: number } }).metadata.generation;
  }

  /** Sets how many of two pods are updated, and the observed generation. */
  rolledOut(seen: number, updated: number, available = updated): Promise<void> {
    const status = {
      currentNumberScheduled: 2,
      desiredNumberScheduled: 2,
      numberMisscheduled: 0,
      numberReady: 2,
      observedGeneration: seen,
      updatedNumberScheduled: updated,
      numberAvailable: available,
    };
    return applied(this.session, `${DAEMON_SET}/status`, { ...daemonSet, status });
  }

  /** A node with its address in the join subnet. */
  node(name: string, join: string, more: object = {}): Promise<void> {
    return applied(this.session, `/api/v1/nodes/${name}`, {
      apiVersion: "v1",
      kind: "Node",
      metadata: {
        name,
        annotations: {
          "k8s.ovn.org/node-gateway-router-lrp-ifaddrs": JSON.stringify({ default: { ipv4: join } }),
          "k8s.ovn.org/node-transit-switch-port-ifaddr": JSON.stringify({ ipv4: "100.69.0.2/16" }),
          ...more,
        },
      },
    });
  }
}
