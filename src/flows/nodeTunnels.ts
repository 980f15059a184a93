import { UNKNOWN } from "../resources/resource";
import type { NodeRole } from "../topology/flows/nodeNetwork";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { Role, type RequiredFlow } from "../topology/requiredFlow";
import { Phase } from "../requirements/vocabulary";
import { amongNodes, hostsOf } from "./hosts";
import type { HostHop, Journey, MissingInput } from "./journey";
import { Outside } from "./outside";
import type { Surroundings } from "./surroundings";

const TUNNELS: ReadonlySet<string> = new Set(["nodes-geneve", "nodes-vxlan"]);

/** Whether nodes need a flow for the tunnels that pod traffic goes through. */
export const isTunnel = ({ key }: RequiredFlow): boolean => TUNNELS.has(key);

const CARRIED = "traffic of pods between nodes";

/**
 * What pod traffic from one node to another looks like between them: Geneve or VXLAN, or what IPsec makes of it. Groups and
 * ACLs see the nodes' addresses and the tunnel's port, never those of pods.
 */
export function betweenNodes(
  topology: NormalizedTopology,
  role: NodeRole,
  { ipsec }: Surroundings,
): { hops: HostHop[]; missing: MissingInput[] } {
  const encrypted = ipsec[role];
  if (encrypted === UNKNOWN) {
    const why = "whether IPsec encrypts what nodes send each other, and thus what groups see of it";
    return { hops: [], missing: [{ input: "ipsecConfig.mode", why }] };
  }
  const isSeen = (flow: RequiredFlow) =>
    encrypted?.length
      ? encrypted.some(({ protocol, port }) => flow.protocol === protocol && flow.ports?.from === port)
      : isTunnel(flow) && !flow.optIn;
  return { hops: amongNodes(topology, role, isSeen, CARRIED), missing: [] };
}

/** Pods of each cluster reach pods on other nodes. */
export function podJourneys(topology: NormalizedTopology, surroundings: Surroundings): Journey[] {
  const nodes = [
    { role: Role.Workers, of: "the hosted cluster" },
    { role: Role.ControlPlane, of: "the management cluster" },
  ] as const;
  return nodes.map(({ role, of }) => ({
    key: `${role}-pods-between-nodes`,
    title: `Pods of ${of} reach pods on other nodes`,
    from: hostsOf(topology, role).zone,
    phase: Phase.Always,
    ...betweenNodes(topology, role, surroundings),
    outside: [Outside.PacketSize],
  }));
}
