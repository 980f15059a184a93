import { JudgedResources } from "../../../src/gate/judgedResources";
import { readConfiguration } from "../../../src/gate/readConfiguration";
import { isUnguarded, planGuards } from "../../../src/reachability/path/planGuards";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import { group, tcp } from "../../rules/builders";

/** The groups that guard the workers of each configured cluster. */
function guardsOf(...entries: { name: string; namespace?: string; workers: string[] }[]) {
  const hostedClusters = entries.map(({ workers, ...entry }) => ({
    ...entry,
    platform: "AWS",
    machineNetwork: [{ cidr: "10.0.0.0/16" }],
    securityGroups: { workers },
  }));
  const groups = [1, 2].map((port) => group(`g-${port}`, [tcp(port, "10.0.0.0/8")], { tags: {} }));
  const { configuration } = readConfiguration({ hostedClusters }, "c.yaml");
  const { clusters, index, configuredGroups } = new JudgedResources(groups, configuration);
  return clusters.map(({ key, topology }) => {
    const guards = planGuards(index, topology!, configuredGroups).hosts(Role.Workers, Direction.Ingress);
    expect(isUnguarded(index, topology!, configuredGroups)).toBe(guards.length === 0);
    const names = guards.flatMap(({ standing }) =>
      standing?.kind === "securityGroups" ? standing.groups.map(({ resource }) => resource?.name) : [],
    );
    return [key, ...names].join(" ");
  });
}

describe("security groups that a configuration lists", () => {
  it("guard each cluster that lists them", () => {
    expect(
      guardsOf(
        { name: "a", workers: ["g-1"] },
        { name: "b", workers: ["g-1", "g-2"] },
        { name: "c", workers: [] },
      ),
    ).toEqual(["clusters/a g-1", "clusters/b g-1 g-2", "clusters/c"]);
  });

  it("guard the cluster of their namespace, and no other of the same name", () => {
    expect(
      guardsOf(
        { name: "a", namespace: "x", workers: ["g-1"] },
        { name: "a", namespace: "y", workers: ["g-2"] },
      ),
    ).toEqual(["x/a g-1", "y/a g-2"]);
  });
});
