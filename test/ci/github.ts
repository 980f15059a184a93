import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";

import { parse } from "yaml";

import { repositoryRoot } from "../../local/repository";
import type { Project } from "./project";

export const ACTION = join(repositoryRoot, "ci/github");

interface Step {
  id?: string;
  if?: string;
  env?: Record<string, string>;
  run?: string;
  uses?: string;
  with?: Record<string, string>;
  "working-directory"?: string;
}

interface Action {
  inputs: Record<string, { default?: string }>;
  runs: { steps: Step[] };
}

const action = parse(readFileSync(join(ACTION, "action.yml"), "utf8")) as Action;

/** The result of one run of the action. */
export interface ActionRun {
  status: number;
  out: string;
  outputs: Record<string, string>;
  /** The third-party actions that it would call, with their inputs. */
  used: { uses: string; with: Record<string, string> }[];
}

/** Runs the steps of the composite action in order, as the runner does; third-party actions are only recorded. */
export async function runAction(
  project: Project,
  given: Record<string, string>,
  more: { pullRequest?: number; env?: Record<string, string> } = {},
): Promise<ActionRun> {
  // Outputs that no step has set are empty, as in GitHub's contexts.
  const outputs = new Proxy<Record<string, string>>({}, { get: (all, key: string) => all[key] ?? "" });
  const github = { event: { pull_request: { number: more.pullRequest } }, token: "ghs_token" };
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: preset = "" }]) => [
      name,
      given[name] ?? filled(preset, { github }),
    ]),
  );
  const context = { inputs, github, steps: { check: { outputs } } };
  const ended: ActionRun = { status: 0, out: "", outputs, used: [] };
  for (const step of action.runs.steps) {
    if (step.if !== undefined && !evaluated(step.if, context)) continue;
    const values = (texts: Record<string, string> = {}) =>
      Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, filled(text, context)]));
    if (step.uses !== undefined) {
      ended.used.push({ uses: step.uses, with: values(step.with) });
      continue;
    }
    const output = project.write("outputs", "");
    const env = {
      RUNNER_TEMP: join(project.path, "temp"),
      GITHUB_ACTION_PATH: ACTION,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: join(project.path, "summary.md"),
      GITHUB_REPOSITORY: "acme/networks",
      GITHUB_WORKSPACE: project.path,
      ...more.env,
      ...values(step.env),
    };
    // As the runner starts `shell: bash`.
    const bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.run ?? ""];
    const { status, out } = await project.run(bash, env, filled(step["working-directory"] ?? ".", context));
    ended.out += out;
    for (const [, key = "", value = ""] of project.read("outputs").matchAll(/^(\w+)=(.*)$/gm))
      outputs[key] = value;
    if (status !== 0) return { ...ended, status };
  }
  return ended;
}

/** The action uses only GitHub expressions that are valid JavaScript, except for names with hyphens. */
const evaluated = (expression: string, context: object) =>
  runInNewContext(
    expression.replace(/^\$\{\{(.*)\}\}$/s, "$1").replace(/inputs\.([\w-]+)/g, 'inputs["$1"]'),
    context,
  ) as string | number | boolean | undefined;

const filled = (text: string, context: object): string =>
  text.replace(/\$\{\{.*?\}\}/g, (expression) => String(evaluated(expression, context) ?? ""));
