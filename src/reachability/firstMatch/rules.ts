import { type Family, type Prefix } from "../../address";
import { bitsOf, type Bits } from "./trie";

/** A rule of a list in which the first match decides. */
export interface OrderedRule {
  allow: boolean;
  /** Its destination. Absent: unknown addresses, those of a name for example. */
  prefix?: Prefix;
  /** Protocol and port of each as one number. Empty: every protocol and port. */
  services: readonly number[];
}

/** Stands for the services that no rule names: rules for every service are about them too. */
export const OTHERS = -1;

/** The services that a rule tells apart. */
export const servicesOf = ({ services }: OrderedRule): readonly number[] =>
  services.length === 0 ? [OTHERS] : services;

const EVERYWHERE: Bits = { length: 0, lanes: [] };

/** What a rule is about among the addresses of a family: perhaps everything where it is unknown, nothing where undefined. */
export function reachOf({ prefix }: OrderedRule, family: Family): Bits | undefined {
  if (!prefix) return EVERYWHERE;
  return prefix.family === family ? bitsOf(prefix) : undefined;
}
