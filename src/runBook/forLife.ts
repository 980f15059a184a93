import { immutableChanges } from "../hostedCluster/changes";
import { networkSpec } from "../hostedCluster/spec";
import type { PropertyMap } from "../resources/read";
import { HYPERSHIFT, at, describeReference } from "../requirements/documents";
import { immutableFields, REPLACING_DESTROYS } from "../requirements/hostedCluster";
import { Platform } from "../requirements/vocabulary";
import type { NormalizedService, NormalizedTopology } from "../topology/normalizedTopology";
import { isUnknown } from "../topology/normalizedTopology";
import type { TopologyProperty } from "./facets";

/** Why a property cannot change. */
export interface ForLife {
  why: string;
  documents: string[];
}

const AZURE_ACCESS = "spec.platform.azure.topology";

/** The properties that would change and that a hosted cluster has for life, by the rule `immutable-field`. */
export function forLife(
  current: NormalizedTopology,
  wanted: NormalizedTopology,
): Map<TopologyProperty, ForLife> {
  const [before, after] = [specOf(current, wanted), specOf(wanted, current)];
  const found = new Map<TopologyProperty, ForLife>(namesOf(current, wanted));
  for (const { path, problem } of immutableChanges(
    { inputs: before, outputs: before },
    after,
    current.platform,
  )) {
    const field = immutableFields.find((one) => `spec.${one.path}` === path);
    // Where it is taken out, the default is written in its place.
    if (field?.mutable) continue;
    const property = path === AZURE_ACCESS ? "endpointAccess" : propertyOf(field?.input);
    if (property === undefined || [current, wanted].some((one) => isUnknown(one, property))) continue;
    const documents = (field?.documents ?? [at(HYPERSHIFT, "HostedCluster CRD, spec")]).map(
      describeReference,
    );
    found.set(property, { why: `${path} ${withoutLoss(problem)}`, documents });
  }
  return found;
}

/** What a new object would destroy is said once for all properties, and the values stand beside the sentence. */
const withoutLoss = (problem: string): string =>
  problem
    .replace(REPLACING_DESTROYS, "")
    .replace(/:( for .*)? $/, "")
    .replace(/^is (?!set once).* and (?=can|never)/, "");

const propertyOf = (input: string | undefined): TopologyProperty | undefined =>
  input?.startsWith("topology.") ? (input.slice("topology.".length) as TopologyProperty) : undefined;

/** An object has its name for life, and so has the namespace of the control plane, which is made of both. */
function namesOf(current: NormalizedTopology, wanted: NormalizedTopology): [TopologyProperty, ForLife][] {
  const documents = [describeReference(at(HYPERSHIFT, "HostedCluster CRD, spec"))];
  return (["name", "namespace"] as const).flatMap((property): [TopologyProperty, ForLife][] =>
    current[property] === wanted[property] || [current, wanted].some((one) => isUnknown(one, property))
      ? []
      : [[property, { why: `metadata.${property} is what the object is known by`, documents }]],
  );
}

/** A topology as the spec that a HostedCluster would have, with only those addresses of services that both sides say. */
function specOf(topology: NormalizedTopology, other: NormalizedTopology): PropertyMap {
  const services = Object.fromEntries(
    Object.entries(topology.services).map(([service, published]) => [
      service,
      withoutUnsaid(published, other.services[service as keyof typeof other.services]),
    ]),
  ) as NormalizedTopology["services"];
  return networkSpec({ ...topology, services }, {}) as unknown as PropertyMap;
}

/** HostedCluster objects say more of a service than readers of topologies take from them. */
export function withoutUnsaid(own: NormalizedService, other: NormalizedService): NormalizedService {
  const { address, ...rest } = own;
  return address !== undefined && other.address !== undefined ? own : rest;
}

/** Whether the two are other clusters, of which nothing can become the other. */
export const isOtherCluster = (current: NormalizedTopology, wanted: NormalizedTopology): boolean =>
  namesOf(current, wanted).length > 0 || current.platform !== wanted.platform;

/** Whether it is unknown which object is there: no command can name it. */
export const isNameless = (current: NormalizedTopology): boolean =>
  isUnknown(current, "name") || isUnknown(current, "namespace");

/** The platforms on which services can change. */
export const servicesCanChange = (platform: Platform): boolean =>
  immutableFields.some(({ path, except = [] }) => path === "services" && except.includes(platform));
