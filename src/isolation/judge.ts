import type { Fault } from "../fault";
import { isLabelName } from "../requirements/names";
import { PodSecurityLevel } from "../requirements/podIsolation";
import { normalizeTopology, type TopologyJudgement } from "../topology/normalizeTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { hostedClusterReference } from "../objects/hostedClusterReference";
import { holdsUnknown, isGiven, isMap, type PropertyMap } from "../resources/read";
import { shownText } from "../objects/places";
import {
  type Fields,
  inputFaults,
  labelName,
  labels,
  list,
  ONE_AT_LEAST,
  plain,
  plainSwitch,
  word,
} from "../objects/shape";
import { additionalPolicies, additionalPolicy, type PlainAdditionalPolicy } from "./additional";
import { ManagementCluster, egressFlows, egressPolicies } from "./egress";
import { cutFlows, isolationWarnings, type CutFlow, type IsolationOptions } from "./warnings";
import { Direction, Protocol } from "../requirements/vocabulary";
import { ingressFaults } from "./documentedFlows";
import { ingressPolicies } from "./ingress";
import { policyResource, selectorValue, type IsolationPolicy } from "./networkPolicy";
import { selectsLabels } from "../reachability/isolation/podTraffic";

/** The result of judging the inputs of an isolation. */
export interface IsolationJudgement extends TopologyJudgement {
  options: IsolationOptions;
}

const DECIDES = "give a plain value: it decides what is allowed";

/** The shape of each input by itself. */
const INPUTS: Fields = {
  namespace: labelName,
  operatorNamespaces: plain(
    list(plain(labelName, DECIDES), {
      size: ONE_AT_LEAST,
      remedy: "write the namespaces of the operators, such as hypershift",
    }),
    DECIDES,
  ),
  managementCluster: plain(word(Object.values(ManagementCluster)), DECIDES),
  additionalPolicies,
  labels,
  podSecurityLevel: plain(
    word(Object.values(PodSecurityLevel)),
    "give a plain value: it decides what is patched",
  ),
  denyEgress: plainSwitch,
  forcePatch: plainSwitch,
  removeOnDelete: plainSwitch,
};

/** Applies every rule to the inputs of the isolation of one hosted control plane. */
export function judgeIsolation(known: PropertyMap): IsolationJudgement {
  const { topology, faults: wrong, warnings } = normalizeTopology(known.topology);
  const own = [
    ...inputFaults({ ...INPUTS, existingHostedCluster: hostedClusterReference(topology) }, known),
    ...(topology ? namespaceFaults(known, topology) : []),
    ...patchFaults(known),
  ];
  const options = own.length === 0 ? optionsOf(known) : {};
  const additional = isMap(known.additionalPolicies) ? known.additionalPolicies : {};
  const proved = topology && own.length === 0;
  return {
    ...(topology && { topology }),
    options,
    faults: [...wrong, ...own, ...(proved ? proofFaults(topology, options, additional) : [])],
    warnings: [...warnings, ...(proved ? isolationWarnings(topology, options, known) : [])],
  };
}

const optionsOf = ({ operatorNamespaces, denyEgress, managementCluster }: PropertyMap) =>
  ({
    operatorNamespaces: operatorNamespaces ?? undefined,
    denyEgress: denyEgress ?? undefined,
    managementCluster: managementCluster ?? undefined,
  }) as IsolationOptions;

/** The fault of another namespace than the one in which HyperShift runs the control plane. */
function namespaceFaults({ namespace }: PropertyMap, { controlPlaneNamespace }: NormalizedTopology): Fault[] {
  if (typeof namespace !== "string" || !isLabelName(namespace) || namespace === controlPlaneNamespace)
    return [];
  const problem = `${shownText(namespace)} is not the namespace of this control plane`;
  const remedy = `write ${controlPlaneNamespace}, or correct the topology`;
  return [{ path: "namespace", problem, remedy }];
}

function patchFaults({ podSecurityLevel, existingHostedCluster }: PropertyMap): Fault[] {
  if (!isGiven(existingHostedCluster) || isGiven(podSecurityLevel)) return [];
  return [
    {
      path: "existingHostedCluster",
      problem: "is given, but there is nothing to patch",
      remedy: "write podSecurityLevel, or leave it out",
    },
  ];
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
 * Faults for the flows that this package's policies and the user's would cut, and for traffic that this package's policies allow
 * although no document requires it. A policy that is not known yet may allow anything, so cut flows are then not reported.
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
        problem: "select pods by so many labels that the required flows cannot be proved",
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
    problem: `would block this flow${who}: ${flow.purpose}${what.length > 0 ? ` (${what.join(" ")})` : ""}`,
    // With denyEgress, only a flow with unstated addresses is cut: the policies allow all others.
    remedy: flow.missing
      ? `write topology.${flow.missing}`
      : "set denyEgress, whose policies allow every required flow, or allow it here",
  };
}
