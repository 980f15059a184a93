import { isIPv4, isIPv6 } from "node:net";

/** Why a text is not a network address of the family, by the official provider's rules; undefined if it is one. */
export function cidrFault(text: string, family: 4 | 6): string | undefined {
  const [address, length, ...rest] = text.split("/");
  const wellFormed =
    rest.length === 0 &&
    address !== undefined &&
    /^\d{1,3}$/.test(length ?? "") &&
    (family === 4 ? isIPv4(address) && Number(length) <= 32 : isIPv6(address) && Number(length) <= 128);
  if (!wellFormed) return `"${text}" is not a valid IPv${family} CIDR block`;
  const network = canonicalCidr(text);
  return network === text.toLowerCase() || (family === 6 && sameBits(network, text))
    ? undefined
    : `"${text}" is not a network address: did you mean "${network}"?`;
}

/** The network of a CIDR block in its shortest form. The text must be well-formed. */
export function canonicalCidr(text: string): string {
  const [address = "", length = ""] = text.split("/");
  const width = address.includes(":") ? 128 : 32;
  const hostBits = BigInt(width - Number(length));
  return `${spell((bits(address) >> hostBits) << hostBits, width)}/${Number(length)}`;
}

function sameBits(left: string, right: string): boolean {
  return bits(left.split("/")[0] ?? "") === bits(right.split("/")[0] ?? "");
}

function bits(address: string): bigint {
  if (!address.includes(":"))
    return address.split(".").reduce((sum, octet) => (sum << 8n) + BigInt(octet), 0n);
  // The URL parser converts an embedded IPv4 part to hexadecimal groups.
  const [head = "", tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  return [...groups(head), ...Array<string>(missing).fill("0"), ...groups(tail ?? "")].reduce(
    (sum, group) => (sum << 16n) + BigInt(`0x${group}`),
    0n,
  );
}

function spell(value: bigint, width: number): string {
  const part = (index: number, size: number) =>
    (value >> BigInt(width - (index + 1) * size)) & ((1n << BigInt(size)) - 1n);
  if (width === 32) return [0, 1, 2, 3].map((index) => part(index, 8)).join(".");
  const groups = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => part(index, 16).toString(16)).join(":");
  return new URL(`http://[${groups}]/`).hostname.slice(1, -1);
}
