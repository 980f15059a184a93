import { mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { writePreview } from "../../bench/check/generate";
import { readListed } from "../../src/plan/jsonDocument";
import { JudgedResources } from "../../src/gate/judgedResources";
import { rules } from "../../src/rules";
import { verdictOf } from "../../src/gate/verdict";
import { call } from "../cli/terminal";
import { readInputs } from "../../src/plan/readInputs";

/** One fiftieth of the preview of the bench. */
const SMALL = { times: 1 / 50 };

let folder: string;
let file: string;
let written: { resources: number; rules: number };
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bench-"));
  file = join(folder, "preview.json");
  written = writePreview(file, SMALL);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Document {
  steps: { op: string; newState: { inputs: { ingress?: unknown[] } } }[];
  changeSummary: Record<string, number>;
}

describe("the preview of the bench", () => {
  it("has the stated number of resources, some of them new, changed and unchanged", () => {
    const { steps, changeSummary } = JSON.parse(readFileSync(file, "utf8")) as Document;
    expect(steps).toHaveLength(written.resources);
    expect(Object.keys(changeSummary).sort()).toEqual(["create", "same", "update"]);
    const inline = steps.map(({ newState }) => newState.inputs.ingress?.length ?? 0);
    expect(inline.reduce((sum, count) => sum + count, 0)).toBeLessThan(written.rules);
  });

  it("can be read in parts, like previews of the engine", () => {
    const { steps, changeSummary } = JSON.parse(readFileSync(file, "utf8")) as Document;
    const { document } = readListed(readFileSync(file), file) as { document: Document };
    expect(document.changeSummary).toEqual(changeSummary);
    expect(document.steps.map(({ op }) => op)).toEqual(steps.map(({ op }) => op));
  });

  it("has hosted clusters whose rules are judged", async () => {
    const { resources, faults } = await readInputs([file]);
    expect([resources.length, faults]).toEqual([written.resources, []]);
    const { findings } = verdictOf(new JudgedResources(resources), rules);
    expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(["port-missing", "port-excess"]));
  });

  it("is refused if it is truncated, with the position of the end", async () => {
    const cut = join(folder, "cut.json");
    writePreview(cut, SMALL);
    truncateSync(cut, 1_000_000);
    const { status, out, error } = await call(["check", cut]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toMatch(/cut\.json:\d+:\d+ {2}JSON ends in the middle of a value: write the file again\n$/);
  });
});
