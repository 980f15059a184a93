import type { PropertyValue } from "../../src/resources/resource";
import { UNKNOWN } from "../../src/resources/resource";
import { judge, resource } from "../../src/testing";

const TYPE = "hypershift-network:index:HostedControlPlaneSecurityGroups";
const topology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: "AWS",
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};

/** What is not known of a component with another topology. */
const unknownOf = (other: Record<string, PropertyValue>): string[] =>
  judge([resource(TYPE, "tenant-a", { topology: { ...topology, ...other } })]).unknown.map(
    ({ path }) => path,
  );

describe("a topology that a component has registered", () => {
  test.each<[string, PropertyValue, string]>([
    ["platform", [], "topology.platform"],
    ["release", {}, "topology.release"],
    ["machineNetwork", 5, "topology.machineNetwork"],
    ["serviceNetwork", [{ cidr: {} }], "topology.serviceNetwork[0].cidr"],
    ["services", 5, "topology.services"],
    ["proxy", 7, "topology.proxy"],
    ["name", {}, "topology.name"],
    ["namespace", 7, "topology.namespace"],
    ["ofALaterVersion", 1, "topology.ofALaterVersion"],
  ])("names %s where it cannot be read: nothing of the cluster is judged by it", (property, value, path) => {
    expect(unknownOf({ [property]: value })).toEqual([path]);
  });

  test("says nothing where it can be read, nor of what is not known yet", () => {
    expect(unknownOf({})).toEqual([]);
    expect(unknownOf({ namespace: UNKNOWN })).not.toContain("topology.namespace");
  });
});
