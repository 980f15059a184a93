import { type PropertyValue, type Resource, UNKNOWN } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import type { Configuration } from "../../../src/gate/configuration";
import type { Rule } from "../../../src/gate/rule";
import { bootstrapPortOpen, portExcess } from "../../../src/securityGroups/rules/portExcess";
import { portMissing } from "../../../src/securityGroups/rules/portMissing";
import { portPublic } from "../../../src/securityGroups/rules/portPublic";
import { expectGolden } from "../../objects/golden";
import {
  COMPONENT,
  group,
  hostedCluster,
  judge,
  resource,
  services,
  splitRule,
  tags,
  tcp,
  textOf,
  type Properties,
} from "../../rules/builders";

const cluster = hostedCluster();
const agent = hostedCluster({
  platform: { type: "Agent" },
  services: services({ APIServer: "NodePort", Ignition: "NodePort", Konnectivity: "NodePort" }),
});
const configured = (topology: object): Configuration => ({
  clusters: [
    {
      path: "hostedClusters[0]",
      topology: { name: "tenant-a", namespace: "clusters", ...topology },
      securityGroups: {},
    },
  ],
  levels: {},
});
const open = { protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["0.0.0.0/0"] };
const complete = [tcp(6443, "10.0.0.0/16"), tcp(443, "10.0.0.0/16")];
const hosts = (ingress: Properties[], egress: Properties[] = [open], more: Properties = {}) =>
  group("hosts", ingress, { egress, ...more });
const nodes = (ingress: Properties[]) => group("nodes", ingress, { egress: [], tags: tags("workers") });
const every = {
  ruleNo: 100,
  action: "allow",
  protocol: "-1",
  fromPort: 0,
  toPort: 0,
  cidrBlock: "0.0.0.0/0",
};
const acl = (ingress: Properties[], egress: Properties[] = [every], more: Properties = {}) =>
  resource(TYPE.networkAcl, "subnets", { ingress, egress, tags: tags(), ...more });
const deny = (ruleNo: PropertyValue, more: Properties = {}): Properties => ({
  ...every,
  ...{
    ruleNo,
    action: "deny",
    protocol: "tcp",
    fromPort: 6443,
    toPort: 6443,
    cidrBlock: "10.0.128.0/17",
    ...more,
  },
});
const component = (disabledRules: string[]) =>
  resource(COMPONENT, "net", {
    topology: { name: "tenant-a", namespace: "clusters", platform: "AWS" },
    disabledRules,
  });
const of = (one: Resource, parent: Resource): Resource => ({ ...one, parent: parent.origin.urn! });
const split = splitRule("ssh", hosts([]), { fromPort: 2022, toPort: 2022, cidrIpv4: "198.51.100.0/24" });

const CASES: [title: string, rule: Rule, resources: Resource[], topology?: object][] = [
  [
    "a rule around what is needed",
    portExcess,
    [cluster, hosts([{ ...tcp(6443, "10.0.0.0/8"), toPort: 6444 }], [])],
  ],
  ["a rule that nothing needs, as a resource of its own", portExcess, [cluster, hosts(complete, []), split]],
  [
    "every port of UDP",
    portExcess,
    [cluster, hosts([{ ...tcp(0, "198.51.100.0/24"), protocol: "udp", toPort: 65_535 }], [])],
  ],
  [
    "blocks of both families",
    portExcess,
    [
      cluster,
      hosts(
        [
          { ...tcp(2022, "198.51.100.0/24"), ipv6CidrBlocks: ["2001:db8::/64"] },
          { ...open, cidrBlocks: ["10.0.0.0/16"], ipv6CidrBlocks: ["2001:db8::/64"] },
        ],
        [],
      ),
    ],
  ],
  [
    "a protocol without ports",
    portExcess,
    [
      cluster,
      hosts([{ protocol: "50", fromPort: 0, toPort: 0, cidrBlocks: ["198.51.100.0/24"] }], [], {
        tags: tags("private-endpoint"),
      }),
    ],
  ],
  [
    "SSH among other ports",
    portExcess,
    [cluster, hosts([{ ...tcp(20, "198.51.100.0/24"), toPort: 30 }], [])],
  ],
  [
    "everything from many networks",
    portExcess,
    [cluster, hosts([{ ...open, cidrBlocks: ["10.0.0.0/8"] }], [])],
    {
      managementClusterCidrs: ["10.1.0.0/16"],
      loadBalancerSubnetCidrs: ["10.2.0.0/16"],
    },
  ],
  ["everything to everybody", portExcess, [cluster, hosts([], [open])]],
  [
    "ports for joining nodes",
    bootstrapPortOpen,
    [
      hostedCluster({
        platform: { type: "None" },
        services: services({
          APIServer: "NodePort",
          OAuthServer: "NodePort",
          Konnectivity: "NodePort",
          Ignition: "NodePort",
        }),
      }),
      hosts([open], []),
    ],
    { bootstrap: false },
  ],
  [
    "no rule at all, with a name server that is known",
    portMissing,
    [cluster, hosts([], [{ ...open, protocol: "tcp", fromPort: 53, toPort: 443 }])],
    { dnsServerCidrs: ["192.0.2.53/32"] },
  ],
  [
    "a flow that a component leaves out",
    portMissing,
    [
      cluster,
      component(["control-plane/ingress/kube-apiserver"]),
      of(hosts([tcp(443, "10.0.0.0/16")]), component([])),
    ],
  ],
  [
    "a part of the workers",
    portMissing,
    [cluster, hosts([tcp(6443, "10.0.0.0/17"), tcp(443, "10.0.0.0/16")])],
  ],
  ["a rule of an ACL before the allow", portMissing, [cluster, acl([deny(90), every])]],
  ["a rule of an ACL whose number is not known", portMissing, [cluster, acl([deny(UNKNOWN), every])]],
  [
    "an ACL without a rule for calls",
    portMissing,
    [
      cluster,
      acl([
        { ...every, protocol: "tcp", fromPort: 0, toPort: 6442 },
        { ...every, ruleNo: 110, protocol: "tcp", fromPort: 6444, toPort: 65_535 },
        { ...every, ruleNo: 120, protocol: "udp", fromPort: 0, toPort: 65_535 },
      ]),
    ],
  ],
  [
    "a rule of an ACL before that for answers",
    portMissing,
    [cluster, acl([every], [deny(90, { fromPort: 32_768, toPort: 40_000 }), every])],
  ],
  ["one restricted port", portPublic, [cluster, hosts([tcp(8091, "0.0.0.0/0")])]],
  ["several", portPublic, [agent, hosts([{ ...tcp(8000, "0.0.0.0/0"), toPort: 10_300 }])]],
  ["every port", portPublic, [cluster, hosts([open])]],
  ["every port of TCP", portPublic, [cluster, hosts([{ ...tcp(0, "0.0.0.0/0"), toPort: 65_535 }])]],
  [
    "a port of nodes",
    portPublic,
    [cluster, hosts([tcp(22, "0.0.0.0/0")])],
    { managementClusterCidrs: ["10.1.0.0/16"] },
  ],
  ["two blocks together", portPublic, [cluster, nodes([tcp(22, "0.0.0.0/1", "128.0.0.0/1")])]],
  ["IPv6", portPublic, [cluster, nodes([{ ...tcp(22), ipv6CidrBlocks: ["::/0"] }])]],
  [
    "ICMP",
    portPublic,
    [cluster, nodes([{ protocol: "icmp", fromPort: 3, toPort: 4, cidrBlocks: ["0.0.0.0/0"] }])],
  ],
];

// Whole sentences with their fixes, so that every change of wording is reviewed.
test("the messages of the port rules match the golden file", () => {
  const text = CASES.map(([title, rule, resources, topology]) =>
    [
      `${rule.id}: ${title}`,
      ...judge(rule, resources, topology && configured(topology)).map((one) => `  ${textOf(one)}`),
    ].join("\n"),
  );
  expectGolden("ports/findings.txt", `${text.join("\n\n")}\n`);
});
