import * as pulumi from "@pulumi/pulumi";
import { onceForEach, onceIn, pushAll } from "../collections";
import type { Fault } from "../fault";
import type { Place } from "../resources/read";

/** A component that claimed something, with the name that users know: `EgressFirewall shop`. */
interface Owner {
  component: pulumi.Resource;
  subject: string;
  what: unknown;
}

/** What another component has claimed. */
export interface Claim<T> {
  /** The component that claimed it: `EgressFirewall shop`. */
  subject: string;
  what: T;
}

/**
 * The claims of one kind that the components of a program have made, so that a second claim of the same thing is refused before
 * the server or the network finds out. Components for another cluster, by another provider, do not count.
 *
 * @param kind what is claimed: `egress firewall of a namespace`
 */
export class Claims<T> {
  constructor(private readonly kind: string) {}

  /** Records a component's claim in place of its earlier one, and returns the claims of other components. */
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
 * A fault if another component of the program has claimed the same name of one kind.
 *
 * @param kind what is claimed, as written in the fault: `multicast settings` in `shop already has multicast settings`
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
  const problem = `${value} already has ${kind}: ${other.subject}`;
  return [{ path, problem, remedy: "keep one of the two" }];
}

/** True once in a program for each note, so that a note about all components of a kind appears once. */
export function isFirst(component: pulumi.Resource, note: string): boolean {
  const owners = ownersOf(`note ${note}`);
  owners.push({ component, subject: "", what: note });
  return owners.length === 1;
}

/** The claims of the components of each program that runs in this process, by the program's connection to the engine. */
const programs = onceForEach(() => new Map<string, Owner[]>());

function ownersOf(kind: string): Owner[] {
  const program = pulumi.runtime.getMonitor() as object | undefined;
  return program ? onceIn(programs(program), kind, () => []) : [];
}

let providers = 0;
const clusters = onceForEach(() => ++providers);

/** A number for the Kubernetes provider that a component passes to its children; 0 for the default provider. */
function clusterOf(component: pulumi.Resource): number {
  const provider = component.getProvider("kubernetes:core/v1:Namespace");
  return provider ? clusters(provider) : 0;
}

const addresses = new Claims<readonly string[]>("source addresses outside the cluster network");

/** Faults of source addresses that another component of the program has assigned. */
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
