import { type PropertyValue, type Resource, UNKNOWN } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import type { Rule } from "../../../src/gate/rule";
import { bootstrapPortOpen, portExcess } from "../../../src/securityGroups/rules/portExcess";
import { portMissing } from "../../../src/securityGroups/rules/portMissing";
import { portPublic } from "../../../src/securityGroups/rules/portPublic";
import {
  COMPONENT,
  group,
  hostedCluster,
  judge,
  resource,
  splitRule,
  tags,
  tcp,
  type Properties,
} from "../../rules/builders";

const cluster = hostedCluster();
const open = { protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["0.0.0.0/0"] };
const complete = [tcp(6443, "10.0.0.0/16"), tcp(443, "10.0.0.0/16")];
const hosts = (ingress: PropertyValue, more: Properties = {}) =>
  resource(TYPE.securityGroup, "hosts", { ingress, egress: [open], tags: tags(), ...more });
const said = (rule: Rule, ...resources: Resource[]) =>
  judge(rule, resources).map(({ status, path, message }) => `${status} ${path} | ${message}`);
const component = (topology: Properties) =>
  resource(COMPONENT, "net", { topology: { name: "tenant-a", namespace: "clusters", ...topology } });
const of = (one: Resource, parent: Resource): Resource => ({ ...one, parent: parent.origin.urn! });

describe("whether a port is public is unknown", () => {
  const list = (...cidrs: string[]) =>
    resource(TYPE.prefixList, "corporate", { id: "pl-1", entries: cidrs.map((cidr) => ({ cidr })) });
  const byList: Properties = { protocol: "tcp", fromPort: 22, toPort: UNKNOWN, prefixListIds: ["pl-1"] };

  test.each<[string, Resource[], string[]]>([
    [
      "with an unknown protocol",
      [hosts([{ ...tcp(22, "0.0.0.0/0"), protocol: UNKNOWN }])],
      ["unknown ingress[0].protocol | SecurityGroup hosts: ingress[0].protocol"],
    ],
    [
      "with unknown ports",
      [hosts([{ ...tcp(22, "0.0.0.0/0"), toPort: UNKNOWN }])],
      ["unknown ingress[0].fromPort | SecurityGroup hosts: ingress[0].fromPort"],
    ],
    [
      "with unknown ports of a prefix list that contains everybody",
      [hosts([byList]), list("0.0.0.0/0")],
      ["unknown ingress[0].fromPort | SecurityGroup hosts: ingress[0].fromPort"],
    ],
    [
      "with unknown ports of a prefix list that contains networks and everybody",
      [hosts([byList]), list("10.0.0.0/8", "0.0.0.0/0")],
      ["unknown ingress[0].fromPort | SecurityGroup hosts: ingress[0].fromPort"],
    ],
    [
      "in a rule resource, at its property",
      [hosts([]), splitRule("ssh", hosts([]), { fromPort: UNKNOWN, toPort: 22, cidrIpv4: "0.0.0.0/0" })],
      ["unknown fromPort | SecurityGroupIngressRule ssh: fromPort"],
    ],
    [
      "with a prefix list outside the stack",
      [hosts([{ ...tcp(22), prefixListIds: ["pl-9"] }])],
      [
        "unknown ingress[0].prefixListIds[0] | SecurityGroup hosts: ingress[0].prefixListIds[0], the entries of prefix list pl-9 are not in this stack",
      ],
    ],
    [
      "with unknown sources and ports",
      [hosts([{ ...tcp(22), fromPort: UNKNOWN, cidrBlocks: [UNKNOWN] }])],
      ["unknown ingress[0].cidrBlocks[0] | SecurityGroup hosts: ingress[0].cidrBlocks[0]"],
    ],
  ])("%s", (_, resources, expected) => {
    expect(said(portPublic, cluster, ...resources)).toEqual(expected);
  });

  test.each<[string, Resource[]]>([
    ["the ports of a private network are unknown", [hosts([{ ...tcp(22, "10.0.0.0/8"), toPort: UNKNOWN }])]],
    ["the ports of a prefix list of private networks are unknown", [hosts([byList]), list("10.0.0.0/8")]],
    [
      "the sources of a port that may be public are unknown",
      [hosts([{ ...tcp(443), cidrBlocks: [UNKNOWN] }])],
    ],
    ["an outbound rule is unknown", [hosts([], { egress: [{ ...tcp(22), cidrBlocks: [UNKNOWN] }] })]],
  ])("not if %s", (_, resources) => {
    expect(said(portPublic, cluster, ...resources)).toEqual([]);
  });

  test("not because of an unknown platform, for ports that are restricted on every platform", () => {
    expect(
      judge(portPublic, [hostedCluster({ platform: UNKNOWN }), hosts([tcp(10_250, "0.0.0.0/0")])]),
    ).toMatchObject([
      {
        status: "violated",
        fix: "allow the addresses of the management cluster's nodes only, or remove the port",
      },
    ]);
  });
});

describe("whether a rule opens too much is unknown", () => {
  const unsure = hosts([...complete, { ...tcp(2022), cidrBlocks: UNKNOWN }]);
  test.each<[string, Resource[], string[]]>([
    [
      "with unknown sources",
      [cluster, hosts([...complete, { ...tcp(2022), cidrBlocks: UNKNOWN }], { egress: [] })],
      ["unknown ingress[2].cidrBlocks | SecurityGroup hosts: ingress[2].cidrBlocks"],
    ],
    [
      "not for a port that everybody may call",
      [
        hostedCluster({ platform: { type: "AWS", aws: { region: "us-east-1", endpointAccess: "Public" } } }),
        hosts([{ ...tcp(443), prefixListIds: ["pl-1"] }], { egress: [] }),
      ],
      [],
    ],
    [
      "not for a rule of a component, whose users state the sources",
      [
        cluster,
        component({}),
        of({ ...unsure, properties: { ...unsure.properties, egress: [] } }, component({})),
      ],
      [],
    ],
    ["not for a group without rules", [cluster, hosts([], { egress: [] })], []],
  ])("%s", (_, resources, expected) => {
    expect(said(portExcess, ...resources)).toEqual(expected);
  });

  test("for joining nodes, if bootstrap is unknown", () => {
    const pending = component({ bootstrap: UNKNOWN });
    expect(said(bootstrapPortOpen, cluster, pending, hosts(complete))).toEqual([
      "unknown topology.bootstrap | HostedControlPlaneSecurityGroups net: topology.bootstrap",
    ]);
    expect(said(bootstrapPortOpen, cluster, pending, hosts([], { egress: [] }))).toEqual([]);
  });
});

describe("whether a flow is allowed is unknown", () => {
  test.each<[string, Resource[], string[]]>([
    [
      "with a role of a cluster without a topology",
      [hosts(complete)],
      [
        "unknown tags | SecurityGroup hosts: tags, it names the role control-plane, but no topology of cluster tenant-a is known",
      ],
    ],
    [
      "with a role without a cluster name",
      [hosts(complete, { tags: { "hypershift-network/role": "control-plane" } })],
      [
        "unknown tags | SecurityGroup hosts: tags, it names the role control-plane, but no topology of its cluster is known",
      ],
    ],
    [
      "with an invalid role",
      [cluster, hosts(complete, { tags: tags("controlplane") })],
      [
        expect.stringMatching(
          /^unknown tags.* is not one of control-plane, workers, private-endpoint/,
        ) as string,
      ],
    ],
    [
      "with unknown peers",
      [cluster, component({ managementClusterCidrs: UNKNOWN }), hosts(complete)],
      [
        "unknown topology.managementClusterCidrs | HostedControlPlaneSecurityGroups net: topology.managementClusterCidrs",
      ],
    ],
    [
      "with peers that are not stated, at a port that is open to some blocks",
      [
        cluster,
        hosts(complete, {
          egress: [
            tcp(443, "0.0.0.0/0"),
            tcp(6443, "10.1.0.0/16"),
            tcp(53, "10.1.0.0/16"),
            { ...tcp(53, "10.1.0.0/16"), protocol: "udp" },
          ],
        }),
      ],
      [
        "unknown egress | clusters/tenant-a: managementClusterCidrs, which the topology does not state",
        "unknown egress | clusters/tenant-a: dnsServerCidrs, which the topology does not state",
      ],
    ],
    [
      "with a group outside the stack",
      [
        cluster,
        component({}),
        of(
          resource(TYPE.ingressRule, "net-control-plane-ingress-tcp-443", {
            ...{
              securityGroupId: "sg-far",
              ipProtocol: "tcp",
              fromPort: 443,
              toPort: 443,
              cidrIpv4: "10.0.0.0/16",
            },
          }),
          component({}),
        ),
      ],
      [
        expect.stringContaining(
          "unknown ingress | clusters/tenant-a: the other rules of a security group that is not in this stack",
        ) as string,
      ],
    ],
  ])("%s", (_, resources, expected) => {
    const found = said(portMissing, ...resources);
    expect([...new Set(found)].slice(0, Math.max(expected.length, 1))).toEqual(expected);
  });

  test("not because of a group outside the stack if its known rules allow the flow", () => {
    const open = (type: string, name: string): Resource =>
      of(
        resource(type, `net-control-plane-${name}`, {
          ...{ securityGroupId: "sg-far", ipProtocol: "-1", cidrIpv4: "0.0.0.0/0" },
        }),
        component({}),
      );
    const both = [open(TYPE.ingressRule, "ingress-all"), open(TYPE.egressRule, "egress-all")];
    expect(said(portMissing, cluster, component({}), ...both)).toEqual([]);
  });

  test("because of a secret cluster name", () => {
    const named = hostedCluster();
    const metadata: Properties = { ...(named.properties.metadata as Properties), name: UNKNOWN };
    const secret = { ...named, properties: { ...named.properties, metadata }, secrets: ["metadata.name"] };
    expect(
      judge(portMissing, [secret, hosts(complete)]).map(({ status, path }) => `${status} ${path}`),
    ).toContain("unknown (secret) metadata.name");
  });
});

test.each([
  [TYPE.securityGroup, true],
  [TYPE.defaultSecurityGroup, true],
  [TYPE.networkAcl, false],
])("whether %s can show by itself that a port is public: %s", (type, expected) => {
  expect(portPublic.single!(type)).toBe(expected);
});

describe("a source counts as everybody", () => {
  const opened = (...rules: Properties[]) =>
    judge(portPublic, [cluster, group("nodes", rules, { tags: tags("workers") })]).map(
      ({ path, message }) => `${path} ${/open to (.*?)\. /.exec(message)?.[1]}`,
    );
  const six = (block: string) => ({ ...tcp(22), ipv6CidrBlocks: [block] });
  const at = (fromPort: number, toPort: number, ...blocks: string[]) => ({
    ...tcp(fromPort, ...blocks),
    toPort,
  });

  test.each<[Properties, string[]]>([
    [tcp(22, "10.0.0.0/8"), []],
    [tcp(22, "10.0.0.0/7"), ["ingress[0].cidrBlocks[0] 10.0.0.0/7 at TCP 22"]],
    [six("2001::/16"), []],
    [six("2000::/15"), ["ingress[0].ipv6CidrBlocks[0] 2000::/15 at TCP 22"]],
    [six("fc00::/7"), []],
    [six("fd00::/8"), []],
    [six("fc00::/6"), ["ingress[0].ipv6CidrBlocks[0] fc00::/6 at TCP 22"]],
    // Of nested blocks the widest.
    [tcp(22, "10.0.0.0/8", "0.0.0.0/0"), ["ingress[0].cidrBlocks[1] 0.0.0.0/0 at TCP 22"]],
  ])("depending on its width: %j", (rule, expected) => {
    expect(opened(rule)).toEqual(expected);
  });

  test("if a prefix list covers all addresses", () => {
    const list = resource(TYPE.prefixList, "all", {
      id: "pl-1",
      entries: [{ cidr: "0.0.0.0/1" }, { cidr: "128.0.0.0/1" }],
    });
    const nodes = group("nodes", [{ ...tcp(22), prefixListIds: ["pl-1"] }], { tags: tags("workers") });
    expect(judge(portPublic, [cluster, list, nodes]).map(({ path }) => path)).toEqual([
      "ingress[0].prefixListIds[0]",
    ]);
  });

  test("if several rules together cover it, at the ports that all of them open", () => {
    const first = at(30_000, 30_010, "10.0.0.0/8");
    const both = "10.0.0.0/7 at TCP";
    expect(opened(first, at(30_000, 30_005, "11.0.0.0/8"), at(30_006, 30_010, "11.0.0.0/8"))).toEqual([
      `ingress[0].cidrBlocks[0] ${both} 30000-30010, together with blocks other than 10.0.0.0/8`,
      `ingress[1].cidrBlocks[0] ${both} 30000-30005, together with blocks other than 11.0.0.0/8`,
      `ingress[2].cidrBlocks[0] ${both} 30006-30010, together with blocks other than 11.0.0.0/8`,
    ]);
    expect(opened(first, at(30_000, 30_001, "11.0.0.0/8"), at(30_009, 30_010, "11.0.0.0/8"))[0]).toBe(
      `ingress[0].cidrBlocks[0] ${both} 30000-30001, TCP 30009-30010, together with blocks other than 10.0.0.0/8`,
    );
    expect(opened(first, at(30_011, 30_020, "11.0.0.0/8"))).toEqual([]);
  });
});
