import { driftedValues } from "../../src/resources/drift";
import { UNKNOWN, type Resource } from "../../src/resources/resource";

const HOSTED_CLUSTER = "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster";
const metadata = { name: "tenant-a", namespace: "clusters" };
const object = (spec: object, type = HOSTED_CLUSTER, where: object = metadata): Resource => ({
  origin: { live: "HostedCluster clusters/tenant-a" },
  type,
  name: "tenant-a",
  properties: { metadata: where, spec } as Resource["properties"],
});
const drift = (planned: object, found: object, type?: string) =>
  driftedValues([object(planned, type)], [object(found, type?.replace(/Patch$/, ""))]).map(
    (one) => `${one.path}: ${one.planned}, ${one.found}`,
  );
const network = (networking: object) => ({ networking });

describe("values that drifted", () => {
  test("are those that the plan states, each at its place", () => {
    expect(
      driftedValues(
        [object(network({ machineNetwork: [{ cidr: "10.0.0.0/16" }] }))],
        [object(network({ machineNetwork: [{ cidr: "10.1.0.0/16" }] }))],
      ),
    ).toEqual([
      {
        resource: { live: "HostedCluster clusters/tenant-a" },
        object: "HostedCluster clusters/tenant-a",
        path: "spec.networking.machineNetwork[0].cidr",
        planned: '"10.0.0.0/16"',
        found: '"10.1.0.0/16"',
      },
    ]);
  });

  test("are none where all is as planned, whatever else is there", () => {
    const planned = network({ networkType: "OVNKubernetes", clusterNetwork: [{ cidr: "10.132.0.0/14" }] });
    const found = network({
      networkType: "OVNKubernetes",
      clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
      machineNetwork: [],
    });
    expect(drift(planned, found)).toEqual([]);
    expect(drift(network({ allocateNodeCIDRs: null, machineNetwork: [] }), network({}))).toEqual([]);
  });

  test("are lists as a whole where they are longer or shorter, and what is gone", () => {
    expect(drift(network({ serviceNetwork: [1, 2] }), network({ serviceNetwork: [1] }))).toEqual([
      "spec.networking.serviceNetwork: [1,2], [1]",
    ]);
    expect(drift({ configuration: { proxy: { noProxy: "a" } } }, {})).toEqual([
      'spec.configuration.proxy.noProxy: "a", absent',
    ]);
  });

  test("are not looked for where the plan does not know a value", () => {
    expect(drift(network({ machineNetwork: UNKNOWN }), network({ machineNetwork: [] }))).toEqual([]);
    expect(drift(network({ serviceNetwork: [UNKNOWN] }), network({ serviceNetwork: [1] }))).toEqual([]);
    expect(drift(network({ serviceNetwork: [UNKNOWN] }), network({ serviceNetwork: [1, 2] }))).toEqual([
      'spec.networking.serviceNetwork: ["unknown"], [1,2]',
    ]);
  });

  test("never show what may hold credentials", () => {
    const proxy = (httpsProxy: string) => ({ configuration: { proxy: { httpsProxy } } });
    const [one] = drift(proxy("http://a:tiger@proxy:3128"), proxy("http://a:lion@proxy:3128"));
    expect(one).toContain("spec.configuration.proxy.httpsProxy: not shown");
    expect(one).not.toMatch(/tiger|lion/);
  });

  test("are of the network alone: what else a HostedCluster has is not looked at", () => {
    expect(drift({ release: { image: "a" } }, { release: { image: "b" } })).toEqual([]);
  });

  test("are found by patches, too, and in objects of the hosted cluster", () => {
    const type = "kubernetes:operator.openshift.io/v1:Network";
    for (const each of [type, `${type}Patch`])
      expect(drift({ managementState: "Managed" }, { managementState: "Removed" }, each)).toEqual([
        'spec.managementState: "Managed", "Removed"',
      ]);
  });

  test("are not looked for in objects that are not there, or that have another name or kind", () => {
    const planned = object(network({ networkType: "Other" }));
    const elsewhere = object({}, HOSTED_CLUSTER, { ...metadata, namespace: "others" });
    const another = object({}, "kubernetes:hypershift.openshift.io/v1beta1:NodePool");
    expect(driftedValues([planned], [elsewhere, another])).toEqual([]);
    const nameless = object({ networking: { networkType: "a" } }, HOSTED_CLUSTER, { name: UNKNOWN });
    expect(driftedValues([nameless], [nameless])).toEqual([]);
  });
});
