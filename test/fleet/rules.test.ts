import { JudgedResources } from "../../src/gate/judgedResources";
import { findings } from "../../src/gate/rule";
import { addressPlanConflict } from "../../src/fleet/judge";
import { Lines } from "../../src/plan/inputs";
import { readManifests } from "../../src/plan/manifests";
import { type PropertyValue, UNKNOWN } from "../../src/resources/resource";

const file = (name: string, spec: string, more = ""): string => `
apiVersion: hypershift-network/v1
kind: AddressPlan
metadata: { name: ${name}, namespace: clusters }
spec: { platform: AWS, release: "4.20", ${spec}${more} }
`;
const hostedCluster = (name: string, machines: string, namespace = "clusters"): string => `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  platform: { type: AWS, aws: { region: us-east-1 } }
  networking: { machineNetwork: [{ cidr: ${machines} }] }
`;
const machines = (cidr: string) => `machineNetwork: [{ cidr: ${cidr} }]`;
const join = "internalJoinSubnet: 100.70.0.0/24";

function found(...documents: string[]): string[] {
  const { resources, faults } = readManifests(documents.join("---"), "ledger.yaml", new Lines());
  expect(faults).toEqual([]);
  return findings(addressPlanConflict, new JudgedResources(resources)).map(
    ({ cluster, path, message }) => `${cluster ?? ""} ${path}: ${message}`,
  );
}

describe("address-plan-conflict", () => {
  const [a, b] = [file("tenant-a", machines("10.0.0.0/24")), file("tenant-b", machines("10.0.0.128/25"))];

  test("violated: two clusters that are not deployed overlap, and the later one by name is reported", () => {
    const expected = [
      "clusters/tenant-b spec.machineNetwork[0].cidr: the machine network of clusters/tenant-b 10.0.0.128/25 shares addresses with the machine network of clusters/tenant-a 10.0.0.0/24",
    ];
    expect(found(a, b)).toEqual(expected);
    expect(found(b, a)).toEqual(expected);
  });

  test("violated: the cluster that is not deployed yet is reported", () => {
    const [finding, ...others] = found(a, b, hostedCluster("tenant-b", "10.0.0.128/25"));
    expect(others).toEqual([]);
    expect(finding).toContain("clusters/tenant-a spec.machineNetwork[0].cidr");
    expect(finding).toContain("the machine network of clusters/tenant-b 10.0.0.128/25, which is deployed");
  });

  test("violated: overlaps across kinds, within one cluster, and of a range that only one cluster reuses", () => {
    expect(found(a, file("tenant-b", "serviceNetwork: [{ cidr: 10.0.0.0/20 }]"))).toHaveLength(1);
    expect(
      found(file("tenant-a", `${machines("10.0.0.0/24")}, serviceNetwork: [{ cidr: 10.0.0.0/20 }]`)),
    ).toHaveLength(1);
    expect(
      found(file("tenant-a", join, ", reused: [internalJoinSubnet]"), file("tenant-b", join)),
    ).toHaveLength(1);
  });

  test("violated: overlaps with a cluster without a file or with own defaults, and a deployed range unlike the file's", () => {
    expect(found(b, hostedCluster("old", "10.0.0.0/24")).join()).toContain(
      "of clusters/old 10.0.0.0/24, which is deployed",
    );
    expect(found(file("tenant-a", machines("172.20.0.0/16"))).join()).toContain(
      "reach the API server of clusters/tenant-a 172.20.0.1/32",
    );
    expect(found(a, hostedCluster("tenant-a", "10.9.0.0/24")).join()).toContain(
      "the machine network of clusters/tenant-a is 10.0.0.0/24 here, and its HostedCluster has 10.9.0.0/24",
    );
  });

  test("violated: two files of one cluster, and files that cannot be read", () => {
    expect(found(a, a).join()).toContain("clusters/tenant-a already has a file");
    expect(found(a.replace("/v1", "/v2")).join()).toContain(
      'apiVersion: is not read: "hypershift-network/v2" is not hypershift-network/v1',
    );
    expect(found(file("tenant-a", machines("10.0.0.1/24"))).join()).toContain("10.0.0.1/24 has host bits");
    expect(found(file("tenant-a", "machines: []")).join()).toContain("no such property");
  });

  test("compliant: separate blocks, ranges that both clusters reuse, and the ranges of the deployed cluster itself", () => {
    const c = file("tenant-c", `${machines("10.0.1.0/24")}, ${join}`, ", reused: [internalJoinSubnet]");
    expect(found(a, c, file("tenant-d", join, ", reused: [internalJoinSubnet]"))).toEqual([]);
    expect(found(a, hostedCluster("tenant-a", "10.0.0.0/24"))).toEqual([]);
    expect(
      found(
        file("tenant-b", "managementCluster: west, " + machines("10.0.1.0/24")),
        file("tenant-b", "managementCluster: east, " + machines("10.0.2.0/24")),
        hostedCluster("tenant-b", "10.0.2.0/24"),
      ),
    ).toEqual([]);
  });

  test("unknown: a file with an unknown block conflicts with nothing, and the path of the block is reported", () => {
    const resources = readManifests([a, b].join("---"), "ledger.yaml", new Lines()).resources;
    const { metadata, ...others } = resources[1]!.properties;
    const spec: PropertyValue = { platform: "AWS", machineNetwork: [{ cidr: UNKNOWN }] };
    const judged = new JudgedResources([
      resources[0]!,
      { ...resources[1]!, properties: { ...others, metadata: metadata!, spec } },
    ]);
    expect(findings(addressPlanConflict, judged)).toMatchObject([
      { status: "unknown", path: "spec.machineNetwork[0].cidr" },
    ]);
  });

  test("not applicable: HostedClusters without a ledger are judged by other rules", () => {
    expect(found(hostedCluster("old", "10.0.0.0/24"), hostedCluster("new", "10.0.0.0/24"))).toEqual([]);
  });
});
