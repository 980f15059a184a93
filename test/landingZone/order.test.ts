import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { EndpointAccess, LoadBalancerTargets } from "../../src";
import { hosted, hostedCluster, privately, whole, zone } from "./zone";

/** The request to the engine for one resource. */
interface Request {
  type: string;
  name: string;
  protect: boolean;
  retain: boolean;
  /** Type and name of the resource that it is deleted with. */
  deletedWith: string;
  dependsOn: string[];
}

interface EngineRequest {
  getType(): string;
  getName(): string;
  getProtect(): boolean;
  getRetainondelete(): boolean;
  getDeletedwith(): string;
  getDependenciesList(): string[];
}

const lastOf = (urn: string) => urn.split("::").slice(2).join(" ");

async function requests(args: Parameters<typeof zone>[0]): Promise<Request[]> {
  const watch = jest.spyOn(MockMonitor.prototype, "registerResource");
  try {
    const { failures } = await zone(args);
    expect(failures).toEqual([]);
    const all = watch.mock.calls.map(([request]) => request as EngineRequest);
    const children = all.filter((one) => !one.getType().startsWith("hypershift-network:"));
    return children.map((request) => ({
      type: request.getType(),
      name: request.getName(),
      protect: request.getProtect(),
      retain: request.getRetainondelete(),
      deletedWith: lastOf(request.getDeletedwith()),
      dependsOn: request.getDependenciesList().map(lastOf),
    }));
  } finally {
    watch.mockRestore();
  }
}

const FILTERS =
  /ec2\/securityGroup:|securityGroup(Ingress|Egress)Rule:|networkAcl(Rule|Association)?:|NetworkPolicy$|EgressFirewall$|SecurityGroupAssociation$/;
const AHEAD = /^aws:(?!.*SecurityGroupAssociation)/;
const isCluster = ({ type }: Request) => /:HostedCluster$/.test(type);
const place = ({ type, name }: Request) => `${type} ${name}`;
const ends = (dependsOn: readonly string[], request: Request) =>
  dependsOn.some((urn) => urn.endsWith(place(request)));

describe("order and retention of resources in a landing zone with a HostedCluster:", () => {
  const args = {
    ...whole,
    topology: {
      ...whole.topology,
      endpointAccess: EndpointAccess.PublicAndPrivate,
      managementClusterCidrs: ["10.1.0.0/16"],
      dnsServerCidrs: ["10.1.0.2/32"],
      loadBalancerTargets: LoadBalancerTargets.Instance,
      loadBalancerSubnetCidrs: ["10.1.0.0/24"],
    },
    networkAcls: {
      dedicatedSubnets: { hosts: { subnetId: "subnet-0123456789abcdef0" } },
      associatedSubnets: ["hosts"],
    },
    privateEndpoint: { endpointIds: { router: "vpce-0123456789abcdef0" } },
  };

  it("the HostedCluster is created after all groups, rules and ACLs, and before what needs it", async () => {
    const all = await requests(args);
    const cluster = all.find(isCluster)!;
    const ahead = all.filter(({ type }) => AHEAD.test(type));
    expect(ahead.length).toBeGreaterThan(20);
    expect(ahead.filter((filter) => !ends(cluster.dependsOn, filter))).toEqual([]);
    const after = all.filter(({ type }) =>
      /NetworkPolicy$|SecurityGroupAssociation$|EgressFirewall$/.test(type),
    );
    expect(new Set(after.map(({ type }) => type)).size).toBe(3);
    expect(after.filter(({ dependsOn }) => !ends(dependsOn, cluster))).toEqual([]);
  });

  it("all filters are kept with a HostedCluster that is kept", async () => {
    const all = await requests(args);
    const filters = all.filter(({ type }) => FILTERS.test(type));
    expect(filters.filter(({ retain, deletedWith }) => !retain && deletedWith === "").map(place)).toEqual([]);
    // Resources on which nothing depends stop a destroy, and so do groups and ACLs.
    const leaves = filters.filter((one) => !all.some(({ dependsOn }) => ends(dependsOn, one)));
    expect(leaves.filter(({ protect }) => !protect).map(place)).toEqual([]);
    const held = filters.filter(({ protect }) => protect).map(({ type }) => type.split(":").at(-1));
    expect([...new Set(held)].sort()).toEqual(
      ["EgressFirewall", "NetworkAcl", "NetworkPolicy", "SecurityGroup", "SecurityGroupAssociation"].sort(),
    );
    expect(all.filter(isCluster)).toMatchObject([{ protect: true, retain: true }]);
  });

  it("single rules and policies can be deleted, except the policy that denies ingress", async () => {
    const single = (await requests(args)).filter(({ type }) => /Rule:|NetworkPolicy$/.test(type));
    expect(single.filter(({ protect, retain }) => protect || retain).map(({ name }) => name)).toEqual([
      "zone-isolation-deny-ingress",
    ]);
  });

  it("policies are created before the HostedCluster if their namespace is given", async () => {
    const namespace = "clusters-tenant-a";
    const all = await requests({ ...args, isolation: { ...args.isolation, namespace } });
    const policies = all.filter(({ type }) => /NetworkPolicy$/.test(type));
    expect(policies.length).toBeGreaterThan(3);
    expect(policies.filter((policy) => !ends(all.find(isCluster)!.dependsOn, policy))).toEqual([]);
  });

  it("filters of a deletable HostedCluster can be deleted after it", async () => {
    const all = await requests({ ...args, hostedCluster: { ...hostedCluster, deletable: true } });
    const filters = all.filter(({ type }) => FILTERS.test(type));
    expect(filters.filter(({ protect, retain, deletedWith }) => protect || retain || deletedWith)).toEqual(
      [],
    );
    const cluster = all.find(isCluster)!;
    const ahead = all.filter(({ type }) => AHEAD.test(type));
    expect(ahead.filter((filter) => !ends(cluster.dependsOn, filter))).toEqual([]);
  });

  it("filters are neither protected nor retained without a new HostedCluster", async () => {
    const all = await requests({ topology: privately, vpcId: "vpc-1", ...hosted });
    expect(all.filter(isCluster)).toEqual([]);
    const filters = all.filter(({ type }) => FILTERS.test(type));
    expect(filters.length).toBeGreaterThan(10);
    expect(filters.filter(({ protect, retain, deletedWith }) => protect || retain || deletedWith)).toEqual(
      [],
    );
  });
});
