import { readFileSync } from "node:fs";
import { join } from "node:path";

import { XMLParser } from "fast-xml-parser";
import { parse } from "yaml";

import { repositoryRoot } from "../../local/repository";
import { PLAN_WITH_FINDING, Project, type Ended } from "./project";

interface Job {
  extends?: string;
  stage?: string;
  needs?: string[];
  rules?: { if: string }[];
  before_script?: string[];
  script?: string[];
  artifacts?: { when: string; paths: string[]; reports: { junit: string } };
}

const { variables, ...jobs } = parse(
  readFileSync(join(repositoryRoot, "ci/gitlab/network.gitlab-ci.yml"), "utf8"),
) as { variables: Record<string, string>; [job: string]: Job | Record<string, string> };

/** A job merged with the job that it extends. */
function job(name: string): Job {
  const own = jobs[name] as Job;
  return { ...(own.extends === undefined ? {} : (jobs[own.extends] as Job)), ...own };
}

let project: Project;
beforeEach(() => (project = new Project()));
afterEach(() => project.remove());

/** Runs a job as a runner with the shell bash does: the lines of both scripts in one shell that stops at the first failure. */
function run(name: string): Promise<Ended> {
  const { before_script: before = [], script = [] } = job(name);
  const text = ["set -eo pipefail", ...before, ...script].join("\n");
  return project.run(["bash", "-c", text], variables);
}

test("each job extends and needs existing jobs, and the update needs the gate", () => {
  const names = Object.keys(jobs);
  expect(names).toEqual([".network", "network-gate", "network-up"]);
  for (const name of names.slice(1)) {
    expect(names).toContain(job(name).extends);
    expect(job(name).rules).not.toEqual([]);
  }
  expect(job("network-up").needs).toEqual(["network-gate"]);
  expect([job("network-gate").stage, job("network-up").stage]).toEqual(["test", "deploy"]);
});

const isText = (value: unknown) => typeof value === "string" && value !== "";
const isTexts = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isText);
const isMapOf = (forms: Readonly<Record<string, (value: unknown) => boolean>>) => (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).every(([key, entry]) => Object.hasOwn(forms, key) && forms[key]!(entry));
const isListOf = (holds: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every(holds);
const WHEN = ["on_success", "on_failure", "always", "manual", "never"];
const isWhen = (value: unknown) => WHEN.some((word) => word === value);
/** The keywords of GitLab's CI syntax that the template may use, each with the form that GitLab accepts. */
const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  extends: isText,
  image: isText,
  stage: (value) => [".pre", "build", "test", "deploy", ".post"].some((stage) => stage === value),
  needs: isTexts,
  environment: (value) => isText(value) || isMapOf({ name: isText, action: isText })(value),
  resource_group: isText,
  rules: isListOf(isMapOf({ if: isText, when: isWhen })),
  before_script: isTexts,
  script: isTexts,
  artifacts: isMapOf({
    when: isWhen,
    paths: isTexts,
    expire_in: isText,
    access: (value) => ["all", "developer", "maintainer", "none"].some((word) => word === value),
    reports: isMapOf({ junit: isText }),
  }),
};

test("the template uses only keywords of GitLab's syntax, each in the right form", () => {
  expect(Object.values(variables).every(isText)).toBe(true);
  for (const [name, keywords] of Object.entries(jobs))
    for (const [keyword, value] of Object.entries(keywords)) {
      expect([name, keyword, Object.hasOwn(KEYWORDS, keyword)]).toEqual([name, keyword, true]);
      expect([name, keyword, KEYWORDS[keyword]!(value)]).toEqual([name, keyword, true]);
    }
  // Keys that begin with a dot are templates; every other one is a job and needs a script.
  for (const name of Object.keys(jobs)) if (!name.startsWith(".")) expect(job(name).script).toBeDefined();
});

test("the check of the template notices a misspelt keyword or a string in place of a list", () => {
  expect(Object.hasOwn(KEYWORDS, "scripts")).toBe(false);
  expect(KEYWORDS.script!("pulumi preview")).toBe(false);
  expect(KEYWORDS.artifacts!({ when: "sometimes" })).toBe(false);
  expect(KEYWORDS.rules!([{ unless: "$CI" }])).toBe(false);
});

describe("the GitLab job network-gate", () => {
  const junit = () =>
    (
      new XMLParser({ ignoreAttributes: false }).parse(project.read("network-junit.xml")) as {
        testsuites: object;
      }
    ).testsuites;

  it("installs, previews all resources of the stack, and passes without findings", async () => {
    expect((await run("network-gate")).status).toBe(0);
    expect(project.calls()).toEqual([
      "npm ci",
      "pulumi preview --json --show-sames --non-interactive --stack dev",
    ]);
    expect(junit()).toMatchObject({ "@_failures": "0" });
  });

  it("fails with findings, which are in the JUnit report and in the log", async () => {
    project.previews(PLAN_WITH_FINDING);
    const { status, out } = await run("network-gate");
    expect(status).toBe(1);
    expect(out).toContain("10.0.0.1/8 has host bits");
    expect(junit()).toMatchObject({ "@_failures": "1" });
    expect(job("network-gate").artifacts).toMatchObject({
      when: "always",
      reports: { junit: "network-junit.xml" },
    });
  });

  it("fails if the preview failed or cannot be judged", async () => {
    project.previews(project.read("printed"), 255);
    expect((await run("network-gate")).status).toBe(255);
    project.previews('{ "steps": [');
    const { status, out } = await run("network-gate");
    expect(status).toBe(2);
    expect(out).toContain("network-plan.json:1");
  });
});

test("the GitLab job network-up previews with the pack before it updates", async () => {
  const pack = "--policy-pack node_modules/hypershift-network/policy";
  expect((await run("network-up")).status).toBe(0);
  expect(project.calls()).toEqual([
    "npm ci",
    `pulumi preview --non-interactive --stack dev ${pack}`,
    `pulumi up --yes --skip-preview --non-interactive --stack dev ${pack}`,
  ]);
});
