import { at, describeReference, HYPERSHIFT } from "../../requirements/documents";
import { platformSections } from "../../requirements/hostedCluster";
import { EndpointAccess, Platform } from "../../requirements/vocabulary";
import {
  type Change,
  differingOf,
  type Draft,
  hostedClusterPatch,
  shell,
  type Transition,
  draftOf,
} from "../drafts";
import { type Check, Disruption, StepTarget } from "../runBook";
import { noUpdate } from "./upgrade";
import { serviceEntries } from "../../hostedCluster/spec";
import { read, readText, readValue } from "../../resources/read";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { PropertyValue } from "../../resources/resource";
import { crdDocuments as documents } from "../facets";
import { ALLOWED_LIST } from "../../flows/surroundings";

/** Changes between public and private access through both, so that there is always a path to the control plane. */
export function changeAccess(transition: Transition): Draft[] {
  const { current, reachable, differing } = transition;
  const section = platformSections[reachable.platform];
  if (!differing.includes("endpointAccess") || section?.access === undefined) return [];
  const path = `platform.${section.key}.${section.access}`;
  const { PublicAndPrivate } = EndpointAccess;
  const stations = [current.endpointAccess, reachable.endpointAccess];
  const over = stations.includes(PublicAndPrivate)
    ? stations
    : [stations[0]!, PublicAndPrivate, stations[1]!];
  return over.slice(1).map((access, position): Draft => {
    const opens = access === PublicAndPrivate;
    const rollsOut = changesNodes(reachable.platform, access, over[position]!);
    return draftOf({
      id: `endpoint-access-${access}`,
      title: `Change the access to ${access}`,
      place: StepTarget.Management,
      disruption: rollsOut ? Disruption.NodesRollOut : opens ? Disruption.None : Disruption.Closes,
      effect: `${rollsOut ? ROLLS_OUT : ""}${
        opens
          ? "a second path to the control plane is added, and the first one stays"
          : `clients that still use the control plane's ${access === EndpointAccess.Private ? "public" : "private"} address lose access`
      }`,
      facets: ["endpointAccess"],
      preChecks: opens ? [] : [everybodyElsewhere(access)],
      patches: [hostedClusterPatch(current, [[path, access]])],
      verification: [
        ...verification(transition, access),
        ...(rollsOut ? [noUpdate(current, "UpdatingConfig")] : []),
      ],
      wayBack: {
        text: `write ${over[position]!} again`,
        patches: [hostedClusterPatch(current, [[path, over[position]!]])],
      },
      documents: [...documents, ...(rollsOut ? [describeReference(nodesConfiguration)] : [])],
    });
  });
}

const ROLLS_OUT =
  "every NodePool rolls out, because nodes reach the API server by another name: nodes are replaced or updated in place; ";

const nodesConfiguration = at(HYPERSHIFT, "hypershift-operator/controllers/nodepool/haproxy.go");

/** Platforms on which private nodes use another name of the API server than public nodes. */
const PRIVATE_NAME: ReadonlySet<Platform> = new Set([Platform.AWS, Platform.GCP]);

const changesNodes = (platform: Platform, ...accesses: EndpointAccess[]): boolean =>
  PRIVATE_NAME.has(platform) && accesses.includes(EndpointAccess.Public);

/** Whether changing the access rolls the NodePools out. */
export const accessRollsOut = ({ current, reachable }: Transition): boolean =>
  changesNodes(reachable.platform, current.endpointAccess, reachable.endpointAccess);

const everybodyElsewhere = (access: EndpointAccess): Check => ({
  what:
    access === EndpointAccess.Private
      ? "nodes, users and CI systems reach the API server and OAuth by their private addresses: try it from each of their networks"
      : "nodes, users and CI systems reach the API server and OAuth by their public addresses: try it from each of their networks",
});

function verification({ current }: Transition, access: EndpointAccess): Check[] {
  const all: Check = {
    what: "every node is Ready and the HostedCluster is Available",
    command: shell`oc get hostedcluster ${current.name} -n ${current.namespace}`,
  };
  if (current.platform !== Platform.AWS || access === EndpointAccess.Public) return [all];
  const endpoints: Check = {
    what: "the VPC endpoints exist: every AWSEndpointService has the condition AWSEndpointAvailable True",
    command: shell`oc get awsendpointservices -n ${current.controlPlaneNamespace} -o yaml`,
  };
  return [endpoints, all];
}

/** Changes publishing strategies, on platforms whose HostedClusters accept other ones. */
export function changeServices(transition: Transition): Draft[] {
  const facets = differingOf(transition, "services");
  if (facets.length === 0) return [];
  const { current, reachable } = transition;
  const patch = (topology: NormalizedTopology) =>
    hostedClusterPatch(current, [["services", [...serviceEntries(topology), ...otherEntries(transition)]]]);
  return [
    draftOf({
      id: "services",
      title: "Change how services are published",
      place: StepTarget.Management,
      disruption: Disruption.Closes,
      effect:
        "clients that use the old address of a service lose access until they use the new one, including nodes, whose configuration names it",
      facets,
      preChecks: [
        { what: "the flows to the new addresses are open: the step before this one" },
        {
          what: "the DNS names of the services resolve to the new addresses, or their owners are ready to change them",
        },
      ],
      patches: [patch(reachable)],
      verification: [
        {
          what: "the HostedCluster is Available, and every node is Ready",
          command: shell`oc get hostedcluster ${current.name} -n ${current.namespace}`,
        },
      ],
      wayBack: {
        text: "write the old entries: their flows are still open",
        patches: [hostedClusterPatch(current, [["services", formerEntries(transition)]])],
      },
      documents,
    }),
  ];
}

/** The entries of the object, else those of the topology. */
const formerEntries = ({ current, change }: Transition) =>
  readValue(change.current.object, "spec.services") ?? serviceEntries(current);

/** The list is replaced as a whole, so entries of services that no topology names are kept. */
function otherEntries({ change }: Transition) {
  const named = new Set(serviceEntries(change.current.topology).map(({ service }) => service));
  return read(change.current.object, "spec.services[]").flatMap(({ value }) => {
    const service = readText(value, "service");
    return typeof service === "string" && !named.has(service) ? [value] : [];
  });
}

/** A cluster without a machine network accepts one once. */
export function addMachineNetwork({ current, reachable, differing }: Transition): Draft[] {
  if (!differing.includes("machineNetwork")) return [];
  const blocks = reachable.machineNetwork.map(({ text }) => ({ cidr: text }));
  return [
    draftOf({
      id: "machine-network",
      title: "Set the machine network",
      place: StepTarget.Management,
      disruption: Disruption.NodesRollOut,
      effect:
        "with a proxy every NodePool rolls out, because noProxy gets the machine network; otherwise none",
      facets: ["machineNetwork"],
      preChecks: [{ what: "the blocks are right: they can be set once and never change" }],
      patches: [hostedClusterPatch(current, [["networking.machineNetwork", blocks]])],
      verification: [
        {
          what: "the HostedCluster has them, and no network overlaps them",
          command: shell`oc get hostedcluster ${current.name} -n ${current.namespace} -o jsonpath={.spec.networking}`,
        },
        ...(reachable.proxy ? [noUpdate(current, "UpdatingConfig")] : []),
      ],
      wayBack: { text: "none", patches: [] },
      documents,
    }),
  ];
}

/** Adds the wanted blocks to the current ones, before anything moves that needs the wanted blocks. */
export function openAllowedBlocks(transition: Transition, differs: boolean): Draft[] {
  const { current, change } = transition;
  const [before, open] = [blocksOf(change, "current"), bothOf(change)];
  if (!differs || isSameList(before, open)) return [];
  return [
    draftOf({
      id: "open-allowed-blocks",
      title: "Also allow the wanted CIDR blocks to reach the API server",
      place: StepTarget.Management,
      disruption: Disruption.None,
      effect: "blocks are added, and none is removed",
      facets: [`spec.${ALLOWED_LIST}`],
      patches: [hostedClusterPatch(current, [[ALLOWED_LIST, open]])],
      verification: [reached],
      wayBack: {
        text: "write the former blocks",
        patches: [hostedClusterPatch(current, [[ALLOWED_LIST, before]])],
      },
      documents,
    }),
  ];
}

/** Leaves only the wanted blocks, after everything that needed the others has moved. */
export function changeAllowedBlocks({ current, change }: Transition, differs: boolean): Draft[] {
  const [open, wanted] = [bothOf(change), blocksOf(change, "wanted")];
  if (!differs || isSameList(open, wanted)) return [];
  return [
    draftOf({
      id: "allowed-blocks",
      title: "Change the CIDR blocks that reach the API server",
      place: StepTarget.Management,
      disruption: Disruption.Closes,
      effect: "clients outside the new blocks lose access to the API server and to what its router publishes",
      facets: [`spec.${ALLOWED_LIST}`],
      preChecks: [
        {
          what: "the blocks contain the addresses that the management cluster, the workers behind NAT and the clients have there; state them in workerNatCidrs, managementClusterNatCidrs and externalClientCidrs to have the list proved",
          command: "hypershift-network prove PLAN --config hypershift-network.yaml",
        },
      ],
      patches: [hostedClusterPatch(current, [[ALLOWED_LIST, wanted]])],
      verification: [reached],
      wayBack: {
        text: "write the blocks from before this step",
        patches: [hostedClusterPatch(current, [[ALLOWED_LIST, open]])],
      },
      documents,
    }),
  ];
}

const reached = {
  what: "every node is Ready, and clients reach the API server",
  command: "oc --kubeconfig HOSTED get nodes",
};

type Blocks = readonly PropertyValue[] | null;

/** Without blocks the field is removed, and all clients may connect. */
function blocksOf(change: Change, side: "current" | "wanted"): Blocks {
  const blocks = read(change[side].object, `spec.${ALLOWED_LIST}[]`).map(({ value }) => value);
  return blocks.length > 0 ? blocks : null;
}

/** All clients, if one of the two states allows all clients. */
function bothOf(change: Change): Blocks {
  const [before, after] = [blocksOf(change, "current"), blocksOf(change, "wanted")];
  return before && after && [...new Set([...before, ...after])];
}

const isSameList = (one: Blocks, other: Blocks): boolean =>
  one === null || other === null
    ? one === other
    : one.every((block) => other.includes(block)) && other.every((block) => one.includes(block));
