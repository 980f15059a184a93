import type { Trial } from "../../../local/ovn/compare";
import type { Labels, Packet, Pod, Scene } from "../../../local/ovn/scene";
import type {
  AdminSpec,
  EgressFirewallSpec,
  LabelSelector,
  Manifest,
  NetworkPolicySpec,
} from "../../../local/ovn/manifests";
import { addressesAt } from "../../../local/ovn/network";

const NAMESPACES: Readonly<Record<string, Labels>> = { tenant: { team: "a" }, shop: { team: "b" } };

const pod = (name: string, namespace: string, position: number, labels: Labels, web: number): Pod => ({
  name,
  namespace,
  labels,
  ports: [{ name: "web", protocol: "TCP", port: web }],
  node: position % 2,
  addresses: addressesAt(position, position % 2),
});

/** The pods of every corner; their names are extended by the corner's name. */
const PODS = {
  api: pod("api", "tenant", 0, { app: "api" }, 6443),
  db: pod("db", "tenant", 1, {}, 8443),
  client: pod("client", "shop", 2, { app: "client" }, 8080),
};
type Name = keyof typeof PODS;
const isPod = (end: string): end is Name => Object.hasOwn(PODS, end);

/** A packet as text: `client -> api TCP 6443`, `api -> 8.8.8.8 ICMP`. */
export type Sent =
  `${string} -> ${string} ${"TCP" | "UDP" | "SCTP"} ${number}` | `${string} -> ${string} ICMP`;

const PROTOCOL: Readonly<Record<string, number>> = { TCP: 6, UDP: 17, SCTP: 132 };
const ECHO = { 4: { protocol: 1, port: 8 * 256 }, 6: { protocol: 58, port: 128 * 256 } } as const;

/** A packet of a corner. Between pods it uses IPv4. */
function packetOf(scene: Scene, sent: Sent): Packet {
  const [from = "", , to = "", protocol = "", port = ""] = sent.split(" ");
  const family = [from, to].some((end) => end.includes(":")) ? 6 : 4;
  const end = (name: string): Packet["from"] =>
    isPod(name) ? { pod: scene.pods.find((one) => one.name === `${scene.id}-${name}`)! } : { address: name };
  const service = protocol === "ICMP" ? ECHO[family] : { protocol: PROTOCOL[protocol]!, port: Number(port) };
  return { family, from: end(from), to: end(to), ...service };
}

/** A scene with all pods and these objects. */
const sceneWith = (id: string, objects: readonly Manifest[]): Scene => ({
  id,
  namespaces: NAMESPACES,
  pods: Object.values(PODS).map((one) => ({ ...one, name: `${id}-${one.name}` })),
  objects,
  names: {},
});

/** A scene with the packets that are sent in it. */
export function trialOf(
  id: string,
  ports: Trial["ports"],
  sent: readonly Sent[],
  objects: readonly Manifest[],
): Trial {
  const scene = sceneWith(id, objects);
  return { scene, packets: sent.map((one) => packetOf(scene, one)), ports };
}

let count = 0;
/** A policy of the namespace `tenant`. */
export const policy = (spec: NetworkPolicySpec): Manifest => ({
  kind: "NetworkPolicy",
  metadata: { name: `policy-${(count += 1)}`, namespace: "tenant" },
  spec,
});

/** A policy for incoming packets of all pods of `tenant`. */
export const ingress = (...rules: NonNullable<NetworkPolicySpec["ingress"]>): Manifest =>
  policy({ podSelector: {}, policyTypes: ["Ingress"], ingress: rules });

/** A policy for outgoing packets of all pods of `tenant`. */
export const egress = (...rules: NonNullable<NetworkPolicySpec["egress"]>): Manifest =>
  policy({ podSelector: {}, policyTypes: ["Egress"], egress: rules });

/** The firewall of `tenant`: `Allow 10.0.0.0/8 TCP 443`. */
export const firewall = (...rules: readonly string[]): Manifest => ({
  kind: "EgressFirewall",
  metadata: { name: "default", namespace: "tenant" },
  spec: { egress: rules.map(ruleOf) },
});

function ruleOf(text: string): EgressFirewallSpec["egress"][number] {
  const [type = "", cidrSelector = "", protocol, port] = text.split(" ");
  const ports = protocol === undefined ? [] : [{ protocol, port: Number(port) }];
  return { type, to: { cidrSelector }, ...(ports.length > 0 && { ports }) };
}

/** Sources that are allowed, by the labels of their pods and their namespace. */
export const from = (podSelector: LabelSelector, namespaceSelector: LabelSelector = {}) => ({
  from: [{ podSelector, namespaceSelector }],
});

/** An administrator's policy for all pods, with rules for incoming packets of all pods: `Deny TCP 6443`. */
export const admin = (priority: number | "baseline", ...rules: readonly string[]): Manifest => {
  const spec: AdminSpec = {
    subject: { namespaces: {} },
    ingress: rules.map((text) => {
      const [action = "", protocol, port] = text.split(" ");
      const ports =
        protocol === undefined ? {} : { ports: [{ portNumber: { protocol, port: Number(port) } }] };
      return { action, from: [{ namespaces: {} }], ...ports };
    }),
  };
  return priority === "baseline"
    ? { kind: "BaselineAdminNetworkPolicy", metadata: { name: "default" }, spec }
    : { kind: "AdminNetworkPolicy", metadata: { name: `admin-${priority}` }, spec: { ...spec, priority } };
};
