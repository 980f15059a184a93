import { readFileSync, statSync } from "node:fs";

import type { Change, Side } from "../runBook";
import { formatRelease, parseRelease } from "../requirements/release";
import { read, readText } from "../resources/read";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { JudgedResources, NO_CONFIGURATION, type JudgedCluster } from "../rules";
import { normalizeTopology, topologyProperties } from "../topology/normalizeTopology";
import { OvnSubnetRule } from "../topology/normalize/ovnSubnets";
import { propertiesOfObject } from "../topology/topologyOfHostedCluster";
import type { RawTopology } from "../topology/rawTopology";
import { configurationOf, planOf, Unusable } from "./plans";
import type { Terminal } from "./terminal";

/** The two states of one hosted cluster, and what one took from the other. */
export interface ComparedCluster {
  change: Change;
  assumptions: string[];
}

/** What the hosted clusters are now: a configuration, or any input of check. */
export const currentState = (path: string, terminal: Terminal): Promise<JudgedResources> =>
  isConfiguration(path)
    ? Promise.resolve(new JudgedResources([], configurationOf(path, TOLERATED)))
    : planOf([path], NO_CONFIGURATION, terminal);

/** Before the release that has its field, a subnet can be preset elsewhere: the run book says where. */
export const TOLERATED: readonly string[] = [OvnSubnetRule.Release];

/** A configuration has its words at the beginning of lines, where manifests have apiVersion. */
function isConfiguration(path: string): boolean {
  if (path === "-" || !statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const text = readFileSync(path, "utf8");
  return /^\s*\{?\s*"?hostedClusters"?\s*:/m.test(text) && !/^apiVersion\s*:/m.test(text);
}

/**
 * Each hosted cluster in both states: by namespace and name, or the only one of each.
 *
 * @throws Unusable where there is nothing to compare
 */
export function comparedClusters(
  current: JudgedResources,
  wanted: JudgedResources,
  name: string | undefined,
): ComparedCluster[] {
  const named = (judged: JudgedResources) =>
    judged.clusters.filter(({ key, name: own }) => name === undefined || key === name || own === name);
  const [was, is] = [named(current), named(wanted)];
  if (is.length === 0) throw new Unusable([noCluster("wanted", name)]);
  if (was.length === 0) throw new Unusable([noCluster("current", name)]);
  const alone = was.length === 1 && is.length === 1;
  return is.map((cluster) => {
    const before = alone ? was[0]! : was.find(({ key }) => key === cluster.key);
    if (!before)
      throw new Unusable([
        `${cluster.key} is not in the current state, which has ${was.map(({ key }) => key).join(", ")}: name one with --cluster`,
      ]);
    return compared([before, current], [cluster, wanted]);
  });
}

const noCluster = (side: string, name: string | undefined): string =>
  `no hosted cluster${name === undefined ? "" : ` ${name}`} in the ${side} state`;

type Found = readonly [cluster: JudgedCluster, judged: JudgedResources];

function compared(was: Found, is: Found): ComparedCluster {
  const assumptions: string[] = [];
  const current = filled(was[0], is[0], (property) =>
    assumptions.push(`${property}: the current state does not say it; taken as wanted`),
  );
  const wanted = filled(is[0], was[0], (property) =>
    assumptions.push(`${property}: the wanted state does not say it; taken to stay as it is`),
  );
  return {
    change: { current: sideOf(was, current), wanted: sideOf(is, wanted) },
    assumptions,
  };
}

const ofObjects: ReadonlySet<string> = new Set(propertiesOfObject);

/**
 * What objects cannot say, a configuration says for both states; where neither does, the default holds for both. A release that
 * one state does not say is no wish for another one.
 */
function filled(own: JudgedCluster, other: JudgedCluster, tell: (property: string) => void): RawTopology {
  const saysAll = own.sources.some(({ kind }) => kind === "configuration" || kind === "component");
  const raw: Record<string, unknown> = { ...own.raw, ...releaseOf(own, other) };
  for (const property of topologyProperties) {
    const isOpen =
      property === "release" || (!saysAll && !ofObjects.has(property) && property !== "namespace");
    const theirs = other.raw[property];
    if (!isOpen || raw[property] !== undefined || theirs === undefined || theirs === UNKNOWN) continue;
    raw[property] = theirs;
    tell(property);
  }
  return raw;
}

/** An image named by its digest tells no release: the status does, and one image is one release. */
function releaseOf(own: JudgedCluster, other: JudgedCluster): { release?: PropertyValue | undefined } {
  if (own.raw.release !== UNKNOWN) return {};
  const [object, theirs] = [own, other].map(objectOf);
  const versions = read(object, "status.version.history[]").filter(
    ({ value }) => readText(value, "state") === "Completed",
  );
  const version = versions.map(({ value }) => readText(value, "version"))[0];
  const release = parseRelease(version);
  if (release) return { release: formatRelease(release) };
  const [image, same] = [object, theirs].map((one) => readText(one, "spec.release.image"));
  return typeof image === "string" && image === same ? { release: undefined } : {};
}

const objectOf = ({ sources }: JudgedCluster) =>
  sources.find(({ kind }) => kind === "object")?.resource?.properties;

/** @throws Unusable where nothing says the platform */
function sideOf([cluster, judged]: Found, raw: RawTopology): Side {
  const { readable: topology, faults } = normalizeTopology(raw);
  if (!topology || cluster.partial)
    throw new Unusable([
      `${cluster.key}: nothing says its platform; write platform: into the configuration, or give the whole HostedCluster`,
    ]);
  const alone: JudgedCluster = { ...cluster, raw, topology, faults };
  const object = objectOf(cluster);
  return {
    topology,
    raw,
    faults,
    ...(object && { object }),
    judged: new JudgedResources(judged.resources, judged.configuration, [alone]),
  };
}
