import type { Pod } from "../scene";

/** An access control list entry of OVN, at a group of ports. */
export interface Acl {
  readonly group: string;
  /** `from-lport` is matched after load balancing, as ovn-kubernetes writes it. */
  readonly direction: "from-lport" | "to-lport";
  readonly priority: number;
  readonly match: string;
  readonly action: "allow" | "allow-related" | "drop" | "pass";
  readonly tier: number;
}

/** What objects become in the northbound database. */
export interface Translation {
  readonly acls: readonly Acl[];
  /** Ports by the names of their groups. */
  readonly groups: ReadonlyMap<string, readonly Pod[]>;
  /** Addresses by the names of their sets. */
  readonly sets: ReadonlyMap<string, readonly string[]>;
}

/** Policies of administrators come first, those of namespaces second, the baseline last. */
export const TIER = { admin: 1, namespaces: 2, baseline: 3 } as const;

/** Collects a translation. Names of groups and sets begin with a prefix: scenes share a database. */
export class Writer {
  readonly acls: Acl[] = [];
  readonly groups = new Map<string, readonly Pod[]>();
  readonly sets = new Map<string, readonly string[]>();

  constructor(private readonly prefix: string) {}

  /** A new group of the ports of pods. */
  group(pods: readonly Pod[]): string {
    const name = `${this.prefix}_ports_${this.groups.size}`;
    this.groups.set(name, pods);
    return name;
  }

  /** A match of addresses at one side: `(ip4.src == {$a} || ip6.src == {$b})`. */
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

  /** A new entry. */
  add(acl: Acl): void {
    this.acls.push(acl);
  }
}

/** `ip4` or `ip6`, for an address or a block. */
export const familyOf = (address: string): "ip4" | "ip6" => (address.includes(":") ? "ip6" : "ip4");

/** All of some matches; those that match everything are empty. */
export const all = (...matches: readonly string[]): string => matches.filter(Boolean).join(" && ");
