import { OKD_NETWORKING, OCP_NETWORKING, HYPERSHIFT_PORTS, HYPERSHIFT, at } from "../documents";
import { PORT } from "../ports";
import { port, requirement } from "../requirement";
import { Direction, Perspective, Platform, Protocol, Zone } from "../vocabulary";

const probe = {
  direction: Direction.Ingress,
  perspective: Perspective.ControlPlane,
  protocol: Protocol.Tcp,
  sources: [Zone.ManagementKubelet],
  publicAllowed: false,
  tls: false,
};
const podPort = {
  portSeenAt: "pod" as const,
  note: "A pod port without TLS: network policies see it; a host's packet filter does not unless the pod uses the host network.",
};
const table2 = at(OKD_NETWORKING, "Table 2. Platform-specific ingress port configurations");
const chapter = at(OCP_NETWORKING, "14.2.1. Ingress requirements");
const plainHttp = at(HYPERSHIFT_PORTS, "TLS Encryption");

/** Health of the Cluster API provider of one platform. */
const capiProvider = (
  id: string,
  platform: Platform,
  number: number = PORT.capiHealth,
  documents = [table2, chapter],
) =>
  requirement({
    ...probe,
    ...podPort,
    id,
    platforms: [platform],
    ports: port(number),
    component: "capi-provider",
    purpose: `Kubelets of the management cluster probe the Cluster API provider for ${platform}`,
    documents: [
      ...documents,
      at(HYPERSHIFT_PORTS, `Platform-Specific Port Configurations, ${platform}`),
      plainHttp,
    ],
  });

/** Cluster API providers and the OpenStack resource controller: probes and metrics, no traffic of nodes. */
export const capi = [
  capiProvider("cp-in-agent-capi-health", Platform.Agent, PORT.agentHealth),
  requirement({
    ...probe,
    id: "cp-in-agent-capi-metrics",
    platforms: [Platform.Agent],
    ports: port(PORT.agentMetrics),
    component: "capi-provider",
    purpose: "Metrics of the Cluster API provider for Agent, bound to 127.0.0.1",
    sources: [Zone.Localhost],
    openInFirewall: false,
    note: "It listens only on localhost: a firewall has nothing to open.",
    documents: [
      table2,
      chapter,
      at(HYPERSHIFT_PORTS, "Platform-Specific Port Configurations, Agent"),
      at(HYPERSHIFT_PORTS, "Source IP Restrictions"),
    ],
  }),
  capiProvider("cp-in-capi-aws", Platform.AWS),
  capiProvider("cp-in-capi-kubevirt", Platform.KubeVirt),
  capiProvider("cp-in-capi-openstack", Platform.OpenStack),
  capiProvider("cp-in-capi-powervs", Platform.PowerVS, PORT.capiHealth, []),
  requirement({
    ...probe,
    ...podPort,
    id: "cp-in-orc",
    platforms: [Platform.OpenStack],
    releases: { from: { major: 4, minor: 19 } },
    ports: port(PORT.orcHealth),
    component: "orc",
    purpose: "Kubelets of the management cluster probe the OpenStack resource controller",
    documents: [
      table2,
      chapter,
      at(HYPERSHIFT_PORTS, "Platform-Specific Port Configurations, OpenStack"),
      plainHttp,
    ],
  }),
  requirement({
    ...probe,
    id: "up-capi-manager",
    ports: port(PORT.capiHealth),
    component: "cluster-api",
    purpose: "Kubelets of the management cluster probe the Cluster API manager",
    upstream: "On every platform that runs Cluster API, not only on the documented ones.",
    documents: [at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster (cluster-api manager)")],
  }),
];
