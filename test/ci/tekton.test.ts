import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { parse } from "yaml";

import { repositoryRoot } from "../../local/repository";
import { PLAN_WITH_FINDING, Project, type Ended } from "./project";

const file = (name: string) => join(repositoryRoot, "ci/tekton", name);

interface Step {
  workingDir: string;
  env: { name: string; value: string }[];
  script: string;
}

interface TaskSpec {
  params: { name: string; default?: string }[];
  steps: [Step];
}

const task = parse(readFileSync(file("task.yaml"), "utf8")) as { spec: TaskSpec };
const pipeline = parse(readFileSync(file("pipeline.yaml"), "utf8")) as {
  spec: { tasks: { name: string; runAfter?: string[]; taskSpec?: TaskSpec }[] };
};
const update = pipeline.spec.tasks.find(({ name }) => name === "up");

let project: Project;
beforeEach(() => (project = new Project()));
afterEach(() => project.remove());

/** Runs the step of a task as Tekton does: fills in its variables and runs its script as a separate program. */
function run({ params, steps: [step] }: TaskSpec, given: Record<string, string>): Promise<Ended> {
  const values = new Map(params.map(({ name, default: preset = "" }) => [name, given[name] ?? preset]));
  const filled = (text: string) =>
    text
      .replaceAll("$(workspaces.source.path)", project.path)
      .replaceAll("$(results.status.path)", join(project.path, "status"))
      .replace(/\$\(params\.([\w-]+)\)/g, (_, name: string) => values.get(name) ?? "");
  // A parameter in a script would be executed, so it is passed as a variable.
  expect(step.script).not.toMatch(/\$\((params|workspaces|results)\./);
  const env = Object.fromEntries(step.env.map(({ name, value }) => [name, filled(value)]));
  return project.run(
    ["bash", project.write("script", step.script)],
    env,
    filled(step.workingDir).replace(project.path, "."),
  );
}

function lint(...files: string[]): unknown {
  const command = join(repositoryRoot, "node_modules/.bin/tekton-lint");
  const { stdout, stderr } = spawnSync(command, ["--format", "json", ...files], { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

test("tekton-lint accepts the task and the pipeline", () => {
  expect(lint(file("task.yaml"), file("pipeline.yaml"))).toEqual([]);
  const text = readFileSync(file("pipeline.yaml"), "utf8");
  const wrong = project.write("pipeline.yaml", text.replace("runAfter: [gate]", "runAfter: [gat]"));
  expect(lint(file("task.yaml"), wrong)).toEqual([
    expect.objectContaining({ rule: "no-pipeline-missing-task" }),
  ]);
});

describe("the Tekton task", () => {
  const given = { stack: "dev", config: "hypershift-network.yaml" };

  it("passes a clean preview of all resources of the stack", async () => {
    expect((await run(task.spec, given)).status).toBe(0);
    expect(project.calls()).toEqual(["pulumi preview --json --show-sames --non-interactive --stack dev"]);
    expect(project.read("status")).toBe("0");
  });

  it("fails with findings, and writes its report and its result", async () => {
    project.previews(PLAN_WITH_FINDING);
    const { status, out } = await run(task.spec, given);
    expect([status, project.read("status")]).toEqual([1, "1"]);
    expect(out).toContain("10.0.0.1/8 has host bits");
    expect(project.read("network-junit.xml")).toContain("<failure");
  });

  it.each([
    ["failed although it printed a plan", undefined, 255],
    ["is cut off", '{ "steps": [', 0],
  ])("fails with status 2 if the preview %s", async (_, plan, ends) => {
    project.previews(plan ?? project.read("printed"), ends);
    const { status } = await run(task.spec, given);
    expect([status, project.read("status")]).toEqual([2, "2"]);
  });
});

test("the Tekton pipeline updates only after the gate, and previews with the policy pack first", async () => {
  expect(update?.runAfter).toEqual(["gate"]);
  const { status } = await run(update!.taskSpec!, { stack: "dev" });
  const pack = "--policy-pack node_modules/hypershift-network/policy";
  expect(status).toBe(0);
  expect(project.calls()).toEqual([
    `pulumi preview --non-interactive --stack dev ${pack}`,
    `pulumi up --yes --skip-preview --non-interactive --stack dev ${pack}`,
  ]);
});
