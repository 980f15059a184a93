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

/** The unknown paths of a component whose topology has other properties. */
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
  ])("is reported as unknown at %s if that property cannot be read", (property, value, path) => {
    expect(unknownOf({ [property]: value })).toEqual([path]);
  });

  test("is not reported if it can be read, nor at a value that is not known yet", () => {
    expect(unknownOf({})).toEqual([]);
    expect(unknownOf({ namespace: UNKNOWN })).not.toContain("topology.namespace");
  });
});
