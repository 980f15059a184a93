import { makeRunBook } from "../runBook/makeRunBook";
import { jsonDocument } from "../text";
import type { Loaded } from "./commands";
import {
  configurationOf,
  contradictoryPlanOf,
  liveOptions,
  type LiveOptions,
  orUnusable,
  planOf,
  Unusable,
  type ClusterPair,
  clusterPairs,
} from "./plans";
import { runBookMarkdown, runBookText } from "./runBookReport";
import { CLEAN, FINDINGS, type Terminal } from "./terminal";
import { Outcome, type RunBook } from "../runBook/runBook";
import { readFileSync, statSync } from "node:fs";
import type { Change, ClusterState } from "../runBook/drafts";
import { serviceProperty } from "../requirements/publishedServices";
import { formatRelease, parseRelease } from "../requirements/release";
import { PublishingType, Service } from "../requirements/vocabulary";
import { isMap, type PropertyMap, read, readText } from "../resources/read";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import { JudgedResources } from "../gate/judgedResources";
import { type JudgedCluster, keyWithEntry, objectOf, SAY_PLATFORM } from "../gate/clusters";
import { nodePoolsOf } from "../gate/guestCluster";
import { normalizeTopology, topologyProperties } from "../topology/normalizeTopology";
import { OvnSubnetRule } from "../topology/normalize/ovnSubnets";
import { propertiesOfObject, type RawTopology } from "../topology/topologyOfHostedCluster";
import { type Configuration, NO_CONFIGURATION } from "../gate/configuration";

/** `hypershift-network plan [PATH...] --change CURRENT`, `hypershift-network plan [PATH...] --live` */
export const changeCommand: Loaded = (paths, options, terminal) =>
  orUnusable(terminal, async () => {
    const { cluster, format } = options;
    const place = placeOf(options);
    // What does not fit is an obstacle of the run book.
    const wanted = await contradictoryPlanOf(
      paths,
      configurationOf(options, paths, terminal, TOLERATED),
      terminal,
    );
    const current = await currentState(place, terminal);
    const books = comparedClusters(current, wanted, cluster).map(({ key, change: sides, assumptions }) => ({
      ...makeRunBook(sides, assumptions),
      cluster: key,
    }));
    terminal.out(WRITERS[format ?? "text"]!(books));
    return books.every(({ outcome }) => DONE.has(outcome)) ? CLEAN : FINDINGS;
  });

/** Returns the one place of the current state. */
function placeOf(options: Options): CurrentPlace {
  const { change } = options;
  const live = liveOptions("plan", options);
  if (change !== undefined && live)
    throw new Unusable([
      "hypershift-network plan: --change and --live both give the current state: leave out --change to read it from the cluster, or --live (and --ec2) to read it from the file",
    ]);
  if (live && !live.cluster)
    throw new Unusable([
      "hypershift-network plan: --ec2 has no HostedClusters: add --live, for the management cluster that has them",
    ]);
  if (live) return { live };
  if (change === undefined)
    throw new Unusable([
      "hypershift-network plan: name the current state with --change, or read it from the management cluster with --live",
    ]);
  return { path: change };
}

type Options = Parameters<Loaded>[1];

/** Outcomes without obstacles. */
const DONE: ReadonlySet<Outcome> = new Set([Outcome.NothingToDo, Outcome.InPlace]);

const WRITERS: Readonly<Record<string, (books: RunBook[]) => string>> = {
  text: runBookText,
  markdown: runBookMarkdown,
  json: (books) => jsonDocument({ version: 1, hostedClusters: books }),
};

/** The two states of one hosted cluster, and what each state took over from the other. */
export interface ComparedCluster {
  key: string;
  change: Change;
  assumptions: string[];
}

/** The place of the current state: a configuration or any input of `check`, or the cluster with the HostedClusters. */
export type CurrentPlace = { path: string } | { live: LiveOptions };

/** The current state of the hosted clusters. */
export interface CurrentState {
  judged: JudgedResources;
  /** Whether it was read from a cluster: then a cluster of another name is another cluster. */
  isLive: boolean;
}

/** Reads the current state of the hosted clusters from its place. */
async function currentState(place: CurrentPlace, terminal: Terminal): Promise<CurrentState> {
  if ("live" in place)
    return { judged: await planOf([], NO_CONFIGURATION, terminal, place.live), isLive: true };
  const judged = isConfiguration(place.path)
    ? new JudgedResources([], configurationOf({ config: place.path }, [], terminal, TOLERATED))
    : await planOf([place.path], NO_CONFIGURATION, terminal);
  return { judged, isLive: false };
}

/** Before the release that has its field, a subnet can be set elsewhere: the run book states where. */
const TOLERATED: readonly string[] = [OvnSubnetRule.Release];

/** Configurations have `hostedClusters` at the beginning of a line and no `apiVersion`, which manifests have. */
function isConfiguration(path: string): boolean {
  const text = path === "-" ? "" : textOf(path);
  return (
    /^[ \t\uFEFF]*(?:\{[ \t]*)?"?hostedClusters"?[ \t]*:/m.test(text) && !/^apiVersion[ \t]*:/m.test(text)
  );
}

/** The content of a file, or empty if the path is not a readable file: reading the plan reports the reason. */
function textOf(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

/**
 * Pairs each hosted cluster in both states: by namespace and name, or the only cluster of each state.
 *
 * @throws Unusable if there is nothing to compare
 */
export function comparedClusters(
  { judged: current, isLive }: CurrentState,
  wanted: JudgedResources,
  name: string | undefined,
): ComparedCluster[] {
  const pairs = clusterPairs(current.clusters, wanted.clusters, name);
  const [was, is] = [pairs.flatMap((pair) => pair.was ?? []), pairs.flatMap((pair) => pair.is ?? [])];
  if (is.length === 0) throw new Unusable([noCluster("wanted", name)]);
  if (isLive) mustRun(current, pairs);
  if (was.length === 0) throw new Unusable([noCluster("current", name)]);
  if (was.length === 1 && is.length === 1) {
    const { key } = pairs.length === 1 ? pairs[0]! : was[0]!;
    return [compared(key, [was[0]!, current], [is[0]!, wanted])];
  }
  const missing = pairs.find((pair) => pair.is && !pair.was);
  if (missing) throw new Unusable([notCurrent(missing.key, pairs)]);
  return pairs.flatMap((pair) =>
    pair.was && pair.is ? compared(pair.key, [pair.was, current], [pair.is, wanted]) : [],
  );
}

function notCurrent(missing: string, pairs: readonly ClusterPair[]): string {
  const current = pairs.flatMap(({ was }) => was?.key ?? []);
  const both = pairs.flatMap(({ key, was, is }) => (was && is ? key : []));
  const way =
    both.length > 0
      ? `name one that both states have with --cluster: ${both.join(", ")}`
      : "no cluster is in both states: write namespace and name as they are there";
  return `${missing} is not in the current state, which has ${current.join(", ")}: ${way}`;
}

/** Refuses clusters that do not run: their run book would apply to another cluster. */
function mustRun({ clusters }: JudgedResources, pairs: readonly ClusterPair[]): void {
  if (clusters.length === 0)
    throw new Unusable([
      "--live  the cluster has no HostedCluster: name the management cluster with --kubeconfig and --context",
    ]);
  const there = clusters.map(({ key }) => key);
  const missing = pairs.filter(({ was, is }) => is && !was);
  if (missing.length > 0)
    throw new Unusable(
      missing.map(
        ({ key }) =>
          `--live  the cluster has no HostedCluster ${key}; it has ${there.join(", ")}: write namespace and name as they are there, or name one that is there with --cluster`,
      ),
    );
}

const noCluster = (side: string, name: string | undefined): string =>
  `no hosted cluster${name === undefined ? "" : ` ${name}`} in the ${side} state`;

type Found = readonly [cluster: JudgedCluster, judged: JudgedResources];

function compared(key: string, was: Found, is: Found): ComparedCluster {
  const assumptions: string[] = [];
  const opened = openedPorts(was, is);
  const current = filled({ ...was[0], raw: { ...was[0].raw, ...opened } }, is[0], (property) =>
    assumptions.push(`${property}: not stated in the current state; assumed to be as wanted`),
  );
  if (opened.bootstrap)
    assumptions.push(
      "bootstrap: not stated in the current state; assumed to be true, and its NodePools show whether the ports can be closed",
    );
  const wanted = filled(is[0], was[0], (property) =>
    assumptions.push(`${property}: not stated in the wanted state; assumed to stay as it is`),
  );
  return {
    key,
    change: { current: sideOf(was, current, groupsBy(was[1], is[1])), wanted: sideOf(is, wanted) },
    assumptions,
  };
}

/**
 * No object states whether the ports with which nodes join are open. If they are to be closed and the NodePools are in the input, they
 * count as open: a user who closes them wants to know what the NodePools report.
 */
function openedPorts([was, { index }]: Found, [is]: Found): { bootstrap?: true } {
  if (was.raw.bootstrap !== undefined || is.raw.bootstrap !== false || !was.topology) return {};
  return nodePoolsOf(index, was.topology).length > 0 ? { bootstrap: true } : {};
}

const ofObjects: ReadonlySet<string> = new Set(propertiesOfObject);

/**
 * Fills in what objects cannot state: a configuration states it for both states; if neither does, the default applies to both. A release
 * that one state does not state is not a change of release.
 */
function filled(own: JudgedCluster, other: JudgedCluster, tell: (property: string) => void): RawTopology {
  const saysAll = own.sources.some(({ kind }) => kind === "configuration" || kind === "component");
  const raw: Record<string, unknown> = { ...own.raw, ...releaseOf(own, other) };
  const others: RawTopology = { ...other.raw, ...releaseOf(other, own) };
  for (const property of topologyProperties) {
    const isOpen =
      property === "release" || (!saysAll && !ofObjects.has(property) && property !== "namespace");
    const theirs = others[property];
    if (!isOpen || raw[property] !== undefined || theirs === undefined || theirs === UNKNOWN) continue;
    raw[property] = theirs;
    tell(property);
  }
  const services = withAddresses(own, other, raw.services as PropertyValue);
  if (services) raw.services = services;
  if (isMap(others.addresses)) raw.addresses = { ...others.addresses, ...(own.raw.addresses as object) };
  return raw;
}

/** A node port always has an address: where one state does not state it, it is that of the other. Undefined if nothing is filled in. */
function withAddresses(
  own: JudgedCluster,
  other: JudgedCluster,
  services: PropertyValue,
): PropertyMap | undefined {
  const given = isMap(services) ? services : {};
  const filledIn = Object.values(Service).flatMap((service) => {
    const [mine, theirs] = [own, other].map(({ topology }) => topology?.services[service]);
    const property = serviceProperty[service];
    const areBoth = [mine, theirs].every((one) => one?.type === PublishingType.NodePort);
    const isSaid =
      mine?.address !== undefined || own.topology?.unknown.includes(`services.${property}.address`);
    if (!areBoth || isSaid || theirs?.address === undefined) return [];
    const said = given[property];
    const address = theirs.address;
    return [[property, { type: PublishingType.NodePort, ...(isMap(said) ? said : {}), address }] as const];
  });
  return filledIn.length > 0 ? { ...given, ...Object.fromEntries(filledIn) } : undefined;
}

/** The release of an image with a digest is not visible: the status reports it, and the same image is the same release. */
function releaseOf(own: JudgedCluster, other: JudgedCluster): { release?: PropertyValue | undefined } {
  if (own.raw.release !== UNKNOWN) return {};
  const [object, theirs] = [own, other].map((cluster) => objectOf(cluster)?.properties);
  const versions = read(object, "status.version.history[]").filter(
    ({ value }) => readText(value, "state") === "Completed",
  );
  const version = versions.map(({ value }) => readText(value, "version"))[0];
  const release = parseRelease(version);
  if (release) return { release: formatRelease(release) };
  const [image, same] = [object, theirs].map((one) => readText(one, "spec.release.image"));
  return typeof image === "string" && image === same ? { release: undefined } : {};
}

/** A configuration of security groups also applies to the current state: both sides have the same groups. */
const groupsBy = (was: JudgedResources, is: JudgedResources): Configuration =>
  (was.configuration.clusters.length > 0 ? was : is).configuration;

/** @throws Unusable if the platform is not stated */
function sideOf(
  [cluster, judged]: Found,
  raw: RawTopology,
  configuration = judged.configuration,
): ClusterState {
  const { readable, faults } = normalizeTopology(raw);
  if (raw.platform === UNKNOWN)
    throw new Unusable([
      `${cluster.key}: its platform is not known yet, and everything depends on it; decide once it is known, or write platform: into the configuration`,
    ]);
  if (!readable || cluster.partial)
    throw new Unusable([
      `${keyWithEntry(cluster, judged.configuration)}: its platform is not stated: ${SAY_PLATFORM}`,
    ]);
  const unknown = [...readable.unknown, ...(cluster.isNamed ? [] : ["name"])];
  const topology = { ...readable, unknown };
  const only: JudgedCluster = { ...cluster, raw, topology, faults };
  const object = objectOf(cluster)?.properties;
  return {
    topology,
    raw,
    faults,
    ...(object && { object }),
    judged: new JudgedResources(judged.resources, configuration, [only]),
  };
}
