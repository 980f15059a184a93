import { ChangeKind, describeDiff, type FlowChange, type PlanDiff } from "../reachability/answers/diff/diff";
import { Proof } from "../reachability/proof/prove";
import { diffPlans, type PlanSide } from "../reachability/answers/diff/diffPlans";
import { jsonDocument, paragraphs, plural } from "../text";
import { fenced } from "../report/markdown";
import { type Drift, driftOf } from "../resources/drift/drift";
import { grouped } from "../collections";
import { STANDARD_INPUT } from "../plan/files";
import type { JudgedCluster } from "../gate/clusters";
import { JudgedResources } from "../gate/judgedResources";
import type { Loaded } from "./commands";
import {
  configurationOf,
  liveOptions,
  type LiveOptions,
  orUnusable,
  type Plan,
  readPlan,
  refuseContradictions,
  Unusable,
  type WholeCluster,
  wholeClusters,
  isNamed,
  allWhole,
  clusterPairs,
} from "./plans";
import { CLEAN, FINDINGS, type Terminal, textOfLines, tellNotes } from "./terminal";
import { isList, readText } from "../resources/read";
import { kindInType, type Resource, withProperties } from "../resources/resource";
import {
  CONNECTIONS,
  isEgressFirewall,
  isHostedCluster,
  isNetworkPolicy,
  SECURITY_GROUPS,
  SPLIT_RULES,
} from "../resources/resourceTypes";
import { isHyperShifts } from "../reachability/path/guards";
import { unreadFilters } from "../gate/coverage";
import { API_NAMESPACE, controllerOf } from "../resources/kubernetesObject";
import { isByController } from "../resources/securityGroups";
import { Direction } from "../requirements/vocabulary";

/** `hypershift-network diff OLD NEW`, `hypershift-network diff PLAN --live` */
export const diffCommand: Loaded = (paths, options, terminal) =>
  orUnusable(terminal, async () => {
    const { cluster, format, failOn } = options;
    const live = liveOptions("diff", options);
    const [path, ...others] = paths;
    if (path === undefined || others.length !== (live ? 0 : 1))
      throw new Unusable([USAGE[live ? "live" : "files"]]);
    const configuration = configurationOf(options, paths, terminal);
    const old = await readPlan([path], configuration, terminal);
    const now = await readPlan(others, configuration, terminal, live);
    refuseVoid([old, live ? "plan" : "old plan", path], [now, "new plan", others[0]]);
    // The configuration describes the wanted state.
    refuseContradictions((live ? old : now).judged);
    const { before, after, drift } = live
      ? comparedWithLive(old.judged, now, { live, cluster }, terminal)
      : { before: old.judged, after: now.judged, drift: undefined };
    tellNotes(terminal, [...new Set([before, after].flatMap(unreadFilters))]);
    const diffs = pairs(before, after, cluster).map(({ key, was, is }) => ({
      ...diffPlans(sideOf(before, was), sideOf(after, is)),
      cluster: key,
    }));
    terminal.out(WRITERS[format ?? "text"]!(diffs, drift));
    const isDrift = failOn === "changed" && drift !== undefined && isAnything(drift);
    return isDrift || diffs.some((diff) => fails(diff, failOn)) ? FINDINGS : CLEAN;
  });

/** A command that failed in a pipe writes nothing, which must not be mistaken for an empty plan. */
function refuseVoid(...sides: [plan: Plan, what: string, path: string | undefined][]): void {
  const missing = sides.flatMap(([{ isVoid }, what, path = ""]) =>
    isVoid
      ? `${path === STANDARD_INPUT.path ? STANDARD_INPUT.file : path}  contains nothing to compare as the ${what}: name a preview, a stack export or Kubernetes manifests`
      : [],
  );
  if (missing.length > 0) throw new Unusable(missing);
}

/** A plan and the running systems, reduced to what is comparable, and the drift if a cluster was read. */
interface Compared {
  before: JudgedResources;
  after: JudgedResources;
  drift: Drift | undefined;
}

function comparedWithLive(
  old: JudgedResources,
  { judged, liveKinds }: Plan,
  { live: asked, cluster: name }: { live: LiveOptions; cluster: string | undefined },
  terminal: Terminal,
): Compared {
  const { plan, live, notes } = liveSides(old, judged, asked);
  const drift = asked.cluster && liveDrift({ plan, live }, liveKinds, (cluster) => isNamed(cluster, name));
  tellNotes(terminal, [...notes, ...(drift?.notes ?? [])]);
  return { before: plan, after: live, drift };
}

const isAnything = ({ values, missing }: Drift): boolean => values.length + missing.length > 0;

const USAGE = {
  files:
    "hypershift-network diff: name two plans, the old one first; or one plan and what is running, with --live or --ec2",
  live: "hypershift-network diff: name only one plan with --live and --ec2: it is compared with what is running",
} as const;

const sideOf = ({ index, configuredGroups }: JudgedResources, { topology }: WholeCluster): PlanSide => ({
  index,
  topology,
  configured: configuredGroups,
});

/** Pairs each hosted cluster of both plans. For a cluster that only one plan has, its topology is used for both. */
function pairs(before: JudgedResources, after: JudgedResources, name?: string): WholePair[] {
  const found = clusterPairs(before.clusters, after.clusters, name);
  if (found.length === 0) wholeClusters(after, name);
  for (const [plan, side] of [
    [before, "was"],
    [after, "is"],
  ] as const)
    allWhole([...new Set(found.flatMap((pair) => pair[side] ?? []))], plan.configuration);
  const byKey = grouped(found, ({ key }) => key);
  return [...byKey.values()].map(
    ([{ key, was, is }]) => ({ key, was: was ?? is, is: is ?? was }) as WholePair,
  );
}

interface WholePair {
  key: string;
  was: WholeCluster;
  is: WholeCluster;
}

/** Unknown values may open more. An unchanged secret is unknown in both plans, so values of other than new rules count only on request. */
const fails = ({ changes, flows, unknown }: PlanDiff, failOn: string | undefined): boolean =>
  failOn !== undefined &&
  (changes.some(({ kind }) => failOn === "changed" || kind !== ChangeKind.Closed) ||
    unknown.some(({ opens }) => opens) ||
    (failOn === "changed" && flows.some(isOfDrops)) ||
    (failOn === "unknown" && unknown.length > 0));

/** Whether a flow is dropped before or after, for example because an address that only the configuration states changes. */
const isOfDrops = ({ before, after }: FlowChange): boolean =>
  before === Proof.Refuted || after === Proof.Refuted;

/** @param drift undefined if no cluster was read */
type Writer = (diffs: PlanDiff[], drift?: Drift) => string;

const linesOf = (diffs: readonly PlanDiff[], drift?: Drift): string[] =>
  paragraphs([...diffs.map(describeDiff), ...(drift ? describeDrift(drift) : [])]);

const describeDrift = ({ values, missing }: Drift): string[][] => [
  described(
    values.map(
      ({ object, path, planned, found }) => `${object}  ${path}: planned ${planned}, found ${found}`,
    ),
    (count) => `${plural(count, "value")} ${count === 1 ? "is" : "are"} not as planned`,
  ),
  described(
    missing.map(({ object }) => object),
    (count) => `${plural(count, "object")} ${count === 1 ? "is" : "are"} planned but missing`,
  ),
];

const described = (lines: readonly string[], heading: (count: number) => string): string[] =>
  lines.length === 0 ? [] : [heading(lines.length), ...lines.map((line) => `  ${line}`)];

const WRITERS: Readonly<Record<string, Writer>> = {
  text: (diffs, drift) => textOfLines(linesOf(diffs, drift)),
  markdown: (diffs, drift) => `<!-- hypershift-network diff -->\n\n${fenced(linesOf(diffs, drift))}\n`,
  json: (diffs, drift) => {
    const { values, missing } = drift ?? {};
    return jsonDocument({ version: 1, hostedClusters: diffs, values, missing });
  },
};

/** The drift of the cluster that was read: of all hosted clusters, or of the requested ones. */
function liveDrift(
  { plan, live }: Pick<LiveSides, "plan" | "live">,
  liveKinds: Plan["liveKinds"],
  isAsked: (cluster: JudgedCluster) => boolean,
): Drift {
  const others = [...plan.clusters, ...live.clusters].filter((cluster) => !isAsked(cluster));
  const saying = new Set(others.flatMap(({ sources }) => sources.flatMap(({ resource }) => resource ?? [])));
  const controlPlanes = new Set(others.flatMap(({ topology }) => topology?.controlPlaneNamespace ?? []));
  const isOfOther = (resource: Resource): boolean =>
    saying.has(resource) || controlPlanes.has(controlPlaneOf(resource));
  return driftOf(plan.resources, live.resources, {
    kinds: liveKinds,
    isAsked: (resource) => !isOfOther(resource),
  });
}

/** The namespace of a resource that may be in the namespace of a control plane. */
function controlPlaneOf(resource: Resource): string {
  if (!isEgressFirewall(resource.type) && !isNetworkPolicy(resource.type)) return "";
  return String(readText(resource.properties, "metadata.namespace") ?? "");
}

/** A plan and the running systems, reduced to what is comparable. */
export interface LiveSides {
  plan: JudgedResources;
  live: JudgedResources;
  notes: string[];
}

/**
 * Removes from the plan what was not read from the running systems, and from both what controllers write and would write again: neither is
 * a change by a user.
 */
function liveSides(plan: JudgedResources, live: JudgedResources, asked: LiveOptions): LiveSides {
  const controlPlanes = new Set(
    [...plan.clusters, ...live.clusters].flatMap(({ topology }) => topology?.controlPlaneNamespace ?? []),
  );
  const isManagement = live.resources.some(({ type }) => isHostedCluster(type));
  const isHere = ({ type, properties }: Resource): boolean => {
    if (type.startsWith("aws:")) return asked.ec2 !== undefined;
    if (!type.startsWith("kubernetes:") || isHostedCluster(type)) return true;
    if (!asked.cluster) return false;
    const namespace = readText(properties, "metadata.namespace") ?? API_NAMESPACE;
    const isPlaced = isEgressFirewall(type) || isNetworkPolicy(type);
    return !isPlaced || typeof namespace !== "string" || controlPlanes.has(namespace) === isManagement;
  };
  const left = { rules: 0, policies: 0 };
  const sideOf = ({ resources, configuration }: JudgedResources) =>
    new JudgedResources(
      resources.filter(isHere).flatMap((resource) => byPeople(resource, left)),
      configuration,
    );
  const sides = { plan: sideOf(plan), live: sideOf(live) };
  return { ...sides, notes: [...notesOf(left), ...notFollowed(sides.plan)] };
}

/** The number of skipped things that controllers wrote. */
interface Left {
  rules: number;
  policies: number;
}

/** A resource without the rules that controllers write; nothing if a controller wrote all of it. */
function byPeople(resource: Resource, left: Left): Resource[] {
  const { type, properties } = resource;
  if (isNetworkPolicy(type) && (isHyperShifts(resource) || controllerOf(properties) !== undefined)) {
    left.policies++;
    return [];
  }
  if (SPLIT_RULES.has(type) && isByController({ resource, path: "" })) {
    left.rules++;
    return [];
  }
  return [SECURITY_GROUPS.has(type) ? groupByPeople(resource, left) : resource];
}

function groupByPeople(group: Resource, left: Left): Resource {
  const lists = Object.values(Direction).flatMap((direction) => {
    const list = group.properties[direction];
    if (!isList(list)) return [];
    const own = list.filter((_, at) => !isByController({ resource: group, path: `${direction}[${at}]` }));
    left.rules += list.length - own.length;
    return own.length < list.length ? [[direction, own] as const] : [];
  });
  return lists.length === 0
    ? group
    : withProperties(group, { ...group.properties, ...Object.fromEntries(lists) });
}

function notesOf({ rules, policies }: Left): string[] {
  const counted = [
    ...(rules > 0 ? [plural(rules, "rule") + " of security groups"] : []),
    ...(policies > 0 ? [plural(policies, "network policy", "network policies")] : []),
  ];
  return counted.length > 0 ? [`not compared, because controllers write them: ${counted.join(" and ")}`] : [];
}

/** Notes connections between networks, which are not compared: packets are followed only through groups and ACLs. */
function notFollowed({ resources }: JudgedResources): string[] {
  const kinds = resources.filter(({ type }) => CONNECTIONS.has(type)).map(({ type }) => kindInType(type));
  if (kinds.length === 0) return [];
  return [
    `not compared: how networks are connected (${[...new Set(kinds)].sort().join(", ")}); check --ec2 judges what is there`,
  ];
}
