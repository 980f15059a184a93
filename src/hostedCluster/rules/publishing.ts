import { grouped } from "../../collections";
import { isJudgedObject, judgeObject } from "../object";
import type { ObjectRule } from "../../requirements/hostedCluster";
import { type PropertyValue, type Resource, UNKNOWN } from "../../resources/resource";
import type { JudgedResources } from "../../gate/judgedResources";
import {
  type Judgement,
  Level,
  type Places,
  placesByResource,
  type Rule,
  Status,
  unknown,
  violated,
  violatedBy,
} from "../../gate/rule";
import {
  at,
  OKD_NETWORKING,
  OCP_4_7_OVN,
  describeReference,
  HYPERSHIFT,
  KUBERNETES,
} from "../../requirements/documents";
import { isHostedCluster, isService } from "../../resources/resourceTypes";
import { API_SERVER_OUTSIDE, ServiceRule } from "../../topology/normalize/services";
import {
  clusterFaults,
  disagreements,
  serverOf,
  serverOfObject,
  unreadableTopologies,
} from "../../gate/clusterFaults";
import { hasNodePortRange } from "../object/networkFaults";
import { NODE_PORTS } from "../../requirements/ports";
import { compareReleases, formatRelease } from "../../requirements/release";
import { LOCAL_TRAFFIC_POLICY_SINCE } from "../../requirements/publishing";
import { NetworkType, PublishingType, Service } from "../../requirements/vocabulary";
import { read, readText } from "../../resources/read";
import { managementOf } from "../../resources/managementCluster";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { type JudgedCluster, objectOf, placesOf } from "../../gate/clusters";
import { serviceName, serviceProperty } from "../../requirements/publishedServices";
import { firstOf } from "../../text";

/**
 * Adds to the judgements of a rule the faults that objects show by themselves: fields that the API server refuses, and relations between
 * fields. A path that the rule has already reported is not reported twice, except that a warning does not replace an error.
 */
export function withObjectFaults(
  judged: JudgedResources,
  rule: ObjectRule,
  found: readonly Judgement[],
): Judgement[] {
  const more = judged.ofKind(isJudgedObject).flatMap((resource) => ofObject(resource, rule));
  if (more.length === 0) return [...found];
  const among = (which: (one: Judgement) => boolean) => placesByResource(found.filter(which));
  const unknowns = among(({ status }) => status === Status.Unknown);
  const faults = among(({ status }) => status === Status.Violated);
  const errors = among(({ status, level }) => status === Status.Violated && level !== Level.Warning);
  const besides = ({ status, level }: Judgement) =>
    status === Status.Unknown ? unknowns : level === Level.Warning ? faults : errors;
  return [
    ...found,
    ...more.flatMap(({ isOfList, ...one }) =>
      isSaid(one, isOfList, besides(one).get(one.resource)) ? [] : [one],
    ),
  ];
}

/** Whether another judgement of the same object covers this path, a path inside it, or everything around it. */
function isSaid({ path, status }: Judgement, isOfList: boolean, places: Places | undefined): boolean {
  // Faults of services that are not listed are at the list, in addition to faults of the list itself.
  if (!places || path === LIST) return false;
  if (isOfList) return places.has(path);
  return places.haveIn(path) || (status === Status.Unknown && places.holds(path));
}

/** A judgement of an object. `isOfList` is set for a list as a whole, which a judgement of an entry does not cover. */
type OfObject = Judgement & { isOfList: boolean };

const LIST = "spec.services";

function ofObject(resource: Resource, rule: ObjectRule): OfObject[] {
  const { faults, unknown: pending } = judgeObject(resource, rule);
  return [
    ...faults.map(({ isWarning, isOfList = false, ...fault }) => ({
      ...violatedBy(resource, fault, isWarning && { level: Level.Warning }),
      isOfList,
    })),
    ...pending.map((path) => ({ ...unknown({ resource, path }), isOfList: false })),
  ];
}

/** A service of a HostedCluster whose publishing strategy HyperShift refuses. */
export const publishingUnsupported: Rule = {
  id: ServiceRule.Publishing,
  title: "Service is published in a way that the platform or the API refuses",
  level: Level.Error,
  description:
    "Reports publishing strategies of HostedClusters that the platform or the endpoint access does not support: Ignition by LoadBalancer, NodePort on AWS and Azure, a Route for the API server without a host name, or one host name for two services. Also reports what the API refuses immediately: a missing platform, the number and choice of services, the contents of a strategy, host names and addresses, access modes, the networks of the clouds, how the default ingress controller is published, and DNS names of the cluster. A service that is listed twice is a warning, because HyperShift reads the first entry.",
  documents: [
    at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go"),
    at(HYPERSHIFT, "HostedCluster CRD, spec"),
  ],
  remediation:
    "Publish the service by a strategy that the platform supports; spec.services can never change.",
  single: isHostedCluster,
  judge: (judged) =>
    withObjectFaults(judged, ServiceRule.Publishing, [
      ...clusterFaults(judged, ServiceRule.Publishing, ["platform", "services", "endpointAccess"]),
      ...unreadableTopologies(judged),
      ...disagreements(judged),
    ]),
};

const range = `${NODE_PORTS.from} to ${NODE_PORTS.to}`;

/** A node port of a HostedCluster that no service can have. */
export const nodePortRange: Rule = {
  id: ServiceRule.NodePort,
  title: "Node port is outside the node-port range or used twice",
  level: Level.Error,
  description: `Reports node ports in spec.services of HostedClusters that are outside ${range} or used twice. If spec.configuration.network.serviceNodePortRange is set, the API server's node port must lie in that range instead, and the value must be a valid range. The API accepts every number; the port is refused later, when the Service is created.`,
  documents: [
    at(OKD_NETWORKING, "Table 1. Common ingress ports"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.services"),
  ],
  rows: ({ ports }) => ports?.from === NODE_PORTS.from && ports.to === NODE_PORTS.to,
  remediation: `Write a number from ${range}, or 0 for any; spec.services can never change.`,
  single: isHostedCluster,
  judge: (judged) =>
    withObjectFaults(
      judged,
      ServiceRule.NodePort,
      clusterFaults(judged, ServiceRule.NodePort, ["services"]).filter((one) => !isConfigured(judged, one)),
    ),
};

/** If the cluster's configuration has its own range, the API server's port is judged only by that range. */
function isConfigured({ resources }: JudgedResources, { resource, code }: Judgement): boolean {
  if (code !== API_SERVER_OUTSIDE) return false;
  const cluster = resources.find(({ origin }) => origin === resource);
  return cluster !== undefined && hasNodePortRange(cluster.properties);
}

/** A Service with a traffic policy that the release's OVN-Kubernetes does not support. */
export const serviceTrafficPolicy: Rule = {
  id: "service-traffic-policy",
  title: "Traffic policy of a Service is not supported by OVN-Kubernetes",
  level: Level.Warning,
  description:
    "Reports Services, and patches on them, whose externalTrafficPolicy or internalTrafficPolicy is not supported by the release of a hosted cluster with OVN-Kubernetes. Older releases accept Local and treat it as Cluster: traffic goes to endpoints on other nodes, and pods do not see the client's address.",
  documents: [at(OCP_4_7_OVN, "15.1.3. OVN-Kubernetes limitations")],
  remediation: "Write Cluster, or leave the policy out.",
  single: isService,
  judge: (judged) =>
    judged
      .ofKind(isService)
      .flatMap((service) => POLICIES.flatMap((policy) => judgePolicy(service, policy, judged.clusters))),
};

const POLICIES = ["externalTrafficPolicy", "internalTrafficPolicy"] as const;

function judgePolicy(
  service: Resource,
  policy: (typeof POLICIES)[number],
  clusters: readonly JudgedCluster[],
): Judgement[] {
  const path = `spec.${policy}`;
  const value = readText(service.properties, path);
  if (value !== "Local" && value !== UNKNOWN) return [];
  const { release: first, documents } = LOCAL_TRAFFIC_POLICY_SINCE[policy];
  const withOvn = clusters.flatMap(({ key, topology }) =>
    topology?.networkType === NetworkType.OVNKubernetes
      ? [{ key, release: topology.release, isOvn: !isUnknown(topology, "networkType") }]
      : [],
  );
  const old = withOvn.filter(({ release }) => !release || compareReleases(release, first) < 0);
  const without = old.filter(({ release, isOvn }) => release && isOvn);
  const unread = old.filter(({ release }) => !release);
  const undecided = unread.length > 0 ? unread : old.filter(({ isOvn }) => !isOvn);
  if (without.length === 0 && undecided.length === 0) return [];
  if (value === UNKNOWN) return [unknown({ resource: service, path })];
  if (without.length < withOvn.length)
    return [
      unknown({
        resource: service,
        path,
        reason: openQuestion(
          undecided.map(({ key }) => key),
          unread.length > 0 ? "release" : "network type",
        ),
        because: ["release", "networkType"].flatMap((property) =>
          clusters.flatMap((cluster) => placesOf(cluster, property)),
        ),
      }),
    ];
  return [
    violated({
      resource: service.origin,
      path,
      message: `Local has no effect in ${listed(without.map(clusterText))}: OVN-Kubernetes treats it as Cluster before ${formatRelease(first)}`,
      fix: `write Cluster, or upgrade to ${formatRelease(first)} or newer`,
      documents: documents.map(describeReference),
    }),
  ];
}

const clusterText = ({ key, release }: Pick<JudgedCluster, "key"> & Pick<NormalizedTopology, "release">) =>
  `release ${formatRelease(release!)} of ${key}`;

/** The first few texts, in an order that does not depend on the order of the input. */
const listed = (texts: readonly string[]): string => firstOf([...new Set(texts)].sort(), NAMED);

/** A Service does not state in which cluster it is. */
function openQuestion(undecided: readonly string[], what: string): string {
  if (undecided.length > 1) return `the ${what}s of hosted clusters ${listed(undecided)} are not known`;
  return undecided.length === 1
    ? `the ${what} of hosted cluster ${listed(undecided)} is not known`
    : "the input has hosted clusters of old and of new releases and does not state in which one the Service is";
}

/** Two hosted clusters, or a hosted cluster and a Service, that publish at the same place. */
export const publishedTwice: Rule = {
  id: "service-published-twice",
  title: "Two services share a host name or node port",
  level: Level.Error,
  description:
    "Reports host names of services, and node ports pinned at an address, that several hosted clusters of the input share, even across management clusters. A host name leads to one router or load balancer, and a node has each port once.",
  details: [
    "A management cluster gives a node port to one Service, whatever address its nodes have: the same port pinned at two addresses is an error between clusters of one server or provider, and a warning between clusters of one folder, which may hold clusters of several management clusters.",
    "The same applies to node ports of Services, and of their health checks, that a hosted cluster pins; Services of its own control plane are excepted.",
    "Conflicts between two services of one cluster are reported by publishing-unsupported and node-port-range.",
  ],
  documents: [
    at(OKD_NETWORKING, "Table 1. Common ingress ports"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.services"),
    at(KUBERNETES, "Service, Choosing your own port"),
  ],
  remediation: "Give each hosted cluster its own host names and node ports; spec.services can never change.",
  judge: (judged) => {
    const { clusters } = judged;
    const published = clusters.flatMap(publishedBy);
    // DNS does not distinguish lowercase from uppercase letters.
    const places = meeting(published, ({ place }) => place.toLowerCase());
    const said = new Set(places.flat());
    const ports = meeting(published, portOfManagement);
    const others = ports.flatMap((there) => {
      const named = keysOf(there);
      return there.filter((one) => !said.has(one)).map((one) => atAnotherAddress(one, named));
    });
    return [
      ...places.flatMap((there) => {
        const named = keysOf(there);
        return there.map((one) => violated({ ...placed(one), message: meets(one, named) }));
      }),
      ...others,
      ...takenByServices(judged, published),
    ];
  },
};

/** A service with the place at which its cluster publishes it. */
interface Published {
  /** `host name api.example.com`, `node port 30443 of 10.1.1.1` */
  place: string;
  cluster: JudgedCluster;
  service: Service;
  /** The property of the service that states the place. */
  property: "hostname" | "nodePort";
}

function publishedBy(cluster: JudgedCluster): Published[] {
  const { topology, partial } = cluster;
  if (!topology || partial) return [];
  return Object.values(Service).flatMap((service): Published[] => {
    const { type, hostname, address, nodePort } = topology.services[service];
    const isPinned = type === PublishingType.NodePort && address !== undefined && (nodePort ?? 0) > 0;
    return [
      ...(hostname === undefined
        ? []
        : [{ place: `host name ${hostname}`, cluster, service, property: "hostname" as const }]),
      ...(isPinned
        ? [{ place: `node port ${nodePort} of ${address}`, cluster, service, property: "nodePort" as const }]
        : []),
    ];
  });
}

/** A node port with its management cluster; undefined if the input does not state the cluster. */
function portOfManagement({ cluster, service, property }: Published): string | undefined {
  const { topology } = cluster;
  return property === "nodePort" && topology
    ? portWhere(objectOf(cluster), topology.services[service].nodePort)
    : undefined;
}

/** A node port with the cluster of an object; undefined if the input does not state the cluster. */
function portWhere(object: Resource | undefined, port: PropertyValue | undefined): string | undefined {
  const management = serverOfObject(object) ?? (object && managementOf(object)?.is);
  return management === undefined || typeof port !== "number" ? undefined : `${port} ${management}`;
}

/**
 * Reports Services with a node port that a hosted cluster of the same management cluster pins. The control plane's own Service is excepted.
 */
function takenByServices(judged: JudgedResources, published: readonly Published[]): Judgement[] {
  const pinned = grouped(published, (one) => portOfManagement(one) ?? "");
  pinned.delete("");
  if (pinned.size === 0) return [];
  return judged.ofKind(isService).flatMap((service) =>
    PORTS.flatMap((path) => read(service.properties, path)).flatMap(({ path, value }) => {
      const namespace = readText(service.properties, "metadata.namespace");
      const pin = pinned
        .get(portWhere(service, value) ?? "")
        ?.find(({ cluster }) => namespace !== cluster.topology?.controlPlaneNamespace);
      return pin ? [takenByService(service, path, pin)] : [];
    }),
  );
}

const PORTS = ["spec.ports[].nodePort", "spec.healthCheckNodePort"];

function takenByService(service: Resource, path: string, pin: Published): Judgement {
  const whose = `${serviceName[pin.service]} of ${pin.cluster.key}`;
  const message = `${pin.place} is pinned for ${whose}: a management cluster gives a port to only one Service`;
  if (readText(service.properties, "metadata.namespace") === UNKNOWN)
    return unknown({
      resource: service,
      path: "metadata.namespace",
      reason: `${message}, which may be this one`,
    });
  const fix = "give this Service another node port, because spec.services can never change";
  if (serverOfObject(service) !== undefined)
    return violated({ resource: service.origin, path, message, fix });
  return violated({
    resource: service.origin,
    path,
    level: Level.Warning,
    message: `${message}, and the input does not state that this one is in another cluster`,
    fix: `${fix}, or use one folder per cluster`,
  });
}

/** The places with one key that several clusters publish at. A cluster that appears twice, in a plan and live, counts once. */
function meeting(
  published: readonly Published[],
  keyOf: (one: Published) => string | undefined,
): Published[][] {
  const byKey = grouped(published, keyOf);
  byKey.delete(undefined);
  return [...byKey.values()].filter((there) => keysOf(there).length > 1);
}

const keysOf = (there: readonly Published[]): string[] =>
  [...new Set(there.map(({ cluster }) => cluster.key))].sort();

function placed({ cluster, service, property }: Published) {
  const { resource, path } = cluster.locate(`services.${serviceProperty[service]}.${property}`);
  return { resource, path };
}

const meets = ({ place, cluster, service }: Published, named: readonly string[]): string =>
  `${place} is used by ${serviceName[service]} of ${cluster.key} and by a service of ${firstOf(named, NAMED, undefined, cluster.key)}`;

function atAnotherAddress(one: Published, named: readonly string[]): Judgement {
  const message = `${meets(one, named)} at another address: a management cluster gives a port to only one Service`;
  if (serverOf(one.cluster) !== undefined) return violated({ ...placed(one), message });
  return violated({
    ...placed(one),
    level: Level.Warning,
    message: `${message}, and the input does not state that these are two management clusters`,
    fix: "pin another port, or use one folder per management cluster",
  });
}

/** How many clusters a finding names. */
const NAMED = 3;
