import { describeReference } from "../../requirements/documents";
import {
  internalSubnet,
  type InternalSubnetProperty,
  nodeAnnotations,
  nodeSubnetSource,
  WINDOWS_NODE,
} from "../../requirements/internalSubnets";
import { annotationOf, labelOf, nameOf } from "../../resources/kubernetesObject";
import { parsedJson } from "../../resources/read";
import type { PropertyValue } from "../../resources/resource";
import { type LiveCheck, type LiveObject, LiveStatus, checkOf } from "../liveCluster";
import { contains, equal, readPrefix } from "../../address";
import { firstOf } from "../../text";

export const NODES_PATH = "/api/v1/nodes";

/** Whether each node has its address in a subnet. Addresses that are not stated are unknown. */
export function nodesCheck(
  nodes: readonly LiveObject[],
  property: InternalSubnetProperty,
  wanted: string,
): LiveCheck {
  const addresses = addressesOf(nodes, property);
  const silent = addresses.filter(({ address }) => address === undefined);
  const elsewhere = addresses.filter(({ address }) => address !== undefined && !liesIn(address, wanted));
  const status =
    elsewhere.length > 0
      ? LiveStatus.Failed
      : addresses.length === 0 || silent.length > 0
        ? LiveStatus.Unknown
        : LiveStatus.Passed;
  const subject = {
    id: `node-addresses/${property}`,
    what: `the nodes' addresses in ${internalSubnet(property).name}`,
    expected: `each in ${wanted}`,
  };
  const outcome = { found: foundText(addresses.length, silent, elsewhere), status };
  return checkOf(subject, outcome, FIX[status], describeReference(nodeSubnetSource));
}

/** Whether there are nodes and none of them states its address: newer releases do not write it. */
export function areSilent(nodes: readonly LiveObject[], property: InternalSubnetProperty): boolean {
  const addresses = addressesOf(nodes, property);
  return addresses.length > 0 && addresses.every(({ address }) => address === undefined);
}

/** The nodes that OVN connects, with the address that each states. */
const addressesOf = (nodes: readonly LiveObject[], property: InternalSubnetProperty): Seen[] =>
  nodes
    .filter((node) => labelOf(node, WINDOWS_NODE.label) !== WINDOWS_NODE.value)
    .map((node) => ({ name: nameOf(node) || "a node", address: addressOf(node, property) }));

const FIX = {
  [LiveStatus.Passed]: "",
  [LiveStatus.Failed]:
    "wait for the roll-out; if a node keeps an old address, check ovnkube-control-plane, which writes it, and the ovnkube-node pod of the node",
  [LiveStatus.Unknown]:
    "check the annotations of the nodes; newer releases do not write those of the join subnet: for these releases, give the generation before the change with --since",
} as const;

type Seen = { name: string; address: string | undefined };

function foundText(count: number, silent: readonly Seen[], elsewhere: readonly Seen[]): string {
  if (count === 0) return "no node";
  if (elsewhere.length > 0)
    return `${elsewhere.length} of ${count} elsewhere: ${firstOf(elsewhere.map(({ name, address }) => `${name} ${address}`))}`;
  if (silent.length > 0)
    return `${silent.length} of ${count} do not state it: ${firstOf(silent.map(({ name }) => name))}`;
  return `${count} of ${count}`;
}

/** The address in the first annotation that is present. */
function addressOf(node: LiveObject, property: InternalSubnetProperty): string | undefined {
  const texts = nodeAnnotations[property].map((key) => annotationOf(node, key));
  const text = texts.find((value) => value !== undefined);
  return text === undefined ? undefined : addressIn(parsedJson(text), internalSubnet(property).family);
}

/** `{"ipv4":"100.64.0.2/16"}`; releases with several networks put it under `default`. */
function addressIn(value: PropertyValue | undefined, family: 4 | 6): string | undefined {
  if (typeof value === "string") return value.includes(":") === (family === 6) ? value : undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const object = value as LiveObject;
  return addressIn(object.default ?? object[`ipv${family}`], family);
}

/** Whether two texts denote the same block. */
export function sameSubnet(a: string, b: string): boolean {
  const [one, other] = [readPrefix(a), readPrefix(b)];
  return one && other ? equal(one, other) : a === b;
}

/** Whether an address, with a mask or without, is in a subnet. */
function liesIn(address: string, subnet: string): boolean {
  const [host = ""] = address.split("/");
  const outer = readPrefix(subnet);
  const inner = readPrefix(`${host}/${host.includes(":") ? 128 : 32}`);
  return outer !== undefined && inner !== undefined && contains(outer, inner);
}
