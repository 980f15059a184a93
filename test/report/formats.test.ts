import { readFileSync } from "node:fs";

import Ajv from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import colors from "picocolors";

import {
  conclusionLines,
  counts,
  FailOn,
  Format,
  githubFaults,
  GroupBy,
  writeReport,
  type Report,
  type ReportedFinding,
} from "../../src/report";
import { rules } from "../../src/rules";
import { Level, Status } from "../../src/gate/rule";
import { visible } from "../../src/text";
import { readPrefix } from "../../src/address";
import type { FleetMap } from "../../src/addressRanges/fleetMap";
import { chosenKinds } from "../../src/topology/reservedRanges";
import { expectSafe, HOSTILE, hostileText } from "../hostile";

const finding = (more: Partial<ReportedFinding> = {}): ReportedFinding => ({
  rule: "port-public",
  code: "port-public",
  level: Level.Error,
  status: Status.Violated,
  resource: { urn: "urn:pulumi:dev::network::aws:ec2/securityGroup:SecurityGroup::hosts", file: "plan.json" },
  subject: "SecurityGroup hosts",
  path: "ingress[0].cidrBlocks[0]",
  message: "open to everybody",
  fix: "allow the workers only",
  documents: ["HyperShift ports, Source IP Restrictions"],
  witness: "203.0.113.1 -> TCP 8091",
  ...more,
});
const inManifest = finding({
  rule: "cidr-invalid",
  level: Level.Warning,
  resource: { file: "a b/firewall.yaml", line: 3 },
  subject: "EgressFirewall default",
  line: 12,
  requirement: "some-row",
});
const unknown = finding({ status: Status.Unknown, message: "SecurityGroup hosts: ingress" });

const report = (
  findings: ReportedFinding[] = [finding(), inManifest, unknown],
  more: Partial<Report> = {},
): Report => ({
  version: "0.1.0",
  conclusions: [
    {
      cluster: "clusters/tenant-a",
      counts: {
        proved: 8,
        assumed: 30,
        unknown: 9,
        refuted: 1,
        optionalRefuted: 0,
        exempted: 1,
        disabled: 0,
      },
    },
  ],
  findings,
  exempted: [
    {
      finding: finding({ subject: "SecurityGroup old" }),
      exemption: { path: "exemptions[0]", rule: "port-public", resource: "old", reason: "goes in May" },
    },
  ],
  stale: [{ path: "exemptions[1]", rule: "cidr-overlap", resource: "gone", reason: "was" }],
  rules,
  notes: ["values.yaml contains nothing to judge"],
  summary: {
    files: 2,
    resources: 24,
    hostedClusters: 1,
    errors: 1,
    warnings: 1,
    notes: 0,
    unknown: 1,
    exempted: 1,
    staleExemptions: 1,
  },
  ...more,
});

const noRanges = Object.fromEntries(
  chosenKinds.map((kind) => [kind, []]),
) as unknown as FleetMap["clusters"][number]["ranges"];

const write = (
  format: Format,
  one = report(),
  { groupBy = GroupBy.Rule, failOn = FailOn.Refuted, coloured = false } = {},
) => writeReport(format, one, { colors: colors.createColors(coloured), groupBy, failOn });

const hostile = hostileText;
const hostileReport = fc
  .record({ message: hostile, subject: hostile, fix: hostile, path: hostile, witness: hostile })
  .map((texts) =>
    report([
      finding(texts),
      { ...inManifest, ...texts },
      finding({ ...texts, resource: { live: texts.subject, runsIn: texts.path } }),
    ]),
  );
describe("the conclusions at the start of a report", () => {
  const [{ counts }] = report().conclusions as [Report["conclusions"][number]];
  const other = { ...counts, refuted: 2 };
  const linesOf = (...all: (typeof counts)[]) =>
    conclusionLines({ conclusions: all.map((one, at) => ({ cluster: `clusters/${at}`, counts: one })) }).map(
      (line) => line.split(" documented")[0],
    );

  test("have one line for each of a few hosted clusters", () => {
    expect(linesOf(counts, counts, counts)).toEqual([
      "clusters/0: 8 of 49",
      "clusters/1: 8 of 49",
      "clusters/2: 8 of 49",
    ]);
  });

  test("have one line for many hosted clusters with equal counts", () => {
    expect(linesOf(counts, other, counts, counts, counts)).toEqual([
      "clusters/0, clusters/2, clusters/3 and 1 more, each: 8 of 49",
      "clusters/1: 8 of 50",
    ]);
  });
});

test("an unknown value that two rules need counts once", () => {
  const other = finding({ ...unknown, rule: "port-missing" });
  const both = [unknown, other];
  const one = report(both, { summary: { ...report().summary, ...counts(both) } });
  expect(one.summary.unknown).toBe(1);
  expect(write(Format.Text, one)).toContain("1 value unknown and not judged");
  expect(write(Format.Markdown, one)).toContain("`port-public`, `port-missing` SecurityGroup hosts: ingress");
});

test("unknown values of two resources with one name count twice, and are told apart by their places", () => {
  const at = (resource: ReportedFinding["resource"]) => finding({ ...unknown, resource });
  const all = [
    at({ file: "a.yaml", line: 3 }),
    at({ file: "a.yaml", line: 9 }),
    at({ urn: "urn:a", file: "b.json" }),
    at({ urn: "urn:a", file: "b.json" }),
  ];
  expect(counts(all).unknown).toBe(3);
  const one = report([...all, finding({ ...unknown, message: "NodePool a: spec" })]);
  const listed = ["a.yaml:3", "a.yaml:9", "urn:a"].map((place) => `  ${unknown.message} (${place})\n`);
  expect(write(Format.Text, one)).toContain(`${listed.join("")}  NodePool a: spec\n`);
  expect(write(Format.Markdown, one)).toContain("4 values unknown and not judged");
});

describe("text", () => {
  it("is grouped by rule or by resource, and states everything about a finding", () => {
    expect(write(Format.Text)).toMatchInlineSnapshot(`
     "clusters/tenant-a: 8 of 49 documented flows proved, 30 assumed, 9 unknown, 1 refuted, 1 exempted

     port-public  Port for workers or probes is open to everybody
       error  SecurityGroup hosts  plan.json
         ingress[0].cidrBlocks[0]: open to everybody
         for example  203.0.113.1 -> TCP 8091
         documented   HyperShift ports, Source IP Restrictions
         fix          allow the workers only

     cidr-invalid  Value is not a valid CIDR block
       warning  EgressFirewall default  a b/firewall.yaml:12
         ingress[0].cidrBlocks[0]: open to everybody
         for example  203.0.113.1 -> TCP 8091
         documented   HyperShift ports, Source IP Restrictions
         fix          allow the workers only

     unknown  values that no rule could judge
       SecurityGroup hosts: ingress

     exemptions  1 accepted finding
       port-public  SecurityGroup old: goes in May
       stale  exemptions[1]: cidr-overlap finds nothing at gone: remove the exemption

     note  values.yaml contains nothing to judge

     24 resources in 2 files, 1 hosted cluster: 1 error, 1 warning, 1 value unknown and not judged, 1 exempted
     "
    `);
    const byResource = write(Format.Text, report(), { groupBy: GroupBy.Resource });
    expect(byResource).toContain("EgressFirewall default  a b/firewall.yaml:12\n  warning  cidr-invalid");
  });

  it("names the documents of a rule once if all its findings have the same", () => {
    const one = finding({ rule: "port-public", subject: "SecurityGroup a" });
    const text = write(Format.Text, report([one, { ...one, path: "ingress[1]" }]));
    expect(text).toContain(
      "is open to everybody\n  documented   HyperShift ports, Source IP Restrictions\n  error",
    );
    expect(text.match(/documented {3}/g)).toHaveLength(1);
    const others = write(
      Format.Text,
      report([one, { ...one, path: "ingress[1]", documents: ["OCP proxy, Ports"] }]),
    );
    expect(others.match(/ {4}documented {3}/g)).toHaveLength(2);
    const byResource = write(Format.Text, report([one, { ...one, rule: "cidr-invalid" }]), {
      groupBy: GroupBy.Resource,
    });
    expect(byResource.match(/ {4}documented {3}/g)).toHaveLength(2);
  });

  it("has colors only on request, and no control characters from names", () => {
    expect(write(Format.Text, report(), { coloured: true })).toContain("\u001b[31m");
    fc.assert(fc.property(hostileReport, (one) => expectSafe(write(Format.Text, one))));
  });
});

describe("every format", () => {
  const everywhere = report(
    [
      finding({
        resource: { file: HOSTILE, line: 1 },
        subject: HOSTILE,
        message: HOSTILE,
        documents: [HOSTILE],
      }),
      finding({
        path: HOSTILE,
        witness: HOSTILE,
        fix: HOSTILE,
        resource: { live: HOSTILE, runsIn: HOSTILE },
      }),
      finding({ status: Status.Unknown, message: HOSTILE }),
    ],
    {
      exempted: [
        {
          finding: finding({ subject: HOSTILE }),
          exemption: { path: "exemptions[0]", rule: "port-public", resource: HOSTILE, reason: HOSTILE },
        },
      ],
      stale: [{ path: HOSTILE, rule: HOSTILE, resource: HOSTILE, reason: HOSTILE }],
      notes: [HOSTILE],
      summary: { ...report().summary, live: [HOSTILE] },
    },
  );

  it.each(Object.values(Format))(
    "%s contains no invisible characters and no commands from names",
    (format) => {
      for (const failOn of Object.values(FailOn))
        for (const groupBy of Object.values(GroupBy)) {
          const text = write(format, everywhere, { failOn, groupBy });
          const isJson = format === Format.Json || format === Format.Sarif;
          const ours = format === Format.Github ? text.replace(/^::(error|notice) /gm, "ours ") : text;
          expectSafe(isJson ? ours.replaceAll("<{%", "") : ours.replaceAll("@\u200b", "@"));
        }
    },
  );
});

describe("json", () => {
  it("has the properties that programs rely on", () => {
    const document = JSON.parse(write(Format.Json)) as Record<string, unknown>;
    expect(Object.keys(document)).toEqual([
      "version",
      "hostedClusters",
      "findings",
      "exempted",
      "staleExemptions",
      "notes",
      "summary",
    ]);
    expect(document).toMatchObject({
      version: 1,
      findings: [
        {
          rule: "port-public",
          level: "error",
          status: "violated",
          resource: { file: "plan.json" },
          path: "ingress[0].cidrBlocks[0]",
        },
        { resource: { file: "a b/firewall.yaml", line: 12 }, requirement: "some-row" },
        { status: "unknown" },
      ],
      exempted: [{ reason: "goes in May" }],
      summary: { errors: 1, unknown: 1 },
    });
  });
});

describe("sarif", () => {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats(ajv);
  // The schema is draft 4. Except for these two keys, later drafts read it in the same way.
  const {
    $schema: _draft,
    id: _id,
    ...schema
  } = JSON.parse(
    readFileSync(require.resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"), "utf8"),
  ) as Record<string, unknown>;
  const validate = ajv.compile(schema);
  const valid = (text: string) => {
    validate(JSON.parse(text));
    return validate.errors ?? [];
  };

  it("is valid by the schema of SARIF 2.1.0 for any content of findings", () => {
    expect(valid(write(Format.Sarif))).toEqual([]);
    expect(valid(write(Format.Sarif, report([])))).toEqual([]);
    fc.assert(
      fc.property(hostileReport, (one) => expect(valid(write(Format.Sarif, one))).toEqual([])),
      { numRuns: 30 },
    );
    expect(valid('{"version": "2.1.0", "runs": [{}]}')).not.toEqual([]);
  });

  it("has lines of manifests and URNs of plans, unknown values as open and exemptions as suppressed", () => {
    const { runs } = JSON.parse(write(Format.Sarif)) as { runs: [{ results: unknown[] }] };
    expect(runs[0].results).toMatchObject([
      {
        level: "error",
        locations: [
          {
            physicalLocation: { artifactLocation: { uri: "plan.json" }, region: { startLine: 1 } },
            logicalLocations: [{ fullyQualifiedName: expect.stringContaining("urn:pulumi:dev") as string }],
          },
        ],
      },
      {
        level: "warning",
        locations: [
          {
            physicalLocation: { artifactLocation: { uri: "a%20b/firewall.yaml" }, region: { startLine: 12 } },
          },
        ],
      },
      { kind: "open", level: "none" },
      { suppressions: [{ status: "accepted", justification: "goes in May" }] },
    ]);
  });
});

describe("sarif of a running system", () => {
  interface Written {
    message: { text: string };
    locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[];
    partialFingerprints: Record<string, string>;
  }
  const written = (...findings: ReportedFinding[]): Written[] =>
    (JSON.parse(write(Format.Sarif, report(findings))) as { runs: [{ results: Written[] }] }).runs[0].results;
  const running = (live: string, runsIn?: string, more: Partial<ReportedFinding> = {}) =>
    finding({ resource: { live, ...(runsIn !== undefined && { runsIn }) }, ...more });
  const primary = (...findings: ReportedFinding[]) =>
    written(...findings).map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash);

  it.each([
    [
      "HostedCluster clusters/tenant-a",
      "cluster/api.example.com:6443",
      "live/cluster/api.example.com%3A6443/clusters/HostedCluster/tenant-a",
    ],
    ["Network cluster", "cluster/[fd00::1]:6443", "live/cluster/%5Bfd00%3A%3A1%5D%3A6443/Network/cluster"],
    ["sg-0a1b2c3d", "ec2/eu-west-1", "live/ec2/eu-west-1/sg-0a1b2c3d"],
    ["tgw-rtb-1_10.0.0.0/16", "ec2/eu-west-1", "live/ec2/eu-west-1/tgw-rtb-1_10.0.0.0/16"],
    ["HostedCluster clusters/tenant-a", undefined, "live/clusters/HostedCluster/tenant-a"],
    ["sg-\ud800", "ec2/eu-west-1", "live/ec2/eu-west-1/sg-%EF%BF%BD"],
    ["Network ..", "cluster/../..", "live/cluster/_/_/Network/_"],
  ])("%s in %s is at %s", (live, runsIn, uri) => {
    const [{ locations, message }] = written(running(live, runsIn)) as [Written];
    expect(locations[0]!.physicalLocation).toEqual({ artifactLocation: { uri }, region: { startLine: 1 } });
    expect(message.text.split("\n")[0]).toBe(`${visible(live)}  ingress[0].cidrBlocks[0]`);
  });

  it("has a fingerprint that ignores list order but differs by cluster, rule and repetition", () => {
    const [one] = primary(running("sg-1", "ec2/eu-west-1"));
    expect(one).toMatch(/^[0-9a-f]{64}:1$/);
    expect(primary(running("sg-1", "ec2/eu-west-1", { path: "ingress[7].cidrBlocks[0]" }))[0]).toBe(one);
    const others = [
      running("sg-1", "ec2/us-east-1"),
      running("sg-2", "ec2/eu-west-1"),
      running("sg-1", "ec2/eu-west-1", { rule: "port-excess" }),
      running("sg-1", "ec2/eu-west-1", { path: "egress[0].cidrBlocks[0]" }),
      running("sg-1", "ec2/eu-west-1", { message: "open to a few" }),
      running("sg-1", "ec2/eu-west-1", { status: Status.Unknown }),
    ];
    const all = [one, ...others.flatMap((other) => primary(other)[0])];
    expect(new Set(all).size).toBe(all.length);
    const twice = primary(
      running("sg-1", "ec2/eu-west-1"),
      running("sg-1", "ec2/eu-west-1", { path: "ingress[1].cidrBlocks[0]" }),
    );
    expect(twice.slice(0, 2)).toEqual([one, one!.replace(/1$/, "2")]);
  });

  it.each([
    ["3 addresses for 2 nodes with the label a", "4 addresses for 3 nodes with the label a"],
    ["up to 9 nodes, and the network has room for 7", "up to 10 nodes, and the network has room for 8"],
    ["a has 61 ingress rules of IPv4", "a has 62 ingress rules of IPv4"],
  ])("has the same fingerprint if only numbers change: %s", (one, other) => {
    const of = (message: string) => primary(running("a", "cluster/b", { message }))[0];
    expect(of(other)).toBe(of(one));
    expect(of(`${one} and more`)).not.toBe(of(one));
    expect(of("TCP 6443 is closed")).not.toBe(of("TCP 6444 is closed"));
    expect(of("10.0.0.0/16 is taken")).not.toBe(of("10.1.0.0/16 is taken"));
  });

  it("leaves fingerprints of files to code scanning, which has their lines", () => {
    expect(primary(finding(), inManifest)).toEqual([undefined, undefined, undefined]);
  });
});

describe("junit", () => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    parseAttributeValue: false,
  });

  it("is well-formed for any content of findings", () => {
    expect(XMLValidator.validate(write(Format.Junit))).toBe(true);
    fc.assert(
      fc.property(hostileReport, (one) => expect(XMLValidator.validate(write(Format.Junit, one))).toBe(true)),
    );
  });

  it.each([
    [FailOn.Refuted, "1"],
    [FailOn.Excess, "2"],
    [FailOn.Unknown, "4"],
    [FailOn.Assumed, "4"],
  ])("with --fail-on %s has %s failed tests", (failOn, failures) => {
    const { testsuites } = parser.parse(write(Format.Junit, report(), { failOn })) as {
      testsuites: { failures: string; tests: string; testsuite: { tests: string; failures: string }[] };
    };
    expect(testsuites.failures).toBe(failures);
    const sum = (key: "tests" | "failures") =>
      String(testsuites.testsuite.reduce((total, suite) => total + Number(suite[key]), 0));
    expect([sum("tests"), sum("failures")]).toEqual([testsuites.tests, testsuites.failures]);
    // Two findings and an exemption of one rule, a finding of another, and the rules without findings.
    const ofFlows = Number(failures) > 3 ? 1 : 0;
    expect(testsuites.tests).toBe(String(rules.length - 2 + 4 + ofFlows));
  });
});

describe("a run that fails only because of unknown or assumed flows", () => {
  const only = report([], { exempted: [] });

  it.each([
    [FailOn.Unknown, "9 unknown"],
    [FailOn.Assumed, "9 unknown, 30 assumed"],
  ])("with --fail-on %s has a failed test and an annotation with %s", (failOn, numbers) => {
    const message = `documented flows: ${numbers}, which fail with --fail-on ${failOn}`;
    const junit = write(Format.Junit, only, { failOn });
    expect(junit).toContain(
      `<testcase classname="documented-flows" name="clusters/tenant-a"><failure message="${message}" type="unknown">`,
    );
    expect(junit).toMatch(/<testsuites name="hypershift-network" tests="\d+" failures="1">/);
    expect(write(Format.Github, only, { failOn })).toContain(
      `::error title=hypershift-network::clusters/tenant-a: ${message}%0Afix: hypershift-network prove`,
    );
  });

  it.each([FailOn.Refuted, FailOn.Excess, FailOn.Note])("with --fail-on %s has neither", (failOn) => {
    expect(write(Format.Junit, only, { failOn })).not.toContain("documented-flows");
    expect(write(Format.Github, only, { failOn })).not.toContain("::error");
  });

  it("names no cluster whose flows are all proved", () => {
    const [one] = report().conclusions as [Report["conclusions"][number]];
    const conclusions = [{ ...one, counts: { ...one.counts, unknown: 0, assumed: 0 } }];
    const text = write(Format.Junit, { ...only, conclusions }, { failOn: FailOn.Assumed });
    expect(text).not.toContain("documented-flows");
  });
});

describe("markdown", () => {
  it("is a comment that a later run finds again", () => {
    const text = write(Format.Markdown);
    expect(text).toMatch(
      /^<!-- hypershift-network check -->\n\n### ❌ hypershift-network: 1 error, 1 warning/,
    );
    expect(text).toContain(
      "- **warning** `EgressFirewall default` · `ingress[0].cidrBlocks[0]` · `a b/firewall.yaml:12`",
    );
    expect(text).toContain("goes in May");
  });

  it("mentions no person and contains no HTML from names", () => {
    const text = write(
      Format.Markdown,
      report([finding({ message: "@team <img src=x> [a](b)", subject: "a`b" })]),
    );
    expect(text).not.toMatch(/@team|<img/);
    expect(text).toContain("``a`b``");
  });

  it("fits into a comment, and states what does not fit", () => {
    const many = Array.from({ length: 2_000 }, (_, n) => finding({ path: `ingress[${n}]` }));
    const text = write(Format.Markdown, report(many));
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text).toMatch(/\d+ more parts do not fit/);
  });

  /** This many accepted findings with a long reason. */
  const accepted = (length: number, reason: string) =>
    Array.from({ length }, (_, n) => ({
      finding: finding({ subject: `SecurityGroup old-${n}` }),
      exemption: { path: "exemptions[0]", rule: "port-public", resource: "old-*", reason },
    }));

  it("lists as many accepted findings as fit, says how many do not, and keeps short lists complete", () => {
    const text = write(Format.Markdown, report([finding()], { exempted: accepted(45, "r".repeat(700)) }));
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text).toContain("45 accepted findings");
    const listed = text.match(/old-\d+/g)!.length;
    expect(listed).toBeGreaterThan(30);
    expect(text).toContain(`- and ${45 - listed} more; --format json lists all`);
    expect(text).toContain("values.yaml contains nothing to judge");
    expect(text).toContain("1 stale exemption");
  });

  it("says how many accepted findings there are if not even one fits", () => {
    const text = write(Format.Markdown, report([finding()], { exempted: accepted(3, "r".repeat(70_000)) }));
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text).toContain("- 3 that do not fit into a comment; --format json lists all");
    expect(text).toContain("**error** `SecurityGroup hosts`");
  });

  it("fits into a comment with a conclusion for each of many hosted clusters", () => {
    const [{ counts }] = report().conclusions as [Report["conclusions"][number]];
    const conclusions = Array.from({ length: 2_000 }, (_, n) => ({
      cluster: `clusters/tenant-${n}`,
      counts: { ...counts, proved: n },
    }));
    const text = write(Format.Markdown, report([finding()], { conclusions }));
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text).toContain("and 1950 more; --format json lists all");
  });

  it("contains of a map what fits, and states what does not", () => {
    const ranges = { ...noRanges, machineNetwork: [readPrefix("10.0.0.0/16")!] };
    const mapOf = (length: number): FleetMap => ({
      clusters: Array.from({ length }, (_, n) => ({
        key: `clusters/tenant-${n}`,
        platform: "AWS",
        ranges,
        hostNames: ["api.example.com"],
        nodePorts: [],
      })),
      collisions: [],
      further: 0,
    });
    const mapped = (length: number, found = [finding()]) =>
      writeReport(Format.Markdown, report(found), {
        colors: colors.createColors(false),
        groupBy: GroupBy.Rule,
        failOn: FailOn.Refuted,
        map: mapOf(length),
      });
    expect(mapped(2)).toMatch(/## All hosted clusters\n\n2 hosted clusters.*\n\n\| cluster/);
    expect(mapped(2)).not.toContain("left out");
    const large = mapped(2_000);
    expect(large.length).toBeLessThanOrEqual(60_000);
    expect(large).toContain("2000 hosted clusters");
    expect(large).toContain("10.0.0.0/8");
    expect(large).toContain("_1 part of the map left out: a comment has no room for more");
    const full = mapped(
      2,
      Array.from({ length: 2_000 }, (_, n) => finding({ path: `ingress[${n}]` })),
    );
    expect(full.length).toBeLessThanOrEqual(60_000);
    expect(full).toMatch(/parts? of the map left out/);
  });
});

describe("github", () => {
  it("annotates lines of manifests, and plans without a line", () => {
    expect(write(Format.Github).split("\n")).toEqual([
      "clusters/tenant-a: 8 of 49 documented flows proved, 30 assumed, 9 unknown, 1 refuted, 1 exempted",
      "::error title=port-public::SecurityGroup hosts ingress[0].cidrBlocks[0]: open to everybody%0Afor example 203.0.113.1 -> TCP 8091%0Afix: allow the workers only",
      expect.stringMatching(
        /^::warning file=a b\/firewall\.yaml,line=12,title=cidr-invalid::EgressFirewall default/,
      ),
      "::notice title=port-public::not judged, because a value is not known: SecurityGroup hosts: ingress",
      "24 resources in 2 files, 1 hosted cluster: 1 error, 1 warning, 1 value unknown and not judged, 1 exempted",
      "",
    ]);
  });

  it("contains no command that comes from the text of a finding", () => {
    fc.assert(
      fc.property(hostileReport, (one) => {
        const lines = write(Format.Github, one).trimEnd().split("\n");
        expect(lines).toHaveLength(5);
      }),
    );
    expect(githubFaults([{ file: "a,b:c.yaml", line: 3, problem: "is\nbad", remedy: "mend it" }])).toBe(
      "::error file=a%2Cb%3Ac.yaml,line=3,title=hypershift-network::a,b:c.yaml:3 is\\nbad: mend it\n",
    );
  });
});
