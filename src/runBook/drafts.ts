import type { Fault } from "../fault";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type { Patch, Step } from "./runBook";
import { HOSTED_CLUSTER_API_VERSION, HOSTED_CLUSTER_KIND } from "../objects/hostedClusterReference";
import { visibleJson } from "../text";
import type { PropertyValue } from "../resources/resource";
import type { JudgedResources } from "../gate/judgedResources";
import type { RawTopology } from "../topology/topologyOfHostedCluster";

/** A step whose position among the others is not decided yet. */
export interface Draft extends Omit<Step, "number"> {
  /** The facets of the topology that the step changes. */
  facets: string[];
}

type Often = "facets" | "preChecks" | "patches" | "actions";

/** A step; what of it is not stated is empty. */
export function draftOf(stated: Omit<Draft, Often> & Partial<Pick<Draft, Often>>): Draft {
  const { id, title, place, disruption, effect, ...others } = stated;
  const { optional, facets = [], preChecks = [], patches = [], actions = [], ...rest } = others;
  const head = { id, title, place, disruption, effect, ...(optional && { optional }) };
  return { ...head, facets, preChecks, patches, actions, ...rest };
}

/** The ids of the steps that change a facet or a field. */
export const idsOfSteps = (drafts: readonly Draft[], facet: string): string[] =>
  drafts.filter(({ facets }) => facets.includes(facet)).map(({ id }) => id);

/** The input of the functions that create steps. */
export interface Transition {
  current: NormalizedTopology;
  /** The wanted topology, to the extent that this cluster can reach it. */
  reachable: NormalizedTopology;
  /** Facets of the topology that differ between the two. */
  differing: readonly string[];
  change: Change;
  /** Faults of the reachable topology. */
  mixed: readonly Fault[];
}

/** The facets that differ and belong to the given properties. */
export const differingOf = ({ differing }: Transition, ...properties: readonly string[]): string[] =>
  differing.filter((facet) =>
    properties.some((property) => facet === property || facet.startsWith(`${property}.`)),
  );

export const keyOf = ({ namespace, name }: NormalizedTopology): string => `${namespace}/${name}`;

type Named = Pick<NormalizedTopology, "name" | "namespace">;

/** A merge patch of the HostedCluster: values by their paths in `spec`; null removes a field. */
export function hostedClusterPatch({ name, namespace }: Named, fields: readonly Field[]): Patch {
  const body = { spec: nested(fields) };
  return {
    type: "merge",
    apiVersion: HOSTED_CLUSTER_API_VERSION,
    kind: HOSTED_CLUSTER_KIND,
    name,
    namespace,
    body,
    command: shell`oc patch hostedcluster ${name} -n ${namespace} --type=merge -p ${visibleJson(body)}`,
  };
}

/** A merge patch of the Network operator's configuration in the hosted cluster. */
export function networkOperatorPatch(fields: readonly Field[]): Patch {
  const body = { spec: nested(fields) };
  return {
    type: "merge",
    apiVersion: "operator.openshift.io/v1",
    kind: "Network",
    name: "cluster",
    body,
    command: shell`oc --kubeconfig HOSTED patch network.operator.openshift.io cluster --type=merge -p ${visibleJson(body)}`,
  };
}

/** A path in `spec`, and the value to write. */
export type Field = readonly [path: string, value: unknown];

function nested(fields: readonly Field[]): Record<string, unknown> {
  const spec: Record<string, unknown> = {};
  for (const [path, value] of fields) {
    const steps = path.split(".");
    const last = steps.pop()!;
    let at = spec;
    for (const step of steps) at = (at[step] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return spec;
}

/** Characters that no shell interprets. */
const PLAIN = /^[\w./:@%+-]+$/;

const word = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** Builds a command line in which each inserted value is quoted as one word. Others choose the names in it, and people copy the command. */
export const shell = (parts: TemplateStringsArray, ...words: readonly string[]): string =>
  String.raw({ raw: parts }, ...words.map(word));

/** One of the two states to compare. */
export interface ClusterState {
  topology: NormalizedTopology;
  /** The topology as it was written. */
  raw: RawTopology;
  /** Faults of the topology. */
  faults: readonly Fault[];
  /** The HostedCluster object, if the inputs contain it. */
  object?: PropertyValue;
  /** All other resources: policies, firewalls, NodePools. */
  judged: JudgedResources;
}

/** The current and the wanted state. */
export interface Change {
  current: ClusterState;
  wanted: ClusterState;
}
