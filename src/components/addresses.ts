import * as pulumi from "@pulumi/pulumi";
import { parsePrefix } from "../address/parse";
import type { PropertyMap } from "../resources/read";
import { plannedTopology } from "../topology/addressBlocks";
import type { HostedClusterTopology } from "../topology/hostedClusterTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { isEventual, knownPart } from "./settled";

/** Inputs from which resources are made: keys stand for blocks of the topology that are not known yet. */
export function planned(inputs: object): PropertyMap {
  const known = knownPart(inputs) as PropertyMap;
  return { ...known, topology: plannedTopology(known.topology) } as PropertyMap;
}

/**
 * What is made of a topology, with blocks of other resources wherever one stands for them, each by itself. They are not there
 * before the check has passed.
 */
export function withAddresses<T>(
  made: T,
  { standIns = [] }: Pick<NormalizedTopology, "standIns">,
  { addresses = {} }: Pick<HostedClusterTopology, "addresses">,
  check: pulumi.Output<unknown>,
): T {
  if (standIns.length === 0) return made;
  const blocks = new Map(
    standIns.map(({ text, key }) => [text, check.apply(() => blockOf(addresses[key]!.cidr))] as const),
  );
  const text = new RegExp(`(?<![\\w.:])(${standIns.map((block) => escaped(block.text)).join("|")})(?!\\d)`);
  const exchanged = (value: unknown): unknown => {
    if (typeof value === "string") {
      const parts = value.split(text);
      if (parts.length === 1) return value;
      const filled = parts.map((part) => blocks.get(part) ?? part);
      return value === parts[1] ? filled[1] : pulumi.all(filled).apply((all) => all.join(""));
    }
    if (pulumi.Output.isInstance(value)) return value.apply((held) => pulumi.output(exchanged(held)));
    if (Array.isArray(value)) return value.map(exchanged);
    if (typeof value !== "object" || value === null || isEventual(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, exchanged(inside)]));
  };
  return exchanged(made) as T;
}

/** A block in the form in which plain ones are written. */
const blockOf = (cidr: pulumi.Input<string>): pulumi.Output<string> =>
  pulumi.output(cidr).apply((value) => parsePrefix(value).prefix?.text ?? value);

const escaped = (text: string): string => text.replaceAll(".", "\\.");

/** The inputs with all addresses, once those are known: for what follows from them by arithmetic. */
export function withKnownAddresses(inputs: {
  readonly topology: HostedClusterTopology;
}): pulumi.Output<PropertyMap> {
  const known = knownPart(inputs) as PropertyMap;
  const topology = known.topology as PropertyMap;
  const addresses = pulumi.output(inputs.topology.addresses);
  return addresses.apply((blocks) => ({
    ...known,
    topology: { ...topology, ...(blocks && { addresses: blocks }) },
  })) as unknown as pulumi.Output<PropertyMap>;
}
