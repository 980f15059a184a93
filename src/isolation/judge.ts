import type { Fault } from "../fault";
import { PodSecurityLevel } from "../requirements/podIsolation";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { normalizeTopology } from "../topology/normalizeTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { hostedClusterReferenceFaults, switchFaults } from "../objects/hostedClusterReference";
import {
  entriesOf,
  holdsUnknown,
  isGiven,
  isList,
  isMap,
  type Place,
  type PropertyMap,
} from "../resources/read";
import { choiceFaults, labelFaults, labelNameFaults, shownText } from "../objects/places";
import { additionalPolicy, additionalPolicyFaults, type PlainAdditionalPolicy } from "./additional";
import { ManagementCluster, egressFlows, egressPolicies } from "./egress";
import { cutFlows, isolationWarnings, type CutFlow, type IsolationOptions } from "./warnings";
import { Direction, Protocol } from "../requirements/vocabulary";
import { ingressFaults } from "./documentedFlows";
import { ingressPolicies } from "./ingress";
import { policyResource, selectorValue, type IsolationPolicy } from "./networkPolicy";
import { selectsLabels } from "../reachability/isolation/podTraffic";

/** What the inputs of an isolation come to. */
export interface IsolationJudgement {
  /** Absent where there are faults in it. */
  topology?: NormalizedTopology;
  options: IsolationOptions;
  faults: Fault[];
  warnings: Fault[];
}

/** Every rule on the inputs of the isolation of one hosted control plane. */
export function judgeIsolation(known: PropertyMap): IsolationJudgement {
  const { topology, faults: wrong, warnings } = normalizeTopology(known.topology);
  const own = [
    ...namespaceFaults({ path: "namespace", value: known.namespace }, topology),
    ...plainFaults(known),
    ...additionalPolicyFaults({ path: "additionalPolicies", value: known.additionalPolicies }),
    ...labelFaults({ path: "labels", value: known.labels }),
    ...podSecurityFaults(known, topology),
    ...switchFaults("denyEgress", known.denyEgress),
    ...switchFaults("forcePatch", known.forcePatch),
    ...switchFaults("removeOnDelete", known.removeOnDelete),
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

/** HyperShift runs control planes nowhere else. */
function namespaceFaults({ path, value }: Place, topology: NormalizedTopology | undefined): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const faults = labelNameFaults({ path, value }, "");
  if (faults.length > 0 || !topology || value === topology.controlPlaneNamespace) return faults;
  const { controlPlaneNamespace } = topology;
  const problem = `${shownText(value)} is not the namespace of this control plane`;
  return [{ path, problem, remedy: `write ${controlPlaneNamespace}, or correct the topology` }];
}

/** Inputs that decide which policies there are. */
function plainFaults({ operatorNamespaces, managementCluster }: PropertyMap): Fault[] {
  return [
    ...outputFaults({ operatorNamespaces, managementCluster }),
    ...namespaceListFaults({ path: "operatorNamespaces", value: operatorNamespaces }),
    ...choiceFaults(
      { path: "managementCluster", value: managementCluster },
      Object.values(ManagementCluster),
    ),
  ];
}

function outputFaults(inputs: { readonly [name: string]: PropertyValue | undefined }): Fault[] {
  return Object.entries(inputs).flatMap(([path, value]) =>
    value === UNKNOWN || entriesOf(value).includes(UNKNOWN)
      ? [{ path, problem: "is an Output", remedy: "give a plain value: it decides what is allowed" }]
      : [],
  );
}

function namespaceListFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value) || value.length === 0)
    return [
      {
        path,
        problem: isList(value) ? "is empty" : `${shownText(value)} is no list`,
        remedy: "write the namespaces of the operators, such as hypershift",
      },
    ];
  return value.flatMap((entry, position) =>
    labelNameFaults({ path: `${path}[${position}]`, value: entry }, "the name of a namespace"),
  );
}

function podSecurityFaults(known: PropertyMap, topology: NormalizedTopology | undefined): Fault[] {
  const { podSecurityLevel, existingHostedCluster } = known;
  const path = "podSecurityLevel";
  return [
    ...choiceFaults({ path, value: podSecurityLevel }, Object.values(PodSecurityLevel)),
    ...(podSecurityLevel === UNKNOWN
      ? [{ path, problem: "is an Output", remedy: "give a plain value: it decides what is patched" }]
      : []),
    ...hostedClusterReferenceFaults("existingHostedCluster", existingHostedCluster, topology),
    ...(isGiven(existingHostedCluster) && !isGiven(podSecurityLevel)
      ? [
          {
            path: "existingHostedCluster",
            problem: "is given, but there is nothing to patch",
            remedy: "write podSecurityLevel, or leave it out",
          },
        ]
      : []),
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
