import { readPrefix } from "../../src/address";
import { NO_CONFIGURATION } from "../../src/gate/configuration";
import {
  describeFinding,
  type Finding,
  identityOf,
  exampleHost,
  portText,
  prefixText,
  unknown,
  violated,
  zoneText,
} from "../../src/gate/finding";
import { JudgedResources } from "../../src/gate/judgedResources";
import { findings, Level, Places, type Judgement, type Rule, Status } from "../../src/gate/rule";
import { Zone } from "../../src/requirements/vocabulary";
import { UNKNOWN, type Resource } from "../../src/resources/resource";
import { resource, type Properties } from "../rules/builders";

const pool = (properties: Properties, secrets?: string[]): Resource => ({
  ...resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", "workers", properties),
  ...(secrets && { secrets }),
});
/** A rule that reports the given judgements. */
const saying = (...said: Judgement[]): Rule => ({
  id: "rule",
  title: "A title",
  level: Level.Error,
  description: "",
  documents: [],
  remediation: "Remove it. Or not.",
  judge: () => said,
});
const found = (...said: Judgement[]): Finding[] =>
  findings(saying(...said), new JudgedResources([], NO_CONFIGURATION));

describe("a finding", () => {
  const origin = { file: "a.yaml", line: 3 };
  const base = { resource: origin, path: "spec.a", message: "is wrong" };

  it("takes from its rule everything that its judgement does not state", () => {
    expect(found(violated(base))).toEqual([
      {
        ...base,
        rule: "rule",
        code: "rule",
        level: Level.Error,
        status: Status.Violated,
        fix: "remove it. Or not",
        documents: [],
      },
    ]);
    const own = { code: "worse", level: Level.Note, fix: "mend it", documents: ["a"], witness: "b" };
    expect(found(violated({ ...base, ...own }))).toMatchObject([own]);
  });

  it("is reported once, but separately for another path, message, line, file or status", () => {
    const others: Judgement[] = [
      violated({ ...base, path: "spec.b" }),
      violated({ ...base, message: "is very wrong" }),
      violated({ ...base, resource: { ...origin, line: 9 } }),
      violated({ ...base, resource: { ...origin, file: "b.yaml" } }),
      { ...base, status: Status.Unknown },
    ];
    expect(found(violated(base), violated(base))).toHaveLength(1);
    for (const other of others) expect(found(violated(base), other)).toHaveLength(2);
    const [one, elsewhere] = found(violated(base), violated({ ...base, resource: { file: "b.yaml" } }));
    expect(identityOf(one!)).not.toBe(identityOf(elsewhere!));
  });
});

describe("an unknown value", () => {
  const values: Properties = { metadata: { name: "workers" }, spec: { replicas: UNKNOWN, clusterName: "a" } };

  it("is reported with its path, and with the reason if it is known", () => {
    const plain = unknown({ resource: pool(values), path: "spec.replicas" });
    const reason = unknown({ resource: pool(values), path: "spec.replicas", reason: "how many nodes" });
    expect(found(plain, reason).map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "unknown-value: NodePool workers: spec.replicas",
      "unknown-value: NodePool workers: spec.replicas, how many nodes",
    ]);
    expect(unknown({ resource: pool(values), path: "", reason: "whose it is" }).message).toBe(
      "NodePool workers: whose it is",
    );
    const versions = [
      { file: "a.yaml", line: 1 },
      { file: "b.yaml", line: 2 },
    ];
    expect(unknown({ resource: { ...pool(values), versions }, path: "spec" }).message).toBe(
      "NodePool workers: spec, it is written at a.yaml:1 and b.yaml:2, with different content",
    );
  });

  const secrets = (path: string, places: string[], more: object = {}) =>
    found(unknown({ resource: pool(values, places), path, ...more })).map(
      ({ status, path: at, message, code, fix }) => ({ status, path: at, message, code, fix }),
    );
  const secret = (path: string, more = "") => ({
    status: Status.Secret,
    code: "secret-value",
    path,
    message: `unknown (secret) in NodePool workers${more}`,
    fix: "remove the value from pulumi.secret or requireSecret, or accept the finding by an exemption with a reason",
  });

  it("that is a secret is a finding at the path of the secret", () => {
    expect(secrets("spec.replicas", ["spec.replicas"])).toEqual([secret("spec.replicas")]);
    expect(secrets("spec.replicas", ["spec"])).toEqual([secret("spec.replicas")]);
    expect(secrets("spec", ["spec.replicas", "spec.release"])).toEqual([
      secret("spec.replicas", ", and in 1 more place"),
    ]);
    expect(secrets("spec", ["spec.a", "spec.b", "spec.c"])).toEqual([
      secret("spec.a", ", and in 2 more places"),
    ]);
    expect(secrets("spec.replicas", ["spec.release"])).toMatchObject([{ status: Status.Unknown }]);
    expect(secrets("spec.replicas", [])).toMatchObject([{ status: Status.Unknown }]);
  });

  it("is attributed to another secret of its resource if nothing else is the reason", () => {
    const around = ["spec.release"];
    expect(secrets("spec.clusterName", around)).toEqual([secret("spec.release")]);
    expect(secrets("metadata.name", ["spec"])).toEqual([secret("spec")]);
    expect(secrets("spec.clusterName", around, { reason: "whose it is" })).toMatchObject([
      { status: Status.Unknown },
    ]);
    const because = [{ resource: pool(values, around), path: "spec" }];
    expect(secrets("spec.clusterName", [], { reason: "whose it is", because })).toEqual([
      secret("spec.release"),
    ]);
  });
});

describe("a finding as lines", () => {
  const finding: Finding = {
    ...found(violated({ resource: {}, path: "spec.a", message: "is wrong" }))[0]!,
    documents: ["one", "two"],
  };

  it("states the fault, an example, the documents and the fix", () => {
    expect(describeFinding({ ...finding, witness: "10.0.0.1" })).toEqual([
      "spec.a: is wrong",
      "  for example  10.0.0.1",
      "  documented   one; two",
      "  fix          remove it. Or not",
    ]);
    expect(describeFinding({ ...finding, path: "" })).toEqual([
      "is wrong",
      "  documented   one; two",
      "  fix          remove it. Or not",
    ]);
    expect(describeFinding({ ...finding, status: Status.Secret })).toHaveLength(3);
    expect(describeFinding({ ...finding, status: Status.Unknown })).toEqual(["is wrong"]);
  });

  it("formats ports, blocks and zones", () => {
    expect(portText(undefined)).toBe("every port");
    expect(portText({ from: 6443, to: 6443 })).toBe("6443");
    expect(portText({ from: 30000, to: 32767 })).toBe("30000-32767");
    const blocks = ["10.0.0.0/8", "11.0.0.0/8", "12.0.0.0/8", "13.0.0.0/8"].map((text) => readPrefix(text)!);
    expect(prefixText(blocks.slice(0, 3))).toBe("10.0.0.0/8, 11.0.0.0/8, 12.0.0.0/8");
    expect(prefixText(blocks)).toBe("10.0.0.0/8, 11.0.0.0/8, 12.0.0.0/8 and 1 more");
    expect(prefixText(blocks, 1)).toBe("10.0.0.0/8 and 3 more");
    expect(zoneText(Zone.ManagementApi)).toBe("the management cluster's API");
    expect(Object.values(Zone).map(zoneText).join()).not.toMatch(/-|undefined/);
  });

  it.each([
    ["0.0.0.0/0", "203.0.113.1"],
    ["203.0.112.0/23", "203.0.113.1"],
    ["203.0.113.0/24", "203.0.113.1"],
    ["203.0.113.8/29", "203.0.113.9"],
    ["10.0.0.0/8", "10.0.0.1"],
    ["::/0", "2001:db8::"],
    ["fd00::/8", "fd00::"],
    ["2001:db8:1::/48", "2001:db8:1::"],
  ])("the example of a host in %s is %s, from a documentation range if possible", (block, address) => {
    expect(exampleHost(readPrefix(block)!)).toBe(address);
  });
});

describe("places in an object", () => {
  it.each<[string, "is" | "is around" | "is in" | "is apart from"]>([
    ["spec.a.b[3].c", "is"],
    ["metadata.labels.a/b", "is"],
    ['data["x"]', "is in"],
    ["data.x", "is in"],
    ["spec.a.b[3].c.d[0]", "is in"],
    ["spec.a.b[3]", "is around"],
    ["spec.a.b", "is around"],
    ["spec", "is around"],
    ["spec.a.b[4]", "is apart from"],
    ["spec.a.bc", "is apart from"],
    ["datas", "is apart from"],
    ["", "is apart from"],
  ])("%s %s a recorded place", (path, relation) => {
    const places = new Places();
    for (const one of ["spec.a.b[3].c", 'metadata.labels["a/b"]', "data"]) places.add(one);
    expect([places.has(path), places.haveIn(path), places.holds(path)]).toEqual([
      relation === "is",
      relation === "is" || relation === "is around",
      relation === "is in",
    ]);
  });
});
