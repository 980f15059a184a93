import { checkCertificate, type PlannedResource } from "../../../src/reachability/certificate/check";
import { LIMIT } from "../../../src/requirements/limits";
import {
  type Properties,
  certificate,
  ALL,
  EVERY_SERVICE,
  services,
  block,
  resource,
  check,
  less,
  group,
  policy,
  web,
  tcp,
  V4,
  widened,
} from "./claims";

describe("the rules that a certificate names", () => {
  test("are reported with their path if they do not exist", () => {
    const one = group({ ...web, cidrBlocks: [V4] });
    const said = block(tcp, [V4]);
    expect(check([one], "ingress[1]", said)).toEqual(["j, g, calls: urn:it has no rule ingress[1]"]);
    expect(check([one], "tags", said)).toEqual(["j, g, calls: urn:it has no rule tags"]);
    expect(check([resource("aws:ec2/vpc:Vpc", { cidrBlock: V4 })], "", said)).toEqual([
      "j, g, calls: urn:it has no rule ",
    ]);
    expect(check([one], "ingress[0]", said, { urn: "urn:other" })).toEqual([
      "j, g, calls: urn:other is not in the plan",
    ]);
  });

  test("can be identified by file and line", () => {
    const { urn: _, ...rest } = policy({ ports: [{ port: 443, endPort: 445 }] });
    const from = (line: number) =>
      checkCertificate(
        certificate([], [{ rule: { file: "a.yaml", line, path: "spec.ingress[0]" }, packets: [block(tcp)] }]),
        [{ ...rest, file: "a.yaml", line: 3 }],
      );
    expect(from(3)).toEqual([]);
    expect(from(4)).toEqual(["j, g, calls: a.yaml:4 is not in the plan"]);
  });

  test("can be identified by kind, namespace and name, wherever these are written", () => {
    const { urn: _, ...one } = resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", {
      metadata: { name: "a" },
      spec: { ingress: [{ ports: [{ port: 443, endPort: 445 }] }] },
    });
    const written = {
      object: "kubernetes:networking.k8s.io/:NetworkPolicy default/a",
      path: "spec.ingress[0]",
    };
    const from = (place: object, ...plan: PlannedResource[]) => {
      const rules = [{ rule: { ...written, ...place }, packets: [block(tcp)] }];
      return checkCertificate(certificate([], rules), plan);
    };
    const at = { file: "a.yaml", line: 3 };
    const moved = { ...one, file: "b/c.yaml", line: 7 };
    expect(from(at, moved)).toEqual([]);
    expect(from({ urn: "urn:it" }, { ...one, urn: "urn:renamed" })).toEqual([]);
    // Another object on the same line is another one.
    const renamed = { ...moved, ...at, properties: { ...one.properties, metadata: { name: "b" } } };
    expect(from(at, renamed)).toEqual(["j, g, calls: NetworkPolicy default/a is not in the plan"]);
    expect(from({ urn: "urn:it" }, { ...renamed, urn: "urn:it" })).toEqual([]);
    expect(from({ urn: "urn:it" })).toEqual(["j, g, calls: urn:it is not in the plan"]);
    expect(from(at, renamed, moved)).toEqual([]);
    const empty = { ...moved, properties: { ...one.properties, spec: { ingress: [] } } };
    expect(from(at, empty)).toEqual(["j, g, calls: b/c.yaml:7 has no rule spec.ingress[0]"]);
  });

  test("are not needed if no filter stops the packets", () => {
    expect(checkCertificate(certificate([block(tcp)], [{ packets: [block(tcp)] }]), [])).toEqual([]);
  });
});

describe("ordered rules of network ACLs", () => {
  const { min, max } = LIMIT.networkAclRuleNumber;
  const allow = { ruleNo: 100, action: "allow", protocol: "-1", cidrBlock: "10.0.0.0/8" };
  const acl = (inline: object[], direction = "ingress") =>
    resource("aws:ec2/networkAcl:NetworkAcl", { id: "acl-1", [direction]: [...inline, allow] });
  const separate = (properties: Properties) =>
    resource(
      "aws:ec2/networkAclRule:NetworkAclRule",
      {
        networkAclId: "acl-1",
        egress: false,
        ruleNumber: 50,
        ruleAction: "deny",
        protocol: "tcp",
        fromPort: 443,
        toPort: 443,
        cidrBlock: V4,
        ...properties,
      },
      "urn:deny",
    );
  const denied = (position: number) => [
    `j, g, calls: a rule before urn:it ingress[${position}] denies some of the packets`,
  ];
  const deny = { ruleNo: 50, action: "deny", protocol: "tcp", fromPort: 443, toPort: 443, cidrBlock: V4 };
  const said = block(tcp, [V4]);

  test.each<[string, Properties, boolean]>([
    ["the same packets", {}, true],
    ["some of the addresses", { cidrBlock: "10.0.0.7/32" }, true],
    ["every protocol", { protocol: "-1" }, true],
    ["other addresses", { cidrBlock: "10.0.1.0/24" }, false],
    ["another port", { fromPort: 446, toPort: 446 }, false],
    ["another protocol", { protocol: "udp" }, false],
  ])(
    "a deny rule before the rule is found if it matches any of the packets: %s",
    (_, properties, isDenied) => {
      expect(check([acl([{ ...deny, ...properties }])], "ingress[1]", said)).toEqual(
        isDenied ? denied(1) : [],
      );
      expect(check([acl([]), separate(properties)], "ingress[0]", said)).toEqual(isDenied ? denied(0) : []);
    },
  );

  test.each<[string, Properties]>([
    ["has a higher number", { ruleNo: 101, ruleNumber: 101 }],
    ["allows", { action: "allow", ruleAction: "allow" }],
  ])("a rule that %s does not affect the claim", (_, properties) => {
    expect(check([acl([{ ...deny, ...properties }])], "ingress[1]", said)).toEqual([]);
    expect(check([acl([]), separate(properties)], "ingress[0]", said)).toEqual([]);
  });

  test.each<[string, Properties]>([
    ["deny", {}],
    ["deny other packets", { cidrBlock: "192.0.2.0/24" }],
    ["allow", { action: "allow", ruleAction: "allow" }],
  ])("of two rules with one number, it is unknown which applies: both %s", (_, properties) => {
    const same = { ruleNo: 100, ruleNumber: 100, ...properties };
    const found = (place: number) => [
      `j, g, calls: another rule has the number of urn:it ingress[${place}], and EC2 accepts only one of them`,
    ];
    expect(check([acl([{ ...deny, ...same }])], "ingress[1]", said)).toEqual(found(1));
    expect(check([acl([]), separate(same)], "ingress[0]", said)).toEqual(found(0));
    expect(check([acl([]), separate({ ...same, egress: true })], "ingress[0]", said)).toEqual([]);
    expect(check([acl([]), separate({ ...same, networkAclId: "acl-2" })], "ingress[0]", said)).toEqual([]);
  });

  test.each<[string, Properties]>([
    ["number", { ruleNo: undefined, ruleNumber: undefined }],
    ["action", { action: undefined, ruleAction: undefined }],
    ["protocol or unreadable protocol", { protocol: "x", cidrBlock: "192.0.2.0/24" }],
  ])("a rule with unknown %s may deny before any other", (_, properties) => {
    expect(check([acl([{ ...deny, ...properties }])], "ingress[1]", said)).toEqual(denied(1));
    expect(check([acl([]), separate(properties)], "ingress[0]", said)).toEqual(denied(0));
  });

  test("a deny rule of the other direction or of another ACL does not affect the claim", () => {
    expect(check([acl([]), separate({ egress: true })], "ingress[0]", said)).toEqual([]);
    expect(check([acl([]), separate({ networkAclId: "acl-2" })], "ingress[0]", said)).toEqual([]);
    const other = resource("aws:ec2/networkAcl:NetworkAcl", { id: "acl-2", ingress: [deny] }, "urn:other");
    expect(check([acl([]), other], "ingress[0]", said)).toEqual([]);
    const both = resource("aws:ec2/networkAcl:NetworkAcl", { id: "acl-1", ingress: [allow], egress: [deny] });
    expect(check([both], "ingress[0]", said)).toEqual([]);
    const unnamed = (list: object[], urn: string) =>
      resource("aws:ec2/networkAcl:NetworkAcl", { ingress: list }, urn);
    expect(check([unnamed([allow], "urn:it"), unnamed([deny], "urn:b")], "ingress[0]", said)).toEqual([]);
  });

  test("an unknown rule does not affect claims about the rules next to it", () => {
    expect(check([acl([null as never])], "ingress[1]", said)).toEqual([]);
  });

  test("egress packets are judged by egress rules", () => {
    const out = block(tcp, ALL, [V4]);
    const found = ["j, g, calls: a rule before urn:it egress[1] denies some of the packets"];
    expect(check([acl([deny], "egress")], "egress[1]", out)).toEqual(found);
    expect(check([acl([], "egress"), separate({ egress: true })], "egress[0]", out)).toEqual([
      "j, g, calls: a rule before urn:it egress[0] denies some of the packets",
    ]);
    expect(check([acl([], "egress"), separate({})], "egress[0]", out)).toEqual([]);
  });

  test("a rule resource is judged together with the other rules of its ACL", () => {
    const rule = resource("aws:ec2/networkAclRule:NetworkAclRule", {
      networkAclId: "acl-1",
      egress: false,
      ruleNumber: 100,
      ruleAction: "allow",
      protocol: "-1",
      cidrBlock: "10.0.0.0/8",
    });
    expect(check([rule], "", said)).toEqual([]);
    expect(check([rule, separate({})], "", said)).toEqual([
      "j, g, calls: a rule before urn:it  denies some of the packets",
    ]);
    expect(check([rule, separate({ ruleNumber: 150 })], "", said)).toEqual([]);
    expect(check([rule, separate({ networkAclId: undefined })], "", said)).toHaveLength(1);
    const inline = (id: string) =>
      resource("aws:ec2/networkAcl:NetworkAcl", { id, ingress: [deny] }, "urn:acl");
    expect(check([rule, inline("acl-1")], "", said)).toHaveLength(1);
    expect(check([rule, inline("acl-2")], "", said)).toEqual([]);
    const { networkAclId: _, ...stray } = rule.properties;
    expect(check([{ ...rule, properties: stray }, inline("acl-2")], "", said)).toHaveLength(1);
  });

  test("a rule resource of egress covers egress packets only", () => {
    const egress = { egress: true, ruleAction: "allow", protocol: "-1", cidrBlock: V4 };
    const rule = resource("aws:ec2/networkAclRule:NetworkAclRule", { ...separate(egress).properties });
    expect(check([rule], "", block(tcp, ALL, [V4]))).toEqual([]);
    expect(check([rule], "", said)).toEqual(["j, g, calls: urn:it  is not a rule for ingress"]);
  });

  test.each<[string, Properties]>([
    ["an action", { ruleAction: undefined }],
    ["a number", { ruleNumber: undefined }],
  ])("a rule without %s supports no claim", (_, properties) => {
    const rule = separate({ ruleAction: "Allow", ...properties });
    expect(check([{ ...rule, urn: "urn:it" }], "", block(services("tcp", 443, 443), [V4]))).toEqual(less(""));
  });

  test.each([min - 1, max + 1])(
    "a rule with the number %d, which EC2 refuses, supports no claim",
    (number) => {
      const numbered = (ruleNo: number) =>
        check(
          [acl([{ ...deny, action: "allow", ruleNo }])],
          "ingress[0]",
          block(services("tcp", 443, 443), [V4]),
        );
      expect(numbered(number)).toEqual(less("ingress[0]"));
      expect(numbered(number === min - 1 ? min : max)).toEqual([]);
      // It is not known what the network ACL has instead of a denial that EC2 refuses.
      expect(check([acl([{ ...deny, ruleNo: number }])], "ingress[1]", said)).toEqual(denied(1));
    },
  );

  test("a deny rule supports no claim", () => {
    expect(check([acl([deny])], "ingress[0]", block(services("tcp", 443, 443), [V4]))).toEqual(
      less("ingress[0]"),
    );
    const rule = resource("aws:ec2/networkAclRule:NetworkAclRule", { ...separate({}).properties });
    expect(check([rule], "", block(services("tcp", 443, 443), [V4]))).toEqual(less(""));
  });

  test("rules of a security group have no order", () => {
    const one = resource("aws:ec2/securityGroup:SecurityGroup", {
      id: "acl-1",
      ingress: [{ ...web, cidrBlocks: [V4] }],
    });
    expect(check([one, separate({})], "ingress[0]", said)).toEqual([]);
  });
});

describe("egress firewalls, in which the first matching rule decides", () => {
  const firewall = (...egress: object[]) =>
    resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", { metadata: { name: "default" }, spec: { egress } });
  const allow = { type: "Allow", to: { cidrSelector: V4 }, ports: [{ protocol: "TCP", port: 443 }] };
  const deny = (to: object, more: object = {}) => ({ type: "Deny", to, ...more });
  const said = block(services("tcp", 443, 443), ALL, [V4]);
  const denied = ["j, g, calls: a rule before urn:it spec.egress[1] denies some of the packets"];

  test("a rule supports a claim for its block and ports, and nothing more", () => {
    expect(check([firewall(allow)], "spec.egress[0]", said)).toEqual([]);
    for (const wide of widened(said))
      expect(check([firewall(allow)], "spec.egress[0]", wide)).toEqual(less("spec.egress[0]"));
  });

  test("a deny rule and a rule for a DNS name support no claim", () => {
    expect(check([firewall({ ...allow, type: "Deny" })], "spec.egress[0]", said)).toEqual(
      less("spec.egress[0]"),
    );
    const named = { ...allow, to: { dnsName: "example.com" } };
    expect(check([firewall(named)], "spec.egress[0]", said)).toEqual(less("spec.egress[0]"));
  });

  test.each<[string, object, boolean]>([
    ["the same addresses", deny({ cidrSelector: V4 }), true],
    ["one of the addresses", deny({ cidrSelector: "10.0.0.7/32" }), true],
    ["a DNS name, which may have any address", deny({ dnsName: "example.com" }), true],
    ["nodes, which may have any address", deny({ nodeSelector: {} }), true],
    [
      "a DNS name, on another port",
      deny({ dnsName: "a" }, { ports: [{ protocol: "TCP", port: 80 }] }),
      false,
    ],
    ["other addresses", deny({ cidrSelector: "10.0.1.0/24" }), false],
    ["another port", deny({ cidrSelector: V4 }, { ports: [{ protocol: "TCP", port: 80 }] }), false],
  ])("a deny rule before the rule is found if it may match the packets: %s", (_, one, isDenied) => {
    expect(check([firewall(one, allow)], "spec.egress[1]", said)).toEqual(isDenied ? denied : []);
    expect(check([firewall(allow, one)], "spec.egress[0]", said)).toEqual([]);
  });

  test("an unknown rule before the rule may deny anything", () => {
    expect(check([firewall(null as never, allow)], "spec.egress[1]", said)).toEqual(denied);
  });

  test("an Allow rule before the rule does not affect the claim", () => {
    expect(check([firewall(allow, { ...allow })], "spec.egress[1]", said)).toEqual([]);
  });

  const claimed = block(EVERY_SERVICE, ALL, [V4]);
  const inList = ["j, g, calls: a rule in urn:it spec.egress denies some of the packets"];
  const checkList = (one: PlannedResource) => check([one], "spec.egress", claimed, { direction: "egress" });

  test.each<[string, object[], boolean]>([
    ["none", [], false],
    ["a Deny of other addresses", [deny({ cidrSelector: "192.0.2.0/24" })], false],
    ["an Allow", [allow], false],
    ["a Deny of some of the addresses", [deny({ cidrSelector: "10.0.0.7/32" })], true],
    ["a Deny after an Allow", [allow, deny({ cidrSelector: "0.0.0.0/0" })], true],
    ["a Deny of a DNS name", [deny({ dnsName: "example.com" })], true],
    ["a Deny of one port", [deny({ cidrSelector: V4 }, { ports: [{ protocol: "TCP", port: 80 }] })], true],
    ["a type that drops", [{ ...allow, type: "Allowed" }], true],
    ["one that is not known", [null as never], true],
  ])("packets that no rule matches pass, with these rules: %s", (_, egress, isDenied) => {
    expect(checkList(firewall(...egress))).toEqual(isDenied ? inList : []);
  });

  test("its rules in a patch decide likewise", () => {
    const patch = (...egress: object[]) => ({
      ...firewall(...egress),
      type: "kubernetes:k8s.ovn.org/v1:EgressFirewallPatch",
    });
    expect(check([patch(allow)], "spec.egress[0]", said)).toEqual([]);
    expect(check([patch({ ...allow, type: "Deny" })], "spec.egress[0]", said)).toEqual(
      less("spec.egress[0]"),
    );
    expect(check([patch(deny({ cidrSelector: V4 }), allow)], "spec.egress[1]", said)).toEqual(denied);
  });

  test("packets pass only in its namespace, only as egress, and only if it is applied and has a list", () => {
    const { metadata: _, ...rest } = firewall().properties;
    expect(checkList({ ...firewall(), properties: rest })).toHaveLength(1);
    expect(check([firewall()], "spec.egress", claimed, { direction: "ingress" })).toHaveLength(1);
    expect(checkList(firewall({ ...allow, to: { cidrSelector: V4, dnsName: "a.b" } }))).toHaveLength(1);
    const spec = {};
    expect(checkList({ ...firewall(), properties: { ...firewall().properties, spec } })).toEqual([
      "j, g, calls: urn:it has no rule spec.egress",
    ]);
  });
});

describe("patches and versions of objects", () => {
  const said = block(tcp, [V4]);
  const rule = { from: [{ ipBlock: { cidr: V4 } }], ports: [{ port: 443, endPort: 445 }] };
  const object = (type: string, spec: Properties, urn = "urn:it", namespace = "default") =>
    resource(`kubernetes:${type}`, { metadata: { name: "a", namespace }, spec }, urn);
  const POLICY = "networking.k8s.io/v1:NetworkPolicy";
  const own = object(POLICY, { podSelector: {}, ingress: [rule] });
  const other = (spec: Properties, type: string = POLICY, namespace?: string) =>
    object(type, spec, "urn:other", namespace);
  const without = ["j, g, calls: urn:other has no rule spec.ingress[0]"];
  const elsewhere = "j, g, calls: urn:other changes which pods urn:it selects, or its priority";

  test.each<[string, PlannedResource, string[]]>([
    ["a patch without the rule", other({ ingress: [] }, `${POLICY}Patch`), without],
    ["a patch that leaves the rules as they are", other({ egress: [] }, `${POLICY}Patch`), []],
    ["a patch of the other direction", other({ policyTypes: ["Egress"] }, `${POLICY}Patch`), []],
    [
      "a patch without a spec",
      resource(`kubernetes:${POLICY}Patch`, { metadata: { name: "a" } }, "urn:b"),
      [],
    ],
    ["a patch that selects other pods", other({ podSelector: { a: "b" } }, `${POLICY}Patch`), [elsewhere]],
    ["a version without the rule", other({ podSelector: {}, ingress: [] }), without],
    ["a version with the rule", other({ ingress: [rule, {}], podSelector: { matchLabels: null } }), []],
    ["a version that selects other pods", other({ ingress: [rule], podSelector: { a: "b" } }), [elsewhere]],
    [
      "a version of a later API",
      other({ podSelector: {}, ingress: [] }, "networking.k8s.io/v2:NetworkPolicy"),
      without,
    ],
    ["an object of another kind", other({ egress: [] }, "k8s.ovn.org/v1:EgressFirewall"), []],
    ["an object of another namespace", other({ ingress: [] }, POLICY, "web"), []],
    ["an object of another cluster", { ...other({ ingress: [] }), isElsewhere: true }, []],
  ])("must have the rule: %s", (name, one, faults) => {
    const found = name.endsWith("direction")
      ? ["j, g, calls: urn:other spec.ingress[0] allows fewer packets than the certificate states"]
      : faults;
    expect(check([own, one], "spec.ingress[0]", said)).toEqual(found);
    expect(check([one, own], "spec.ingress[0]", said)).toEqual(found);
  });

  test("an object that is only elsewhere is not in the plan", () => {
    expect(check([{ ...own, isElsewhere: true }], "spec.ingress[0]", said)).toEqual([
      "j, g, calls: urn:it is not in the plan",
    ]);
  });

  test("a patch by itself has the types that it states", () => {
    const patch = (spec: Properties) => object(`${POLICY}Patch`, { ingress: [rule], ...spec });
    expect(check([patch({ policyTypes: ["Ingress"] })], "spec.ingress[0]", said)).toEqual([]);
    expect(check([patch({})], "spec.ingress[0]", said)).toEqual(less("spec.ingress[0]"));
  });

  test("administrators' policies are the same in every namespace", () => {
    const ADMIN = "policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy";
    const admin = object(ADMIN, { priority: 1, ingress: [{ ...rule, action: "Deny" }] }, "urn:it", "a");
    const allowing = object(ADMIN, { priority: 1, ingress: [{ action: "Allow" }] }, "urn:it", "a");
    expect(
      check([allowing, { ...admin, urn: "urn:other" }], "spec.ingress[0]", said, { holder: ["a"] }),
    ).toEqual(["j, g, calls: urn:other spec.ingress[0] allows fewer packets than the certificate states"]);
    const late = object(ADMIN, { priority: 2, ingress: [{ action: "Allow" }] }, "urn:other", "b");
    expect(check([allowing, late], "spec.ingress[0]", said, { holder: ["a", "b"] })).toEqual([elsewhere]);
  });

  test("of a HostedCluster and its patches, those that list addresses count", () => {
    const HOSTED = "hypershift.openshift.io/v1beta1:HostedCluster";
    const path = "spec.networking.apiServer.allowedCIDRBlocks";
    const listing = (blocks: string[], type = HOSTED, urn = "urn:it") =>
      object(type, { networking: { apiServer: { allowedCIDRBlocks: blocks } } }, urn);
    const from = block(EVERY_SERVICE, [V4]);
    const patch = (blocks: string[]) => listing(blocks, `${HOSTED}Patch`, "urn:other");
    expect(check([listing([V4]), patch([])], path, from)).toEqual([]);
    expect(check([listing([V4]), patch([V4])], path, from)).toEqual([]);
    expect(check([listing([V4]), patch(["192.0.2.0/24"])], path, from)).toEqual([
      `j, g, calls: urn:other ${path} allows fewer packets than the certificate states`,
    ]);
  });
});
