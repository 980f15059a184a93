import { merge, readBlock, subtract, type Prefix } from "../address";
import { read, readText } from "../resources/read";
import { UNKNOWN, type Resource } from "../resources/resource";
import type { ResourceIndex } from "../resources/resourceIndex";
import { isHostedCluster } from "../resources/resourceTypes";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import type { FlowPeer, MissingInput } from "./model";

/** Blocks that public load balancers let in, or UNKNOWN where some of them are unknown. */
export type AllowedBlocks = { blocks: readonly Prefix[]; listedBy: Resource } | typeof UNKNOWN;

/** The list, as findings and topologies name it. */
export const ALLOWED_LIST = "networking.apiServer.allowedCIDRBlocks";

/**
 * From where the public load balancers of the API server and of the control plane's own router are reached, as the
 * HostedCluster of a cluster says it; `undefined` where it says nothing, which means from everywhere.
 */
export function allowedBlocksOf(
  { resources }: ResourceIndex,
  topology: NormalizedTopology,
): AllowedBlocks | undefined {
  const lists = resources
    .filter((resource) => isHostedCluster(resource.type) && mayBe(topology, resource))
    .map((listedBy) => ({
      listedBy,
      entries: read(listedBy.properties, `spec.${ALLOWED_LIST}[]`).map(({ value }) => value),
    }))
    .filter(({ entries }) => entries.length > 0);
  const [first] = lists;
  if (!first) return undefined;
  const { entries, listedBy } = first;
  // Whether an object or its patch holds is not stated here.
  if (lists.length > 1) return UNKNOWN;
  const blocks = entries.flatMap((entry) => (typeof entry === "string" ? (readBlock(entry) ?? []) : []));
  return blocks.length < entries.length ? UNKNOWN : { blocks: merge(blocks), listedBy };
}

/** Whether a HostedCluster is that of a topology, or may be where its name is not known yet. */
function mayBe(topology: NormalizedTopology, { properties }: Resource): boolean {
  const agrees = (path: string, own: string) => {
    const stated = readText(properties, path);
    return stated === undefined || stated === UNKNOWN || stated === own;
  };
  return (
    agrees("metadata.name", topology.name) &&
    (isUnknown(topology, "namespace") || agrees("metadata.namespace", topology.namespace))
  );
}

/** What keeps clients out at a load balancer with such a list, or may; undefined where it lets them all in. */
export function keptOut({ prefixes }: FlowPeer, allowed: AllowedBlocks): MissingInput | undefined {
  if (allowed === UNKNOWN)
    return { input: ALLOWED_LIST, why: "whom public load balancers let in: not all of its blocks are known" };
  const outside = prefixes && subtract(prefixes, allowed.blocks);
  if (outside?.length === 0) return undefined;
  const add = outside?.map(({ text }) => text).join(", ");
  const who = add ?? "the addresses from which they come";
  return {
    input: ALLOWED_LIST,
    why: `public load balancers let in only what it lists: add ${who} to it`,
    ...(add !== undefined && { add }),
  };
}
