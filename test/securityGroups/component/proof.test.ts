import { networkAclRules, type NetworkAclPlan } from "../../../src/networkAcls/component/networkAclRules";
import { privateEndpointRules } from "../../../src/securityGroups/component/privateEndpointRules";
import { aclProofFaults } from "../../../src/networkAcls/component/aclResources";
import {
  groupProofFaults,
  type SecurityGroupPlan,
  securityGroupRules,
} from "../../../src/securityGroups/component/securityGroupRules";
import { RuleMerging } from "../../../src/securityGroups/component/hostedControlPlaneSecurityGroupsArgs";
import { readPrefix } from "../../../src/address";
import { Direction, EndpointAccess, Platform, Protocol, Role } from "../../../src/requirements/vocabulary";
import { goldenCases } from "./goldenCases";
import { topologyOf } from "./ruleTables";

const accepted = goldenCases.filter(({ topology }) => securityGroupRules(topology).faults.length === 0);
const problems = (faults: readonly { problem: string }[]) => faults.map(({ problem }) => problem);

/** Additional rules of a user: for two roles and directions, with and without ports. */
const additionalRules = {
  bastion: {
    role: Role.Workers,
    direction: Direction.Ingress,
    protocol: Protocol.Tcp,
    fromPort: 2022,
    toPort: 2023,
    cidr: "10.9.0.0/16",
    description: "Operators reach nodes",
  },
  ping: {
    role: Role.ControlPlane,
    direction: Direction.Egress,
    protocol: Protocol.Icmp,
    cidr: "2001:db8::/32",
    description: "Probes",
  },
  list: {
    role: Role.ControlPlane,
    direction: Direction.Ingress,
    protocol: Protocol.Tcp,
    prefixListId: "pl-1",
    description: "A list",
  },
};

describe("the rules of a component's security groups", () => {
  it.each(accepted)("$name: allow every flow and nothing else", ({ topology }) => {
    const plan = securityGroupRules(topology);
    expect(plan.rules.length).toBeGreaterThan(0);
    expect(problems(groupProofFaults(plan))).toEqual([]);
    const more = securityGroupRules(topology, {
      additionalRules,
      ruleQuota: 1000,
      mergeRules: RuleMerging.Always,
      peers: {
        workers: { securityGroupIds: { bastion: "sg-1" } },
        registries: { prefixLists: { s3: { id: "pl-2" } } },
      },
      defaultWorkerRules: topology.platform === Platform.AWS,
    });
    expect(more.rules.length).toBeGreaterThan(0);
    expect(problems(groupProofFaults(more))).toEqual([]);
  });

  const { list: _, ...blocks } = additionalRules;
  const plan = securityGroupRules(topologyOf("agent-nodeport-pinned"), { additionalRules: blocks });
  const changed = (rules: SecurityGroupPlan["rules"]) => problems(groupProofFaults({ ...plan, rules }));

  it("are all needed: without a rule, the fault names the flow that it would block", () => {
    plan.rules.forEach((rule, position) => {
      const found = changed(plan.rules.filter((_, other) => other !== position));
      const isOfFlow = rule.flows.some((flow) => !flow.startsWith("additionalRules."));
      if (isOfFlow) expect(found.join()).toContain(`of ${rule.flows[0]!} would not allow`);
      else expect(found).toEqual([]);
    });
  });

  it("may not be wider: a rule for every port or every address is a fault", () => {
    const everybody = readPrefix("0.0.0.0/0")!;
    for (const [position, rule] of plan.rules.entries()) {
      const replaced = (other: typeof rule) => plan.rules.map((one, at) => (at === position ? other : one));
      if (rule.ports)
        expect(changed(replaced({ ...rule, ports: { from: 0, to: 65535 } })).join()).toContain("would allow");
      if (rule.peer.kind === "prefix" && rule.peer.prefix.family === 4)
        expect(changed(replaced({ ...rule, peer: { kind: "prefix", prefix: everybody } })).join()).toContain(
          "which no flow and no additional rule requires",
        );
    }
  });
});

describe("the rules of a private endpoint's group", () => {
  const topology = topologyOf("aws-route-private", { endpointAccess: EndpointAccess.Private });
  const plan = privateEndpointRules(topology, { callers: { office: { cidr: "10.64.0.0/12" } } });

  it("allow only machines and callers", () => {
    expect(plan.rules.length).toBeGreaterThan(2);
    expect(problems(groupProofFaults(plan))).toEqual([]);
  });

  it("may not allow callers that are not declared", () => {
    const office = plan.rules.find(({ flows }) => flows.some((flow) => flow.includes("caller-office")))!;
    const wider = { ...office, peer: { kind: "prefix" as const, prefix: readPrefix("10.0.0.0/8")! } };
    const rules = plan.rules.map((rule) => (rule === office ? wider : rule));
    expect(problems(groupProofFaults({ ...plan, rules })).join()).toMatch(
      /private-endpoint ingress would allow TCP/,
    );
  });
});

describe("the rules of a component's network ACLs", () => {
  const networks = { loadBalancerSubnetCidrs: ["10.1.1.0/24"], workerNatCidrs: ["192.0.2.7/32"] };
  const subnets = {
    a: { subnetId: "subnet-1" },
    b: { subnetId: "subnet-2", role: Role.Workers },
  };
  const { list: _, ...blocks } = additionalRules;
  const planOf = (name: string, more = {}) =>
    networkAclRules(topologyOf(name, networks), {
      dedicatedSubnets: subnets,
      ruleQuota: 40,
      additionalRules: blocks,
      ...more,
    });

  it.each([
    "aws-route",
    "aws-route-instance-targets",
    "agent-nodeport-pinned",
    "none-nodeport",
    "agent-route",
  ])("%s: allow flows and their answers, and nothing else", (name) => {
    const plan = planOf(name);
    expect(plan.rules.length).toBeGreaterThan(20);
    expect(problems(aclProofFaults(plan))).toEqual([]);
    const ranges = { fromPort: 40_000, toPort: 50_000 };
    const own = planOf(name, { hostEphemeralPorts: ranges, clientEphemeralPorts: ranges });
    expect(problems(aclProofFaults(own))).toEqual([]);
  });

  const plan: NetworkAclPlan = planOf("agent-nodeport-pinned");
  const changed = (rules: NetworkAclPlan["rules"]) => problems(aclProofFaults({ ...plan, rules }));

  it("are all needed, except additional rules and those for path MTU discovery", () => {
    const needed = plan.rules.filter((_, position) => {
      const found = changed(plan.rules.filter((__, other) => other !== position));
      return found.some((problem) => problem.includes("would not allow"));
    });
    const free = plan.rules.filter((rule) => !needed.includes(rule));
    expect(needed.length).toBeGreaterThan(10);
    for (const { flows } of free) expect(flows.join()).toMatch(/additionalRules|path-mtu/);
  });

  it("may not be wider: a rule for every IPv4 address is a fault", () => {
    for (const [position, rule] of plan.rules.entries()) {
      const isEverything = rule.protocol === Protocol.Any || (rule.tooBig ?? false);
      if (isEverything) continue;
      const wider = { ...rule, peer: { kind: "prefix" as const, prefix: readPrefix("0.0.0.0/0")! } };
      const found = changed(plan.rules.map((one, at) => (at === position ? wider : one)));
      const isPublic = rule.peer.kind === "prefix" && rule.peer.prefix.length === 0;
      if (!isPublic && rule.peer.kind === "prefix" && rule.peer.prefix.family === 4)
        expect(found.join()).toContain("which no flow and no additional rule requires");
    }
  });
});
