import { HOSTED_CLUSTER_API_VERSION, HOSTED_CLUSTER_KIND } from "../objects/hostedClusterReference";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { visibleJson } from "../text";
import type { Patch } from "./runBook";
import type { Fault } from "../fault";
import type { PropertyValue } from "../resources/resource";
import type { JudgedResources } from "../gate/judgedResources";
import type { RawTopology } from "../topology/mergeTopology";

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
export interface Side {
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
  current: Side;
  wanted: Side;
}
