import { readPrefix } from "../address";
import type { AddressPlan, PlannedOverlap, PlannedRange } from "../topology/addressPlan";
import { paragraphs, plural, visibleLines } from "../text";
import { alignedRows } from "./text";
import { fenced, markdownTable, plain } from "./markdown";

/** Spaces that a picture shows, each as a line of so many cells. */
const CELLS = 64;

const WORDS: Readonly<Record<PlannedRange["origin"], string>> = {
  written: "written",
  default: "default",
  upcoming: "later release",
  around: "around",
};

/** The columns of an address plan, one row a range. */
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

/** An address plan for people at a terminal: table, picture, collisions, free blocks. */
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

/** Each space as a line: a letter where a range is, # where several are, a dot where nothing is. */
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
    const legend = inSpace.map(({ range, letter }) => `  ${letter} ${range.cidr}  ${range.name}`);
    return [`${space.padEnd(16)}|${cells.join("")}|`, ...legend];
  });
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

function meets(cidr: string, from: bigint, size: bigint): boolean {
  const { family, start, length } = readPrefix(cidr)!;
  return family === 4 && start < from + size && from < start + (1n << BigInt(32 - length));
}

/** How many networks are around beside those of the table. */
export const aroundLines = ({ furtherAround }: AddressPlan): string[] =>
  furtherAround === undefined ? [] : [`and ${plural(furtherAround, "network")} around with fewer addresses`];

/** A line for each overlap, and how many there are beside. */
export const overlapLines = ({ overlaps, furtherOverlaps }: AddressPlan): string[] => [
  ...overlaps.map(describeOverlap),
  ...(furtherOverlaps === undefined ? [] : [`and ${furtherOverlaps} pairs that share fewer addresses`]),
];

const collisions = (plan: AddressPlan): string[] =>
  plan.overlaps.length === 0
    ? ["nothing overlaps that must be distinct"]
    : ["overlaps", ...overlapLines(plan).map((line) => `  ${line}`)];

/** One overlap in words, with how grave it is. */
const describeOverlap = ({ range, other, witness, level }: PlannedOverlap): string =>
  `${level.padEnd(7)}  ${range} and ${other}: ${witness} is in both${level === "note" ? "; nothing here connects them" : ""}`;

const freeBlocks = ({ free }: AddressPlan): string[] => [
  "largest free block",
  ...free.map(({ space, largest }) => `  ${space.padEnd(16)}${largest ?? "none"}`),
];

/** An address plan as Markdown. */
export function planMarkdown(plans: readonly AddressPlan[]): string {
  const parts = plans.flatMap((plan) => [
    `## ${plain(plan.cluster)}`,
    markdownTable(
      PLAN_HEAD,
      planRows(plan).map((row) => row.map(plain)),
    ),
    ...aroundLines(plan),
    fenced(paragraphs([planPicture(plan), collisions(plan), freeBlocks(plan)])),
  ]);
  return `${parts.join("\n\n")}\n`;
}
