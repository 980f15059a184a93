import { readPrefix } from "../address";
import type { AddressPlan, PlannedOverlap, PlannedRange } from "../topology/addressPlan";
import { paragraphs, plural, visibleLines, firstOf } from "../text";
import { alignedRows } from "./text";
import { fenced, plain, plainTable } from "./markdown";
import type { Collision, FleetMap, MappedCluster, SharedRange } from "../addressRanges/fleetMap";
import { privateSpaces } from "../requirements/implicitRanges";
import { chosenKinds, chosenNames } from "../topology/reservedRanges";

/** Cells in a line of a picture; each represents a part of an address space. */
const CELLS = 64;

const WORDS: Readonly<Record<PlannedRange["origin"], string>> = {
  written: "written",
  default: "default",
  upcoming: "later release",
  around: "around",
};

/** The cells of an address plan, one row per range. */
export const planRows = ({ ranges }: AddressPlan): string[][] =>
  ranges.map(({ name, cidr, first, last, origin, capacity, setBy, addresses }) => [
    cidr,
    first === last ? first : `${first} - ${last}`,
    WORDS[origin],
    name,
    capacity ??
      (BigInt(addresses) < 1_000_000_000n
        ? `${addresses} ${addresses === "1" ? "address" : "addresses"}`
        : ""),
    setBy ?? "",
  ]);

export const PLAN_HEAD = ["range", "addresses", "origin", "what", "capacity", "moved by"];

/** An address plan for a terminal: table, picture, collisions, free blocks. */
export function planText(plans: readonly AddressPlan[]): string {
  const parts = plans.flatMap((plan) => [
    [plan.cluster],
    [...alignedRows([PLAN_HEAD, ...planRows(plan)]), ...aroundLines(plan)],
    planPicture(plan),
    collisions(plan),
    freeBlocks(plan),
  ]);
  return `${visibleLines(paragraphs(parts))}\n`;
}

/** Draws each space as a line: a letter for a range, # for several ranges, a dot for free space. */
export function planPicture({ ranges, free }: AddressPlan): string[] {
  const lettered = ranges.map((range, at) => ({ range, letter: LETTERS[at % LETTERS.length]! }));
  return free.flatMap(({ space }) => {
    const { family, start, length } = readPrefix(space)!;
    if (family !== 4) return [];
    const size = 1n << BigInt(32 - length);
    const inSpace = lettered.filter(({ range }) => meets(range.cidr, start, size));
    if (inSpace.length === 0) return [];
    const cells = Array.from({ length: CELLS }, (_, cell) => {
      const from = start + (size * BigInt(cell)) / BigInt(CELLS);
      const here = inSpace.filter(({ range }) => meets(range.cidr, from, size / BigInt(CELLS)));
      return here.length === 0 ? "." : here.length > 1 ? "#" : here[0]!.letter;
    });
    const legend = [
      ...inSpace.map(({ range, letter }) => `  ${letter} ${range.cidr}  ${range.name}`),
      ...(cells.includes("#") ? ["  # several ranges"] : []),
    ];
    return [`${space.padEnd(16)}|${cells.join("")}|`, ...legend];
  });
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

function meets(cidr: string, from: bigint, size: bigint): boolean {
  const { family, start, length } = readPrefix(cidr)!;
  return family === 4 && start < from + size && from < start + (1n << BigInt(32 - length));
}

/** The number of surrounding networks that the table omits. */
export const aroundLines = ({ furtherAround }: AddressPlan): string[] =>
  furtherAround === undefined ? [] : [`and ${plural(furtherAround, "network")} around with fewer addresses`];

/** A line for each overlap, and the number of further overlaps. */
export const overlapLines = ({ overlaps, furtherOverlaps }: AddressPlan): string[] => [
  ...overlaps.map(describeOverlap),
  ...(furtherOverlaps === undefined ? [] : [`and ${furtherOverlaps} pairs that share fewer addresses`]),
];

const collisions = (plan: AddressPlan): string[] =>
  plan.overlaps.length === 0
    ? ["no ranges overlap that must be distinct"]
    : ["overlaps", ...overlapLines(plan).map((line) => `  ${line}`)];

/** Describes one overlap, with its severity. */
const describeOverlap = ({ range, other, witness, level }: PlannedOverlap): string =>
  `${level.padEnd(7)}  ${range} and ${other}: ${witness} is in both${level === "note" ? "; nothing in the input connects them" : ""}`;

const freeBlocks = ({ free }: AddressPlan): string[] => [
  "largest free block",
  ...free.map(({ space, largest }) => `  ${space.padEnd(16)}${largest ?? "none"}`),
];

/** An address plan as Markdown. */
export function planMarkdown(plans: readonly AddressPlan[]): string {
  const parts = plans.flatMap((plan) => [
    `## ${plain(plan.cluster)}`,
    plainTable(PLAN_HEAD, planRows(plan)),
    ...aroundLines(plan),
    fenced(paragraphs([planPicture(plan), collisions(plan), freeBlocks(plan)])),
  ]);
  return `${parts.join("\n\n")}\n`;
}

/** The columns of the map, one row per cluster. */
export const MAP_HEAD = [
  "cluster",
  "platform",
  ...chosenKinds.map((kind) => chosenNames[kind]),
  "host names",
  "node ports",
];

/** One row per cluster, sorted by name; a cell may contain several entries. */
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

/** Number of clusters that a line names; the others are counted. */
const NAMED = 3;

const rangeText = ({ kind, prefix, clusters }: SharedRange): string =>
  `${chosenNames[kind]} ${prefix.text} of ${firstOf(clusters, NAMED)}`;

/** The columns of the collisions, one row per pair of ranges. */
export const COLLISION_HEAD = ["state", "machines", "share addresses with", "first"];

export const collisionRows = ({ collisions }: FleetMap): string[][] =>
  collisions.map((one) => [stateOf(one), rangeText(one.machines), rangeText(one.other), one.witness]);

const stateOf = ({ isConnected }: Collision): string => (isConnected ? "connected" : "not connected");

/** Summarizes the map. */
export const mapSummary = ({ clusters, collisions, further }: FleetMap): string => {
  const connected = collisions.filter(({ isConnected }) => isConnected).length;
  return collisions.length === 0
    ? `${plural(clusters.length, "hosted cluster")}: no machines of one have addresses of another`
    : `${plural(clusters.length, "hosted cluster")}: ${plural(collisions.length + further, "pair")} of ranges in conflict once clusters are connected; of those that are listed ${connected} are connected already`;
};

/** The number of collisions that are not listed; empty if all are listed. */
export const furtherText = ({ further }: FleetMap): string[] =>
  further === 0 ? [] : [`and ${plural(further, "pair")} that share fewer addresses`];

/** The meaning of the characters in the picture. */
export const MAP_LEGEND = `Machine networks in the private spaces, each as ${CELLS} parts: the number of them with addresses in each part, * for ten or more.`;

/** Draws each private space as a line. */
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

/** The map for a terminal. */
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

/** The parts of the map as Markdown. */
export function mapMarkdown(map: FleetMap): string[] {
  const picture = mapPicture(map);
  return [
    `## All hosted clusters\n\n${plain(mapSummary(map))}`,
    ...(map.collisions.length === 0 ? [] : [plainTable(COLLISION_HEAD, collisionRows(map))]),
    ...furtherText(map).map(plain),
    plainTable(MAP_HEAD, mapRows(map)),
    ...(picture.length === 0 ? [] : [`${MAP_LEGEND}\n\n${fenced(picture)}`]),
  ];
}
