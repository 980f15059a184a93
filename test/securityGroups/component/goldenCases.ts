import {
  EndpointAccess,
  LoadBalancerTargets,
  Platform,
  PublishingType,
} from "../../../src/requirements/vocabulary";
import type { HostedClusterTopology, PublishedServices } from "../../../src/topology/hostedClusterTopology";

/** A topology whose rules or faults are in the golden file of that name. */
export interface GoldenCase {
  name: string;
  topology: HostedClusterTopology;
}

/** The networks of all cases: each kind of peer has its own block, so that a rule shows which peer it allows. */
const networks = {
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  externalClientCidrs: ["203.0.113.0/24"],
  dnsServerCidrs: ["10.1.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
};

/** The publishing strategies that the documents distinguish. */
const strategies: Readonly<Record<string, PublishedServices>> = {
  route: {
    apiServer: { type: PublishingType.LoadBalancer },
    oauthServer: { type: PublishingType.Route },
    konnectivity: { type: PublishingType.Route },
    ignition: { type: PublishingType.Route },
  },
  nodeport: {
    apiServer: { type: PublishingType.NodePort },
    oauthServer: { type: PublishingType.NodePort },
    konnectivity: { type: PublishingType.NodePort },
    ignition: { type: PublishingType.NodePort },
  },
  loadbalancer: {
    apiServer: { type: PublishingType.LoadBalancer },
    oauthServer: { type: PublishingType.Route },
    konnectivity: { type: PublishingType.LoadBalancer },
    ignition: { type: PublishingType.Route },
  },
};

const topologyOf = (platform: Platform, more: Partial<HostedClusterTopology>): HostedClusterTopology => ({
  name: "tenant-a",
  platform,
  release: "4.20",
  ...networks,
  ...more,
});

/** The default of Google Cloud excludes node ports. */
const reachedByAll = { endpointAccess: EndpointAccess.PublicAndPrivate };

const everyPlatformAndStrategy = Object.values(Platform).flatMap((platform) =>
  Object.entries(strategies).map(([strategy, services]) => ({
    name: `${platform.toLowerCase()}-${strategy}`,
    topology: topologyOf(platform, { services, ...(platform === Platform.GCP && reachedByAll) }),
  })),
);

const everyAccess = Object.values(Platform).flatMap((platform) =>
  Object.values(EndpointAccess).map((endpointAccess) => ({
    name: `${platform.toLowerCase()}-route-${endpointAccess.toLowerCase()}`,
    topology: topologyOf(platform, { services: strategies.route, endpointAccess }),
  })),
);

const nodePorts: PublishedServices = {
  apiServer: { type: PublishingType.NodePort, nodePort: 30643 },
  oauthServer: { type: PublishingType.NodePort, nodePort: 30644 },
  konnectivity: { type: PublishingType.NodePort, nodePort: 31091 },
  ignition: { type: PublishingType.NodePort, nodePort: 31443 },
};

const variants: GoldenCase[] = [
  {
    name: "aws-route-hostnames",
    topology: topologyOf(Platform.AWS, {
      services: {
        ...strategies.route,
        apiServer: { type: PublishingType.Route, hostname: "api.example.com" },
      },
    }),
  },
  {
    name: "aws-route-instance-targets",
    topology: topologyOf(Platform.AWS, {
      services: strategies.route,
      endpointAccess: EndpointAccess.PublicAndPrivate,
      loadBalancerTargets: LoadBalancerTargets.Instance,
      loadBalancerSubnetCidrs: ["10.1.1.0/24"],
      workerNatCidrs: ["192.0.2.7/32"],
      controlPlaneEndpointCidrs: ["192.0.2.128/28"],
    }),
  },
  {
    name: "aws-route-ip-targets",
    topology: topologyOf(Platform.AWS, {
      services: strategies.route,
      endpointAccess: EndpointAccess.PublicAndPrivate,
      loadBalancerTargets: LoadBalancerTargets.Ip,
      loadBalancerSubnetCidrs: ["10.1.1.0/24"],
      workerNatCidrs: ["192.0.2.7/32"],
    }),
  },
  {
    name: "aws-route-dual-stack",
    topology: topologyOf(Platform.AWS, {
      services: strategies.route,
      machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd00:10::/48" }],
      clusterNetwork: [
        { cidr: "10.132.0.0/14", hostPrefix: 23 },
        { cidr: "fd01::/48", hostPrefix: 64 },
      ],
      serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
      externalClientCidrs: ["203.0.113.0/24", "2001:db8:1::/48"],
      managementClusterCidrs: ["10.1.0.0/16", "fd00:20::/48"],
      dnsServerCidrs: ["10.1.0.2/32", "fd00:20::2/128"],
      registryCidrs: ["198.51.100.0/24", "2001:db8:2::/48"],
    }),
  },
  { name: "aws-route-nothing-but-a-name", topology: { name: "tenant-a", platform: Platform.AWS } },
  {
    name: "agent-nodeport-pinned",
    topology: topologyOf(Platform.Agent, { services: nodePorts }),
  },
  {
    name: "agent-nodeport-pinned-after-bootstrap",
    topology: topologyOf(Platform.Agent, { services: nodePorts, bootstrap: false }),
  },
  {
    name: "refused-aws-route-after-bootstrap",
    topology: topologyOf(Platform.AWS, { services: strategies.route, bootstrap: false }),
  },
  {
    name: "refused-none-ignition-loadbalancer",
    topology: topologyOf(Platform.None, {
      services: { ...strategies.loadbalancer, ignition: { type: PublishingType.LoadBalancer } },
    }),
  },
  {
    name: "refused-none-oauth-loadbalancer",
    topology: topologyOf(Platform.None, {
      services: { ...strategies.loadbalancer, oauthServer: { type: PublishingType.LoadBalancer } },
    }),
  },
  {
    name: "refused-aws-api-route-without-hostname",
    topology: topologyOf(Platform.AWS, {
      services: { ...strategies.route, apiServer: { type: PublishingType.Route } },
    }),
  },
  {
    name: "refused-agent-workers-everywhere",
    topology: topologyOf(Platform.Agent, { services: strategies.nodeport, workerCidrs: ["0.0.0.0/0"] }),
  },
];

/** Every supported platform with every strategy and access, and everything that is refused. */
export const goldenCases: readonly GoldenCase[] = [...everyPlatformAndStrategy, ...everyAccess, ...variants];
