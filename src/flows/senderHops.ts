import { MANAGEMENT_NAMESPACE, NAMESPACE_LABEL } from "../requirements/networkPolicies";
import { requirementOf } from "../requirements/requirements";
import { Direction } from "../requirements/vocabulary";
import { Role, type RequiredFlow } from "../topology/requiredFlow";
import type { SenderHop } from "./journey";

/** Flows that pods of the control plane send; the rest is sent by nodes. DNS servers are pods to them, behind a service. */
const SENT: ReadonlyMap<string, string | undefined> = new Map([
  ["https", undefined],
  ["management-api", undefined],
  ["dns-tcp", "up-openshift-dns-tcp"],
  ["dns-udp", "up-openshift-dns-udp"],
]);

/** Pods of the control plane as they send a flow of its hosts, before these do. */
export function senderHops({ role, direction, key, protocol, ports, peers }: RequiredFlow): SenderHop[] {
  if (role !== Role.ControlPlane || direction !== Direction.Egress || !SENT.has(key)) return [];
  const row = SENT.get(key);
  const seen = row === undefined ? { protocol, ...(ports && { ports }) } : portsOf(row);
  return [
    {
      kind: "senders",
      ...seen,
      sources: [],
      destinations: row === undefined ? peers : [],
      to: row === undefined ? "addresses" : { [NAMESPACE_LABEL.name]: MANAGEMENT_NAMESPACE.dns },
    },
  ];
}

function portsOf(row: string) {
  const { protocol, ports } = requirementOf(row);
  return { protocol, ...(ports && { ports }) };
}
