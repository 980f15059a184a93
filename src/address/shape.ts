/** Why a text is refused, and the fix. */
export interface Refusal {
  /** `172.16.1.1 has no mask` */
  problem: string;
  /** `write 172.16.1.1/32` */
  remedy: string;
}

/** A text whose shape is wrong, with the text that was probably meant. */
export interface Misshapen extends Refusal {
  meant?: string;
}

/** A common mistake: how to detect it, how messages describe it, and what was probably meant. */
interface Mistake {
  looks: (text: string) => boolean;
  called: string;
  remedy: string;
  meant?: (text: string) => string | undefined;
}

export const BLOCK = "write a CIDR block such as 10.0.0.0/16";
export const ADDRESS = "write an address such as 10.0.0.1";
/** Longer than any prefix: `ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128` has 43 characters. */
const TOO_LONG = 64;

const IN_BOTH: readonly Mistake[] = [
  { looks: (text) => text === "", called: "is empty", remedy: "" },
  { looks: (text) => text.length > TOO_LONG, called: "is too long for an IP address", remedy: "" },
  {
    looks: (text) => /\s/.test(text),
    called: "has spaces",
    remedy: "",
    meant: (text) => text.replace(/\s+/g, ""),
  },
  {
    looks: (text) => text.includes("%"),
    called: "has a zone id",
    remedy: "remove the % and what follows it",
    meant: (text) => text.replace(/%[^/]*/, ""),
  },
  {
    looks: (text) => text.includes(":") && text.includes("."),
    called: "mixes IPv4 and IPv6",
    remedy: "write IPv4 with dots, or IPv6 in hexadecimal groups",
  },
  {
    looks: (text) => /^(\d+\.){3}\d+(\/|$)/.test(text) && /^(\d+\.){0,3}0\d/.test(text),
    called: "has leading zeros",
    remedy: "write the numbers without leading zeros",
    meant: (text) => text.replace(/(^|\.)0+(?=\d)/g, "$1"),
  },
];

const IN_PREFIXES: readonly Mistake[] = [
  ...IN_BOTH,
  {
    looks: (text) => !text.includes("/") && looksLikeAddress(text),
    called: "has no mask",
    remedy: "write the mask after a slash, as in 10.0.0.0/16",
    meant: (text) => (isOfNetwork(text) ? undefined : `${text}/${text.includes(":") ? 128 : 32}`),
  },
  { looks: (text) => !text.includes("/"), called: "is not a CIDR block", remedy: "" },
  { looks: (text) => text.split("/").length > 2, called: "has more than one slash", remedy: "" },
  {
    looks: (text) => /\/0\d/.test(text),
    called: "has leading zeros in its mask",
    remedy: "write the mask without leading zeros",
    meant: (text) => text.replace(/\/0+(?=\d)/, "/"),
  },
  {
    looks: (text) => netmaskLength(text) !== undefined,
    called: "has a netmask instead of a prefix length",
    remedy: "",
    meant: (text) => `${text.split("/")[0]}/${netmaskLength(text)}`,
  },
  {
    looks: (text) => looksLikeAddress(text.split("/")[0]!) && !/\/\d+$/.test(text),
    called: "has no number after its slash",
    remedy: "write the prefix length there, as in 10.0.0.0/16",
  },
  {
    looks: (text) => Number(/\/(\d+)$/.exec(text)?.[1]) > (text.includes(":") ? 128 : 32),
    called: "has a mask that is too long",
    remedy: "IPv4 masks go from /0 to /32, IPv6 masks from /0 to /128",
  },
  {
    looks: (text) => /^\d+(\.\d+){0,2}\.?\/\d+$/.test(text),
    called: "is not a complete IPv4 address",
    remedy: "",
    meant: (text) => {
      const [address, mask] = text.split("/") as [string, string];
      const octets = address.split(".").filter((octet) => octet !== "");
      return `${[...octets, "0", "0", "0"].slice(0, 4).join(".")}/${mask}`;
    },
  },
];

const IN_ADDRESSES: readonly Mistake[] = [
  ...IN_BOTH,
  { looks: (text) => text.includes("/"), called: "has a mask", remedy: "write only the address" },
];

/** The fault in the shape of a CIDR block, if any; its numbers are not checked. */
export const prefixShapeProblem = (value: unknown): Misshapen | undefined =>
  shapeProblem(value, IN_PREFIXES, "a CIDR block", BLOCK);

/** The fault in the shape of a single address, if any. */
export const addressShapeProblem = (value: unknown): Misshapen | undefined =>
  shapeProblem(value, IN_ADDRESSES, "an IP address", ADDRESS);

function shapeProblem(
  value: unknown,
  mistakes: readonly Mistake[],
  what: string,
  example: string,
): Misshapen | undefined {
  if (value === undefined || value === null) return { problem: "missing", remedy: example };
  if (typeof value !== "string") return { problem: `${typeName(value)} is not ${what}`, remedy: example };
  const mistake = mistakes.find(({ looks }) => looks(value));
  if (!mistake) return undefined;
  const meant = mistake.meant?.(value);
  return {
    problem: `${quotedAddress(value)} ${mistake.called}`,
    remedy: mistake.remedy || example,
    ...(meant !== undefined && { meant }),
  };
}

/** The type of a value that is not a string. The value itself is not shown: it may be a secret in the wrong place. */
const typeName = (value: unknown): string =>
  Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`;

/**
 * A value as messages may show it: unchanged if it has only characters of addresses, else only its size, because a secret may have
 * got into the wrong place.
 */
export function quotedAddress(text: string): string {
  if (text === "") return "the string";
  if (text.length <= TOO_LONG && /^[\s\da-f:./%-]+$/i.test(text) && /[:./]/.test(text))
    return /\s/.test(text) ? JSON.stringify(text) : text;
  return `a string of ${text.length} characters`;
}

/** Whether an address without a mask is probably that of a network rather than of a host, because it ends in zeros. */
export const isOfNetwork = (address: string): boolean => address.endsWith(".0") || address.endsWith("::");

function looksLikeAddress(text: string): boolean {
  return /^\d+(\.\d+){3}$/.test(text) || /^[\da-f]*:[\da-f:]*$/i.test(text);
}

/** 16 for `10.0.0.0/255.255.0.0`; `undefined` if no netmask follows the slash. */
function netmaskLength(text: string): number | undefined {
  const octets = /^[\d.]+\/(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number);
  if (!octets || octets.some((octet) => octet > 255)) return undefined;
  const bits = octets.map((octet) => octet.toString(2).padStart(8, "0")).join("");
  return /^1*0*$/.test(bits) ? bits.lastIndexOf("1") + 1 : undefined;
}
