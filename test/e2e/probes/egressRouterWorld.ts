import type { Session } from "../../../local/session";
import {
  EGRESS_ROUTER_API_VERSION,
  EGRESS_ROUTER_KIND,
  NETWORK_ATTACHMENT_API_VERSION,
  NETWORK_ATTACHMENT_KIND,
  OPERATOR_NAMES,
  OPERATOR_POD_LABEL,
  networkAttachmentConfig,
} from "../../../src/egressRouter/egressRouter";
import { NETWORKS_ANNOTATION } from "../../../src/egressRouter/surroundings";
import { applied } from "../applied";
import { ready } from "./probeWorld";

const NOW = "2026-11-22T06:00:00Z";
const INTERVAL_MS = 200;

/** The pod of a router, as the Deployment of the operator names it. */
export const ROUTER_POD = "egress-router-cni-deployment-5f-x2";

/** An EgressRouter that the API server accepts. */
export const egressRouterObject = (name: string, ip: string, gateway: string) => ({
  apiVersion: EGRESS_ROUTER_API_VERSION,
  kind: EGRESS_ROUTER_KIND,
  metadata: { name },
  spec: {
    mode: "Redirect",
    addresses: [{ ip, gateway }],
    networkInterface: { macvlan: { mode: "Bridge" } },
    redirect: { fallbackIP: "203.0.113.7" },
  },
});

/** The path of an EgressRouter. */
export const egressRouterPath = (namespace: string, name: string): string =>
  `/apis/${EGRESS_ROUTER_API_VERSION}/namespaces/${namespace}/egressrouters/${name}`;

/** What the Network operator, Multus and the kubelet write for the EgressRouters of a namespace. */
export class EgressRouterParts {
  constructor(
    private readonly session: Pick<Session, "kubernetes">,
    private readonly namespace: string,
  ) {}

  /** The network attachment. */
  attachment(address: string, gateway: string): Promise<void> {
    const { networkAttachment: name } = OPERATOR_NAMES;
    const router = { name, address, gateway, fallbackIp: "203.0.113.7" };
    const place = `/apis/${NETWORK_ATTACHMENT_API_VERSION}/namespaces/${this.namespace}`;
    return applied(this.session, `${place}/network-attachment-definitions/${name}`, {
      apiVersion: NETWORK_ATTACHMENT_API_VERSION,
      kind: NETWORK_ATTACHMENT_KIND,
      metadata: { name },
      spec: { config: networkAttachmentConfig(router, undefined) },
    });
  }

  /** The pod, with the addresses of the interface that Multus created, or none yet. */
  async pod(addresses: readonly string[], status: object = ready("10.129.2.31")): Promise<void> {
    const path = `/api/v1/namespaces/${this.namespace}/pods/${ROUTER_POD}`;
    const interfaces = [
      { name: "ovn-kubernetes", interface: "eth0", ips: ["10.129.2.31"], default: true },
      { name: `${this.namespace}/${OPERATOR_NAMES.networkAttachment}`, interface: "net1", ips: addresses },
    ];
    await applied(this.session, path, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: ROUTER_POD,
        labels: OPERATOR_POD_LABEL,
        annotations: {
          [NETWORKS_ANNOTATION]: OPERATOR_NAMES.networkAttachment,
          ...(addresses.length > 0 && {
            "k8s.v1.cni.cncf.io/network-status": JSON.stringify(interfaces),
          }),
        },
      },
      spec: {
        nodeName: "worker-0",
        // No kubelet runs that would report its end.
        terminationGracePeriodSeconds: 0,
        containers: [{ name: OPERATOR_NAMES.container, image: "router" }],
      },
    });
    await applied(this.session, `${path}/status`, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: ROUTER_POD },
      status,
    });
  }

  /** A condition of an EgressRouter, in place of all others. */
  condition(router: string, type: string, status: string, reason: string, message = ""): Promise<void> {
    return applied(this.session, `${egressRouterPath(this.namespace, router)}/status`, {
      apiVersion: EGRESS_ROUTER_API_VERSION,
      kind: EGRESS_ROUTER_KIND,
      metadata: { name: router },
      status: { conditions: [{ type, status, reason, message, lastTransitionTime: NOW }] },
    });
  }
}

interface EgressRouter {
  metadata: { name: string; namespace: string; deletionTimestamp?: string };
  spec: { addresses: [{ ip: string; gateway: string }] };
  status?: { conditions?: object[] };
}

/** Simulates operators and nodes for every EgressRouter on an API server without them. */
export class EgressRouterWorld {
  readonly #timer: NodeJS.Timeout;
  #round: Promise<void> = Promise.resolve();

  constructor(private readonly session: Pick<Session, "kubernetes">) {
    this.#timer = setInterval(() => {
      // Objects or servers that go away meanwhile are checked again in the next round.
      this.#round = this.#round.then(() => this.#play()).catch(() => undefined);
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async #play(): Promise<void> {
    const path = `/apis/${EGRESS_ROUTER_API_VERSION}/egressrouters`;
    const { body } = await this.session.kubernetes.request("GET", path);
    for (const router of (body as { items: EgressRouter[] }).items)
      if (!router.status?.conditions && !router.metadata.deletionTimestamp) await this.#make(router);
  }

  async #make({ metadata: { name, namespace }, spec: { addresses } }: EgressRouter): Promise<void> {
    const [{ ip, gateway }] = addresses;
    const parts = new EgressRouterParts(this.session, namespace);
    await parts.attachment(ip, gateway);
    await parts.pod([ip.split("/")[0]!]);
    await parts.condition(name, "Available", "True", "AsExpected");
  }
}
