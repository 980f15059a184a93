import type { Fault } from "../fault";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type { Patch, Step } from "./runBook";
import { HOSTED_CLUSTER_API_VERSION, HOSTED_CLUSTER_KIND } from "../objects/hostedClusterReference";
import { visibleJson } from "../text";
import type { PropertyValue } from "../resources/resource";
import type { JudgedResources } from "../gate/judgedResources";
import type { RawTopology } from "../topology/topologyOfHostedCluster";

/** A step whose place among the others is still open. */
export interface Draft extends Omit<Step, "number"> {
  /** The properties that it carries out, by their places in the topology. */
  facets: string[];
}

/** What the makers of steps look at. */
export interface Transition {
  current: NormalizedTopology;
  /** The wanted topology as far as this cluster can get there. */
  reachable: NormalizedTopology;
  /** Places in the topology that differ between the two. */
  differing: readonly string[];
  change: Change;
  /** What is wrong with the reachable topology. */
  mixed: readonly Fault[];
}

/** The places that differ and belong to some properties. */
export const differingOf = ({ differing }: Transition, ...properties: readonly string[]): string[] =>
  differing.filter((facet) =>
    properties.some((property) => facet === property || facet.startsWith(`${property}.`)),
  );

export const keyOf = ({ namespace, name }: NormalizedTopology): string => `${namespace}/${name}`;

type Named = Pick<NormalizedTopology, "name" | "namespace">;

/** A merge patch of the HostedCluster: values by their paths in `spec`; null takes a field out. */
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

/** A path in `spec`, and what is written there. */
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

/** What a shell takes for itself in no place. */
const PLAIN = /^[\w./:@%+-]+$/;

const word = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** A command line: what is put in is one word each, whatever is in it. Names are others' to choose, and people copy the command. */
export const shell = (parts: TemplateStringsArray, ...words: readonly string[]): string =>
  String.raw({ raw: parts }, ...words.map(word));

/** One of the two states that are compared. */
export interface ClusterState {
  topology: NormalizedTopology;
  /** The same as it was written. */
  raw: RawTopology;
  /** What is wrong with it. */
  faults: readonly Fault[];
  /** The HostedCluster object, where the inputs hold it. */
  object?: PropertyValue;
  /** Everything beside it: policies, firewalls, NodePools. */
  judged: JudgedResources;
}

/** From where to where. */
export interface Change {
  current: ClusterState;
  wanted: ClusterState;
}
