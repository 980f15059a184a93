import { hyperShiftPolicies } from "../requirements/networkPolicies";
import { readText, readValue } from "../resources/read";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { isNetworkPolicy, isPatch } from "../resources/resourceTypes";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { wholeTopology } from "./egressFirewalls";
import type { JudgedResources } from "./judgedResources";

/** The network policies of one hosted control plane's namespace. */
export interface IsolatedNamespace {
  topology: NormalizedTopology;
  namespace: string;
  /** All that the plan shows, HyperShift's own among them where it shows those; at least one is not HyperShift's. */
  policies: readonly Resource[];
  /** Those that are not HyperShift's. */
  others: readonly Resource[];
}

/** The namespaces of hosted control planes for which somebody writes policies. */
export function isolatedNamespaces({ clusters, resources }: JudgedResources): IsolatedNamespace[] {
  const all = resources.filter(({ type }) => isNetworkPolicy(type) && !isPatch(type));
  return clusters.flatMap((cluster) => {
    const topology = wholeTopology(cluster);
    if (!topology) return [];
    const namespace = topology.controlPlaneNamespace;
    const policies = all.filter((policy) => mayGovern(policy, namespace));
    const others = policies.filter((policy) => !isHyperShifts(policy));
    return others.length > 0 ? [{ topology, namespace, policies, others }] : [];
  });
}

function mayGovern({ properties }: Resource, namespace: string): boolean {
  const stated = readText(properties, "metadata.namespace");
  return stated === UNKNOWN || stated === namespace;
}

const HYPERSHIFT_NAMES: ReadonlySet<PropertyValue | undefined> = new Set(
  hyperShiftPolicies.map(({ name }) => name),
);

/** HyperShift owns policies by their names, and writes them again after every change. */
const isHyperShifts = ({ properties }: Resource): boolean =>
  HYPERSHIFT_NAMES.has(readValue(properties, "metadata.name"));
