import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  checkGo,
  checkPython,
  EXAMPLES,
  generate,
  installPython,
  type Made,
  runPython,
  runYaml,
  type Workplace,
} from "../languages/checks";
import { reportOn, type Report } from "../report";
import { type Session, startSession } from "../session";
import { languageTools } from "../toolchain/languages";
import { withWholeNumbers } from "../wholeNumbers";
import { exitWith } from "./exit";

const HELP = `npm run languages

Tries the package from other languages, with Pulumi's own parts: generates its SDKs for Go, Node.js and Python, checks the types of the
examples in Python and of the program in Go of docs/components.md, and deploys the examples in Python and YAML on the local EC2 and
Kubernetes APIs. Both languages have to make the same resources, and a second preview may change nothing.

Needs Go and Python; SDK generators, Pulumi's language host for YAML and its packages for Python are built and installed into the user's
cache folder at first.

Exit status: 0 everything passed, 1 something failed, 2 wrong usage.`;

type Outcome = "passed" | "failed";

async function main(): Promise<number> {
  const report = reportOn();
  const tools = await languageTools(report);
  const folder = mkdtempSync(join(tmpdir(), "languages-"));
  try {
    const outcomes = await tryAll({ folder, tools }, report);
    const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
    console.log(`\n${count("passed")} passed, ${count("failed")} failed`);
    return count("failed") === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryAll(at: Workplace, report: Report): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      const result = await report.step(what, work);
      outcomes.push("passed");
      console.log(`passed   ${what}`);
      return result;
    } catch (error) {
      outcomes.push("failed");
      console.log(`failed   ${what}\n${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  // Each program gets its own APIs, because resources that it protects stay there.
  const deployed = async (name: string, program: (session: Session) => Made): Promise<Made> => {
    const session = await startSession({ stateFolder: join(at.folder, "state", name) });
    try {
      return program(session);
    } finally {
      await session.stop();
    }
  };
  for (const language of ["go", "nodejs", "python"] as const)
    await attempt(`an SDK for ${language} is generated`, () => generate(at, language));
  await attempt("the SDK for Python is installed", () => installPython(at));
  await attempt("the examples in Python have the types of the SDK", () => checkPython(at));
  await attempt("the SDK for Go and the program in docs/components.md compile", () => checkGo(at));
  for (const example of EXAMPLES) {
    const python = await attempt(`examples/${example}/python is deployed`, () =>
      deployed(`${example}-python`, (session) => runPython(at, session, example)),
    );
    const yaml = await attempt(`examples/${example}/yaml is deployed`, () =>
      deployed(`${example}-yaml`, (session) => runYaml(at, session, example)),
    );
    if (python && yaml)
      await attempt(`examples/${example} makes the same in both`, () =>
        Promise.resolve(sameOrThrow(python, yaml)),
      );
  }
  return outcomes;
}

function sameOrThrow(python: Made, yaml: Made): void {
  const only = (some: Made, others: Made) => [...some].filter((resource) => !others.has(resource));
  const differing = [
    ...only(python, yaml).map((it) => `only in Python: ${it}`),
    ...only(yaml, python).map((it) => `only in YAML: ${it}`),
  ];
  if (differing.length > 0) throw new Error(differing.join("\n"));
}

exitWith(withWholeNumbers(process.argv.slice(2), HELP, {}, main));
