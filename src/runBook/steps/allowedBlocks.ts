import { HYPERSHIFT, at, describeReference } from "../../requirements/documents";
import { read } from "../../resources/read";
import { ALLOWED_BLOCKS } from "../objectFields";
import { hostedClusterPatch } from "../patches";
import { Disruption, Place } from "../runBook";
import type { Change } from "../side";
import type { Draft, Way } from "./draft";

/** Other blocks from which the API server's load balancers are reached. */
export function changeAllowedBlocks({ current, change }: Way, differs: boolean): Draft[] {
  if (!differs) return [];
  return [
    {
      id: "allowed-blocks",
      title: "Change the CIDR blocks that reach the API server",
      place: Place.Management,
      disruption: Disruption.Closes,
      effect:
        "whoever is in none of the new blocks is cut off from the API server, and from what its router publishes",
      facets: [],
      preChecks: [
        {
          what: "the blocks hold the addresses at which the management cluster, the workers behind NAT and the clients appear; with them in workerNatCidrs, managementClusterNatCidrs and externalClientCidrs the proof reads the list",
          command: "hypershift-network prove PLAN --config hypershift-network.yaml",
        },
      ],
      patches: [hostedClusterPatch(current, [[ALLOWED_BLOCKS, blocksOf(change, "wanted")]])],
      actions: [],
      verification: [
        {
          what: "every node is Ready, and clients reach the API server",
          command: "oc --kubeconfig HOSTED get nodes",
        },
      ],
      wayBack: {
        text: "write the former blocks",
        patches: [hostedClusterPatch(current, [[ALLOWED_BLOCKS, blocksOf(change, "current")]])],
      },
      documents: [describeReference(at(HYPERSHIFT, "HostedCluster CRD, spec"))],
    },
  ];
}

/** Without any the field goes, and everybody may come. */
function blocksOf(change: Change, side: "current" | "wanted") {
  const blocks = read(change[side].object, `spec.${ALLOWED_BLOCKS}[]`).map(({ value }) => value);
  return blocks.length > 0 ? blocks : null;
}
