import { describeStale, type Exemption, Exemptions, verdictOf } from "../../src/gate/verdict";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { cidrInvalid } from "../../src/addressRanges/rules/cidrInvalid";
import { portPublic } from "../../src/securityGroups/rules/portPublic";
import { JudgedResources } from "../../src/gate/judgedResources";
import { Level, Status, type Finding } from "../../src/gate/rule";
import { TYPE } from "../../src/resources/resourceTypes";
import { group, resource, tags, tcp, urnOf } from "../rules/builders";
import { type Enforcement, NO_CONFIGURATION } from "../../src/gate/configuration";
import { UNKNOWN } from "../../src/resources/resource";

const exemption = (name: string, rule = "cidr-invalid"): Exemption => ({
  path: "exemptions[0]",
  rule,
  resource: name,
  reason: "the partner's network",
});
const hosts = group("hosts", [tcp(443, "10.0.0.1/8")], { tags: tags() });
const manifest = {
  ...resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", "default", {
    metadata: { name: "default", namespace: "team" },
    spec: { egress: [{ type: "Deny", to: { cidrSelector: "10.0.0.1/8" } }] },
  }),
  origin: { file: "firewalls/team.yaml", line: 3 },
};

function judged(exemptions: Exemption[], levels = {}) {
  const configuration = { ...NO_CONFIGURATION, exemptions, levels };
  return verdictOf(new JudgedResources([hosts, manifest], configuration), [cidrInvalid, portPublic]);
}

describe("exemptions", () => {
  it.each([
    ["a URN", urnOf(TYPE.securityGroup, "hosts")],
    ["a URN pattern", "urn:pulumi:*::test::aws:ec2/*::hosts"],
    ["a name", "hosts"],
    ["a kind and a name", "SecurityGroup/hosts"],
  ])("suppress the findings of a resource named by %s, and count them with their reason", (_, name) => {
    const { findings, exempted, stale } = judged([exemption(name)]);
    expect(findings.map(({ resource: { file } }) => file)).toEqual(["firewalls/team.yaml"]);
    expect(exempted).toMatchObject([{ finding: { rule: "cidr-invalid" }, exemption: exemption(name) }]);
    expect(stale).toEqual([]);
  });

  it.each(["EgressFirewall/team/default", "EgressFirewall/default", "firewalls/*.yaml", "*/team/*"])(
    "%s matches a manifest",
    (name) => {
      expect(judged([exemption(name)]).exempted).toHaveLength(1);
    },
  );

  it.each([
    "host",
    "osts",
    "HOSTS",
    "urn:pulumi:prod::*",
    "SecurityGroup.hosts",
    "EgressFirewall/other/default",
  ])("%s matches nothing, suppresses nothing and is stale", (name) => {
    const { findings, exempted, stale } = judged([exemption(name)]);
    expect([findings.length, exempted.length, stale.length]).toEqual([2, 0, 1]);
  });

  it("apply only to their rule, and are not stale if that rule is disabled", () => {
    expect(judged([exemption("hosts", "port-public")])).toMatchObject({ exempted: [], stale: [{}] });
    const disabled = judged([exemption("hosts")], { "cidr-invalid": "disabled" });
    expect(disabled).toMatchObject({ findings: [], exempted: [], stale: [] });
  });

  it("that match the same finding are all needed, and the first one suppresses it", () => {
    const all = ["Sec*", "hosts", "SecurityGroup/hosts"].map((name) => exemption(name));
    for (const order of [all, [...all].reverse()]) {
      const { exempted, stale } = judged(order);
      expect(exempted.map(({ exemption: taken }) => taken)).toEqual([order[0]]);
      expect(stale).toEqual([]);
    }
  });

  it("match an object by its own name or its resource name, with or without kind and namespace", () => {
    const finding = { rule: "cidr-invalid", resource: { file: "a.yaml" } } as unknown as Finding;
    const object = resource("kubernetes:core/v1:Service", "resource-1a2b", {
      metadata: { name: "web", namespace: "team" },
    });
    const takes = (name: string, of = object) =>
      new Exemptions([exemption(name)]).of(finding, of) !== undefined;
    for (const name of ["web", "Service/web", "Service/team/web", "resource-1a2b", "Service/resource-1a2b"])
      expect([name, takes(name)]).toEqual([name, true]);
    for (const name of ["team/web", "team", "Service", "core/v1:Service/web", "undefined"])
      expect([name, takes(name)]).toEqual([name, false]);
    const plain = resource(object.type, object.name, { metadata: "web" });
    const both = ["resource-1a2b", "Service/team/resource-1a2b"];
    expect(both.map((name) => takes(name, plain))).toEqual([true, false]);
    const later = resource(object.type, object.name, { metadata: { name: UNKNOWN, namespace: UNKNOWN } });
    expect(both.map((name) => takes(name, later))).toEqual([true, false]);
  });

  it("match a running object by its id, and a resource by its URN, even with colons in its name", () => {
    const of = (resource: Finding["resource"], name: string) =>
      new Exemptions([exemption(name)]).of({ rule: "cidr-invalid", resource } as Finding) !== undefined;
    expect(of({ live: "sg-0a1b" }, "sg-0a1b")).toBe(true);
    const urn = "urn:pulumi:dev::test::my:index:Outer$aws:ec2/securityGroup:SecurityGroup::a::b";
    for (const name of ["a::b", "SecurityGroup/a::b", urn, "*::b", "Sec*::b"])
      expect([name, of({ urn }, name)]).toEqual([name, true]);
    for (const name of ["b", "a", "SecurityGroup/b", "SecurityGroup"])
      expect([name, of({ urn }, name)]).toEqual([name, false]);
    expect(of({ urn: "urn" }, "")).toBe(false);
  });

  it("match a file however its path is written, and never the folder of the process", () => {
    const finding = { rule: "cidr-invalid", resource: { file: "man/a.yaml" } } as unknown as Finding;
    const takes = (name: string) => new Exemptions([exemption(name)]).of(finding) !== undefined;
    const here = process.cwd();
    const whole = [`${here}/man/a.yaml`, `${here}/*`, `*${here}/man/a.yaml`];
    for (const name of [
      "man/a.yaml",
      "./man/a.yaml",
      "man/*",
      "./man/*",
      "*/man/a.yaml",
      "*/a.yaml",
      ...whole,
    ])
      expect([name, takes(name)]).toEqual([name, true]);
    const others = ["*/man/*", "*/man*", "*/an/a.yaml", `*${here.slice(1)}*`, `*${here}*`, `*${here}/*`];
    for (const name of ["a.yaml", "./a.yaml", "/man/a.yaml", ...others])
      expect([name, takes(name)]).toEqual([name, false]);
  });

  it("that are stale are described with the fix", () => {
    expect(describeStale(exemption("hosts"))).toBe(
      "exemptions[0]: cidr-invalid finds nothing at hosts: remove the exemption",
    );
  });

  it("treat characters of regular expressions literally", () => {
    const finding = { rule: "cidr-invalid", resource: { file: "a+b(c).yaml" } } as unknown as Finding;
    expect(new Exemptions([exemption("a+b(c).yaml")]).of(finding)).toBeDefined();
    expect(new Exemptions([exemption("a+b.c..yaml")]).of(finding)).toBeUndefined();
  });
});

describe("levels", () => {
  const levels = (settings: Record<string, string>) =>
    judged([], settings).findings.map(({ status, level }) => [status, level]);

  it("mandatory is an error, advisory a warning, disabled skips the rule, and all covers the other rules", () => {
    expect(levels({})).toEqual([
      [Status.Violated, Level.Error],
      [Status.Violated, Level.Error],
    ]);
    expect(levels({ "cidr-invalid": "advisory" })[0]).toEqual([Status.Violated, Level.Warning]);
    const of = (level: Level, own: Level | undefined, enforcement: Enforcement) => {
      const judgement = {
        status: Status.Violated,
        resource: {},
        path: "",
        message: "",
        ...(own && { level: own }),
      };
      const rule = { ...cidrInvalid, level, judge: () => [judgement] };
      const configuration = { ...NO_CONFIGURATION, levels: { all: enforcement } };
      return verdictOf(new JudgedResources([], configuration), [rule]).findings[0]?.level;
    };
    const { Error, Warning, Note } = Level;
    expect(of(Warning, undefined, "mandatory")).toBe(Error);
    expect(of(Note, undefined, "advisory")).toBe(Note);
    // A judgement that is less severe than its rule stays so.
    expect(of(Error, Warning, "mandatory")).toBe(Warning);
    expect(of(Error, Note, "advisory")).toBe(Note);
    expect(levels({ all: "disabled", "cidr-invalid": "mandatory" })).toHaveLength(2);
    expect(levels({ all: "disabled" })).toEqual([]);
    expect(judged([], { all: "disabled" }).rules).toEqual([]);
  });
});

describe("reading exemptions", () => {
  const read = (exemptions: unknown) =>
    readConfiguration({ exemptions }, "c.yaml", ["cidr-invalid", "port-public"]);
  const faults = (exemptions: unknown) =>
    read(exemptions).faults.map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`);
  const ofRule = "write the id of a rule";
  const ofResource = "write a URN, a name or Kind/name, with * for any text";
  const ofReason = "write why the finding is accepted";

  it("accepts rule, resource and reason", () => {
    const { configuration, faults: none } = read([{ rule: "port-public", resource: "a*", reason: " why " }]);
    expect(none).toEqual([]);
    expect(configuration.exemptions).toEqual([
      { path: "exemptions[0]", rule: "port-public", resource: "a*", reason: "why" },
    ]);
  });

  it.each<[string, unknown, string[]]>([
    ["exemptions that are not a list", {}, ["exemptions is not a list: begin each exemption with - rule:"]],
    [
      "an exemption that is not an object",
      ["a"],
      ["exemptions[0] is not an object: write rule, resource, reason"],
    ],
    [
      "an empty reason",
      [{ rule: "port-public", resource: "a", reason: " " }],
      [`exemptions[0].reason is empty: ${ofReason}`],
    ],
    [
      "an exemption without values",
      [{ rule: null }],
      [
        `exemptions[0].rule missing: ${ofRule}`,
        `exemptions[0].resource missing: ${ofResource}`,
        `exemptions[0].reason missing: ${ofReason}`,
      ],
    ],
    [
      "numbers instead of strings",
      [{ rule: "port-public", resource: 5, reason: 6 }],
      [
        "exemptions[0].resource 5 is not a string: write it in quotes",
        "exemptions[0].reason 6 is not a string: write it in quotes",
      ],
    ],
    [
      "lists instead of strings",
      [{ rule: "port-public", resource: ["a"], reason: {} }],
      [
        `exemptions[0].resource is not a string: ${ofResource}`,
        `exemptions[0].reason is not a string: ${ofReason}`,
      ],
    ],
    [
      "an unknown rule",
      [{ rule: "port-publik", resource: "a", reason: "b" }],
      ["exemptions[0].rule no such rule: did you mean port-public?"],
    ],
    [
      "an unknown property",
      [{ rule: "port-public", resource: "a", reason: "b", until: "May" }],
      ["exemptions[0].until no such property: the properties are rule, resource, reason"],
    ],
    ...["*", "**"].map((resource): [string, unknown, string[]] => [
      `everything: ${resource}`,
      [{ rule: "port-public", resource, reason: "b" }],
      ["exemptions[0].resource exempts everything: name the resource, or disable the rule under rules:"],
    ]),
  ])("rejects %s, and exempts nothing", (_, exemptions, expected) => {
    expect(faults(exemptions)).toEqual(expected);
    expect(read(exemptions).configuration.exemptions).toEqual([]);
  });
});
