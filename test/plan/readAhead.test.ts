import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { readAhead } from "../../src/plan/readAhead";
import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, preview, stackExport, state, step } from "./plans";
import { readInputs } from "../../src/plan/readInputs";

const SMALL = 1024;
/** A size that takes a while to read. */
const LARGE = 9 * 1024 * 1024;

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

function written(name: string, size: number): string {
  const vpc = state(TYPE.vpc, name, { cidrBlock: "10.0.0.0/16" });
  return folder.write(name, preview([step("create", vpc)]).padEnd(size));
}

describe("a large file that is read ahead", () => {
  test("is the first large one, and has the same content as without reading ahead", async () => {
    const paths = [written("a", SMALL), written("b", LARGE), written("c", LARGE)];
    const ahead = readAhead(paths);
    expect(ahead?.file).toBe(paths[1]);
    expect((await ahead?.bytes)?.length).toBe(LARGE);
    const [one, other] = await Promise.all([readInputs(paths, { ahead }), readInputs(paths)]);
    expect(one.resources.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(one.resources.map(({ properties }) => properties)).toEqual(
      other.resources.map(({ properties }) => properties),
    );
  });

  test("is used as it was when it was read, and is not read twice", async () => {
    const file = written("a", LARGE);
    const ahead = readAhead([file]);
    await ahead?.bytes;
    rmSync(file);
    const { resources, faults } = await readInputs([file], { ahead });
    expect([resources.length, faults]).toEqual([1, []]);
  });

  test("is also used as the export of --state, and is not read twice", async () => {
    const vpc = state(TYPE.vpc, "a", { cidrBlock: "10.0.0.0/16" });
    const file = folder.write("state.json", stackExport([vpc]).padEnd(LARGE));
    const ahead = readAhead([file]);
    await ahead?.bytes;
    rmSync(file);
    const { faults, notes } = await readInputs([written("b", SMALL)], { ahead, state: file });
    expect([faults, notes]).toEqual([[], [expect.stringContaining(`${file} was not needed`)]]);
  });

  test("is read again if it grew meanwhile", async () => {
    const file = written("a", LARGE);
    const ahead = readAhead([file]);
    appendFileSync(file, " ");
    expect(await ahead?.bytes).toBeUndefined();
    const { resources, faults } = await readInputs([file], { ahead });
    expect([resources.length, faults]).toEqual([1, []]);
  });

  test("is absent if no file is large, and only files are read ahead", () => {
    const below = join(folder.path, "below");
    mkdirSync(below);
    expect(
      readAhead([written("a", SMALL), below, "/dev/zero", "-", join(folder.path, "absent")]),
    ).toBeUndefined();
    expect(readAhead([join(written("b", SMALL), "below")])).toBeUndefined();
  });
});
