import type { Pod } from "../scene";

/** An OVN access control list entry on a port group. */
export interface Acl {
  readonly group: string;
  /** ovn-kubernetes writes `from-lport` entries so that they match after load balancing. */
  readonly direction: "from-lport" | "to-lport";
  readonly priority: number;
  readonly match: string;
  readonly action: "allow" | "allow-related" | "drop" | "pass";
  readonly tier: number;
}

/** The translation of objects into the northbound database. */
export interface Translation {
  readonly acls: readonly Acl[];
  /** Ports by group name. */
  readonly groups: ReadonlyMap<string, readonly Pod[]>;
  /** Addresses by set name. */
  readonly sets: ReadonlyMap<string, readonly string[]>;
}

/** Administrators' policies come first, namespaces' policies second, the baseline last. */
export const TIER = { admin: 1, namespaces: 2, baseline: 3 } as const;

/** Collects a translation. Names of groups and sets start with a prefix, because scenes share a database. */
export class Writer {
  readonly acls: Acl[] = [];
  readonly groups = new Map<string, readonly Pod[]>();
  readonly sets = new Map<string, readonly string[]>();

  constructor(private readonly prefix: string) {}

  /** Adds a group with the ports of pods and returns its name. */
  group(pods: readonly Pod[]): string {
    const name = `${this.prefix}_ports_${this.groups.size}`;
    this.groups.set(name, pods);
    return name;
  }

  /** Matches addresses on one side: `(ip4.src == {$a} || ip6.src == {$b})`. */
  among(side: "src" | "dst", addresses: readonly string[]): string {
    const matches = ([4, 6] as const).map((family) => {
      const name = `${this.prefix}_set_${this.sets.size}`;
      this.sets.set(
        name,
        [...new Set(addresses)].filter((address) => address.includes(":") === (family === 6)),
      );
      return `ip${family}.${side} == {$${name}}`;
    });
    return `(${matches.join(" || ")})`;
  }

  /** Adds an entry. */
  add(acl: Acl): void {
    this.acls.push(acl);
  }
}

/** `ip4` or `ip6`, for an address or a CIDR block. */
export const familyOf = (address: string): "ip4" | "ip6" => (address.includes(":") ? "ip6" : "ip4");

/** Joins matches with `&&`; a match of everything is empty. */
export const all = (...matches: readonly string[]): string => matches.filter(Boolean).join(" && ");
