import { UNKNOWN } from "../../../src/resources/resource";
import { networkCapacity } from "../../../src/addressRanges/rules/networkCapacity";
import {
  hostedCluster,
  networking,
  resource,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

const pool = (name: string, spec: Properties, namespace = "clusters") =>
  resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", name, {
    metadata: { name, namespace },
    spec: { clusterName: "tenant-a", ...spec },
  });
/** Room for 8 nodes with 509 pods each. */
const small = (machines = "10.0.0.0/16") =>
  hostedCluster({
    networking: networking(machines, { clusterNetwork: [{ cidr: "10.132.0.0/20", hostPrefix: 23 }] }),
  });

describe("network-capacity", () => {
  it("adds up the NodePools of a cluster, those that grow by their most", () => {
    const fitting = [pool("a", { replicas: 3 }), pool("b", { autoScaling: { min: 1, max: 5 } })];
    expect(violations(networkCapacity, [small(), ...fitting])).toEqual([]);
    expect(violations(networkCapacity, [small(), ...fitting, pool("c", { replicas: 1 })])).toMatchObject([
      {
        path: "spec.networking.clusterNetwork",
        message: "the NodePools make up to 9 nodes, and the cluster network has room for 8",
      },
    ]);
  });

  it("does not judge the NodePools of other clusters and namespaces", () => {
    const others = [
      pool("a", { clusterName: "tenant-b", replicas: 100 }),
      pool("b", { replicas: 100 }, "elsewhere"),
    ];
    expect(violations(networkCapacity, [small(), ...others])).toEqual([]);
  });

  /** What machine networks of a platform have room for, by the least number of nodes that is too much. */
  const roomFor = (type: string, cidrs: readonly string[], room: number) => {
    const machineNetwork = cidrs.map((cidr) => ({ cidr }));
    const cluster = hostedCluster({
      platform: { type },
      networking: networking("10.0.0.0/16", { machineNetwork }),
    });
    const found = (replicas: number) =>
      violations(networkCapacity, [cluster, pool("a", { replicas })]).map(
        ({ path, message }) => `${path} ${message}`,
      );
    expect(found(room)).toEqual([]);
    expect(found(room + 1)).toEqual([
      `spec.networking.machineNetwork the NodePools make up to ${room + 1} nodes, and the machine network has room for ${room}`,
    ]);
  };

  it.each<[string[], number]>([
    [["10.0.0.0/29"], 6],
    [["10.0.0.0/30"], 2],
    [["10.0.0.0/31"], 2],
    [["10.0.0.7/32"], 1],
    [["10.0.0.0/29", "10.0.0.64/28"], 20],
    [["fd02::/125"], 7],
    [["fd02::1/128"], 1],
    [["10.0.0.0/29", "fd02::/64"], 6],
  ])("counts the addresses of %j that machines can have", (cidrs, room) => roomFor("None", cidrs, room));

  it.each<[string[], number]>([
    [["10.0.0.0/28"], 11],
    [["10.0.0.0/28", "10.0.1.0/28"], 22],
    [["10.0.0.0/30"], 0],
    [["fd02::/124"], 11],
  ])("leaves out what AWS keeps in a subnet of %j", (cidrs, room) => roomFor("AWS", cidrs, room));

  it.each([
    [24, 0],
    [25, 1],
  ])("holds /%i for each node against the pods of a node: %i", (hostPrefix, count) => {
    const cluster = hostedCluster({
      networking: networking("10.0.0.0/16", { clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix }] }),
    });
    const found = violations(networkCapacity, [cluster]);
    expect(found).toHaveLength(count);
    for (const { message, fix } of found) {
      expect(message).toContain("125 addresses for pods");
      expect(fix).toContain("write 24 or less");
    }
  });

  it("counts unknown sizes, and does not take them for none", () => {
    const found = unknowns(networkCapacity, [
      small(),
      pool("a", { replicas: UNKNOWN }),
      pool("b", { replicas: 9 }),
    ]);
    expect(found).toMatchObject([{ path: "spec.replicas" }]);
    expect(
      violations(networkCapacity, [small(), pool("a", { replicas: UNKNOWN }), pool("b", { replicas: 9 })]),
    ).toHaveLength(1);
    const unsaid = hostedCluster({ networking: networking("10.0.0.0/16", { clusterNetwork: UNKNOWN }) });
    expect(unknowns(networkCapacity, [unsaid, pool("a", { replicas: 9 })])).toMatchObject([
      { path: "spec.networking.clusterNetwork" },
    ]);
  });
});
