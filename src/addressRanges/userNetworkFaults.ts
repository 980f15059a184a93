import { BITS, enclosedBy, intersect, type Prefix, readBlock, readHost } from "../address";
import { onceIn, sortedJson } from "../collections";
import type { Fault } from "../fault";
import { couldBeSame, liveValue, pruned, type StatedSpec, written } from "../objects/specChange";
import {
  type Found,
  holdsUnknown,
  isGiven,
  isList,
  isMap,
  propertyOf,
  type PropertyMap,
  read,
  readText,
  readValue,
} from "../resources/read";
import { type PropertyValue, type Resource, UNKNOWN } from "../resources/resource";
import { isPatch } from "../resources/resourceTypes";

/** The paths of the spec in networks of one namespace, and in networks of several. */
export const NETWORK_SPECS = ["spec", "spec.network"];

/** Faults in the lists of one network: several ranges of a family that allows one, per-node parts that do not fit, ranges outside or shared. */
export const userNetworkFaults = ({ type, properties }: Resource): Fault[] =>
  NETWORK_SPECS.flatMap((spec) => {
    const at = (list: string): Found[] => read(properties, `${spec}.${list}[]`);
    const isSecondary = readText(properties, `${spec}.layer3.role`) === "Secondary";
    const single = ["layer2.subnets", "layer2.joinSubnets", "layer3.joinSubnets", "localnet.subnets"];
    // A patch does not state the enclosing subnets.
    const outside = isPatch(type)
      ? []
      : WITHIN.flatMap(([list, inner]) => outsideFaults(at(list), at(inner), "subnet"));
    const told = new Set(outside.map(({ path }) => path));
    const infrastructure = at(INFRASTRUCTURE);
    const gateways = infrastructure.length === 0 ? [] : at(GATEWAYS).filter(({ path }) => !told.has(path));
    return [
      ...[...single, GATEWAYS, ...(isSecondary ? ["layer3.subnets"] : [])].flatMap((list) =>
        familyFaults(`${spec}.${list}`, at(list)),
      ),
      ...partFaults(at("layer3.subnets")),
      ...outside,
      ...outsideFaults(infrastructure, gateways, "infrastructure subnet"),
      ...sharedFaults(`${spec}.${RESERVED}`, at(RESERVED), infrastructure),
    ];
  });

const RESERVED = "layer2.reservedSubnets";
const INFRASTRUCTURE = "layer2.infrastructureSubnets";
const GATEWAYS = "layer2.defaultGatewayIPs";

/** Lists of ranges, with the lists whose entries must lie in them. */
const WITHIN: readonly (readonly [list: string, inner: string])[] = [
  ...[RESERVED, INFRASTRUCTURE, GATEWAYS].map((inner) => ["layer2.subnets", inner] as const),
  ["localnet.subnets", "localnet.excludeSubnets"],
];

/** The block of an entry in a list of subnets. */
export const blockOf = (value: PropertyValue): Prefix | undefined => {
  const cidr = typeof value === "string" ? value : propertyOf(value, "cidr");
  return typeof cidr === "string" ? readBlock(cidr) : undefined;
};

function familyFaults(path: string, entries: readonly Found[]): Fault[] {
  const hostOf = (value: PropertyValue) => (typeof value === "string" ? readHost(value) : undefined);
  const families = entries.flatMap(({ value }) => (blockOf(value) ?? hostOf(value))?.family ?? []);
  if (new Set(families).size === families.length) return [];
  const problem = "has several entries of one family, and the API server accepts one of each family";
  return [{ path, problem, remedy: "write one entry, or one of each family" }];
}

/** Faults of per-node parts: they must be smaller than the range, have room for two addresses, and have one size per family. */
function partFaults(entries: readonly Found[]): Fault[] {
  const first = new Map<number, PropertyValue>();
  return entries.flatMap(({ path, value }) => {
    const prefix = blockOf(value);
    const part = propertyOf(value, "hostSubnet");
    if (!prefix || part === UNKNOWN) return [];
    const { family, length, text } = prefix;
    const at = `${path}.hostSubnet`;
    const [least, most] = [length + 1, BITS[family] - 1];
    if (typeof part === "number" && (part < least || part > most))
      return [
        {
          path: at,
          problem: `/${part} is not a valid size for a node's subnet of ${text}`,
          remedy: `write a length from ${least} to ${most}, or a larger range`,
        },
      ];
    const other = onceIn(first, family, () => part ?? null);
    if (other === (part ?? null)) return [];
    const problem =
      "differs from that of the first range of this family: the API server accepts only parts of one size";
    return [{ path: at, problem, remedy: "write the same length in all of them" }];
  });
}

function outsideFaults(around: readonly Found[], entries: readonly Found[], kind: string): Fault[] {
  const blocks = around.map(({ value }) => blockOf(value));
  if (!blocks.every(isGiven)) return [];
  const isWithin = enclosedBy(blocks);
  return entries.flatMap(({ path, value }) => {
    if (typeof value !== "string") return [];
    const inner = readHost(value) ?? readBlock(value);
    if (!inner || isWithin(inner)) return [];
    const problem = `${value} is in no ${kind} of the network, so OVN-Kubernetes does not create the network`;
    return [{ path, problem, remedy: "write addresses of such a subnet, or leave it out" }];
  });
}

/** Addresses that OVN-Kubernetes uses itself cannot be reserved for pods with addresses of their own. */
function sharedFaults(path: string, reserved: readonly Found[], infrastructure: readonly Found[]): Fault[] {
  const [first, second] = [reserved, infrastructure].map((list) =>
    list.flatMap(({ value }) => blockOf(value) ?? []),
  );
  const [shared] = intersect(first!, second!);
  if (!shared) return [];
  const problem = `shares ${shared.text} with infrastructureSubnets, so OVN-Kubernetes does not create the network`;
  return [{ path, problem, remedy: "write ranges without these addresses in one of the two lists" }];
}

/** Immutable fields of a user-defined network in every version of the API. (OVN-Kubernetes, go-controller/pkg/crd/userdefinednetwork) */
const IN_USER_NETWORK = [
  "topology",
  "transport",
  "layer2",
  "layer3.role",
  "layer3.mtu",
  "layer3.joinSubnets",
  "localnet.subnets",
];

/** Subnets of layer 3 cannot change either, but later versions of the API allow adding subnets. */
const GROWING_SUBNETS = "layer3.subnets";

/** The immutable fields of a user-defined network, of a namespace or of the cluster. */
export const userNetworkPaths = (isOfSeveral: boolean): string[] =>
  [...IN_USER_NETWORK, GROWING_SUBNETS].map((path) => (isOfSeveral ? `network.${path}` : path));

/** One fault for each immutable field of a user-defined network that a new spec would change. */
export const userNetworkChanges = (
  before: StatedSpec,
  wanted: PropertyMap,
  paths: readonly string[],
  isPartial: boolean,
): Fault[] =>
  paths.flatMap((path) => {
    const live = liveValue(before, path);
    const next = readValue(wanted, path);
    if (!isGiven(live) || !isGiven(next)) return [];
    const stays =
      path.endsWith(GROWING_SUBNETS) && isList(live) && isList(next)
        ? areAllIn(live, next)
        : couldBeSame(pruned(live, next), next) && (isPartial || !losesKey(before, path, next));
    if (stays) return [];
    const problem = `is ${written(live)}, and the API server refuses to change it`;
    return [
      {
        path: `spec.${path}`,
        problem,
        remedy: "keep the current value, or create another network next to this one",
      },
    ];
  });

/** Whether a new `layer2` lacks a field that the program wrote before, which is no default of the server. */
const losesKey = ({ inputs }: StatedSpec, path: string, next: PropertyValue): boolean => {
  const stated = readValue(inputs, path);
  if (!path.endsWith("layer2") || !isMap(stated) || !isMap(next)) return false;
  return Object.keys(stated).some((key) => isGiven(stated[key]) && !isGiven(next[key]));
};

/** Whether every entry of a list is in another list; true if some value is unknown. */
function areAllIn(entries: readonly PropertyValue[], others: readonly PropertyValue[]): boolean {
  if (holdsUnknown([entries, others])) return true;
  const texts = new Set(others.map((other) => sortedJson(other)));
  return entries.every((entry) => texts.has(sortedJson(entry)));
}
