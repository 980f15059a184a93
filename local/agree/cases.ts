import type { AdditionalRule } from "../../src/components/hostRules/additionalRules";
import { Direction, Platform, Protocol, Role } from "../../src/requirements/vocabulary";
import type { HostedClusterTopology } from "../../src/topology/hostedClusterTopology";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { flowKey } from "../../src/flows/model";
import { requiredFlows } from "../../src/flows/required/requiredFlows";
import { oneOf, randomFrom } from "../fuzz/random";
import type { Case } from "./case";
import { formsOf } from "./forms";
import { CONTROL_PLANE } from "./objects";
import { inTen, randomTopology, type Random } from "./topologies";

const SSH: AdditionalRule = {
  role: Role.ControlPlane,
  direction: Direction.Ingress,
  protocol: Protocol.Tcp,
  fromPort: 22,
  cidr: "192.0.2.0/24",
  description: "Administrators",
};
const DENIED = ["203.0.113.0/26", "10.0.0.0/18", "198.51.100.0/24", "10.1.0.0/24"];
const FIREWALLS = [["shop"], [CONTROL_PLANE], ["shop", CONTROL_PLANE]];
const ALLOWED = [["203.0.113.0/24"], ["198.51.100.0/24", "203.0.113.0/25"], ["10.0.0.0/8"]];

/** The random numbers of a case: each case has its own, so that it does not depend on those before it. */
export const randomOf = (seed: number, place: number): Random => randomFrom(seed * 1_000_003 + place * 7_919);

/** The case with number `place` of a seed. */
export function caseOf(seed: number, place: number): Case {
  const random = randomOf(seed, place);
  const often = (times: number) => inTen(times, random);
  const topology = randomTopology(random);
  const isOnEc2 = ([Platform.AWS, Platform.Agent, Platform.None] as Platform[]).includes(topology.platform);
  const acls = often(4) ? (isOnEc2 && often(5) ? "both" : "control-plane") : undefined;
  return {
    seed,
    place,
    topology,
    ...(often(2) && { disabledRules: someFlows(topology, random) }),
    ...(often(2) && { additionalRules: { ssh: SSH } }),
    ...(acls && { acls }),
    ...(acls && often(3) && { denied: oneOf(DENIED, random) }),
    ...(often(2) && { allowedCIDRBlocks: oneOf(ALLOWED, random) }),
    form: oneOf(formsOf(acls !== undefined), random),
    // Drawn last, so that adding these properties did not change the other ones.
    ...(often(4) && { isolation: { ...(often(5) && { denyEgress: true as const }) } }),
    ...(often(4) && { firewalls: oneOf(FIREWALLS, random) }),
  };
}

function someFlows(given: HostedClusterTopology, random: Random): string[] {
  const { topology } = normalizeTopology(given);
  const keys = topology
    ? requiredFlows(topology)
        .filter(({ optIn, role }) => !optIn && role !== Role.PrivateEndpoint)
        .map(flowKey)
    : [];
  return keys.filter(() => inTen(1, random));
}
