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

  it("finds a machine network with fewer addresses than nodes", () => {
    expect(violations(networkCapacity, [small("10.0.0.0/30"), pool("a", { replicas: 5 })])).toMatchObject([
      {
        path: "spec.networking.machineNetwork",
        message: expect.stringContaining("has room for 4") as string,
      },
    ]);
    expect(violations(networkCapacity, [small("10.0.0.0/29"), pool("a", { replicas: 5 })])).toEqual([]);
  });

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
