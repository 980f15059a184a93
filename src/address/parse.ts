import type IPCIDR from "ip-cidr";
import type { Fault } from "../fault";
import { Address, BITS, Prefix, type Family } from "./prefix";
import {
  ADDRESS,
  addressShapeProblem,
  BLOCK,
  type Misshapen,
  prefixShapeProblem,
  quotedAddress,
  type Refusal,
} from "./shape";

/** What a place requires of a CIDR block in addition to its syntax. */
export interface PrefixRules {
  /** Allowed families. Default: both. */
  families?: readonly Family[];
  /** Smallest prefix length for each family, that is, the largest block. Default: 0. */
  minLength?: Partial<Record<Family, number>>;
  /** Largest prefix length for each family, that is, the smallest block. Default: 32 and 128. */
  maxLength?: Partial<Record<Family, number>>;
  /** Whether `10.0.0.1/16` is refused (default), or read as `10.0.0.0/16` like AWS and Go's parser do. */
  hostBits?: "refuse" | "clear";
}

/** A prefix, or why there is none, with the `problem` and `remedy` of a `Fault`. */
export type ParsedPrefix =
  { prefix: Prefix; problem?: undefined; remedy?: undefined } | (Refusal & { prefix?: undefined });

/** An address, or why there is none. */
export type ParsedAddress =
  { address: Address; problem?: undefined; remedy?: undefined } | (Refusal & { address?: undefined });

/**
 * Reads a CIDR block that the user typed. `ip-cidr` checks and reads it; input that `ip-cidr` accepts and this package does not
 * (host bits, leading zeros, zone ids, IPv4 inside IPv6) is refused with its own messages.
 */
export function parsePrefix(text: unknown, rules: PrefixRules = {}): ParsedPrefix {
  const misshapen = prefixShapeProblem(text);
  if (misshapen) return withSuggestion(misshapen, rules);
  const typed = text as string;
  const read = readByIpCidr(typed);
  if (!read) return refuse(`${quotedAddress(typed)} is not a CIDR block`, BLOCK);
  const prefix = new Prefix(read.family, read.value, read.length);
  if (isIPv4Mapped(prefix))
    return refuse(
      `${typed} is IPv4 inside IPv6`,
      `write ${new Prefix(4, read.value & 0xffff_ffffn, read.length - 96).text}`,
    );
  if (read.value !== prefix.start && rules.hostBits !== "clear")
    return refuse(`${typed} has host bits`, `write ${prefix.text}`);
  return ruleProblem(typed, prefix, rules) ?? { prefix };
}

/** The faults of a CIDR block at a path: none or one. */
export function prefixFaults(path: string, value: unknown, rules: PrefixRules = {}): Fault[] {
  const { problem, remedy } = parsePrefix(value, rules);
  return problem === undefined ? [] : [{ path, problem, remedy }];
}

/** Reads a single address that the user typed; `families` as in `PrefixRules`. */
export function parseAddress(text: unknown, rules: Pick<PrefixRules, "families"> = {}): ParsedAddress {
  const misshapen = addressShapeProblem(text);
  if (misshapen) return refuse(misshapen.problem, misshapen.remedy);
  const typed = text as string;
  const read = readByIpCidr(`${typed}/${BITS[familyOf(typed)]}`);
  if (!read) return refuse(`${quotedAddress(typed)} is not an IP address`, ADDRESS);
  const { family, value } = read;
  if (isIPv4Mapped(new Prefix(family, value, BITS[family])))
    return refuse(`${typed} is IPv4 inside IPv6`, `write ${new Address(4, value & 0xffff_ffffn).text}`);
  return familyProblem(typed, family, rules) ?? { address: new Address(family, value) };
}

/** The faults of an address at a path: none or one. */
export function addressFaults(
  path: string,
  value: unknown,
  rules: Pick<PrefixRules, "families"> = {},
): Fault[] {
  const { problem, remedy } = parseAddress(value, rules);
  return problem === undefined ? [] : [{ path, problem, remedy }];
}

function refuse(problem: string, remedy: string): Refusal {
  return { problem, remedy };
}

/** The fix for a wrong shape: the block that was probably meant, if it would be accepted, else an example. */
function withSuggestion({ problem, remedy, meant }: Misshapen, rules: PrefixRules): Refusal {
  const suggested =
    meant === undefined ? undefined : parsePrefix(meant, { ...rules, hostBits: "clear" }).prefix;
  return refuse(problem, suggested ? `write ${suggested.text}` : remedy);
}

/** Reads a text of the right shape with `ip-cidr`; `undefined` if that refuses it. */
function readByIpCidr(text: string): { family: Family; value: bigint; length: number } | undefined {
  if (!ipCidr().isValidCIDR(text)) return undefined;
  const family = familyOf(text);
  const [address, length] = text.split("/") as [string, string];
  return { family, value: valueOf(`${address}/${BITS[family]}`), length: Number(length) };
}

/** The size of a cache: clusters of a fleet share most of their ranges, and several rules read each of them. */
const MOST_KEPT = 1_024;
const kept = new Map<string, bigint>();

function valueOf(address: string): bigint {
  const known = kept.get(address);
  if (known !== undefined) return known;
  const IPCIDR = ipCidr();
  const value = new IPCIDR(address).start<bigint>({ type: "bigInteger" });
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(address, value);
  return value;
}

function familyOf(text: string): Family {
  return text.includes(":") ? 6 : 4;
}

/** Whether all addresses of a prefix are of the form ::ffff:10.0.0.1, which filters treat sometimes as IPv4, sometimes as IPv6. */
function isIPv4Mapped({ family, length, start }: Prefix): boolean {
  return family === 6 && length >= 96 && start >> 32n === 0xffffn;
}

function ruleProblem(typed: string, prefix: Prefix, rules: PrefixRules): Refusal | undefined {
  const { family, length } = prefix;
  const shortest = rules.minLength?.[family] ?? 0;
  const longest = rules.maxLength?.[family] ?? BITS[family];
  const wrongFamily = familyProblem(typed, family, rules);
  if (wrongFamily) return wrongFamily;
  const wrong = length < shortest ? "large" : length > longest ? "small" : undefined;
  return wrong && refuse(`${typed} is too ${wrong}`, `write a block of /${shortest} to /${longest}`);
}

function familyProblem(typed: string, family: Family, { families }: PrefixRules): Refusal | undefined {
  if (!families || families.includes(family)) return undefined;
  return refuse(
    `${typed} is IPv${family}`,
    `only ${families.map((one) => `IPv${one}`).join(" or ")} is allowed here`,
  );
}

/**
 * The `ip-cidr` package, loaded on first use: loading takes ten milliseconds, and a policy pack, which starts with every preview,
 * may never read a prefix that the user typed.
 */
function ipCidr(): typeof IPCIDR {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with this file
  return (require("ip-cidr") as { default: typeof IPCIDR }).default;
}
