import * as pulumi from "@pulumi/pulumi";
import { parsePrefix } from "../address/parse";
import type { PropertyMap } from "../resources/read";
import { plannedTopology, writtenPrefix } from "../topology/addressBlocks";
import type { HostedClusterTopology, PublishedService } from "../topology/hostedClusterTopology";
import type { NormalizedTopology, NormalizedService } from "../topology/normalizedTopology";
import { isEventual, knownPart } from "./settled";
import { serviceProperty } from "../requirements/publishedServices";
import { endpointAccessModes } from "../requirements/platforms";
import { Service } from "../requirements/vocabulary";
import { PROXY_URLS } from "../topology/proxy/apiProxy";
import { proxyRows, requiredFlowRows, type RequiredFlowRow } from "./requiredFlowRows";

/** The values behind outputs that are registered value by value. */
const values = new WeakMap<pulumi.Output<unknown>, unknown>();

/**
 * An output of values of which some may be Outputs. The SDK passes on an Output as a whole or not at all: if it were registered
 * as one, a single address that a preview does not know would hide the whole topology from policies and from `check`.
 */
export function leafwise<T>(value: T): pulumi.Output<pulumi.Unwrap<T>> {
  const output = pulumi.output(value);
  values.set(output, value);
  return output;
}

/** The values to register for an output: those behind it, if each is resolved by itself. */
export const registered = (output: pulumi.Output<unknown>): unknown => values.get(output) ?? output;

/**
 * The child resources that components expose, by component and role. Getters read them: the schema for other languages has no
 * getters, because a schema that names resources of other packages is bound to one version of them.
 */
const children = new WeakMap<pulumi.Resource, Map<string, pulumi.Resource>>();

/** Keeps a child of a component so that getters can return it. */
export function handOut<Child extends pulumi.Resource>(
  component: pulumi.Resource | undefined,
  role: string,
  child: Child,
): Child {
  if (component === undefined) return child;
  const own = children.get(component) ?? new Map<string, pulumi.Resource>();
  children.set(component, own.set(role, child));
  return child;
}

/** The child that a component keeps under a role; undefined if it created none. */
export const childOf = <Child extends pulumi.Resource>(
  component: pulumi.Resource,
  role: string,
): Child | undefined => children.get(component)?.get(role) as Child | undefined;

/** The ARN of that child, once the check of the inputs has passed. */
export const arnOf = (
  component: pulumi.Resource,
  role: string,
  check: pulumi.Output<unknown>,
): pulumi.Output<string> | undefined => {
  const child = childOf<pulumi.Resource & { arn: pulumi.Output<string> }>(component, role);
  return child && check.apply(() => child.arn);
};

/** The inputs from which resources are planned: keys stand for topology blocks that are not known yet. */
export function planned(inputs: object): PropertyMap {
  const known = knownPart(inputs) as PropertyMap;
  return { ...known, topology: plannedTopology(known.topology) } as PropertyMap;
}

/**
 * Replaces stand-ins by the blocks of other resources in what was created from a topology, each block by itself. The blocks are
 * not available before the check has passed.
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

/** A block in the form in which plain blocks are written. */
const blockOf = (cidr: pulumi.Input<string>): pulumi.Output<string> =>
  pulumi.output(cidr).apply((value) => parsePrefix(value).prefix?.text ?? value);

const escaped = (text: string): string => text.replaceAll(".", "\\.");

/** The inputs with all addresses, once these are known: for results that are computed from the addresses. */
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

/**
 * The topology that a component registers as an output: as it was given, with its defaults written out and without credentials.
 * Policies read it as a topology again.
 */
export function topologyOutput(
  given: HostedClusterTopology,
  normal: NormalizedTopology,
): HostedClusterTopology {
  const { namespace, platform, endpointAccess, services, clusterNetwork, serviceNetwork, bootstrap } = normal;
  return {
    ...withoutCredentials(given),
    namespace,
    ...(endpointAccessModes(platform).length > 0 && { endpointAccess }),
    services: Object.fromEntries(
      Object.values(Service).map((service) => [serviceProperty[service], serviceOutput(services[service])]),
    ),
    clusterNetwork: clusterNetwork.map(({ prefix, hostPrefix }) => ({
      cidr: writtenPrefix(prefix),
      hostPrefix,
    })),
    serviceNetwork: serviceNetwork.map((prefix) => ({ cidr: writtenPrefix(prefix) })),
    bootstrap,
  };
}

/** The topology as the state may hold it: without the credentials that proxy URLs can hold. */
export function withoutCredentials<T>(topology: T): T {
  const { proxy } = (topology ?? {}) as { proxy?: unknown };
  if (typeof proxy !== "object" || proxy === null || isEventual(proxy)) return topology;
  const cleaned = Object.entries(proxy).map(([name, value]: [string, unknown]) => [name, cleanUrl(value)]);
  return { ...topology, proxy: Object.fromEntries(cleaned) as unknown };
}

/** A URL without credentials; a URL that is not known yet is cleaned when it is. */
function cleanUrl(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/^([a-z]+:\/\/)?.*@/i, "$1");
  return pulumi.Output.isInstance(value) || value instanceof Promise
    ? pulumi.output(value).apply(cleanUrl)
    : value;
}

/** Topologies are plain, so their services have a type. */
const serviceOutput = (service: NormalizedService): PublishedService => ({ ...service }) as PublishedService;

/** The flows of a hosted cluster as an output. For a proxy whose URL is not known yet, port and address are filled in later. */
export const requiredFlowsOutput = (
  given: HostedClusterTopology,
  normal: NormalizedTopology,
  check: pulumi.Output<unknown>,
): pulumi.Output<RequiredFlowRow[]> =>
  leafwise([
    ...withAddresses(requiredFlowRows(normal), normal, given, check),
    ...eventualProxyRows(given, check),
  ]) as pulumi.Output<RequiredFlowRow[]>;

type EventualRow = { readonly [field in keyof RequiredFlowRow]: pulumi.Input<RequiredFlowRow[field]> };

function eventualProxyRows({ proxy }: HostedClusterTopology, check: pulumi.Output<unknown>): EventualRow[] {
  return PROXY_URLS.flatMap((setting) => {
    const url = proxy?.[setting];
    if (!isEventual(url)) return [];
    // Whatever the URL is, it yields the row of a proxy.
    const [row] = proxyRows({ proxy: { [setting]: "http://proxy" } });
    const rowOf = pulumi
      .all([url, check])
      .apply(([known]) => proxyRows({ proxy: { [setting]: known ?? "" } })[0]);
    return [
      {
        ...row!,
        ports: rowOf.apply((known) => known?.ports ?? ""),
        peers: rowOf.apply((known) => known?.peers ?? []),
      },
    ];
  });
}
