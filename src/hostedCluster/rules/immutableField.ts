import { immutableChanges, statedAt, type StatedSpec } from "../changes";
import { valueAt } from "../additionalSpec";
import { holdsUnknown, isGiven, isList, isMap, type PropertyMap, readText } from "../../resources/read";
import { HYPERSHIFT, at } from "../../requirements/documents";
import { immutableFields } from "../../requirements/hostedCluster";
import { Platform } from "../../requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../resources/resource";
import { isHostedCluster, isPatch } from "../../resources/resourceTypes";
import type { JudgedResources } from "../../gate/judgedResources";
import {
  Level,
  describeResource,
  secretOnly,
  unknown,
  violated,
  type Judgement,
  type Rule,
} from "../../gate/rule";

/** A change of what a hosted cluster has for life. */
export const immutableField: Rule = {
  id: "immutable-field",
  title: "Immutable field is changed",
  level: Level.Error,
  description:
    "HostedClusters against what they were before: in a preview, whose steps hold the state that they start from, and where a stack patches a HostedCluster that it also writes. The API server refuses most of these changes, lets others through that cut the network away, and a replacement destroys the cluster. Manifests and stack exports hold only one state, and so does what the engine shows to policies: there HostedClusterNetwork refuses the change, and this rule sees patches only.",
  documents: [at(HYPERSHIFT, "HostedCluster CRD, spec")],
  remediation: "Write the field as it is; another value needs another hosted cluster beside this one.",
  judge: (judged) => [
    ...judged
      .ofKind(isHostedCluster)
      .filter(({ before }) => before)
      .flatMap((cluster) => judgeChange(cluster, statedBefore(cluster), specOf(cluster), "")),
    ...judged
      .ofKind(isHostedCluster)
      .filter(({ type }) => isPatch(type))
      .flatMap((resource) => secretOnly({ resource, path: "metadata.name" })),
    ...patched(judged).flatMap(({ patch, cluster }) => {
      const own = specOf(cluster);
      const message = ` in ${describeResource(cluster)}`;
      return judgeChange(patch, { inputs: own, outputs: own }, merged(own, specOf(patch)), message);
    }),
  ],
};

const specOf = ({ properties }: Pick<Resource, "properties">): PropertyValue => properties.spec ?? {};

/** What the program wrote last, and what the server had. */
const statedBefore = ({ before }: Resource): StatedSpec => ({
  inputs: before?.inputs.spec,
  outputs: before?.outputs.spec,
});

/** Patches on HostedClusters that stand in the same stack. */
function patched({ clusters }: JudgedResources): { patch: Resource; cluster: Resource }[] {
  return clusters.flatMap(({ sources }) => {
    const objects = sources.flatMap(({ resource }) =>
      resource && isHostedCluster(resource.type) ? [resource] : [],
    );
    const cluster = objects.find(({ type }) => !isPatch(type));
    if (!cluster) return [];
    return objects.filter(({ type }) => isPatch(type)).map((patch) => ({ patch, cluster }));
  });
}

function judgeChange(
  resource: Resource,
  before: StatedSpec,
  wanted: PropertyValue,
  where: string,
): Judgement[] {
  const live = before.outputs ?? before.inputs;
  const known = filled(wanted, live);
  if (!isMap(known)) return [];
  const platform = Object.values(Platform).find((word) => word === readText(known, "platform.type"));
  const pending = immutableFields.filter(({ path }) => {
    const was = statedAt(live, path);
    const will = valueAt(wanted, path);
    return isGiven(was) && isGiven(will) && (holdsUnknown(was) || holdsUnknown(will));
  });
  return [
    ...immutableChanges(before, known, platform ?? Platform.None).map(({ path, problem, remedy }) =>
      violated({
        resource: resource.origin,
        path,
        message: where === "" ? problem : problem.replace(/^is /, `is${where} `),
        fix: remedy.replace(/ in \S+$/, ""),
      }),
    ),
    ...pending.map(({ path }) => unknown({ resource, path: `spec.${path}`, reason: "whether it changes" })),
  ];
}

/** A spec with the old value wherever the new one is not known: what may be no change is none. */
function filled(value: PropertyValue, live: PropertyValue | undefined): PropertyValue {
  if (value === UNKNOWN) return live ?? null;
  if (isList(value))
    return value.map((entry, position) => filled(entry, isList(live) ? live[position] : undefined));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, filled(entry, isMap(live) ? live[key] : undefined)]),
  );
}

/** What a patch makes of an object: lists and plain values take the place of what was there. */
function merged(value: PropertyValue, patch: PropertyValue): PropertyValue {
  if (!isMap(value) || !isMap(patch)) return patch;
  const entries = Object.entries(patch).map(
    ([key, entry]) => [key, merged(value[key] ?? null, entry)] as const,
  );
  const both: PropertyMap = { ...value, ...Object.fromEntries(entries) };
  return both;
}
