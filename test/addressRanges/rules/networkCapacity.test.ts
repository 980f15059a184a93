import { type PropertyValue, type Resource, UNKNOWN } from "../../../src/resources/resource";
import { networkCapacity } from "../../../src/addressRanges/rules/networkCapacity";
import {
  hostedCluster,
  judge,
  linesOf,
  networking,
  nodePool,
  resource,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

/** Room for 8 nodes with 509 pods each. */
const small = (machines = "10.0.0.0/16") =>
  hostedCluster({
    networking: networking(machines, { clusterNetwork: [{ cidr: "10.132.0.0/20", hostPrefix: 23 }] }),
  });

describe("network-capacity", () => {
  it("adds up the NodePools of a cluster, with the maximum of those that autoscale", () => {
    const fitting = [nodePool("a", { replicas: 3 }), nodePool("b", { autoScaling: { min: 1, max: 5 } })];
    expect(violations(networkCapacity, [small(), ...fitting])).toEqual([]);
    expect(violations(networkCapacity, [small(), ...fitting, nodePool("c", { replicas: 1 })])).toMatchObject([
      {
        path: "spec.networking.clusterNetwork",
        message: "the NodePools create up to 9 nodes, and the cluster network has room for 8",
      },
    ]);
  });

  it("counts copies of a NodePool once, and not one that is written with two contents", () => {
    const inFile = (file: string, replicas: number) => ({
      ...nodePool("a", { replicas }),
      origin: { file, line: 1 },
    });
    const copies = (replicas: number) => [inFile("a.yaml", replicas), inFile("b.yaml", replicas)];
    expect(judge(networkCapacity, [small(), ...copies(8)])).toEqual([]);
    expect(violations(networkCapacity, [small(), ...copies(9)])).toMatchObject([
      { message: expect.stringContaining("create up to 9 nodes") as string },
    ]);
    const differing = [small(), inFile("a.yaml", 9), inFile("b.yaml", 8)];
    expect(violations(networkCapacity, differing)).toEqual([]);
    expect(unknowns(networkCapacity, differing)).toMatchObject([{ path: "spec.replicas" }]);
  });

  it("counts a NodePool and patches of it once, and does not know the size that a patch changes", () => {
    const patch = (spec: Properties): Resource => {
      const { type, properties } = nodePool("a", {});
      return resource(`${type}Patch`, "scale", { ...properties, spec });
    };
    const pool = nodePool("a", { replicas: 5 });
    expect(lines(small(), pool, patch({ clusterName: "tenant-a", replicas: 5 }))).toEqual([]);
    const changed = [expect.stringMatching(/^unknown spec\.replicas \| NodePool a/)];
    expect(lines(small(), pool, patch({ replicas: 40 }))).toEqual(changed);
    expect(lines(small(), patch({ replicas: 40 }), pool)).toEqual(changed);
  });

  it("does not judge the NodePools of other clusters and namespaces", () => {
    const others = [
      nodePool("a", { clusterName: "tenant-b", replicas: 100 }),
      nodePool("b", { replicas: 100 }, "elsewhere"),
    ];
    expect(violations(networkCapacity, [small(), ...others])).toEqual([]);
  });

  /** Expects that the machine networks have room for exactly `room` nodes: one more is a violation. */
  const roomFor = (type: string, cidrs: readonly string[], room: number) => {
    const machineNetwork = cidrs.map((cidr) => ({ cidr }));
    const cluster = hostedCluster({
      platform: { type },
      networking: networking("10.0.0.0/16", { machineNetwork }),
    });
    const found = (replicas: number) =>
      violations(networkCapacity, [cluster, nodePool("a", { replicas })]).map(
        ({ path, message }) => `${path} ${message}`,
      );
    expect(found(room)).toEqual([]);
    expect(found(room + 1)).toEqual([
      `spec.networking.machineNetwork the NodePools create up to ${room + 1} nodes, and the machine network has room for ${room}${new Set(cidrs.map((cidr) => cidr.includes(":"))).size > 1 ? " in IPv4" : ""}`,
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
  ])("counts the addresses of %j that machines can use", (cidrs, room) => roomFor("None", cidrs, room));

  it.each<[string[], number]>([
    [["10.0.0.0/28"], 11],
    [["10.0.0.0/28", "10.0.1.0/28"], 22],
    [["10.0.0.0/30"], 0],
    [["fd02::/124"], 11],
  ])("leaves out the addresses that AWS reserves in the subnet of %j", (cidrs, room) =>
    roomFor("AWS", cidrs, room),
  );

  const lines = (...resources: Parameters<typeof judge>[1][number][]) =>
    judge(networkCapacity, resources).map((one) => linesOf([one]));

  it.each<[string, Properties, string[]]>([
    ["enough for the pods of a node", { cidr: "10.132.0.0/14", hostPrefix: 24 }, []],
    ["the default host prefix", { cidr: "10.132.0.0/14" }, []],
    ["no limit for IPv6", { cidr: "fd01::/48", hostPrefix: 64 }, []],
    [
      "half of the pods",
      { cidr: "10.132.0.0/14", hostPrefix: 25 },
      [
        "violated spec.networking.clusterNetwork[0].hostPrefix | /25 of 10.132.0.0/14 gives each node 125 addresses for pods, and a node runs up to 250 pods by default | write 24 or less, or give the nodes a smaller maxPods by a KubeletConfig and exempt the cluster",
      ],
    ],
    [
      "one pod",
      { cidr: "10.132.0.0/14", hostPrefix: 30 },
      [expect.stringContaining("/30 of 10.132.0.0/14 gives each node 1 addresses for pods") as string],
    ],
  ])("compares the addresses of a node's host prefix with its pods: %s", (_, part, expected) => {
    const networks = networking("10.0.0.0/16", { clusterNetwork: [part] });
    expect(lines(hostedCluster({ networking: networks }))).toEqual(expected);
  });

  it("counts the second range too, and reports each network without enough room", () => {
    const parts = [
      { cidr: "10.132.0.0/22", hostPrefix: 23 },
      { cidr: "10.140.0.0/22", hostPrefix: 23 },
    ];
    const cluster = hostedCluster({ networking: networking("10.0.0.0/30", { clusterNetwork: parts }) });
    expect(lines(cluster, nodePool("a", { replicas: 5 }))).toEqual([
      "violated spec.networking.clusterNetwork | the NodePools create up to 5 nodes, and the cluster network has room for 4 | write a larger cluster network or a longer hostPrefix before the cluster is created, or limit the NodePools to fewer nodes",
      "violated spec.networking.machineNetwork | the NodePools create up to 5 nodes, and the machine network has room for 0 | add the machines' other ranges to the machine network, or limit the NodePools to fewer nodes",
    ]);
  });

  const V4 = { cidr: "10.132.0.0/14" };
  const V6 = { cidr: "fd01::/60" };

  it.each<[string, Properties[], string[]]>([
    ["IPv6 behind IPv4", [V4, V6], ["16 in IPv6"]],
    ["IPv6 before IPv4", [V6, V4], ["16 in IPv6"]],
    ["enough of both", [V4, { cidr: "fd01::/48" }], []],
    ["IPv4", [{ cidr: "10.132.0.0/20" }, { cidr: "fd01::/48" }], ["8 in IPv4"]],
    ["IPv6 only", [V6], ["16"]],
    ["unknown IPv6", [V4, { cidr: UNKNOWN }], []],
  ])("gives each node a part of every family of the cluster network: %s", (_, clusterNetwork, rooms) => {
    const cluster = hostedCluster({ networking: networking("10.0.0.0/16", { clusterNetwork }) });
    const found = violations(networkCapacity, [cluster, nodePool("a", { replicas: 20 })]);
    expect(found.map(({ message }) => message)).toEqual(
      rooms.map(
        (room) => `the NodePools create up to 20 nodes, and the cluster network has room for ${room}`,
      ),
    );
  });

  it("proposes no longer hostPrefix for IPv6, for which OVN-Kubernetes accepts only one", () => {
    const cluster = hostedCluster({ networking: networking("10.0.0.0/16", { clusterNetwork: [V4, V6] }) });
    expect(violations(networkCapacity, [cluster, nodePool("a", { replicas: 20 })])).toMatchObject([
      {
        fix: "write a larger cluster network before the cluster is created, or limit the NodePools to fewer nodes",
      },
    ]);
  });

  it.each<[string, PropertyValue, string[], string[]]>([
    ["IPv6", [V4, { cidr: "fd01::/48" }], ["10.0.0.0/16", "fd02::/125"], ["7 in IPv6"]],
    ["IPv6 that comes first", [V4, { cidr: "fd01::/48" }], ["fd02::/125", "10.0.0.0/16"], ["7 in IPv6"]],
    ["IPv4 that comes last", [V4, { cidr: "fd01::/48" }], ["fd02::/64", "10.0.0.0/29"], ["6 in IPv4"]],
    ["no IPv6 without pods of IPv6", [V4], ["10.0.0.0/16", "fd02::/125"], []],
    ["IPv4 with pods of IPv4", [V4], ["fd02::/64", "10.0.0.0/29"], ["6 in IPv4"]],
    ["either if the pods are not known", UNKNOWN, ["10.0.0.0/29", "fd02::/125"], ["7 in IPv6"]],
    ["the larger one if the pods are not known", UNKNOWN, ["10.0.0.0/29", "fd02::/64"], []],
  ])("needs an address of each family of the pods for a machine: %s", (_, clusterNetwork, cidrs, rooms) => {
    const machineNetwork = cidrs.map((cidr) => ({ cidr }));
    const networks = networking("10.0.0.0/16", { machineNetwork, clusterNetwork });
    const cluster = hostedCluster({ platform: { type: "None" }, networking: networks });
    const found = violations(networkCapacity, [cluster, nodePool("a", { replicas: 20 })]);
    expect(found.map(({ message }) => message)).toEqual(
      rooms.map(
        (room) => `the NodePools create up to 20 nodes, and the machine network has room for ${room}`,
      ),
    );
  });

  it("reports unknown sizes as unknown, and judges the known ones", () => {
    expect(lines(small(), nodePool("a", { replicas: UNKNOWN }), nodePool("b", { replicas: 9 }))).toEqual([
      expect.stringContaining("create up to 9 nodes, and the cluster network has room for 8") as string,
      expect.stringMatching(
        /^unknown spec\.replicas \| NodePool a: spec\.replicas, how many nodes it creates \|/,
      ),
    ]);
    const unsaid = hostedCluster({ networking: networking("10.0.0.0/16", { clusterNetwork: UNKNOWN }) });
    expect(unknowns(networkCapacity, [unsaid, nodePool("a", { replicas: 9 })])).toMatchObject([
      { path: "spec.networking.clusterNetwork" },
    ]);
    // No NodePool needs room.
    expect(lines(unsaid)).toEqual([]);
  });

  it("does not judge a machine network that is not stated", () => {
    const { machineNetwork: _, ...rest } = networking("10.0.0.0/16");
    const cluster = hostedCluster({ platform: { type: "None" }, networking: rest });
    expect(lines(cluster, nodePool("a", { replicas: 300 }))).toEqual([]);
  });

  it("does not judge a cluster that is only patched", () => {
    const { type, name, properties } = small();
    const { platform: _, ...spec } = properties.spec as Properties;
    const patch = resource(`${type}Patch`, name, { ...properties, spec });
    expect(lines(patch, nodePool("a", { replicas: 9 }))).toEqual([]);
  });
});
