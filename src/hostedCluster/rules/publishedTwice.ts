import { append } from "../../collections";
import type { JudgedCluster } from "../../gate/clusters";
import { type Judgement, Level, type Rule, violated } from "../../gate/rule";
import { at, D0, HYPERSHIFT } from "../../requirements/documents";
import { serviceName, serviceProperty } from "../../requirements/publishedServices";
import { PublishingType, Service } from "../../requirements/vocabulary";
import { firstOf } from "../../text";

/** Two hosted clusters say that one of their services is found at the same place. */
export const publishedTwice: Rule = {
  id: "service-published-twice",
  title: "Two hosted clusters publish services at one place",
  level: Level.Error,
  description:
    "Host names of services, and node ports that are pinned at an address, among all hosted clusters of the input, those of other management clusters too: a name leads to one router or load balancer, and a node has a port once. What one cluster says of two of its own services is found by publishing-unsupported and node-port-range.",
  documents: [at(D0, "Table 1. Common ingress ports"), at(HYPERSHIFT, "HostedCluster CRD, spec.services")],
  remediation:
    "Give each hosted cluster host names and node ports of its own; spec.services can never change.",
  judge: ({ clusters }) => {
    const places = new Map<string, Published[]>();
    for (const published of clusters.flatMap(publishedBy)) append(places, published.place, [published]);
    return [...places.values()].flatMap(judgePlace);
  },
};

/** A service with the place that its cluster says for it. */
interface Published {
  /** `host name api.example.com`, `node port 30443 of 10.1.1.1` */
  place: string;
  cluster: JudgedCluster;
  service: Service;
  /** The property of the service that says it. */
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

/** A cluster that is described twice, in a plan and as it runs, is one. */
function judgePlace(there: readonly Published[]): Judgement[] {
  const keys = new Set(there.map(({ cluster }) => cluster.key));
  if (keys.size < 2) return [];
  const named = [...keys].sort();
  return there.map(({ place, cluster, service, property }) => {
    const { resource, path } = cluster.locate(`services.${serviceProperty[service]}.${property}`);
    const others = named.filter((key) => key !== cluster.key);
    return violated({
      resource,
      path,
      message: `${place} is that of ${serviceName[service]} of ${cluster.key}, and of a service of ${firstOf(others, NAMED)}`,
    });
  });
}

/** Other clusters that a finding names. */
const NAMED = 3;
