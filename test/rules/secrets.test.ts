import { parse } from "yaml";

import type { Resource } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { JudgedResources } from "../../src/gate/judgedResources";
import { Level, Status, type Finding, type Rule } from "../../src/gate/rule";
import { type RuleExample, ruleExamples, rules } from "../../src/rules";
import { verdictOf } from "../../src/gate/verdict";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { group, hostedCluster, resource, tcp } from "./builders";
import { exampleResources } from "./exampleResources";
import { hidden, secretInTurn } from "./secretInTurn";

const examples = Object.entries(ruleExamples);
const ORDER = [Level.Note, Level.Warning, Level.Error];

function found(
  resources: readonly Resource[],
  { configuration = "" }: Pick<RuleExample, "configuration">,
  asked: readonly Rule[] = rules,
): Finding[] {
  const ids = rules.map(({ id }) => id);
  const { configuration: read } = readConfiguration(parse(configuration), "hypershift-network.yaml", ids);
  return verdictOf(new JudgedResources(resources, read), asked).findings;
}

const count = (findings: readonly Finding[], id: string): number =>
  findings.filter(({ rule, status }) => rule === id && status === Status.Violated).length;

const ruleOf = (id: string): Rule => rules.find((rule) => rule.id === id)!;

/** Whether one path is the other, or in it. Keys may be in quotes. */
function isRelated(a: string, b: string): boolean {
  const [one = [], other = []] = [a, b].map((path) => path.match(/[^.[\]"]+/g) ?? []);
  return one.every((step, at) => other[at] === undefined || other[at] === step);
}

/** The cloud assigns ids, and no program makes them secret. */
const OF_THE_CLOUD = "id";

describe("a secret in a violation", () => {
  test.each(examples)(
    "of %s is reported with its path, at least at the level of the rule, if it hides the violation",
    (id, example) => {
      const rule = ruleOf(id);
      const resources = exampleResources(example.violated);
      const before = count(found(resources, example, [rule]), id);
      const silent: string[] = [];
      for (const { holder, path, resources: hiding } of secretInTurn(resources)) {
        const isSaid = (findings: readonly Finding[]) =>
          findings.some(
            ({ status, level, resource: at, path: named }) =>
              status === Status.Secret &&
              at === holder.origin &&
              isRelated(named, path) &&
              ORDER.indexOf(level) >= ORDER.indexOf(rule.level),
          );
        const after = found(hiding, example, [rule]);
        if (path === OF_THE_CLOUD || count(after, id) >= before || isSaid(after)) continue;
        // Rules that check the same value count it once: only the first of them does.
        if (!isSaid(found(hiding, example))) silent.push(`${holder.name} ${path}`);
      }
      expect(silent).toEqual([]);
    },
  );
});

const portPublic = ruleOf("port-public");
const hosts = group("hosts", [{ ...tcp(8091), cidrBlocks: ["0.0.0.0/0"] }]);
const secretHosts = hidden(hosts, "ingress[0].cidrBlocks[0]");

describe("port-public with a secret block", () => {
  it("reports it at the level of the rule, with resource, path and fix, and without the block", () => {
    const [finding, ...others] = found([hostedCluster(), secretHosts], {}, [portPublic]);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      rule: "port-public",
      level: Level.Error,
      status: "unknown (secret)",
      resource: hosts.origin,
      path: "ingress[0].cidrBlocks[0]",
      message: "unknown (secret) in SecurityGroup hosts",
      fix: expect.stringContaining("exemption") as string,
    });
    expect(JSON.stringify(finding)).not.toContain("0.0.0.0/0");
  });

  it("reports a block that is only not known yet as unknown", () => {
    const pending = { ...secretHosts };
    delete pending.secrets;
    expect(found([hostedCluster(), pending], {}, [portPublic])).toMatchObject([{ status: Status.Unknown }]);
  });

  it("ignores secrets that the rule does not depend on", () => {
    const described = hidden(
      group("hosts", [{ ...tcp(8091, "10.0.0.0/16"), description: "workers" }]),
      "ingress[0].description",
    );
    expect(found([hostedCluster(), described], {}, [portPublic])).toEqual([]);
  });

  it("accepts the block by an exemption", () => {
    const exemption = "exemptions: [{rule: port-public, resource: SecurityGroup/hosts, reason: reviewed}]";
    expect(found([hostedCluster(), secretHosts], { configuration: exemption }, [portPublic])).toEqual([]);
  });

  it("names the secret entry of a prefix list that a rule of the group uses", () => {
    const list = resource(TYPE.prefixList, "users", { id: "pl-1", entries: [{ cidr: "0.0.0.0/0" }] });
    const listed = group("hosts", [{ ...tcp(8091), prefixListIds: ["pl-1"] }]);
    const findings = found([hostedCluster(), listed, hidden(list, "entries[0].cidr")], {}, [portPublic]);
    expect(findings).toMatchObject([
      { status: Status.Secret, level: Level.Error, resource: list.origin, path: "entries[0].cidr" },
    ]);
  });

  it("names the secret port, not the other port of the range", () => {
    const wide = hidden(hosts, "ingress[0].toPort");
    expect(found([hostedCluster(), wide], {}, [portPublic])).toMatchObject([
      { status: Status.Secret, path: "ingress[0].toPort" },
    ]);
  });
});
