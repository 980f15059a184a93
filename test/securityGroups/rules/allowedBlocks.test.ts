import { JudgedResources } from "../../../src/gate/judgedResources";
import { keptOutByLists } from "../../../src/securityGroups/rules/missingFlow";
import { Level } from "../../../src/gate/rule";
import type { Resource } from "../../../src/resources/resource";
import { NO_CONFIGURATION } from "../../../src/gate/configuration";

const cluster = (allowedCIDRBlocks: readonly string[]): Resource => ({
  origin: { urn: "urn:pulumi:test::network::tenant-a" },
  type: "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster",
  name: "tenant-a",
  properties: {
    metadata: { name: "tenant-a", namespace: "clusters" },
    spec: {
      platform: { type: "AWS", aws: { endpointAccess: "Public" } },
      networking: { machineNetwork: [{ cidr: "10.0.0.0/16" }], apiServer: { allowedCIDRBlocks } },
      services: ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((service) => ({
        service,
        servicePublishingStrategy: { type: service === "APIServer" ? "LoadBalancer" : "Route" },
      })),
    },
  },
});
const found = (blocks: readonly string[], loadBalancerTargets: string) => {
  const topology = { name: "tenant-a", workerNatCidrs: ["198.51.100.7/32"], loadBalancerTargets };
  const configuration = {
    ...NO_CONFIGURATION,
    clusters: [{ path: "hostedClusters[0]", topology, securityGroups: {} }],
  };
  const judged = new JudgedResources([cluster(blocks)], configuration);
  return judged.clusters.flatMap((one) => keptOutByLists(judged, one));
};

describe("whom allowedCIDRBlocks leave out", () => {
  test("workers' NAT addresses are an error where load balancers surely keep them out", () => {
    const [first] = found(["203.0.113.0/24"], "ip");
    expect(first).toMatchObject({
      path: "spec.networking.apiServer.allowedCIDRBlocks",
      message: expect.stringContaining("keeps out 198.51.100.7") as string,
      witness: "198.51.100.7 -> load balancer, TCP 6443",
    });
    expect(first?.level).toBeUndefined();
  });

  test("they are a warning where that hangs on groups of the nodes", () => {
    const all = found(["203.0.113.0/24"], "instance");
    expect(all[0]).toMatchObject({
      level: Level.Warning,
      message: expect.stringContaining("leaves out 198.51.100.7/32") as string,
    });
    expect(new Set(all.map(({ message }) => message)).size).toBe(all.length);
  });

  test.each(["ip", "instance"])("who is listed is no finding: %s", (targets) => {
    expect(found(["203.0.113.0/24", "198.51.100.0/24"], targets)).toEqual([]);
  });
});
