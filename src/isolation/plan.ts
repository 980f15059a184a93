import type { Fault } from "../fault";
import { selectsLabels } from "../reachability/isolation";
import { Direction, Protocol } from "../requirements/vocabulary";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { holdsUnknown, type PropertyMap } from "../objects/places";
import { additionalPolicy, type PlainAdditionalPolicy } from "./additional";
import { cutFlows, type CutFlow } from "./cutOff";
import { ManagementCluster, egressFlows, egressPolicies } from "./egress";
import { ingressFaults } from "./ingressProof";
import { ingressPolicies, type IngressOptions } from "./ingress";
import type { IsolationPolicy } from "./networkPolicy";
import { policyResource, selectorValue } from "./policyResource";

/** What decides about the policies beside the topology; right and plain. */
export interface IsolationOptions extends IngressOptions {
  denyEgress?: boolean | undefined;
  managementCluster?: ManagementCluster | undefined;
}

/** The policies of this package for one hosted control plane namespace. */
export function isolationPolicies(
  topology: NormalizedTopology,
  options: IsolationOptions = {},
): IsolationPolicy[] {
  const { denyEgress, managementCluster = ManagementCluster.OpenShift } = options;
  return [
    ...ingressPolicies(topology, options),
    ...(denyEgress ? egressPolicies(topology, egressFlows(topology, managementCluster)) : []),
  ];
}

/**
 * The flows that these policies and those of the user would cut, and what these let in that no document asks for, as faults.
 * A policy that is not known yet may allow anything, so then nothing is said of flows that are cut.
 */
export function proofFaults(
  topology: NormalizedTopology,
  options: IsolationOptions,
  additional: PropertyMap,
): Fault[] {
  const own = isolationPolicies(topology, options);
  if (holdsUnknown(additional)) return ingressFaults({ own, others: undefined }, topology, options) ?? [];
  const others = Object.entries(additional).map(([name, policy]) =>
    additionalPolicy(name, policy as unknown as PlainAdditionalPolicy),
  );
  const flows = egressFlows(topology, options.managementCluster ?? ManagementCluster.OpenShift);
  const { controlPlaneNamespace: namespace } = topology;
  const policies = [...own, ...others].map((policy) => policyResource(policy, namespace));
  const cut = cutFlows(policies, flows, namespace);
  const inbound = ingressFaults({ own, others }, topology, options);
  if (!cut || !inbound)
    return [
      {
        path: "additionalPolicies",
        problem: "select pods by more labels than can be proved not to be cut off",
        remedy: "select pods by fewer labels",
      },
    ];
  return [...cut.map((one) => cutFault(one, options, others)), ...inbound];
}

function cutFault(
  { flow, sender, dropped, isAddressed }: CutFlow,
  { denyEgress }: IsolationOptions,
  others: readonly IsolationPolicy[],
): Fault {
  const isolating = others.find(
    (policy) => policy[Direction.Egress] && selectsLabels(selectorValue(policy.pods), sender),
  );
  const hasPorts = flow.ports.some(({ protocol }) => protocol !== Protocol.Any);
  const what = [
    flow.requirements.join(", "),
    ...(dropped && hasPorts ? [`port ${dropped.port}`] : []),
    ...(dropped && isAddressed ? [`to ${dropped.destination}`] : []),
  ].filter((part) => part !== "");
  const labels = Object.entries(sender).map(([key, value]) => `${key}=${value}`);
  const who = labels.length > 0 ? ` of pods with ${labels.join(", ")}` : "";
  const path = denyEgress || !isolating ? "denyEgress" : `additionalPolicies.${isolating.name}.egress`;
  return {
    path,
    problem: `would cut this flow${who}: ${flow.purpose}${what.length > 0 ? ` (${what.join(" ")})` : ""}`,
    remedy: flow.missing ? `write topology.${flow.missing}` : remedyFor(path),
  };
}

const remedyFor = (path: string): string =>
  path === "denyEgress"
    ? "add a policy that allows it"
    : "set denyEgress, whose policies allow every required flow, or allow it here";
