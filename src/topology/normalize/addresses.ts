import { isRecord } from "../../collections";
import { AddressFamily } from "../../requirements/vocabulary";
import { UNKNOWN } from "../../resources/resource";
import { AddressBlock, MOST_BLOCKS, STAND_IN, standInFor } from "../addressBlocks";
import { demanded, type Findings, missing, readCidr, readObject, readText, readWord, refuse } from "./values";

const FAMILY = { [AddressFamily.IPv4]: 4, [AddressFamily.IPv6]: 6 } as const;

/** Reads the blocks that lists name by their keys; a block that is wrong or not known yet is UNKNOWN. */
export function readAddresses(findings: Findings, raw: unknown): void {
  if (missing(findings, "addresses", raw)) return;
  if (typeof raw !== "object" || Array.isArray(raw))
    return refuse(
      findings,
      "addresses",
      "is not an object",
      "write blocks under keys: { vpc: { cidr: ... } }",
    );
  const given = raw as Readonly<Record<string, unknown>>;
  const keys = Object.keys(given);
  if (keys.length > MOST_BLOCKS)
    refuse(findings, "addresses", `${keys.length} blocks`, `write at most ${MOST_BLOCKS}`);
  keys.forEach((key, position) => readBlock(findings, key, position + 1, given));
}

function readBlock(
  findings: Findings,
  key: string,
  count: number,
  given: Readonly<Record<string, unknown>>,
): void {
  const path = `addresses.${key}`;
  if (!isBlockKey(key))
    refuse(
      findings,
      path,
      `the key ${JSON.stringify(key)} cannot be part of a resource name`,
      "use letters, digits, dots, hyphens and underscores, beginning with a letter",
    );
  const block = demanded(findings, path, given[key], "write { cidr: <a CIDR block> }")
    ? readObject(findings, path, given[key], ["cidr", "family", "formerKey"])
    : undefined;
  if (!block) return;
  const word = readWord(findings, `${path}.family`, block.family, Object.values(AddressFamily));
  const family = FAMILY[word ?? AddressFamily.IPv4];
  const formerKey = readFormerKey(findings, key, block.formerKey, given);
  if (!demanded(findings, `${path}.cidr`, block.cidr)) return;
  const named = { key, ...(formerKey !== undefined && { formerKey }) };
  if (block.cidr === STAND_IN && findings.planning && count <= MOST_BLOCKS) {
    findings.blocks.set(key, new AddressBlock(standInFor(count, family), { ...named, isStandIn: true }));
    return;
  }
  const cidr = block.cidr === STAND_IN ? UNKNOWN : block.cidr;
  // A property that names a wrong block is not wrong itself.
  findings.blocks.set(key, UNKNOWN);
  const prefix = readCidr(findings, `${path}.cidr`, cidr);
  if (!prefix) return;
  if (prefix.family !== family)
    refuse(
      findings,
      `${path}.cidr`,
      `${prefix.text} is IPv${prefix.family}, and the block is IPv${family}`,
      `add family: IPv${prefix.family}, or an IPv${family} block`,
    );
  findings.blocks.set(key, new AddressBlock(prefix, { ...named, isStandIn: false }));
}

/** The previous key of a block, or the block itself if its resources were named by it before it had a key. */
function readFormerKey(
  findings: Findings,
  key: string,
  value: unknown,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const property = `addresses.${key}.formerKey`;
  const former = readText(findings, property, value);
  if (former === undefined) return undefined;
  const others = Object.entries(given).filter(([other]) => other !== key);
  const isTaken =
    former in given || others.some(([, block]) => isRecord(block) && block.formerKey === former);
  if (!isTaken && (isBlockKey(former) || former.includes("/"))) return former;
  return refuse(
    findings,
    property,
    isTaken ? `${former} is the key of another block` : `${JSON.stringify(former)} is not a key`,
    "write the previous key of this block, or its CIDR block if it had no key",
  );
}

/** Whether a key cannot be mistaken for an address. */
const isBlockKey = (key: string): boolean => /^[A-Za-z][A-Za-z0-9._-]*$/.test(key);
