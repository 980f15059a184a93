import {
  ruleRow,
  type SecurityGroupOptions,
  securityGroupRules,
} from "../../../src/securityGroups/component/securityGroupRules";
import { Direction, Protocol, Role } from "../../../src/requirements/vocabulary";
import { UNKNOWN } from "../../../src/resources/resource";
import { WORKERS, faultsOf, ingress, table, topologyOf } from "./ruleTables";

describe("additional rules of the user", () => {
  const ssh = {
    role: Role.ControlPlane,
    direction: Direction.Ingress,
    protocol: Protocol.Tcp,
    fromPort: 22,
    cidr: "192.0.2.0/24",
    description: "Administrators log in",
  };

  it("are created in addition to the documented ones", () => {
    const additionalRules = {
      ssh,
      node: {
        ...ssh,
        role: Role.Workers,
        protocol: Protocol.Any,
        fromPort: undefined,
        cidr: undefined,
        securityGroupId: "sg-1",
      },
    };
    expect(ingress(topologyOf("aws-route"), { additionalRules })).toContain("TCP 22 192.0.2.0/24");
    expect(table(Role.Workers, Direction.Ingress, topologyOf("aws-route"), { additionalRules })).toEqual([
      "any all security group of additionalRules.node",
    ]);
  });

  it("are merged with an identical documented rule", () => {
    const additionalRules = { api: { ...ssh, fromPort: 6443, toPort: 6443, cidr: WORKERS } };
    const rules = securityGroupRules(topologyOf("aws-route"), { additionalRules }).rules.map(ruleRow);
    expect(ingress(topologyOf("aws-route"), { additionalRules })).toEqual(ingress(topologyOf("aws-route")));
    expect(rules[0]?.flows).toEqual(["control-plane/ingress/kube-apiserver", "additionalRules.api"]);
  });

  it("may have a CIDR block that is not known yet", () => {
    const additionalRules: SecurityGroupOptions["additionalRules"] = { ssh: { ...ssh, cidr: UNKNOWN } };
    expect(ingress(topologyOf("aws-route"), { additionalRules })).toContain(
      "TCP 22 CIDR block of additionalRules.ssh.cidr",
    );
  });

  it.each([
    [
      "role",
      { role: Role.PrivateEndpoint },
      'additionalRules.x.role "private-endpoint" is not control-plane or workers',
    ],
    ["direction", { direction: "in" }, 'additionalRules.x.direction "in" is not ingress or egress'],
    [
      "protocol",
      { protocol: "tcp" },
      'additionalRules.x.protocol "tcp" is not TCP, UDP, SCTP, ICMP, ESP or any',
    ],
    ["port", { fromPort: 70000 }, "additionalRules.x.fromPort 70000 is not from 0 to 65535"],
    ["order", { fromPort: 23, toPort: 22 }, "additionalRules.x.toPort 22 is less than fromPort 23"],
    [
      "first port",
      { fromPort: undefined, toPort: 22 },
      "additionalRules.x.fromPort missing, although toPort is set",
    ],
    ["SCTP", { protocol: Protocol.Sctp }, "additionalRules.x.fromPort SCTP has no ports in a security group"],
    ["peer", { cidr: undefined }, "additionalRules.x has no peer"],
    ["peers", { securityGroupId: "sg-1" }, "additionalRules.x has 2 peers: cidr, securityGroupId"],
    ["block", { cidr: "192.0.2.1/24" }, "additionalRules.x.cidr 192.0.2.1/24 has host bits"],
    [
      "group",
      { cidr: undefined, securityGroupId: "default" },
      "additionalRules.x.securityGroupId default is not the id of a security group",
    ],
    ["description", { description: " " }, 'additionalRules.x.description " " is not a sentence'],
  ])("are refused with an invalid %s", (_, wrong, fault) => {
    const additionalRules = { x: { ...ssh, ...wrong } } as unknown as SecurityGroupOptions["additionalRules"];
    expect(faultsOf(topologyOf("aws-route"), { additionalRules })).toContain(fault);
    expect(securityGroupRules(topologyOf("aws-route"), { additionalRules }).rules).toEqual([]);
  });
});
