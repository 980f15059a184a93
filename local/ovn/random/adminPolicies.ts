import fc from "fast-check";

import type { AdminPeer, AdminPort, AdminSpec, Manifest } from "../manifests";
import { PORTS, PORT_NAMES, block, list, portRange, protocol, selector, type Objects } from "./pools";

const podsSelected = fc.record({ namespaceSelector: selector, podSelector: selector });
const adminPeer: fc.Arbitrary<AdminPeer> = fc.oneof(
  fc.record({ namespaces: selector }),
  fc.record({ pods: podsSelected }),
);
const adminEgressPeer: fc.Arbitrary<AdminPeer> = fc.oneof(
  adminPeer,
  fc.record({ networks: fc.uniqueArray(block, { minLength: 1, maxLength: 3 }) }),
);
const adminPort: fc.Arbitrary<AdminPort> = fc.oneof(
  fc.record({ portNumber: fc.record({ protocol, port: fc.constantFrom(...PORTS) }) }),
  fc.tuple(protocol, portRange).map(([of, [start, end]]) => ({ portRange: { protocol: of, start, end } })),
  fc.record({ namedPort: fc.constantFrom(...PORT_NAMES) }),
);
const ports = fc.array(adminPort, { minLength: 1, maxLength: 3 });

/** The API server refuses names of ports beside networks. */
const isAccepted = ({ to, ports: listed = [] }: { to: AdminPeer[]; ports?: AdminPort[] }): boolean =>
  !(to.some((peer) => peer.networks) && listed.some((port) => port.namedPort));

function adminSpec(actions: readonly string[]): fc.Arbitrary<Omit<AdminSpec, "priority">> {
  const action = fc.constantFrom(...actions);
  const peers = <Peer>(arbitrary: fc.Arbitrary<Peer>) => fc.array(arbitrary, { minLength: 1, maxLength: 2 });
  const required = { requiredKeys: ["action", "from"] as ("action" | "from")[] };
  return fc.record(
    {
      subject: fc.oneof(fc.record({ namespaces: selector }), fc.record({ pods: podsSelected })),
      ingress: list(fc.record({ action, from: peers(adminPeer), ports }, required), 4),
      egress: list(
        fc
          .record({ action, to: peers(adminEgressPeer), ports }, { requiredKeys: ["action", "to"] })
          .filter(isAccepted),
        4,
      ),
    },
    { requiredKeys: ["subject"] },
  );
}

/** AdminNetworkPolicies with different priorities, and in some cases a baseline. */
export const adminPolicies: Objects = () =>
  fc
    .tuple(
      fc.array(adminSpec(["Allow", "Deny", "Pass"]), { minLength: 1, maxLength: 3 }),
      fc.uniqueArray(fc.nat({ max: 99 }), { minLength: 3, maxLength: 3 }),
      fc.array(adminSpec(["Allow", "Deny"]), { maxLength: 1 }),
    )
    .map(([specs, priorities, baseline]): Manifest[] => [
      ...specs.map((spec, position) => ({
        kind: "AdminNetworkPolicy" as const,
        metadata: { name: `admin-${position}` },
        spec: { ...spec, priority: priorities[position]! },
      })),
      ...baseline.map((spec) => ({
        kind: "BaselineAdminNetworkPolicy" as const,
        metadata: { name: "default" },
        spec,
      })),
    ]);
