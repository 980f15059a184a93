import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Log, Result } from "sarif";

import { type Comments, serveComments } from "./comments";
import { ACTION, type ActionRun, runAction } from "./github";
import { PLAN_WITH_FINDING, Project } from "./project";
import { said } from "./said";

let project: Project;
beforeEach(() => (project = new Project()));
afterEach(() => project.remove());

const given = { config: "hypershift-network.yaml", stack: "dev" };
const MARKER = "<!-- hypershift-network check -->";

const apiOf = ({ url }: Comments) => ({ GITHUB_API_URL: url, GITHUB_GRAPHQL_URL: `${url}/graphql` });

/** The results in the SARIF file of a run. */
const resultsOf = ({ outputs }: ActionRun): Result[] =>
  (JSON.parse(readFileSync(outputs.sarif!, "utf8")) as Log).runs.flatMap(({ results = [] }) => results);

test("GitHub's own parser accepts the action and the workflow", () => {
  expect(said("action", join(ACTION, "action.yml"))).toEqual([]);
  expect(said("workflow", join(ACTION, "workflow.yml"))).toEqual([]);
  const wrong = project.write(
    "action.yml",
    readFileSync(join(ACTION, "action.yml"), "utf8").replace("composite", "compost"),
  );
  expect(said("action", wrong)).toEqual([expect.stringMatching(/Unexpected value 'compost'/)]);
});

describe("the GitHub action", () => {
  it("passes a clean preview of all resources of the stack, and delivers its reports", async () => {
    const { status, outputs, used } = await runAction(project, given);
    expect(status).toBe(0);
    expect(project.calls()).toEqual(["pulumi preview --json --show-sames --non-interactive --stack dev"]);
    expect(outputs.status).toBe("0");
    expect(used).toEqual([
      {
        uses: "github/codeql-action/upload-sarif@v4",
        with: { sarif_file: outputs.sarif, category: "hypershift-network" },
      },
    ]);
    expect(project.read("summary.md")).toMatch(/^<!-- hypershift-network check -->\n\n### ✅/);
  });

  it("fails with findings after uploading them to code scanning and writing one comment", async () => {
    project.previews(PLAN_WITH_FINDING);
    const comments = await serveComments(["first"]);
    const run = () => runAction(project, given, { pullRequest: 7, env: apiOf(comments) });
    const first = await run();
    await run();
    await comments.stop();
    expect([first.status, first.outputs.status]).toEqual([1, "1"]);
    expect(first.out).toContain("10.0.0.1/8 has host bits");
    expect(first.used).toHaveLength(1);
    expect(resultsOf(first).map(({ ruleId }) => ruleId)).toEqual(["cidr-invalid"]);
    // The second run replaced the comment of the first.
    expect(comments.bodies).toEqual(["first", expect.stringContaining("10.0.0.1/8")]);
    expect(comments.bodies[1]).toMatch(new RegExp(`^${MARKER}`));
  });

  it("names the same files in each run of a category, so that code scanning recognizes its alerts", async () => {
    project.previews(PLAN_WITH_FINDING);
    const placesOf = (run: ActionRun) =>
      resultsOf(run).map(({ locations }) => locations?.[0]?.physicalLocation?.artifactLocation?.uri);
    const run = (category: string) => runAction(project, { ...given, category });
    const [first, again, other] = [await run("../a b"), await run("../a b"), await run("b")];
    expect(placesOf(first)).toEqual([expect.stringMatching(/temp\/hypershift-network\/___a_b\/plan\.json$/)]);
    expect(placesOf(again)).toEqual(placesOf(first));
    expect(again.outputs.sarif).toBe(first.outputs.sarif);
    expect(other.outputs.sarif).not.toBe(first.outputs.sarif);
  });

  it("finds its comment after more than one page of others", async () => {
    const others = Array.from({ length: 120 }, (_, position) => `comment ${position}`);
    const comments = await serveComments([...others, `${MARKER} of an earlier run`]);
    await runAction(project, given, { pullRequest: 7, env: apiOf(comments) });
    await comments.stop();
    expect(comments.bodies).toHaveLength(121);
    expect(comments.bodies[120]).toContain("no findings");
  });

  it("replaces no comment of another user or of another category", async () => {
    const foreign = [`${MARKER} of somebody else`, `${MARKER} of the category by default`];
    const comments = await serveComments([...foreign], 200, { 0: "mallory" });
    const inputs = { ...given, category: "stage/eu -->" };
    const run = () => runAction(project, inputs, { pullRequest: 7, env: apiOf(comments) });
    const { used } = await run();
    await run();
    await comments.stop();
    expect(comments.bodies).toEqual([
      ...foreign,
      expect.stringMatching(/^<!-- hypershift-network check: stage%2Feu%20--%3E -->\n/),
    ]);
    expect(used[0]?.with.category).toBe("stage/eu -->");
  });

  it("warns that a fork may not comment, and ends with the status of the gate", async () => {
    const comments = await serveComments([], 403);
    const env = apiOf(comments);
    const { status, out } = await runAction(project, given, { pullRequest: 7, env });
    await comments.stop();
    expect(status).toBe(0);
    expect(out).toMatch(/^::warning .*answered with 403.*pull-requests: write/m);
  });

  it.each([
    ["does not answer", "http://127.0.0.1:1", /^::warning .*no comment was written: .* had no answer: /m],
    ["answers with a page", undefined, /^::warning .*no comment was written: .*was not answered with JSON/m],
  ])("warns if the API %s, and ends with the status of the gate", async (_, closed, warning) => {
    const page = createServer((_, response) => void response.end("<html>"));
    await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
    const url = closed ?? `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const env = { GITHUB_API_URL: url, GITHUB_GRAPHQL_URL: `${url}/graphql` };
    const { status, out } = await runAction(project, given, { pullRequest: 7, env });
    page.closeAllConnections();
    await new Promise((resolve) => page.close(resolve));
    expect(status).toBe(0);
    expect(out).toMatch(warning);
  });

  it.each([
    ["that failed although it printed a plan", undefined, 255],
    ["that is cut off", '{ "steps": [', 0],
    ["that printed nothing", "", 1],
  ])("fails with status 2 for a preview %s, and delivers nothing", async (_, plan, status) => {
    project.previews(plan ?? project.read("printed"), status);
    const { outputs, used, ...ended } = await runAction(project, given, { pullRequest: 7 });
    expect([ended.status, outputs.status, outputs.sarif, used]).toEqual([2, "2", "", []]);
  });

  it("checks paths in another working directory with another command", async () => {
    project.write(
      "my cluster/a b.yaml",
      "apiVersion: k8s.ovn.org/v1\nkind: EgressFirewall\nmetadata: { name: default, namespace: team }\n" +
        "spec: { egress: [{ type: Deny, to: { cidrSelector: 10.0.0.1/8 } }] }\n",
    );
    const inputs = {
      paths: "a b.yaml\n",
      "work-dir": "my cluster",
      command: `${project.path}/node_modules/.bin/hypershift-network`,
    };
    const run = await runAction(project, inputs);
    expect(project.calls()).toEqual([]);
    expect(run.status).toBe(1);
    expect(run.out).toContain("a b.yaml:4");
    // Code scanning reads paths from the root of the repository.
    expect(
      resultsOf(run).map(({ locations }) => locations?.[0]?.physicalLocation?.artifactLocation?.uri),
    ).toEqual(["my%20cluster/a%20b.yaml"]);
  });

  it("writes neither comment nor SARIF if both are disabled", async () => {
    const off = { ...given, comment: "false", "upload-sarif": "false" };
    const { status, used } = await runAction(project, off, { pullRequest: 7 });
    expect([status, used]).toEqual([0, []]);
  });
});
