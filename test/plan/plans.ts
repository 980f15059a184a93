import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ReadOptions, readInputs } from "../../src/plan/readInputs";
import { describeInputFault, type Inputs } from "../../src/plan/inputs";

export const NOT_KNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const STACK = "urn:pulumi:dev::network";

export const urn = (type: string, name: string): string => `${STACK}::${type}::${name}`;

/** The state of a resource as the engine writes it. */
export const state = (type: string, name: string, inputs: object, more: object = {}) => ({
  urn: urn(type, name),
  custom: true,
  type,
  inputs,
  ...more,
});

export const step = (op: string, newState?: { urn: string }, oldState?: { urn: string }) => ({
  op,
  urn: (newState ?? oldState)!.urn,
  ...(oldState && { oldState }),
  ...(newState && { newState }),
});

/** What `pulumi preview --json` prints. */
export function preview(steps: ReturnType<typeof step>[], more: object = {}): string {
  const changeSummary: Record<string, number> = {};
  for (const { op } of steps) changeSummary[op] = (changeSummary[op] ?? 0) + 1;
  return JSON.stringify({ steps, diagnostics: [], duration: 1, changeSummary, ...more }, undefined, 4);
}

/** What `pulumi stack export` prints. */
export const stackExport = (resources: object[], more: object = {}): string =>
  JSON.stringify({ version: 3, deployment: { manifest: {}, resources }, ...more });

/** The folder of a test, and what is read from it. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), "plan-"));

  write(name: string, content: string | Buffer): string {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** Reads files of the folder, by default all of it. */
  read(names: readonly string[] = [""], options: ReadOptions = {}): Promise<Inputs> {
    return readInputs(
      names.map((name) => (name === "-" ? name : join(this.path, name))),
      options,
    );
  }

  /** The faults, without the name of the folder. */
  async faults(names?: readonly string[], options?: ReadOptions): Promise<string[]> {
    const { faults } = await this.read(names, options);
    return faults.map((fault) => describeInputFault(fault).replaceAll(`${this.path}/`, ""));
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
