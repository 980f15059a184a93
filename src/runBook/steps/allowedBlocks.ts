import { HYPERSHIFT, at, describeReference } from "../../requirements/documents";
import { read } from "../../resources/read";
import type { PropertyValue } from "../../resources/resource";
import { ALLOWED_BLOCKS } from "../objectFields";
import { type Change, type Draft, hostedClusterPatch, type Way } from "../drafts";
import { Disruption, Place } from "../runBook";

/** The blocks of today and the wanted ones beside each other, before anything moves that needs the wanted ones. */
export function openAllowedBlocks(way: Way, differs: boolean): Draft[] {
  const { current, change } = way;
  const [before, open] = [blocksOf(change, "current"), bothOf(change)];
  if (!differs || isSameList(before, open)) return [];
  return [
    {
      id: "open-allowed-blocks",
      title: "Let the wanted CIDR blocks reach the API server, too",
      place: Place.Management,
      disruption: Disruption.None,
      effect: "blocks are added, and none is taken away",
      facets: [`spec.${ALLOWED_BLOCKS}`],
      preChecks: [],
      patches: [hostedClusterPatch(current, [[ALLOWED_BLOCKS, open]])],
      actions: [],
      verification: [reached],
      wayBack: {
        text: "write the former blocks",
        patches: [hostedClusterPatch(current, [[ALLOWED_BLOCKS, before]])],
      },
      documents,
    },
  ];
}

/** Only the wanted blocks, after everything that needed the others has moved. */
export function changeAllowedBlocks({ current, change }: Way, differs: boolean): Draft[] {
  const [open, wanted] = [bothOf(change), blocksOf(change, "wanted")];
  if (!differs || isSameList(open, wanted)) return [];
  return [
    {
      id: "allowed-blocks",
      title: "Change the CIDR blocks that reach the API server",
      place: Place.Management,
      disruption: Disruption.Closes,
      effect:
        "whoever is in none of the new blocks is cut off from the API server, and from what its router publishes",
      facets: [`spec.${ALLOWED_BLOCKS}`],
      preChecks: [
        {
          what: "the blocks hold the addresses at which the management cluster, the workers behind NAT and the clients appear; with them in workerNatCidrs, managementClusterNatCidrs and externalClientCidrs the proof reads the list",
          command: "hypershift-network prove PLAN --config hypershift-network.yaml",
        },
      ],
      patches: [hostedClusterPatch(current, [[ALLOWED_BLOCKS, wanted]])],
      actions: [],
      verification: [reached],
      wayBack: {
        text: "write the blocks of before this step",
        patches: [hostedClusterPatch(current, [[ALLOWED_BLOCKS, open]])],
      },
      documents,
    },
  ];
}

const documents = [describeReference(at(HYPERSHIFT, "HostedCluster CRD, spec"))];

const reached = {
  what: "every node is Ready, and clients reach the API server",
  command: "oc --kubeconfig HOSTED get nodes",
};

type Blocks = readonly PropertyValue[] | null;

/** Without any the field goes, and everybody may come. */
function blocksOf(change: Change, side: "current" | "wanted"): Blocks {
  const blocks = read(change[side].object, `spec.${ALLOWED_BLOCKS}[]`).map(({ value }) => value);
  return blocks.length > 0 ? blocks : null;
}

/** Everybody where one of the two lets everybody come. */
function bothOf(change: Change): Blocks {
  const [before, after] = [blocksOf(change, "current"), blocksOf(change, "wanted")];
  return before && after && [...new Set([...before, ...after])];
}

const isSameList = (one: Blocks, other: Blocks): boolean =>
  one === null || other === null
    ? one === other
    : one.every((block) => other.includes(block)) && other.every((block) => one.includes(block));
