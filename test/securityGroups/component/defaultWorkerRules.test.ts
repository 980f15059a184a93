import {
  ruleRow,
  type SecurityGroupOptions,
  securityGroupRules,
} from "../../../src/securityGroups/component/securityGroupRules";
import { awsWorkerGroup } from "../../../src/requirements/rows/nodes";
import { Direction, Platform, Protocol, Role } from "../../../src/requirements/vocabulary";
import { UNKNOWN } from "../../../src/resources/resource";
import type { HostedClusterTopology } from "../../../src/topology/hostedClusterTopology";
import { expectGolden } from "../../objects/golden";
import { goldenCases } from "./goldenCases";
import { faultsOf, table, topologyOf } from "./ruleTables";

const asked = { defaultWorkerRules: true };
const everyKey = awsWorkerGroup.map(
  ({ id, direction }) => `${Role.Workers}/${direction}/${id.replace("up-aws-", "")}`,
);

const accepted = goldenCases.filter(({ topology }) => faultsOf(topology).length === 0);
const onAws = accepted.filter(({ topology }) => topology.platform === Platform.AWS);

/** One line per rule, with its purpose and its documents. */
function linesOf(topology: HostedClusterTopology, options?: SecurityGroupOptions): string[] {
  return securityGroupRules(topology, options)
    .rules.map(ruleRow)
    .map(({ role, direction, protocol, ports, peer, requirements, purpose, documents }) => {
      const what = `${role} ${direction} ${protocol} ${ports} ${peer}`;
      return `${what} (${requirements.join(", ")}: ${purpose}; ${documents.join("; ")})`;
    });
}

describe("the rules of the group that HyperShift creates for worker nodes on AWS", () => {
  it.each(onAws.map((each) => [each.name, each.topology] as const))(
    "%s: are added to the other rules on request, and match the golden file",
    (name, topology) => {
      const off = linesOf(topology);
      const on = linesOf(topology, asked);
      expect(on.slice(0, off.length)).toEqual(off);
      const anyway = off
        .filter((line) => line.startsWith("workers"))
        .map((line) => line.replace(/ \(.*/, ""));
      const lines = ["Anyway:", ...anyway, "Asked for:", ...on.slice(off.length)];
      expectGolden(`defaultWorkerRules/${name}.txt`, `${lines.join("\n")}\n`);
    },
  );

  it("are ports and ESP among the nodes, ICMP and SSH from the machine network, and all egress", () => {
    const topology = topologyOf("aws-route");
    expect(table(Role.Workers, Direction.Ingress, topology, asked)).toEqual([
      "ESP all security group of the workers",
      "ICMP all 10.0.0.0/16",
      "TCP 10250 security group of the workers",
      "TCP 22 10.0.0.0/16",
      "TCP 30000-32767 security group of the workers",
      "TCP 9000-9999 security group of the workers",
      "UDP 30000-32767 security group of the workers",
      "UDP 4500 security group of the workers",
      "UDP 4789 security group of the workers",
      "UDP 500 security group of the workers",
      "UDP 6081 security group of the workers",
      "UDP 9000-9999 security group of the workers",
    ]);
    expect(table(Role.Workers, Direction.Egress, topology, asked)).toContain("any all 0.0.0.0/0");
  });

  it.each([[{}], [{ defaultWorkerRules: false }], [{ defaultWorkerRules: null }]])(
    "are not created with %j, and workers have no ingress rules",
    (options) => {
      for (const { topology } of accepted)
        expect(table(Role.Workers, Direction.Ingress, topology, options)).toEqual([]);
    },
  );

  it("are the same rules as with each of their keys enabled", () => {
    const topology = topologyOf("aws-route-dual-stack");
    expect(linesOf(topology, asked)).toEqual(linesOf(topology, { enabledRules: everyKey }));
  });

  it("can be disabled one by one", () => {
    const topology = topologyOf("aws-route");
    for (const key of everyKey) {
      const without = linesOf(topology, { ...asked, disabledRules: [key] });
      const missing = linesOf(topology, asked).filter((line) => !without.includes(line));
      expect(missing.map((line) => line.includes(`up-aws-${key.split("/").at(-1)}:`))).toEqual([true]);
    }
  });

  it("cover both families if the cluster has both", () => {
    const topology = topologyOf("aws-route-dual-stack");
    expect(table(Role.Workers, Direction.Ingress, topology, asked)).toEqual(
      expect.arrayContaining(["ICMP all fd00:10::/48", "TCP 22 fd00:10::/48"]),
    );
    expect(table(Role.Workers, Direction.Egress, topology, asked)).toContain("any all ::/0");
  });

  it("cause a warning if the machine network is missing, which two of them need", () => {
    const { rules, warnings } = securityGroupRules({ name: "tenant-a", platform: Platform.AWS }, asked);
    expect(rules.map(ruleRow).filter(({ protocol }) => protocol === Protocol.Icmp)).toEqual([]);
    expect(warnings.join("\n")).toContain(
      "topology.machineNetwork missing: no rule for it: workers/ingress/worker-icmp, workers/ingress/worker-ssh",
    );
  });
});

describe("defaultWorkerRules is refused", () => {
  const elsewhere = accepted.filter(({ topology }) => topology.platform !== Platform.AWS);

  it.each(elsewhere.map((each) => [each.name, each.topology] as const))("on %s", (_, topology) => {
    expect(faultsOf(topology, asked)).toEqual([
      `defaultWorkerRules HyperShift creates no security group for workers on ${topology.platform}, only on AWS`,
    ]);
    expect(securityGroupRules(topology, asked).rules).toEqual([]);
    expect(faultsOf(topology, { defaultWorkerRules: false })).toEqual([]);
  });

  it("together with all other faults", () => {
    const options = { ...asked, disabledRules: ["workers/ingress/worker-ssh"], ruleQuota: 0 };
    expect(faultsOf(topologyOf("agent-nodeport"), options)).toEqual([
      "defaultWorkerRules HyperShift creates no security group for workers on Agent, only on AWS",
      "disabledRules[0] workers/ingress/worker-ssh names no rule of this topology",
      "ruleQuota 0 is not from 1 to 1000",
    ]);
  });

  it("if enabledRules also names one of its rules", () => {
    const options = { ...asked, enabledRules: ["workers/ingress/worker-udp-6081"] };
    expect(faultsOf(topologyOf("aws-route"), options)).toEqual([
      "enabledRules[0] workers/ingress/worker-udp-6081 names rules that are created by default",
    ]);
  });

  it.each([
    ["yes", 'defaultWorkerRules "yes" is neither true nor false'],
    [UNKNOWN, "defaultWorkerRules is an Output"],
  ])("as %p", (defaultWorkerRules, fault) => {
    expect(faultsOf(topologyOf("aws-route"), { defaultWorkerRules: defaultWorkerRules as never })).toEqual([
      fault,
    ]);
  });
});
