import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, stackExport, state } from "../plan/plans";
import { NODE_PORT_CLUSTER } from "./nodePortCluster";
import type { Conclusion } from "../../src/rules/conclusion";
import { type Summary, summaryText } from "../../src/report/report";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const tags = { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "control-plane" };
const group = state(TYPE.securityGroup, "hosts", { tags }, { id: "sg-1" });
const rule = (name: string, type: string, ports: object, cidrIpv4: string) =>
  state(type, name, { securityGroupId: "sg-1", cidrIpv4, ...ports });
const out = rule("out", TYPE.egressRule, { ipProtocol: "-1" }, "0.0.0.0/0");
const at = (port: number, cidr = "198.51.100.7/32") =>
  rule(`in-${port}`, TYPE.ingressRule, { ipProtocol: "tcp", fromPort: port, toPort: port }, cidr);
const documented = [6443, 8091, 443].map((port) => at(port, "10.0.0.0/16"));
/** The documented port tables also require the workers' own addresses, which packets do not show behind NAT. */
const workers = (port: number) => ({
  securityGroupId: "sg-1",
  cidrIpv4: "10.0.0.0/16",
  ipProtocol: "tcp",
  fromPort: port,
  toPort: port,
});
const services = [31_443, 31_444, 31_091, 31_090];
const namespace = state("kubernetes:core/v1:Namespace", "shop", {});

/** Runs a command on a plan, with additional text in its configuration. */
const run = (resources: object[], command: string, more = "", ...options: string[]) =>
  call([
    command,
    folder.write("plan.json", stackExport(resources)),
    "-c",
    folder.write("hypershift-network.yaml", NODE_PORT_CLUSTER + more),
    ...options,
  ]);

/** Finds the sentence about the flows of a hosted cluster anywhere in a text. */
const sentenceIn = (text: string): string =>
  /\d+ of \d+ documented flows proved, \d+ assumed, \d+ unknown, \d+ refuted(, \d+ [a-z ]+)?/.exec(
    text,
  )?.[0] ?? "no sentence";

const FORMATS = ["text", "json", "sarif", "junit", "markdown", "github"];

describe("every command and every format comes to the same conclusion", () => {
  const plan = [group, out, ...documented, ...services.slice(1).map((port) => at(port))];

  test("prove, check and report print the same summary sentence", async () => {
    const { out: proof } = await run(plan, "prove");
    const sentence = sentenceIn(proof);
    expect(sentence).toMatch(/, [1-9]\d* refuted$/);
    expect(proof).toMatch(new RegExp(`^clusters/tenant-a: ${sentence}`));
    const { out: text } = await run(plan, "check");
    expect(text).toMatch(new RegExp(`^clusters/tenant-a: ${sentence}\n`));
    for (const format of FORMATS.filter((one) => one !== "json")) {
      const { out: written, error } = await run(plan, "check", "", "--format", format);
      expect([format, sentenceIn(written + error)]).toEqual([format, sentence]);
    }
    const { out: page } = await run(plan, "report", "", "--out", "-");
    expect(sentenceIn(page)).toBe(sentence);
  });

  test("prove and check have the same numbers in JSON", async () => {
    const summaries = await Promise.all(
      ["prove", "check"].map(async (command) => {
        const { out: json } = await run(plan, command, "", "--format", "json");
        const { hostedClusters } = JSON.parse(json) as { hostedClusters: { summary: object }[] };
        return { ...hostedClusters[0]?.summary, excess: 0 };
      }),
    );
    expect(summaries[0]).toEqual(summaries[1]);
  });

  test.each([
    ["exempted", 'exemptions: [{ rule: port-missing, resource: hosts, reason: "goes in May" }]\n'],
    ["dropped because the rule is disabled", "rules: { port-missing: disabled }\n"],
  ])("a flow that is %s is counted separately and fails no command", async (words, more) => {
    for (const command of ["prove", "check"]) {
      const { status, out: text } = await run(plan, command, more);
      expect([command, sentenceIn(text)]).toEqual([
        command,
        expect.stringMatching(new RegExp(` 0 refuted, [1-9]\\d* ${words}$`)),
      ]);
      expect([command, status]).toEqual([command, 0]);
      const mark = words === "exempted" ? "exempted" : "its rule is disabled";
      if (command === "prove")
        expect(text).toMatch(new RegExp(`\n {4}workers-kube-apiserver: .* \\(${mark}\\)\n`));
      expect([command, (await run(plan, command)).status]).toEqual([command, 1]);
    }
  });

  test("prove and check exit with the same status for each word of --fail-on", async () => {
    const tables = [8443, 9090, ...services].map((port) =>
      state(TYPE.ingressRule, `table-${port}`, workers(port)),
    );
    const open = [group, out, ...documented, ...services.map((port) => at(port)), ...tables];
    for (const command of ["prove", "check"])
      for (const [word, expected] of Object.entries({ refuted: 0, error: 0, unknown: 1, assumed: 1 })) {
        const { status } = await run(open, command, "", "--fail-on", word);
        expect([command, word, status]).toEqual([command, word, expected]);
      }
  });

  test("no command or format reports a plan that proves nothing as clean", async () => {
    const proof = await run([namespace], "prove");
    expect([proof.status, proof.out]).toEqual([1, expect.stringContaining("this plan proves nothing")]);
    for (const format of FORMATS) {
      const { out: written, error } = await run([namespace], "check", "", "--format", format);
      expect(written + error).toMatch(format === "json" ? /"proved": ?0,/ : /this plan proves nothing/);
    }
    const { out: text } = await run([namespace], "check");
    expect(text).toMatch(/: no findings, and nothing proved\n$/);
  });

  test("a plan that proves nothing for one of two hosted clusters says so", () => {
    const none = { errors: 0, warnings: 0, notes: 0, unknown: 0, exempted: 0 } as Summary;
    const counts = { proved: 0, refuted: 0, unknown: 3, assumed: 0 } as Conclusion["counts"];
    const silent: Conclusion = { cluster: "clusters/a", counts };
    const proved = { cluster: "clusters/b", counts: { ...counts, proved: 1 } };
    const textOf = (...conclusions: Conclusion[]) => summaryText({ summary: none, conclusions });
    expect(textOf(silent, proved)).toBe("no findings, and nothing proved for 1 of 2 hosted clusters");
    expect(textOf(silent, silent)).toBe("no findings, and nothing proved");
    expect(textOf(proved, proved)).toBe("no findings");
  });
});
