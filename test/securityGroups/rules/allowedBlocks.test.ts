import { JudgedResources } from "../../../src/gate/judgedResources";
import { keptOutByLists } from "../../../src/securityGroups/rules/missingFlow";
import { Level, Status } from "../../../src/gate/rule";
import { type PropertyValue, type Resource, UNKNOWN } from "../../../src/resources/resource";
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

describe("callers that allowedCIDRBlocks leaves out", () => {
  /** The fields that all findings on the list have. */
  const AT = {
    status: Status.Violated,
    resource: cluster([]).origin,
    path: "spec.networking.apiServer.allowedCIDRBlocks",
    cluster: "clusters/tenant-a",
    hop: "load-balancer/allow-list",
    documents: [
      "HyperShift, control-plane-operator/controllers/hostedcontrolplane/kas/service.go",
      "Kubernetes, Service, spec.loadBalancerSourceRanges",
      "AWS cloud controller, pkg/providers/v1/aws_loadbalancer.go",
    ],
  };
  const LIST = "networking.apiServer.allowedCIDRBlocks";
  const FLOWS = [
    ["workers-kube-apiserver", "Workers reach APIServer by LoadBalancer"],
    [
      "workers-node-api-proxy",
      "Kubelets and pods on workers reach the API server by the proxy on their node",
    ],
  ];

  test("workers' NAT addresses are an error if load balancers certainly block them", () => {
    expect(found(["203.0.113.0/24"], "ip")).toEqual(
      FLOWS.map(([flow, title]) => ({
        ...AT,
        code: "allowed-blocks-leave-out",
        flow: [flow],
        message: `${title}: the load balancer blocks 198.51.100.7, which ${LIST} does not list`,
        witness: "198.51.100.7 -> load balancer, TCP 6443",
        fix: `add the block of 198.51.100.7 to ${LIST}`,
      })),
    );
  });

  test("workers' NAT addresses are a warning if the security groups of the nodes decide", () => {
    expect(found(["203.0.113.0/24"], "instance")).toEqual(
      FLOWS.map(([, title]) => ({
        ...AT,
        code: "allowed-blocks-may-leave-out",
        level: Level.Warning,
        message: `${title}: ${LIST} does not list 198.51.100.7/32, and load balancers may block them`,
        fix: `add 198.51.100.7/32 to ${LIST}`,
      })),
    );
  });

  test("the list of a patch is not judged without the patched cluster", () => {
    const { type, ...object } = cluster(["203.0.113.0/24"]);
    const judged = new JudgedResources([{ ...object, type: `${type}Patch` }], NO_CONFIGURATION);
    expect(judged.clusters.flatMap((one) => keptOutByLists(judged, one))).toEqual([]);
  });

  test.each(["ip", "instance"])("listed addresses are no finding with targets of type %s", (targets) => {
    expect(found(["203.0.113.0/24", "198.51.100.0/24"], targets)).toEqual([]);
  });
});

describe("calls of the control plane to its API server from the management cluster", () => {
  const LIST = "spec.networking.apiServer.allowedCIDRBlocks";
  const management = "198.51.100.8/32";
  const workers = "198.51.100.7/32";
  const hosted = (
    platform: PropertyValue,
    allowedCIDRBlocks: PropertyValue,
    apiServer = "LoadBalancer",
  ): Resource => {
    const one = cluster([]);
    const { spec } = one.properties as { spec: Record<string, PropertyValue> };
    const services = (spec.services as { service: string }[]).map(({ service }) => {
      const type = service === "APIServer" ? apiServer : "Route";
      return { service, servicePublishingStrategy: { type } };
    });
    const networking: PropertyValue = {
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
      ...(allowedCIDRBlocks !== null && { apiServer: { allowedCIDRBlocks } }),
    };
    return { ...one, properties: { ...one.properties, spec: { platform, networking, services } } };
  };
  const judge = (one: Resource, more: Record<string, PropertyValue> = {}) => {
    const topology = {
      name: "tenant-a",
      namespace: "clusters",
      workerNatCidrs: [workers],
      managementClusterNatCidrs: [management],
      ...more,
    };
    const component: Resource = {
      origin: { urn: "urn:pulumi:test::network::groups" },
      type: "hypershift-network:index:HostedControlPlaneSecurityGroups",
      name: "groups",
      properties: { topology },
    };
    const judged = new JudgedResources([one, component], NO_CONFIGURATION);
    return judged.clusters.flatMap((each) => keptOutByLists(judged, each));
  };
  const aws = (endpointAccess: string) => ({ type: "AWS", aws: { endpointAccess } });
  const azure = (topology: string) => ({ type: "Azure", azure: { topology } });

  test.each(["Public", "PublicAndPrivate"])(
    "are an error if the list omits them on Azure with %s access",
    (access) => {
      expect(judge(hosted(azure(access), [workers]))).toEqual([
        expect.objectContaining({
          status: Status.Violated,
          code: "allowed-blocks-leave-out",
          path: LIST,
          message:
            "The control plane calls its API server from the management cluster: the load balancer blocks 198.51.100.8/32, which networking.apiServer.allowedCIDRBlocks does not list. HyperShift checks the health of the API server by its public name",
          witness: "198.51.100.8 -> load balancer, TCP 7443",
          fix: "add 198.51.100.8/32 to networking.apiServer.allowedCIDRBlocks",
        }),
      ]);
    },
  );

  test("are a warning if load balancers may block them", () => {
    const [found, ...others] = judge(hosted(aws("Public"), [workers]), { loadBalancerTargets: "instance" });
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: "allowed-blocks-may-leave-out", level: Level.Warning });
    expect(found?.message).toMatch("does not list 198.51.100.8/32, and load balancers may block them");
    expect(found?.witness).toBeUndefined();
  });

  test.each<[string, Resource, Record<string, PropertyValue>]>([
    ["the list contains the addresses", hosted(azure("Public"), ["198.51.100.0/24"]), {}],
    ["there is no list", hosted(azure("Public"), null), {}],
    ["their addresses are not stated", hosted(azure("Public"), [workers]), { managementClusterNatCidrs: [] }],
    ["there is no public load balancer", hosted(azure("Private"), [workers]), {}],
    ["they use the management cluster's router", hosted({ type: "KubeVirt" }, [workers], "Route"), {}],
  ])("are no finding if %s", (_, one, more) => {
    expect(judge(one, more)).toEqual([]);
  });

  test("are unknown with unknown addresses or unknown blocks", () => {
    const property = "topology.managementClusterNatCidrs";
    const open = judge(hosted(azure("Public"), [workers]), { managementClusterNatCidrs: UNKNOWN });
    expect(open).toMatchObject([{ status: Status.Unknown, path: property }]);
    expect(judge(hosted(azure("Public"), [workers, UNKNOWN]))).toMatchObject([
      { status: Status.Unknown, path: LIST },
    ]);
    expect(judge(hosted(azure("Private"), [workers, UNKNOWN]))).toEqual([]);
  });

  test("cause a warning about a list that has no effect on a node port", () => {
    expect(judge(hosted({ type: "None" }, [management], "NodePort"))).toMatchObject([
      {
        status: Status.Violated,
        level: Level.Warning,
        code: "allowed-blocks-without-effect",
        path: LIST,
        message: expect.stringContaining("has no effect on a node port") as string,
      },
    ]);
    expect(judge(hosted({ type: "None" }, null, "NodePort"))).toEqual([]);
  });
});
