import { HYPERSHIFT, at, describeReference } from "../../requirements/documents";
import { platformSections } from "../../requirements/hostedCluster";
import { EndpointAccess, Platform } from "../../requirements/vocabulary";
import { hostedClusterPatch, shell } from "../patches";
import { Disruption, Place, type Check } from "../runBook";
import type { Draft, Way } from "./draft";
import { noUpdate } from "./image";

/** From public to private access, or back, by way of both: never is there a moment without a way in. */
export function changeAccess(way: Way): Draft[] {
  const { current, reachable, differing } = way;
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
    return {
      id: `endpoint-access-${access}`,
      title: `Make the access ${access}`,
      place: Place.Management,
      disruption: rollsOut ? Disruption.NodesRollOut : opens ? Disruption.None : Disruption.Closes,
      effect: `${rollsOut ? ROLLS_OUT : ""}${
        opens
          ? "a second way to the control plane is made, and the first one stays"
          : `whoever still reaches the control plane by its ${access === EndpointAccess.Private ? "public" : "private"} address is cut off`
      }`,
      facets: ["endpointAccess"],
      preChecks: opens ? [] : [everybodyElsewhere(access)],
      patches: [hostedClusterPatch(current, [[path, access]])],
      actions: [],
      verification: [
        ...verification(way, access),
        ...(rollsOut ? [noUpdate(current, "UpdatingConfig")] : []),
      ],
      wayBack: {
        text: `write ${over[position]!} again`,
        patches: [hostedClusterPatch(current, [[path, over[position]!]])],
      },
      documents: [
        describeReference(at(HYPERSHIFT, "HostedCluster CRD, spec")),
        ...(rollsOut ? [describeReference(nodesConfiguration)] : []),
      ],
    };
  });
}

const ROLLS_OUT =
  "every NodePool rolls out, because nodes reach the API server by another name: nodes are replaced, or updated in place; ";

const nodesConfiguration = at(HYPERSHIFT, "hypershift-operator/controllers/nodepool/haproxy.go");

/** Where private nodes have another name of the API server in their configuration than public ones. */
const PRIVATE_NAME: ReadonlySet<Platform> = new Set([Platform.AWS, Platform.GCP]);

const changesNodes = (platform: Platform, ...accesses: EndpointAccess[]): boolean =>
  PRIVATE_NAME.has(platform) && accesses.includes(EndpointAccess.Public);

/** Whether the way from one access to the other rolls the NodePools out. */
export const accessRollsOut = ({ current, reachable }: Way): boolean =>
  changesNodes(reachable.platform, current.endpointAccess, reachable.endpointAccess);

const everybodyElsewhere = (access: EndpointAccess): Check => ({
  what:
    access === EndpointAccess.Private
      ? "nodes, users and CI systems reach the API server and OAuth by their private addresses: try it from each of their networks"
      : "nodes, users and CI systems reach the API server and OAuth by their public addresses: try it from each of their networks",
});

function verification({ current }: Way, access: EndpointAccess): Check[] {
  const all: Check = {
    what: "every node is Ready and the HostedCluster is Available",
    command: shell`oc get hostedcluster ${current.name} -n ${current.namespace}`,
  };
  if (current.platform !== Platform.AWS || access === EndpointAccess.Public) return [all];
  const endpoints: Check = {
    what: "the VPC endpoints are there: every AWSEndpointService has the condition AWSEndpointAvailable True",
    command: shell`oc get awsendpointservices -n ${current.controlPlaneNamespace} -o yaml`,
  };
  return [endpoints, all];
}
