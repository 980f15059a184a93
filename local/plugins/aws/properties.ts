import type { Properties, Property } from "./kind";
import { cidrFault } from "./cidr";

type Options = Omit<Property, "type">;

/** Builders for the entries of a kind's property table. */
export const text = (options: Options = {}): Property => ({ type: "string", ...options });
export const number = (options: Options = {}): Property => ({ type: "number", ...options });
export const flag = (options: Options = {}): Property => ({ type: "boolean", ...options });
export const texts = (options: Options = {}): Property => ({ type: "set", ...options });
export const orderedTexts = (options: Options = {}): Property => ({ type: "list", ...options });
export const blocks = (element: Properties, options: Options = {}): Property => ({
  type: "set",
  element,
  ...options,
});
export const block = (element: Properties, options: Options = {}): Property => ({
  type: "block",
  element,
  ...options,
});

export const tags: Property = { type: "map" };

/** The region of a resource: one other than the provider's moves the resource. */
export const region = text({ computed: true, replaces: true });

export const ipv4Cidr = (value: string) => cidrFault(value, 4);
export const ipv6Cidr = (value: string) => cidrFault(value, 6);
export const cidrsOf = (family: 4 | 6) => (values: string[]) =>
  values.map((value) => cidrFault(value, family)).find((fault) => fault !== undefined);
export const anyCidr = (value: string) => cidrFault(value, value.includes(":") ? 6 : 4);

export const oneOf =
  (...allowed: string[]) =>
  (value: string) =>
    allowed.includes(value) ? undefined : `expected one of ${allowed.join(", ")}, got ${value}`;

export const between = (low: number, high: number) => (value: number) =>
  Number.isInteger(value) && value >= low && value <= high
    ? undefined
    : `expected a whole number from ${low} to ${high}, got ${value}`;

/** The protocol names that EC2 returns, by what users write. */
const protocolNames: Record<string, string> = {
  all: "-1",
  "6": "tcp",
  "17": "udp",
  "1": "icmp",
  "58": "icmpv6",
};

export const protocolName = (protocol: string): string =>
  protocolNames[protocol.toLowerCase()] ?? protocol.toLowerCase();
