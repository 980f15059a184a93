import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../local/repository";
import { answerPlan } from "../../src/reachability/answers/answerPlan";
import { describePacket } from "../../src/reachability/answers/places";
import type { FlowAnswer } from "../../src/reachability/answers/answer";
import { Proof } from "../../src/reachability/proof/prove";
import { TYPE } from "../../src/resources/resourceTypes";
import { flowKey } from "../../src/flows/model";
import { requiredFlows } from "../../src/flows/required/requiredFlows";
import { JudgedResources } from "../../src/gate/judgedResources";
import { rules } from "../../src/rules";
import { verdictOf } from "../../src/gate/verdict";
import { Level, Status } from "../../src/gate/rule";
import { planQuestion } from "../../src/rules/conclusion";
import { judgedExample, planOfProgram } from "../examples/examplePlan";
import { examples, type Example } from "../examples/example";
import { programOf, runProgram } from "../docs/readmeProgram";
import { expectGolden } from "../objects/golden";

/** Rules that find documented flows that do not pass. */
const ABOUT_FLOWS: ReadonlySet<string> = new Set([
  "port-missing",
  "isolation-flow-blocked",
  "egress-firewall-api-blocked",
  "egress-firewall-dns",
  "proxy-dns-blocked",
]);

/** The ids of the groups of others that an assumed flow depends on. */
const causesOf = (flow: FlowAnswer): string =>
  flow.proof === Proof.Assumed ? `: ${[...new Set(flow.assumptions.map(({ by }) => by))].join(", ")}` : "";

/** The results of `check` and `prove` for one plan, flow by flow. */
function said(plan: JudgedResources): string {
  const findings = verdictOf(plan, rules).findings.filter(({ rule }) => ABOUT_FLOWS.has(rule));
  const errors = findings.filter(({ status }) => status === Status.Violated);
  const answers = answersOf(plan);
  // Components and examples must allow every flow that is not optional.
  expect(errors.filter(({ level }) => level === Level.Error)).toEqual([]);
  expect(answers.map(({ summary }) => summary.refuted)).toEqual(answers.map(() => 0));
  return [
    `check: ${errors.length} missing, ${findings.length - errors.length} unknown`,
    ...errors.map(({ rule, message }) => `  ${rule}: ${message}`),
    ...answers.flatMap(({ cluster, flows, summary }) => [
      `prove ${cluster}: ${JSON.stringify(summary)}`,
      ...flows.map((flow) => `  ${flow.proof.padEnd(8)} ${flow.key}${causesOf(flow)}`),
    ]),
  ].join("\n");
}

const readmeProgram = (): unknown =>
  runProgram(programOf(readFileSync(join(repositoryRoot, "README.md"), "utf8")));

const recorded = new Map<Example, Promise<JudgedResources>>();
/** The plans of the examples, each recorded only once. */
const judged = (example: Example): Promise<JudgedResources> => {
  const found = recorded.get(example) ?? judgedExample(example);
  recorded.set(example, found);
  return found;
};
const all = examples().map((example) => [example.name, example] as const);

/** A plan without the rules of its security groups, which refutes the documented flows of its hosts. */
const withoutRules = ({ resources, configuration }: JudgedResources): JudgedResources =>
  new JudgedResources(
    resources.filter(({ type }) => !RULES.has(type)),
    configuration,
  );
const RULES: ReadonlySet<string> = new Set([TYPE.ingressRule, TYPE.egressRule]);

const answersOf = (plan: JudgedResources) =>
  plan.clusters.flatMap(({ topology, partial }) =>
    topology && !partial ? [answerPlan(planQuestion(plan, topology))] : [],
  );

/** Matches packets that no host sends or receives. */
const IMPOSSIBLE = /\bprotocol 0\b|\.0 ->|-> [\d.]+\.0,|:: ->/;

describe("the witness packet of a refuted flow is a possible packet", () => {
  test.each(all)("%s", async (_, example) => {
    const plan = await judged(example);
    const flows = answersOf(withoutRules(plan)).flatMap((answer) => answer.flows);
    const refutations = flows.flatMap((flow) => ("refutations" in flow ? flow.refutations : []));
    expect(refutations.length > 0).toBe(plan.resources.some(({ type }) => RULES.has(type)));
    for (const { packet } of refutations) {
      expect(describePacket(packet)).not.toMatch(IMPOSSIBLE);
      if (packet.source !== "any address") expect(packet.destination).not.toBe(packet.source);
    }
  });
});

describe("check finds no blocked flow and prove refutes none in", () => {
  test.each(all)("%s", async (name, example) => {
    expectGolden(join("flows", `${name}.txt`), `${said(await judged(example))}\n`);
  });

  test("the complete program of the README", async () => {
    const resources = await planOfProgram(readmeProgram, "readme");
    expectGolden(join("flows", "README.txt"), `${said(new JudgedResources(resources))}\n`);
  });
});

describe("fixes name the input to change", () => {
  const COMPONENT = ":HostedControlPlaneSecurityGroups";

  test("disabledRules of a component that omits the rules", async () => {
    const resources = await planOfProgram(readmeProgram, "readme");
    const whole = new JudgedResources(resources);
    const disabledRules = whole.clusters.flatMap(({ topology }) => requiredFlows(topology!).map(flowKey));
    const without = resources
      .filter(({ type }) => !RULES.has(type))
      .map((one) =>
        one.type.endsWith(COMPONENT) ? { ...one, properties: { ...one.properties, disabledRules } } : one,
      );
    const plan = new JudgedResources(without);
    const refutations = answersOf(plan).flatMap(({ flows }) =>
      flows.flatMap((flow) => ("refutations" in flow ? flow.refutations : [])),
    );
    expect(refutations.length).toBeGreaterThan(5);
    for (const { lever } of refutations)
      expect(lever).toMatch(
        /^remove [a-z-]+\/(in|e)gress\/.* from disabledRules of HostedControlPlaneSecurityGroups /,
      );
    const fixes = verdictOf(plan, aboutFlows).findings.filter(({ status }) => status === Status.Violated);
    for (const { fix } of fixes) expect(fix).toMatch(/^remove .* from disabledRules/);
  });
});

const aboutFlows = rules.filter(({ id }) => ABOUT_FLOWS.has(id));

/** The flows named in findings of `check`, without the optional ones. */
const flowsInFindings = (plan: JudgedResources): string[] => {
  const found = verdictOf(plan, aboutFlows).findings.filter(({ status }) => status === Status.Violated);
  const optional = answersOf(plan).flatMap(({ flows }) =>
    flows.flatMap((one) => (one.optional ? [one.key] : [])),
  );
  return [...new Set(found.flatMap(({ flow = [] }) => flow))].filter((key) => !optional.includes(key)).sort();
};

const refutedFlows = (plan: JudgedResources): string[] => {
  const flows = answersOf(plan).flatMap((answer) => answer.flows);
  return [
    ...new Set(
      flows.filter(({ proof, optional }) => proof === Proof.Refuted && !optional).map(({ key }) => key),
    ),
  ].sort();
};

/** The plan without every tenth rule of its security groups, starting at `place`. */
const withoutSome = ({ resources, configuration }: JudgedResources, place: number): JudgedResources => {
  const filters = resources.filter(({ type }) => RULES.has(type));
  const left = new Set(filters.filter((_, at) => at % 10 === place));
  return new JudgedResources(
    resources.filter((one) => !left.has(one)),
    configuration,
  );
};

describe("check finds exactly the flows that prove refutes:", () => {
  test.each(all)("%s, without the rules of its groups", async (_, example) => {
    const plan = withoutRules(await judged(example));
    expect(flowsInFindings(plan)).toEqual(refutedFlows(plan));
  });

  test.each(all)("%s, without some rules of its groups in turn", async (_, example) => {
    const whole = await judged(example);
    for (let place = 0; place < 10; place++) {
      const plan = withoutSome(whole, place);
      expect([place, flowsInFindings(plan)]).toEqual([place, refutedFlows(plan)]);
    }
  });
});
