import type { Fault } from "../fault";
import { PodSecurityLevel } from "../requirements/podIsolation";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { normalizeTopology } from "../topology/normalizeTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { hostedClusterReferenceFaults, switchFaults } from "../objects/hostedClusterReference";
import {
  entriesOf,
  isGiven,
  isList,
  isMap,
  labelFaults,
  labelNameFaults,
  shownText,
  wordFaults,
  type Place,
  type PropertyMap,
} from "../objects/places";
import { additionalPolicyFaults } from "./additional";
import { ManagementCluster } from "./egress";
import { proofFaults, type IsolationOptions } from "./plan";
import { isolationWarnings } from "./warnings";

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
    ...(isGiven(managementCluster)
      ? wordFaults({ path: "managementCluster", value: managementCluster }, Object.values(ManagementCluster))
      : []),
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
    ...(isGiven(podSecurityLevel) && podSecurityLevel !== UNKNOWN
      ? wordFaults({ path, value: podSecurityLevel }, Object.values(PodSecurityLevel))
      : []),
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
