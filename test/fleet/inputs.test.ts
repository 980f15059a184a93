import { deployedClusters, deployments, withFleetNames, takenByInputs } from "../../src/fleet/deployed";
import { type LedgerEntry, topologyRanges } from "../../src/fleet/ledger";
import { keyOfCluster } from "../../src/fleet/document";
import { readFleet } from "../../src/fleet/fleet";
import { type FleetPlan, planFleet } from "../../src/fleet/planFleet";
import { JudgedResources } from "../../src/gate/judgedResources";
import { Lines } from "../../src/plan/inputs";
import { readManifests } from "../../src/plan/manifests";
import type { Resource } from "../../src/resources/resource";
import { fleetMarkdown } from "../../src/report/fleetPlan";

const fleetOf = (pools: object, more: object = {}) => {
  const spec = { pools, clusters: [{ name: "new", platform: "AWS", nodes: 40 }], ...more };
  const { fleet, faults } = readFleet({ apiVersion: "hypershift-network/v1", kind: "Fleet", spec });
  expect(faults).toEqual([]);
  return fleet!;
};
const objects = (...documents: string[]): Resource[] => {
  const { resources, faults } = readManifests(documents.join("\n---\n"), "inputs.yaml", new Lines());
  expect(faults).toEqual([]);
  return resources;
};
const hostedCluster = (name: string, networking: string): string => `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: ${name}, namespace: clusters }
spec: { platform: { type: AWS, aws: { region: us-east-1 } }, networking: { ${networking} } }`;
const vpc = (name: string, cidrBlock: string): Resource => ({
  origin: { urn: `urn:pulumi:s::p::aws:ec2/vpc:Vpc::${name}` },
  type: "aws:ec2/vpc:Vpc",
  name,
  properties: { cidrBlock, id: `vpc-${name}` },
});
const subnet = (name: string, vpcId: string, cidrBlock: string): Resource => ({
  origin: { urn: `urn:pulumi:s::p::aws:ec2/subnet:Subnet::${name}` },
  type: "aws:ec2/subnet:Subnet",
  name,
  properties: { cidrBlock, vpcId },
});

function plan(
  resources: Resource[],
  fleet = fleetOf({ machineNetwork: ["10.0.0.0/16"] }),
  configured: object[] = [],
): FleetPlan {
  const clusters = configured.map((topology, at) => ({
    path: `hostedClusters[${at}]`,
    topology,
    securityGroups: {},
  }));
  const judged = new JudgedResources(resources, { clusters, levels: {} });
  const existing = deployedClusters(judged.clusters).map(({ entry }) => entry);
  const around = takenByInputs(judged, fleet.pools, (key) => key === "clusters/new");
  return planFleet({ fleet, ledger: [], existing, around });
}
const machinesOf = ({ entries }: FleetPlan): string | undefined =>
  topologyRanges(entries.find(({ entry }) => keyOfCluster(entry) === "clusters/new")!.entry)
    .machineNetwork?.[0]?.cidr;

describe("the block planned for a new cluster", () => {
  test("is the first of the pool if the inputs take nothing", () => {
    expect(machinesOf(plan([]))).toBe("10.0.0.0/26");
  });

  test("avoids a VPC and the networks of the management cluster", () => {
    expect(machinesOf(plan([vpc("a", "10.0.0.0/17")]))).toBe("10.0.128.0/26");
    const network = `
apiVersion: config.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec: { clusterNetwork: [{ cidr: 10.0.0.0/18, hostPrefix: 23 }], serviceNetwork: [10.0.64.0/18] }`;
    expect(machinesOf(plan(objects(network)))).toBe("10.0.128.0/26");
  });

  test("avoids the subnets of a VPC that contains the pool", () => {
    const resources = [vpc("a", "10.0.0.0/8"), subnet("used", "vpc-a", "10.0.0.0/24")];
    expect(machinesOf(plan(resources))).toBe("10.0.1.0/26");
  });

  test("avoids peers that topologies name, and clusters that only a configuration describes", () => {
    const configured = {
      name: "old",
      platform: "AWS",
      machineNetwork: [{ cidr: "10.0.0.0/24" }],
      dnsServerCidrs: ["10.0.1.2/32"],
      registryCidrs: ["0.0.0.0/0"],
    };
    expect(machinesOf(plan([], undefined, [configured]))).toBe("10.0.1.64/26");
  });

  test("avoids deployed clusters, whose common ranges conflict unless the fleet reuses them", () => {
    const ranges = "clusterNetwork: [{ cidr: 10.132.0.0/14 }], serviceNetwork: [{ cidr: 172.31.0.0/16 }]";
    const resources = objects(
      hostedCluster("one", `machineNetwork: [{ cidr: 10.0.0.0/24 }], ${ranges}`),
      hostedCluster("two", `machineNetwork: [{ cidr: 10.0.1.0/24 }], ${ranges}`),
    );
    const apart = plan(resources);
    expect(machinesOf(apart)).toBe("10.0.2.0/26");
    expect(apart.conflicts.map(({ range, other }) => `${range.name}, ${other.name}`)).toEqual([
      "the cluster network of clusters/two, the cluster network of clusters/one",
      "the service network of clusters/two, the service network of clusters/one",
    ]);
    const reused = fleetOf(
      { machineNetwork: ["10.0.0.0/16"] },
      { reuse: ["clusterNetwork", "serviceNetwork"] },
    );
    expect(plan(resources, reused).conflicts).toEqual([]);
  });

  test("avoids both the ranges of a deployed cluster and the different ones of its file", () => {
    const fleet = fleetOf({ machineNetwork: ["10.0.0.0/16"] });
    const [real, written] = ["10.0.0.0/24", "10.0.1.0/24"].map((cidr) => {
      const resources = objects(hostedCluster("old", `machineNetwork: [{ cidr: ${cidr} }]`));
      return deployedClusters(new JudgedResources(resources).clusters)[0]!.entry;
    });
    const { entries } = planFleet({ fleet, ledger: [written!], existing: [real!] });
    expect(machinesOf({ entries } as FleetPlan)).toBe("10.0.2.0/26");
  });

  test("ignores a HostedClusterPatch, which is not a deployed cluster", () => {
    const [resource] = objects(hostedCluster("old", "machineNetwork: [{ cidr: 10.0.0.0/24 }]"));
    const partial = { ...resource!, type: "kubernetes:hypershift.openshift.io/v1beta1:HostedClusterPatch" };
    expect(deployedClusters(new JudgedResources([partial]).clusters)).toEqual([]);
  });
});

test("the plan as Markdown has a table and reports what has no room", () => {
  const text = fleetMarkdown({
    plan: plan(
      [],
      fleetOf({ machineNetwork: ["10.0.0.0/16"] }, { taken: [{ name: "all", cidr: "10.0.0.0/8" }] }),
    ),
    written: { folder: "ledger", files: 0 },
  });
  expect(text).toContain("1 cluster: 0 kept, 0 adopted, 0 planned, 1 without room");
  expect(text).toContain("| cluster | state | machine network |");
  expect(text).toContain("no room in 10.0.0.0/16");
});

describe("clusters of one name in several management clusters", () => {
  const inFolder = (folder: string, machines: string): Resource => {
    const [cluster] = objects(hostedCluster("tenant-a", `machineNetwork: [{ cidr: ${machines} }]`));
    return { ...cluster!, origin: { file: `fleet/${folder}/tenant-a.yaml`, line: 1 } };
  };
  const deployed = deployedClusters(
    new JudgedResources([inFolder("prod", "10.0.0.0/24"), inFolder("stage", "10.0.1.0/24")]).clusters,
  );
  const name = (managementCluster?: string) => ({
    ...(managementCluster !== undefined && { managementCluster }),
    namespace: "clusters",
    name: "tenant-a",
  });
  const keys = (...named: ReturnType<typeof name>[]) => withFleetNames(deployed, named).map(keyOfCluster);

  test("are adopted under the fleet's names of management clusters, or else under names of their folders", () => {
    expect(keys(name("stage"), name("prod"))).toEqual(["prod/clusters/tenant-a", "stage/clusters/tenant-a"]);
    expect(keys()).toEqual(["prod/clusters/tenant-a", "stage/clusters/tenant-a"]);
    // The only name left belongs to the only cluster left.
    expect(keys(name("stage"), name("test"))).toEqual(["test/clusters/tenant-a", "stage/clusters/tenant-a"]);
    expect(keys(name("stage"), name("test"), name("east"))).toEqual([
      "prod/clusters/tenant-a",
      "stage/clusters/tenant-a",
    ]);
  });

  test("match the ledger entries of their management clusters, whatever the ranges", () => {
    const entry = (managementCluster: string, machines: string): LedgerEntry => ({
      ...deployed[0]!.entry,
      managementCluster,
      ranges: deployedClusters(new JudgedResources([inFolder("x", machines)]).clusters)[0]!.entry.ranges,
    });
    const [prod, stage] = [entry("prod", "10.0.1.0/24"), entry("stage", "10.0.0.0/24")];
    for (const ledger of [
      [prod, stage],
      [stage, prod],
    ]) {
      const there = deployments(ledger, deployed);
      expect(there.get(prod)?.cluster.key).toBe("clusters/tenant-a (prod)");
      expect(there.get(stage)?.cluster.key).toBe("clusters/tenant-a (stage)");
    }
    // A cluster of another management cluster does not match the entry.
    expect([...deployments([stage], deployed).values()].map(({ cluster }) => cluster.key)).toEqual([
      "clusters/tenant-a (stage)",
    ]);
  });
});
