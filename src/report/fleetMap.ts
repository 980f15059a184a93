import { readPrefix } from "../address";
import {
  type Collision,
  type FleetMap,
  type MappedCluster,
  type SharedRange,
} from "../addressRanges/fleetMap";
import { privateSpaces } from "../requirements/implicitRanges";
import { chosenKinds, chosenNames } from "../topology/reservedRanges";
import { firstOf, paragraphs, plural, visibleLines } from "../text";
import { fenced, markdownTable, plain } from "./markdown";
import { alignedRows } from "./text";

/** The columns of the map, one row a cluster. */
export const MAP_HEAD = [
  "cluster",
  "platform",
  ...chosenKinds.map((kind) => chosenNames[kind]),
  "host names",
  "node ports",
];

/** A row for each cluster, by name; a cell may hold several entries. */
export const mapCells = ({ clusters }: FleetMap): (readonly string[])[][] =>
  [...clusters]
    .sort(byKey)
    .map(({ key, platform, ranges, hostNames, nodePorts }) => [
      [key],
      [platform],
      ...chosenKinds.map((kind) => ranges[kind].map(({ text }) => text)),
      hostNames,
      nodePorts,
    ]);

const mapRows = (map: FleetMap): string[][] => mapCells(map).map((row) => row.map((cell) => cell.join(", ")));

const byKey = (a: MappedCluster, b: MappedCluster): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/** Clusters that a line names; the others are counted. */
const NAMED = 3;

const rangeText = ({ kind, prefix, clusters }: SharedRange): string =>
  `${chosenNames[kind]} ${prefix.text} of ${firstOf(clusters, NAMED)}`;

/** The columns of the collisions, one row two ranges. */
export const COLLISION_HEAD = ["state", "machines", "share addresses with", "first"];

export const collisionRows = ({ collisions }: FleetMap): string[][] =>
  collisions.map((one) => [stateOf(one), rangeText(one.machines), rangeText(one.other), one.witness]);

const stateOf = ({ isConnected }: Collision): string => (isConnected ? "connected" : "not connected");

/** What the map comes to. */
export const mapSummary = ({ clusters, collisions, further }: FleetMap): string => {
  const connected = collisions.filter(({ isConnected }) => isConnected).length;
  return collisions.length === 0
    ? `${plural(clusters.length, "hosted cluster")}: no machines of one have addresses of another`
    : `${plural(clusters.length, "hosted cluster")}: ${plural(collisions.length + further, "pair")} of ranges in conflict once clusters are connected; of those that are listed ${connected} are connected already`;
};

/** What is not listed; nothing where all is. */
export const furtherText = ({ further }: FleetMap): string[] =>
  further === 0 ? [] : [`and ${plural(further, "pair")} that share fewer addresses`];

/** Cells of a line of the picture. */
const CELLS = 64;

/** What the signs of the picture mean. */
export const MAP_LEGEND = `Machine networks in the private spaces, each as ${CELLS} parts: how many have addresses there, * for ten and more.`;

/** Each private space as a line. */
export function mapPicture({ clusters }: FleetMap): string[] {
  const blocks = new Set(clusters.flatMap(({ ranges }) => ranges.machineNetwork.map(({ text }) => text)));
  return privateSpaces.flatMap((text) => {
    const space = readPrefix(text)!;
    if (space.family !== 4) return [];
    const cells = Array<number>(CELLS).fill(0);
    const size = (space.numbers.to - space.numbers.from + 1) / CELLS;
    for (const block of blocks) {
      const { family, numbers } = readPrefix(block)!;
      if (family !== 4 || numbers.to < space.numbers.from || numbers.from > space.numbers.to) continue;
      const first = Math.max(0, Math.floor((numbers.from - space.numbers.from) / size));
      const last = Math.min(CELLS - 1, Math.floor((numbers.to - space.numbers.from) / size));
      for (let cell = first; cell <= last; cell++) cells[cell]! += 1;
    }
    const signs = cells.map((count) => (count === 0 ? "." : count > 9 ? "*" : String(count)));
    return cells.every((count) => count === 0) ? [] : [`${text.padEnd(16)}|${signs.join("")}|`];
  });
}

function underLegend(map: FleetMap): string[] {
  const picture = mapPicture(map);
  return picture.length === 0 ? [] : [MAP_LEGEND, ...picture];
}

/** The map for people at a terminal. */
export function mapText(map: FleetMap): string {
  const collisions = map.collisions.length === 0 ? [] : alignedRows([COLLISION_HEAD, ...collisionRows(map)]);
  const parts = [
    [mapSummary(map)],
    [...collisions, ...furtherText(map)],
    alignedRows([MAP_HEAD, ...mapRows(map)]),
    underLegend(map),
  ];
  return `${visibleLines(paragraphs(parts.filter(({ length }) => length > 0)))}\n`;
}

/** The map as Markdown. */
export function mapMarkdown(map: FleetMap): string {
  const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    markdownTable(
      head,
      rows.map((row) => row.map(plain)),
    );
  const picture = mapPicture(map);
  const parts = [
    "## All hosted clusters",
    plain(mapSummary(map)),
    ...(map.collisions.length === 0 ? [] : [tableOf(COLLISION_HEAD, collisionRows(map))]),
    ...furtherText(map).map(plain),
    tableOf(MAP_HEAD, mapRows(map)),
    ...(picture.length === 0 ? [] : [MAP_LEGEND, fenced(picture)]),
  ];
  return `${parts.join("\n\n")}\n`;
}
