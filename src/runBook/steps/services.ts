import { serviceEntries } from "../../hostedCluster/spec";
import { HYPERSHIFT, at, describeReference } from "../../requirements/documents";
import { read, readText, readValue } from "../../resources/read";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { hostedClusterPatch, shell } from "../patches";
import { Disruption, Place } from "../runBook";
import { differingOf, type Draft, type Way } from "./draft";
import { noUpdate } from "./image";

/** Other publishing strategies, on the platforms where a HostedCluster takes them. */
export function changeServices(way: Way): Draft[] {
  const facets = differingOf(way, "services");
  if (facets.length === 0) return [];
  const { current, reachable } = way;
  const patch = (topology: NormalizedTopology) =>
    hostedClusterPatch(current, [["services", [...serviceEntries(topology), ...otherEntries(way)]]]);
  return [
    {
      id: "services",
      title: "Publish services in another way",
      place: Place.Management,
      disruption: Disruption.Closes,
      effect:
        "who reaches a service by its former address is cut off until it takes the new one: nodes too, whose configuration names it",
      facets,
      preChecks: [
        { what: "the flows to the new addresses are open: the step before this one" },
        {
          what: "names of the services in DNS lead to the new addresses, or their owners are ready to change them",
        },
      ],
      patches: [patch(reachable)],
      actions: [],
      verification: [
        {
          what: "the HostedCluster is Available, and every node is Ready",
          command: shell`oc get hostedcluster ${current.name} -n ${current.namespace}`,
        },
      ],
      wayBack: {
        text: "write the former entries: their flows are still open",
        patches: [hostedClusterPatch(current, [["services", formerEntries(way)]])],
      },
      documents: [describeReference(at(HYPERSHIFT, "HostedCluster CRD, spec"))],
    },
  ];
}

/** As the object has them, else as the topology says them. */
const formerEntries = ({ current, change }: Way) =>
  readValue(change.current.object, "spec.services") ?? serviceEntries(current);

/** A list is written whole: entries of services that no topology names stay. */
function otherEntries({ change }: Way) {
  const named = new Set(serviceEntries(change.current.topology).map(({ service }) => service));
  return read(change.current.object, "spec.services[]").flatMap(({ value }) => {
    const service = readText(value, "service");
    return typeof service === "string" && !named.has(service) ? [value] : [];
  });
}

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
