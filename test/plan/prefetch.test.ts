import { Folder } from "./plans";

const SMALL = 1024;
/** A size that takes a while to read. */
const LARGE = 9 * 1024 * 1024;

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const written = (name: string, size: number): string => folder.write(name, " ".repeat(size));

describe("the arguments of the command line", () => {
  const aheadOf = (...args: string[]) => {
    const before = process.argv;
    process.argv = [...before.slice(0, 2), ...args];
    try {
      let found: unknown;
      jest.isolateModules(() => {
        const { prefetched } =
          jest.requireActual<typeof import("../../src/cli/prefetch")>("../../src/cli/prefetch");
        found = prefetched?.file;
      });
      return found;
    } finally {
      process.argv = before;
    }
  };

  test("determine the file that is read ahead: a path or the value of an option, but no output file", () => {
    const [plan, other] = [written("plan", LARGE), written("other", LARGE)];
    expect(aheadOf("check", written("small", SMALL), plan)).toBe(plan);
    expect(aheadOf("check", "--state", other, plan)).toBe(other);
    expect(aheadOf("report", "-o", other, plan)).toBe(plan);
    expect(aheadOf("report", "--out", other)).toBeUndefined();
    expect(aheadOf("check", "--help")).toBeUndefined();
  });
});
