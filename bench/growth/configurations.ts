import type { Json, JsonObject } from "../../local/fuzz/json";
import { TYPE } from "../../src/resources/resourceTypes";
import { block24, cluster, type Command, type Dimension, host, object, resource, upTo } from "./dimension";
import { networking, TENANT } from "./parts";

const COMMANDS: readonly Command[] = ["check", "prove", "report", "plan", "change", "flows", "pack"];

const topology = (more: JsonObject) => ({
  configuration: { hostedClusters: [{ ...TENANT, ...more }] },
});
/** A list property of a hosted cluster. */
const listed = (
  title: string,
  property: string,
  from: number,
  make: (place: number) => Json,
  more: Partial<Dimension> = {},
): Dimension => ({
  title,
  from,
  commands: COMMANDS,
  make: (count) => ({ ...topology({ [property]: upTo(count, make) }), resources: [cluster()] }),
  ...more,
});
/** A cluster has at most two of these, one of each family: more are rejected, and each is reported first. */
const REFUSED: Partial<Dimension> = { refused: true };
const service = (place: number) =>
  object(
    "v1",
    "Service",
    { name: `web-${place}`, namespace: "shop" },
    { spec: { type: "LoadBalancer", externalTrafficPolicy: "Local" } },
  );
const OLD = cluster(0, { release: { image: "quay.io/openshift-release-dev/ocp-release:4.7.1-x86_64" } });

/** The content of hypershift-network.yaml and HostedClusters. */
export const CONFIGURATIONS: Readonly<Record<string, Dimension>> = {
  "infrastructure-that-overlaps": listed(
    "infrastructureCidrs that overlap",
    "infrastructureCidrs",
    125,
    (place) => ({ name: `net-${place}`, cidr: `10.200.${place % 256}.0/24` }),
  ),
  infrastructure: listed("infrastructureCidrs", "infrastructureCidrs", 500, (place) => ({
    name: `net-${place}`,
    cidr: block24(place),
  })),
  "machine-networks": listed(
    "machineNetwork entries",
    "machineNetwork",
    500,
    (place) => ({ cidr: block24(place) }),
    REFUSED,
  ),
  "machine-networks-that-overlap": listed(
    "machineNetwork entries that overlap",
    "machineNetwork",
    125,
    (place) => ({ cidr: `10.200.${place % 128}.${place % 2 === 0 ? 0 : 128}/${place % 3 === 0 ? 25 : 26}` }),
    REFUSED,
  ),
  "cluster-networks": listed(
    "clusterNetwork entries",
    "clusterNetwork",
    250,
    (place) => ({ cidr: block24(place), hostPrefix: 26 }),
    REFUSED,
  ),
  "service-networks": listed(
    "serviceNetwork entries",
    "serviceNetwork",
    250,
    (place) => ({ cidr: block24(place) }),
    REFUSED,
  ),
  "worker-blocks": listed("workerCidrs", "workerCidrs", 250, block24),
  "nat-blocks": listed("workerNatCidrs", "workerNatCidrs", 250, (place) => host(2 * place)),
  "client-blocks": listed("externalClientCidrs", "externalClientCidrs", 250, block24),
  "management-blocks": listed("managementClusterCidrs", "managementClusterCidrs", 250, block24),
  "registry-blocks": listed("registryCidrs", "registryCidrs", 250, block24),
  "dns-servers": listed("dnsServerCidrs", "dnsServerCidrs", 250, (place) => host(2 * place)),
  "endpoint-blocks": listed("controlPlaneEndpointCidrs", "controlPlaneEndpointCidrs", 250, block24),
  "balancer-blocks": listed("loadBalancerSubnetCidrs", "loadBalancerSubnetCidrs", 250, block24),
  "no-proxy": {
    title: "noProxy entries",
    from: 500,
    upTo: 512_000,
    commands: COMMANDS,
    make: (count) => ({
      ...topology({
        proxy: {
          httpProxy: "http://proxy.example.com:3128",
          noProxy: upTo(count, (place) =>
            place % 2 === 0 ? block24(place) : `.h-${place}.example.com`,
          ).join(","),
        },
      }),
      resources: [cluster()],
    }),
  },
  "configured-groups": {
    title: "security groups that the configuration names",
    from: 500,
    make: (count) => ({
      ...topology({ securityGroups: { controlPlane: upTo(count, (place) => `sg-${place}`) } }),
      resources: [
        cluster(),
        ...upTo(count, (place) => resource(TYPE.securityGroup, `sg-${place}`, { ingress: [] })),
      ],
    }),
  },
  "allowed-blocks": {
    title: "allowedCIDRBlocks of a HostedCluster",
    from: 250,
    make: (count) => ({
      resources: [
        cluster(
          0,
          networking([{ cidr: "10.200.0.0/16" }], {
            apiServer: { allowedCIDRBlocks: upTo(count, block24) },
          }),
        ),
      ],
    }),
  },
  exemptions: {
    title: "exemptions x findings",
    from: 1_000,
    commands: ["check", "check-json", "check-sarif", "prove", "report", "pack", "policy-config"],
    make: (count) => ({
      configuration: {
        exemptions: upTo(count, (place) => ({
          rule: "service-traffic-policy",
          resource: `Service/shop/web-${place}`,
          reason: "accepted",
        })),
      },
      resources: [OLD, ...upTo(count, service)],
    }),
  },
  "exemptions-with-stars": {
    title: "exemptions with stars x findings",
    from: 125,
    make: (count) => ({
      configuration: {
        exemptions: upTo(count, (place) => ({
          rule: "service-traffic-policy",
          resource: `Service/shop/*-${place}`,
          reason: "accepted",
        })),
      },
      resources: [OLD, ...upTo(count, service)],
    }),
  },
  "unknown-rules": {
    title: "exemptions of rules that do not exist",
    refused: true,
    from: 1_000,
    commands: ["check", "prove", "policy-config", "pack"],
    make: (count) => ({
      configuration: {
        exemptions: upTo(count, (place) => ({
          rule: `no-such-rule-${place}`,
          resource: "x",
          reason: "none",
        })),
      },
      resources: [cluster()],
    }),
  },
  "unknown-levels": {
    title: "levels of rules that do not exist",
    refused: true,
    from: 1_000,
    commands: ["check", "policy-config"],
    make: (count) => ({
      configuration: {
        rules: Object.fromEntries(upTo(count, (place) => [`no-such-rule-${place}`, "mandatory"])),
      },
      resources: [cluster()],
    }),
  },
};
