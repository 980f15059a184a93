import * as pulumi from "@pulumi/pulumi";
import { pushAll } from "../collections";
import type { Fault } from "../fault";
import type { Place } from "../resources/read";

/** A component that took something, by the name under which users know it: `EgressFirewall shop`. */
interface Owner {
  component: pulumi.Resource;
  subject: string;
  what: unknown;
}

/** What another component has taken. */
export interface Claim<T> {
  /** Whose it is: `EgressFirewall shop`. */
  subject: string;
  what: T;
}

/**
 * What the components of one program have taken of one kind, so that a second one is refused before the server or the
 * network finds out. Components that go to another cluster, by another provider, do not count.
 *
 * @param kind what is taken: `egress firewall of a namespace`
 */
export class Claims<T> {
  constructor(private readonly kind: string) {}

  /** Notes what a component takes, in place of what it took before, and answers with what others have taken. */
  take(component: pulumi.Resource, subject: string, what: T): Claim<T>[] {
    const owners = ownersOf(`${this.kind} in cluster ${clusterOf(component)}`);
    const others = owners.filter((owner) => owner.component !== component);
    owners.length = 0;
    pushAll(owners, others);
    owners.push({ component, subject, what });
    return others as (Owner & Claim<T>)[];
  }
}

/**
 * A fault where another component of the program has taken the same name of one kind.
 *
 * @param kind what is taken, as it stands in the fault: `shop has multicast settings already`
 */
export function takenFaults(
  component: pulumi.Resource,
  subject: string,
  { path, value }: Place,
  kind: string,
): Fault[] {
  if (typeof value !== "string") return [];
  const other = new Claims<string>(kind).take(component, subject, value).find(({ what }) => what === value);
  if (!other) return [];
  const problem = `${value} has ${kind} already, ${other.subject}`;
  return [{ path, problem, remedy: "keep one of the two" }];
}

/** True once in a program for each note, so that what holds for all components of a kind is said once. */
export function isFirst(component: pulumi.Resource, note: string): boolean {
  const owners = ownersOf(`note ${note}`);
  owners.push({ component, subject: "", what: note });
  return owners.length === 1;
}

/** Each program that runs in this process, by its connection to the engine, with what its components have taken. */
const programs = new WeakMap<object, Map<string, Owner[]>>();

function ownersOf(kind: string): Owner[] {
  const program = pulumi.runtime.getMonitor() as object | undefined;
  if (!program) return [];
  const kinds = programs.get(program) ?? new Map<string, Owner[]>();
  programs.set(program, kinds);
  const owners = kinds.get(kind) ?? [];
  kinds.set(kind, owners);
  return owners;
}

const clusters = new WeakMap<object, number>();
let providers = 0;

/** A number for the Kubernetes provider that a component hands to its children; 0 for the default one. */
function clusterOf(component: pulumi.Resource): number {
  const provider = component.getProvider("kubernetes:core/v1:Namespace");
  if (!provider) return 0;
  if (!clusters.has(provider)) clusters.set(provider, ++providers);
  return clusters.get(provider)!;
}

const addresses = new Claims<readonly string[]>("source addresses outside the cluster network");

/** Faults for source addresses that another component of the program has given out. */
export function takenAddressFaults(
  component: pulumi.Resource,
  subject: string,
  path: string,
  own: readonly string[],
): Fault[] {
  const others = addresses.take(component, subject, own);
  return own.flatMap((address) => {
    const other = others.find(({ what }) => what.includes(address));
    if (!other) return [];
    return [{ path, problem: `${address} is in use by ${other.subject}`, remedy: "choose another address" }];
  });
}
