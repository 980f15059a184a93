import { immutableChanges, sameValue } from "../hostedCluster/changes";
import { HYPERSHIFT, at, describeReference } from "../requirements/documents";
import { immutableFields, topologyFields } from "../requirements/hostedCluster";
import type { Platform } from "../requirements/vocabulary";
import { holdsUnknown, isObject, readValue } from "../resources/read";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { Answer, NOT_KNOWN_YET, type ChangedProperty } from "./runBook";
import type { Change } from "./drafts";

export const ALLOWED_BLOCKS = "networking.apiServer.allowedCIDRBlocks";
export const RELEASE_IMAGE = "release.image";
/** What a topology says in part of what stands there, or otherwise. */
const TOLD_IN_PART: ReadonlySet<string> = new Set(["release", "services", "proxy"]);
const documents = [describeReference(at(HYPERSHIFT, "HostedCluster CRD, spec"))];

/**
 * What differs between two HostedCluster objects and stands in no topology. Values are not shown, because some are secret. What
 * the wanted object does not say is taken to stay as it is: the server writes defaults. Steps are named where they are made.
 */
export function objectFields({ current, wanted }: Change): ChangedProperty[] {
  const [before, after] = [current, wanted].map(({ object }) => readValue(object, "spec"));
  if (before === UNKNOWN || after === UNKNOWN) return [{ property: "spec", ...NOT_KNOWN, documents }];
  if (!isObject(before) || !isObject(after)) return [];
  const { platform } = current.topology;
  const isTold = (path: string) => toldByTopology.some((one) => path === one || path.startsWith(`${one}.`));
  const fixed = immutableChanges({ inputs: before, outputs: before }, after, platform)
    .map(({ path }) => path.slice("spec.".length))
    .filter((path) => !immutableFields.some((one) => one.path === path && one.mutable));
  const judged = judgedFields(platform);
  const open = [before, after].some((spec) => holdsUnknown(readValue(spec, ALLOWED_BLOCKS)));
  const isOpen = open && readValue(after, ALLOWED_BLOCKS) !== undefined;
  return [
    ...(isOpen ? [{ property: `spec.${ALLOWED_BLOCKS}`, ...NOT_KNOWN, documents }] : []),
    ...differences(before, after, "")
      .filter((path) => !isTold(path) && !(isOpen && path === ALLOWED_BLOCKS))
      .map((path): ChangedProperty => {
        const isFixed = fixed.some((one) => isOnePath(path, one));
        const isUnknown =
          [before, after].some((spec) => holdsUnknown(readValue(spec, path))) &&
          judged.some((one) => isOnePath(path, one));
        return {
          property: `spec.${path}`,
          ...(isUnknown && !isFixed ? NOT_KNOWN : answerOf(path, isFixed)),
          documents,
        };
      }),
  ];
}

const NOT_KNOWN = { answer: Answer.Unknown, why: NOT_KNOWN_YET, steps: [] };

/** What of an object is answered beside its topology: an unknown value there leaves the answer open. */
const judgedFields = (platform: Platform): string[] => [
  ...immutableFields.filter(({ except = [] }) => !except.includes(platform)).map(({ path }) => path),
  ALLOWED_BLOCKS,
  RELEASE_IMAGE,
];

/** Whether one of two places is the other, or in it. */
const isOnePath = (one: string, other: string): boolean =>
  `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);

function answerOf(path: string, isFixed: boolean): Pick<ChangedProperty, "answer" | "why" | "steps"> {
  if (isFixed) return { answer: Answer.Immutable, why: "the API server takes it once", steps: [] };
  if (path === ALLOWED_BLOCKS)
    return {
      answer: Answer.Mutable,
      why: "who reaches the load balancers of the API server changes at once",
      steps: [],
    };
  if (path === RELEASE_IMAGE)
    return {
      answer: Answer.Mutable,
      why: "another image takes no other port; its nodes roll out",
      steps: [],
    };
  return { answer: Answer.NotJudged, why: "no part of the network that is judged here", steps: [] };
}

/** The places of a spec that topologies say, all that stands there. */
const toldByTopology: readonly string[] = topologyFields
  .filter(({ property, path }) => path.startsWith("spec.") && !TOLD_IN_PART.has(property))
  .map(({ path }) => path.slice("spec.".length))
  .concat(["httpProxy", "httpsProxy", "noProxy"].map((key) => `configuration.proxy.${key}`));

/** The places at which a value is written that is not there, or another one. */
function differences(before: PropertyValue | undefined, after: PropertyValue, path: string): string[] {
  if (after === null || (!holdsUnknown([before ?? null, after]) && sameValue(before, after))) return [];
  if (!isObject(after) || (before !== undefined && !isObject(before))) return [path];
  return Object.entries(after).flatMap(([key, value]) =>
    differences(isObject(before) ? before[key] : undefined, value, path === "" ? key : `${path}.${key}`),
  );
}
