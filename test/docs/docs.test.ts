import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Readable } from "node:stream";

import { createColors } from "picocolors";

import { repositoryRoot } from "../../local/repository";
import * as library from "../../src";
import { reportOf } from "../../src/cli/check";
import { flowKey } from "../../src/flows/model";
import { requiredFlows } from "../../src/flows/required/requiredFlows";
import { JudgedResources } from "../../src/gate/judgedResources";
import { verdictOf } from "../../src/gate/verdict";
import { readInputs } from "../../src/plan/readInputs";
import { GroupBy, textReport } from "../../src/report/text";
import type { Resource } from "../../src/resources/resource";
import { rules } from "../../src/rules";
import { planOfProgram } from "../examples/examplePlan";
import { preview, step } from "../plan/plans";
import { layoutPicture, picture } from "./picture";
import { programOf, runProgram } from "./readmeProgram";
import { NO_CONFIGURATION } from "../../src/gate/configuration";

const read = (file: string): string => readFileSync(join(repositoryRoot, file), "utf8");
const isWriting = process.env.UPDATE_GOLDEN === "1";

/** Expects a documentation file to have this text; `UPDATE_GOLDEN=1` writes it instead. */
function expectFile(file: string, text: string): void {
  if (isWriting) writeFileSync(join(repositoryRoot, file), text);
  expect(read(file)).toBe(text);
}

/** The rule that the README removes. */
const DISABLED = "workers/egress/kube-apiserver";
const blocked = (): Promise<Resource[]> =>
  planOfProgram(() => {
    const program = programOf(read("README.md")).replace(/(\n}\);)/, `\n  disabledRules: ["${DISABLED}"],$1`);
    expect(program).toContain(DISABLED);
    return runProgram(program);
  }, "readme");

/** The preview of a program's deployed stack: as the engine shows it, with a step for the stack itself. */
function previewOf(resources: readonly Resource[]): string {
  const stack = {
    urn: "urn:pulumi:stack::readme::pulumi:pulumi:Stack::readme-stack",
    type: "pulumi:pulumi:Stack",
  };
  const states = resources.map(({ origin, type, parent = stack.urn, properties }) => {
    const isCustom = !type.startsWith("hypershift-network:");
    const id = isCustom && { id: properties.id };
    return {
      urn: origin.urn!,
      type,
      custom: isCustom,
      ...id,
      parent,
      inputs: properties,
      outputs: properties,
    };
  });
  return preview([stack, ...states].map((state) => step("same", state)));
}

describe("the README", () => {
  test("shows the output of check for its program without one rule", async () => {
    const stdin = Readable.from([previewOf(await blocked())]);
    const inputs = await readInputs(["-"], { stdin });
    expect(inputs.faults).toEqual([]);
    const judged = new JudgedResources(inputs.resources);
    const report = reportOf(verdictOf(judged, rules), judged, inputs, {
      configuration: NO_CONFIGURATION,
      lineOf: () => undefined,
      notes: [],
      faults: [],
    });
    const text = textReport(report, createColors(false), GroupBy.Rule).trim();
    const readme = read("README.md");
    const [before = "", after = ""] = readme.split(/```text\n[^]*?\n```/);
    expectFile("README.md", `${before}\`\`\`text\n${text}\n\`\`\`${after}`);
  });

  test("names the versions that package.json requires", () => {
    const { engines, dependencies } = JSON.parse(read("package.json")) as {
      engines: { node: string };
      dependencies: Record<string, string>;
    };
    const readme = read("README.md");
    for (const name of ["@pulumi/pulumi", "@pulumi/aws", "@pulumi/kubernetes", "@pulumi/policy"])
      expect(readme).toMatch(
        new RegExp(`\\| \`${name}\` +\\| ${dependencies[name]!.slice(1).replaceAll(".", "\\.")} or newer`),
      );
    expect(engines.node).toBe("^20.19.0 || >=22.12.0");
    expect(readme).toMatch(/\| Node\.js +\| 20\.19 or newer 20, 22\.12 or newer /);
  });

  test("describes every component in at most twelve words, with a link to docs/components.md", () => {
    const rows = [
      ...read("README.md").matchAll(/^\| \[`(\w+)`\]\(docs\/components\.md#\w+\) +\| (.*?) +\|$/gm),
    ];
    for (const [, , words] of rows) expect(words!.split(" ").length).toBeLessThanOrEqual(12);
    const components = Object.entries(library).flatMap(([name, value]) =>
      typeof value === "function" && "isInstance" in value ? [name] : [],
    );
    expect(rows.map(([, name]) => name).sort()).toEqual(components.sort());
  });
});

test("the picture shows the network of the README's program, with the missing flow in red", async () => {
  const judged = new JudgedResources(await blocked());
  const { topology } = judged.clusters[0]!;
  const found = new Set(
    verdictOf(judged, rules).findings.flatMap(({ rule, hop }) => (rule === "port-missing" ? [hop] : [])),
  );
  expect([...found]).toEqual([DISABLED]);
  expectFile(
    "docs/network.svg",
    picture("The network of a hosted cluster", requiredFlows(topology!), (flow) => found.has(flowKey(flow))),
  );
});

test("the picture of the layout shows the layers that the linter enforces", () => {
  const program = 'import("./oxlint.config.mjs").then(({ layers }) => console.log(JSON.stringify(layers)))';
  const printed = execFileSync(process.execPath, ["-e", program], { cwd: repositoryRoot, encoding: "utf8" });
  expectFile("docs/layout.svg", layoutPicture(JSON.parse(printed) as string[][]));
});

const pages = [
  "README.md",
  "examples/README.md",
  "local/README.md",
  ...readdirSync(join(repositoryRoot, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
/** The anchors of a page's headings, as GitHub creates them. */
const anchorsOf = (file: string): Set<string> =>
  new Set(
    [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    ),
  );

test.each(pages)("every link of %s has a target", (page) => {
  const text = read(page).replaceAll(/```[^]*?```/g, "");
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  const dead = links.filter(([, path, anchor]) => {
    const target =
      path === "" ? page : relative(repositoryRoot, resolve(repositoryRoot, dirname(page), path!));
    if (!existsSync(join(repositoryRoot, target))) return true;
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});

test("the index names every page", () => {
  const index = read("docs/README.md");
  const others = pages.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  expect(others.filter((page) => !index.includes(`(${page.slice("docs/".length)})`))).toEqual([]);
});
