import {
  securityGroupRules,
  type SecurityGroupOptions,
} from "../../../src/securityGroups/component/securityGroupRules";
import { Direction, LoadBalancerTargets, Role } from "../../../src/requirements/vocabulary";
import { UNKNOWN } from "../../../src/resources/resource";
import { CLIENTS, WORKERS, egress, ingress, table, topologyOf, workerEgress } from "./ruleTables";

describe("peers that are not CIDR blocks", () => {
  const peers = {
    workers: { securityGroupIds: { pool: "sg-1", later: UNKNOWN } },
    externalClients: { prefixLists: { office: { id: "pl-1" } } },
  } as const;

  it("get rules together with the blocks of the same peer", () => {
    expect(ingress(topologyOf("aws-route"), { peers }).filter((rule) => rule.startsWith("TCP 443 "))).toEqual(
      [
        `TCP 443 ${WORKERS}`,
        `TCP 443 ${CLIENTS}`,
        "TCP 443 prefix list externalClients.office",
        "TCP 443 security group workers.later",
        "TCP 443 security group workers.pool",
      ],
    );
  });

  it("replace assumed blocks, without a warning that the blocks are missing", () => {
    const topology = topologyOf("aws-route", { registryCidrs: undefined, externalClientCidrs: undefined });
    const prefixLists = { mirror: { id: "pl-2" } };
    const options = {
      peers: { ...peers, registries: { prefixLists }, controlPlaneEndpoints: { prefixLists } },
    };
    expect(egress(topology, options).filter((rule) => rule.startsWith("TCP 443 "))).toEqual([
      "TCP 443 prefix list registries.mirror",
    ]);
    const { warnings } = securityGroupRules(topology, options);
    expect(
      warnings.filter((warning) => /registryCidrs|externalClientCidrs|EndpointCidrs/.test(warning)),
    ).toEqual([]);
  });

  it("also apply at a hop: load balancers by their group, NAT by a prefix list", () => {
    const topology = topologyOf("aws-route", { loadBalancerTargets: LoadBalancerTargets.Instance });
    const options = {
      peers: {
        loadBalancers: { securityGroupIds: { public: "sg-2" } },
        workerNat: { prefixLists: { gateways: { id: "pl-3" } } },
      },
    };
    expect(ingress(topology, options)).toEqual(
      expect.arrayContaining([
        "TCP 30000-32767 security group loadBalancers.public",
        "TCP 30000-32767 prefix list workerNat.gateways",
      ]),
    );
  });

  it("cause a warning if no flow uses them", () => {
    const options = { peers: { loadBalancers: { securityGroupIds: { public: "sg-2" } } } };
    expect(securityGroupRules(topologyOf("aws-route"), options).warnings.join("\n")).toContain(
      "peers.loadBalancers.securityGroupIds.public is not used in any rule",
    );
  });

  it("with one id under two keys create one rule", () => {
    const options = { peers: { workers: { securityGroupIds: { a: "sg-1", b: "sg-1" } } } };
    const groups = ingress(topologyOf("aws-route"), options).filter((rule) =>
      rule.includes("security group"),
    );
    expect(groups).toEqual(["TCP 443 security group workers.a", "TCP 6443 security group workers.a"]);
  });

  it("of an invalid shape are refused with all faults at once", () => {
    const wrong = {
      worker: {},
      workers: { securityGroupIds: ["sg-1"], groups: {} },
      dnsServers: { prefixLists: { "a b": { id: "pl-1" }, c: "pl-2", d: { id: "sg-3", maxEntries: 0 } } },
      registries: "pl-1",
    } as unknown as SecurityGroupOptions["peers"];
    expect(
      securityGroupRules(topologyOf("aws-route"), { peers: wrong }).faults.map(({ path }) => path),
    ).toEqual([
      "peers.worker",
      "peers.workers.groups",
      "peers.workers.securityGroupIds",
      "peers.dnsServers.prefixLists.a b",
      "peers.dnsServers.prefixLists.c",
      "peers.dnsServers.prefixLists.d.maxEntries",
      "peers.registries",
      "peers.dnsServers.prefixLists.d.id",
    ]);
  });
});

describe("the component's own groups replace addresses that the topology does not state", () => {
  const unknownWorkers = { machineNetwork: undefined, managementClusterCidrs: undefined };

  it("workers on EC2 in the same VPC are allowed by their group, with a warning", () => {
    const topology = topologyOf("agent-nodeport", unknownWorkers);
    expect(ingress(topology)).toContain("TCP 8091 security group of the workers");
    expect(workerEgress(topology)).toContain("TCP 8091 security group of the control-plane hosts");
    expect(securityGroupRules(topology).warnings[0]).toContain(
      "topology.workerCidrs missing: opened for the security",
    );
  });

  it.each([
    ["workers in another VPC", topologyOf("agent-nodeport", unknownWorkers), { workersElsewhere: true }],
    ["workers on OpenStack", topologyOf("openstack-nodeport", unknownWorkers), {}],
  ])("%s get no rule, and a warning", (_, topology, options) => {
    expect(ingress(topology, options).filter((rule) => rule.startsWith("TCP 8091 "))).toEqual([]);
    expect(securityGroupRules(topology, options).warnings.join("\n")).toContain(
      "topology.workerCidrs missing: no rule for it",
    );
  });

  it("rules among workers refer to their own group, and are created on demand", () => {
    const enabledRules = ["workers/ingress/worker-udp-6081"];
    const rules = table(Role.Workers, Direction.Ingress, topologyOf("aws-route"), { enabledRules });
    expect(rules).toEqual(["UDP 6081 security group of the workers"]);
  });
});
