import IpCidr from "ip-cidr";
import * as ipaddr from "ipaddr.js";
import { Netmask } from "netmask";
import { NONE } from "../src/address";

/** The answer of both sides for a list: for each text the closest enclosing block, and the first text with the same block. */
export interface Nesting {
  parent: ArrayLike<number>;
  twin: ArrayLike<number>;
  duplicates: number;
  nested: number;
  pairs: number;
}

/** What we need from a parser of blocks: the bounds as integers. */
export type Parse = (text: string) => { version: number; start: bigint; end: bigint };
interface Entry {
  version: number;
  start: bigint;
  end: bigint;
  index: number;
}

/** Packages that parse blocks, each with its parser. None of them finds which block lies in which. */
export async function packages(): Promise<Record<string, Parse>> {
  const [{ parseCidr }, { parse }] = await Promise.all([import("cidr-tools"), import("fast-cidr-tools")]);
  return {
    "cidr-tools": parseCidr,
    "fast-cidr-tools": (text) => {
      const [start, end, version] = parse(text);
      return { version, start, end };
    },
    "ip-cidr": (text) => {
      const block = new IpCidr(text);
      const [start, end] = block.toRange<bigint>({ type: "bigInteger" });
      return { version: text.includes(":") ? 6 : 4, start, end };
    },
    "ipaddr.js": (text) => {
      const [address, length] = ipaddr.parseCIDR(text);
      return bounds(address.kind() === "ipv6" ? 6 : 4, fromBytes(address.toByteArray()), length);
    },
    netmask: (text) => {
      const { netLong, base, bitmask } = new Netmask(text);
      return text.includes(":")
        ? bounds(6, fromBytes(ipaddr.parse(base).toByteArray()), bitmask)
        : bounds(4, BigInt(netLong), bitmask);
    },
  };
}

const fromBytes = (bytes: readonly number[]): bigint =>
  bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);

function bounds(version: 4 | 6, start: bigint, length: number): ReturnType<Parse> {
  const size = 1n << BigInt((version === 4 ? 32 : 128) - length);
  return { version, start, end: start + size - 1n };
}

/** Finds which prefix lies in which, as one would write it with such a package: parses, sorts and sweeps over BigInt bounds. */
export function nestingWith(parse: Parse, texts: readonly string[]): Nesting {
  const entries = texts.map((text, index): Entry => {
    const { version, start, end } = parse(text);
    return { version, start, end, index };
  });
  entries.sort(inOrder);
  const found = {
    parent: new Int32Array(texts.length).fill(NONE),
    twin: new Int32Array(texts.length).fill(NONE),
    duplicates: 0,
    nested: 0,
    pairs: 0,
  };
  const open: { entry: Entry; held: number }[] = [];
  for (const entry of entries) {
    while (open.length > 0 && !holds(open.at(-1)!.entry, entry)) open.pop();
    const top = open.at(-1);
    if (top && top.entry.start === entry.start && top.entry.end === entry.end) found.duplicates++;
    else open.push({ entry, held: top?.held ?? 0 });
    const block = open.at(-1)!;
    found.pairs += block.held++;
    found.twin[entry.index] = block.entry.index;
    const parent = open.at(-2);
    if (parent) {
      found.parent[entry.index] = parent.entry.index;
      found.nested++;
    }
  }
  return found;
}

/** Does the same by comparing every text with every other one: slow, but too simple to be wrong. */
export function nestingByBruteForce(parse: Parse, texts: readonly string[]): Nesting {
  const entries = texts.map((text, index) => ({ ...parse(text), index }));
  const same = (a: Entry, b: Entry): boolean => holds(a, b) && holds(b, a);
  const nearest = entries.map((inner) =>
    entries
      .filter((outer) => holds(outer, inner) && !same(outer, inner))
      .reduce<Entry | undefined>((best, outer) => (best && holds(outer, best) ? best : outer), undefined),
  );
  const twin = entries.map((one) => entries.findIndex((other) => same(one, other)));
  return {
    parent: nearest.map((outer) => (outer ? twin[outer.index]! : NONE)),
    twin,
    duplicates: twin.filter((first, index) => first !== index).length,
    nested: nearest.filter((outer) => outer !== undefined).length,
    pairs: entries.reduce(
      (sum, inner) =>
        sum +
        entries.filter((outer) => holds(outer, inner) && (!same(outer, inner) || outer.index < inner.index))
          .length,
      0,
    ),
  };
}

function inOrder(a: Entry, b: Entry): number {
  if (a.version !== b.version) return a.version - b.version;
  if (a.start !== b.start) return a.start < b.start ? -1 : 1;
  if (a.end !== b.end) return a.end > b.end ? -1 : 1;
  return a.index - b.index;
}

function holds(outer: Entry, inner: Entry): boolean {
  return outer.version === inner.version && outer.start <= inner.start && inner.end <= outer.end;
}
