import { HYPERSHIFT, at, describeReference } from "../../requirements/documents";
import { hostedClusterPatch } from "../patches";
import { Disruption, Place } from "../runBook";
import { shell } from "../shell";
import type { Draft, Way } from "./draft";
import { noUpdate } from "./nodePoolCheck";

/** A cluster that has none can get one, once. */
export function addMachineNetwork({ current, reachable, differing }: Way): Draft[] {
  if (!differing.includes("machineNetwork")) return [];
  const blocks = reachable.machineNetwork.map(({ text }) => ({ cidr: text }));
  return [
    {
      id: "machine-network",
      title: "Say the machine network",
      place: Place.Management,
      disruption: Disruption.NodesRollOut,
      effect: "behind a proxy every NodePool rolls out, because noProxy gets the machine network; else none",
      facets: ["machineNetwork"],
      preChecks: [{ what: "the blocks are right: they can be said once, and never change" }],
      patches: [hostedClusterPatch(current, [["networking.machineNetwork", blocks]])],
      actions: [],
      verification: [
        {
          what: "the HostedCluster has it, and no network overlaps it",
          command: shell`oc get hostedcluster ${current.name} -n ${current.namespace} -o jsonpath={.spec.networking}`,
        },
        ...(reachable.proxy ? [noUpdate(current, "UpdatingConfig")] : []),
      ],
      wayBack: { text: "none", patches: [] },
      documents: [describeReference(at(HYPERSHIFT, "HostedCluster CRD, spec"))],
    },
  ];
}
