import type { Fault } from "../../fault";
import { reachedPrivately } from "../../requirements/platforms";
import { EndpointAccess, Platform, Role } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { normalizeTopology } from "../../topology/normalizeTopology";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { RequiredFlow } from "../../flows/model";
import { requiredFlows } from "../../flows/required/requiredFlows";
import { callerFaults, callerFlows, resolvedCaller, type Callers } from "./callers";
import { planFlows } from "../../components/hostRules/flowPlan";
import type { FlowChoice } from "../../components/hostRules/flowSelection";
import { knownValueFaults, peersByKey } from "../../components/hostRules/givenValues";
import { resolvePeers } from "../../components/hostRules/rulePeers";
import type { RuleMerging } from "./hostedControlPlaneSecurityGroupsArgs";
import { peerWarnings } from "../../components/hostRules/ruleWarnings";
import { planSecurityGroups, type SecurityGroupPlan } from "./securityGroupPlan";

/** What a user says about the rules of the VPC endpoint beside the topology, as far as it is known. */
export interface PrivateEndpointOptions extends Pick<FlowChoice, "disabledRules"> {
  callers?: Callers | null;
  /** Rules that the group may have in each direction. Defaults to AWS's default quota. */
  ruleQuota?: number | null;
  /** When rules for blocks are merged. Defaults to where the group would have more rules than the quota. */
  mergeRules?: RuleMerging | null;
}

/** The security-group rules of the VPC endpoint through which machines and callers outside the VPC reach a control plane. */
export function privateEndpointRules(
  given: HostedClusterTopology,
  options: PrivateEndpointOptions = {},
  read = normalizeTopology(given),
): SecurityGroupPlan {
  const { disabledRules, ruleQuota, mergeRules } = options;
  const callers = options.callers ?? {};
  const plan = planFlows(read, {
    disabledRules,
    inputFaults: [...callerFaults(callers), ...knownValueFaults(peersByKey("callers", callers))],
    refusals: endpointFaults,
    flowsOf: (topology) => endpointFlows(topology).flatMap((flow) => [flow, ...callerFlows(flow, callers)]),
    resolve: (flow) => {
      const caller = resolvedCaller(flow, callers);
      return caller ? [caller] : resolvePeers(flow, { peers: {}, workersCarryGroup: false });
    },
  });
  return planSecurityGroups(plan, {
    ruleQuota,
    mergeRules,
    warningsOf: (topology) => [...peerWarnings(plan.resolved), ...noOutsideCallers(topology, callers)],
  });
}

const endpointFlows = (topology: NormalizedTopology): RequiredFlow[] =>
  requiredFlows(topology).filter(({ role }) => role === Role.PrivateEndpoint);

/** Why a cluster has no VPC endpoint whose group this could be. */
function endpointFaults({ platform, endpointAccess }: NormalizedTopology): Fault[] {
  if (platform !== Platform.AWS) {
    const problem = `${platform} has no VPC endpoint: HyperShift makes one only for hosted clusters on ${Platform.AWS}`;
    return [{ path: "topology.platform", problem, remedy: "leave this component out" }];
  }
  if (reachedPrivately(endpointAccess)) return [];
  const { Public, PublicAndPrivate, Private } = EndpointAccess;
  return [
    {
      path: "topology.endpointAccess",
      problem: `${Public} access has no VPC endpoint: HyperShift makes one for ${PublicAndPrivate} and ${Private}`,
      remedy: "write what the HostedCluster has, or leave this component out",
    },
  ];
}

/** A private cluster that only its machines reach. */
function noOutsideCallers({ endpointAccess, externalClientCidrs }: NormalizedTopology, callers: Callers) {
  const someone = externalClientCidrs.length + Object.keys(callers).length > 0;
  if (endpointAccess !== EndpointAccess.Private || someone) return [];
  return [
    "callers missing: with Private access no client outside the machine network reaches the API server; write the networks of users and CI systems",
  ];
}
