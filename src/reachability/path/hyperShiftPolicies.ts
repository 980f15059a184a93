import {
  hyperShiftPolicies,
  MANAGEMENT_NAMESPACE,
  NAMESPACE_LABEL,
  type HyperShiftOpening,
  type HyperShiftPolicy,
} from "../../requirements/networkPolicies";
import { PORT } from "../../requirements/ports";
import { Protocol } from "../../requirements/vocabulary";
import { readValue } from "../../resources/read";
import type { PropertyValue, Resource } from "../../resources/resource";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { nodeApiServerPort, servedByManagementRouter } from "../../topology/publishing";

/** HyperShift owns policies by their names, and writes them again after every change. */
export const isHyperShifts = ({ properties }: Resource): boolean =>
  HYPERSHIFT_NAMES.has(readValue(properties, "metadata.name"));

const HYPERSHIFT_NAMES: ReadonlySet<PropertyValue | undefined> = new Set(
  hyperShiftPolicies.map(({ name }) => name),
);

/**
 * The policies that HyperShift has in the namespace of a hosted control plane beside those that are stated there: none where
 * a running cluster was read, and none that is among them by its name.
 */
export function besideStated(topology: NormalizedTopology, stated: readonly Resource[]): Resource[] {
  if (stated.some(({ origin }) => origin.live !== undefined)) return [];
  const names = new Set(stated.map(({ properties }) => readValue(properties, "metadata.name")));
  return hyperShiftResources(topology).filter(({ name }) => !names.has(name));
}

/** The policies that HyperShift writes into the namespace of a hosted control plane by itself; no plan shows them. */
export const hyperShiftResources = (topology: NormalizedTopology): Resource[] =>
  hyperShiftPolicies
    .filter((policy) => isThere(policy, topology))
    .map((policy) => ({
      origin: {},
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      name: policy.name,
      properties: {
        metadata: { name: policy.name, namespace: topology.controlPlaneNamespace },
        spec: specOf(policy, topology) as unknown as PropertyValue,
      },
    }));

function isThere(policy: HyperShiftPolicy, topology: NormalizedTopology): boolean {
  const { platforms, published, behindManagementRouter, ingress, egress } = policy;
  if (!ingress && !egress) return false;
  if (behindManagementRouter && !servedByManagementRouter(topology)) return false;
  if (published && topology.services[published[0]].type !== published[1]) return false;
  return platforms?.includes(topology.platform) ?? true;
}

function specOf(policy: HyperShiftPolicy, topology: NormalizedTopology) {
  const opening = policy.ingressOn?.[topology.platform] ?? policy.ingress;
  return {
    podSelector: selectorOf(policy),
    policyTypes: [...(opening ? ["Ingress"] : []), ...(policy.egress ? ["Egress"] : [])],
    ...(opening && {
      ingress: [ruleOf(opening, policy.atApiServerPort ? [nodeApiServerPort(topology)] : [])],
    }),
    ...(policy.egress && { egress: outside(topology) }),
  };
}

const selectorOf = ({ pods, unlessLabelled }: HyperShiftPolicy) => ({
  ...(pods && { matchLabels: pods }),
  ...(unlessLabelled !== undefined && {
    matchExpressions: [{ key: unlessLabelled, operator: "DoesNotExist" }],
  }),
});

function ruleOf(opening: HyperShiftOpening, more: readonly number[]) {
  if ("fromPolicyGroup" in opening) {
    const matchLabels = { [NAMESPACE_LABEL.policyGroup]: opening.fromPolicyGroup };
    return { from: [{ namespaceSelector: { matchLabels } }] };
  }
  if (opening.from === "the same namespace") return { from: [{ podSelector: {} }] };
  if (!opening.ports) return { ports: TRANSPORTS.map((protocol) => ({ protocol })) };
  const ports = [...new Set([...opening.ports, ...more])];
  return { ports: ports.map((port) => ({ protocol: Protocol.Tcp, port })) };
}

const TRANSPORTS = [Protocol.Tcp, Protocol.Udp, Protocol.Sctp];

/** To the namespace itself, to addresses outside the management cluster, and to its DNS servers. */
const outside = ({ managementClusterCidrs }: NormalizedTopology) => [
  { to: [{ podSelector: {} }] },
  { to: [{ ipBlock: { cidr: "0.0.0.0/0", except: managementClusterCidrs.map(({ text }) => text) } }] },
  {
    to: [{ namespaceSelector: { matchLabels: { [NAMESPACE_LABEL.name]: MANAGEMENT_NAMESPACE.dns } } }],
    ports: [Protocol.Tcp, Protocol.Udp].map((protocol) => ({ protocol, port: PORT.openshiftDns })),
  },
];
