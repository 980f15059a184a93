import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findConfiguration } from "../../src/plan/configurationFile";

const NAME = "hypershift-network.yaml";
let top: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "find-configuration-")));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function write(path: string, text = "hostedClusters: []\n"): string {
  const file = join(top, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe("the configuration without --config", () => {
  test("is in the working folder, inside or outside of a repository", () => {
    write(NAME);
    expect(findConfiguration(top)).toEqual({ file: NAME });
    mkdirSync(join(top, ".git"));
    expect(findConfiguration(top)).toEqual({ file: NAME });
  });

  test("may be in a parent folder within the repository, of which the nearest counts", () => {
    mkdirSync(join(top, ".git"));
    write(NAME);
    write("stacks/prod/plan.json");
    expect(findConfiguration(join(top, "stacks/prod"))).toEqual({ file: `../../${NAME}` });
    write(`stacks/${NAME}`);
    expect(findConfiguration(join(top, "stacks/prod"))).toEqual({ file: `../${NAME}` });
  });

  test("is never above the root of the repository, worktree or submodule", () => {
    write(NAME);
    write("repository/stacks/plan.json");
    mkdirSync(join(top, "repository/.git"));
    write("worktree/.git", "gitdir: elsewhere\n");
    for (const folder of ["repository", "repository/stacks", "worktree"])
      expect(findConfiguration(join(top, folder))).toEqual({});
  });

  test("is never above the working folder outside of a repository", () => {
    write(NAME);
    write("stacks/plan.json");
    expect(findConfiguration(join(top, "stacks"))).toEqual({});
  });

  test("may have the extension .yml, and is rejected if both files exist", () => {
    write("hypershift-network.yml");
    expect(findConfiguration(top)).toEqual({ file: "hypershift-network.yml" });
    write(NAME);
    expect(findConfiguration(top).fault).toEqual({
      file: NAME,
      problem: "both hypershift-network.yaml and hypershift-network.yml exist",
      remedy: "keep one, or name one with --config",
    });
  });

  test("is rejected if it belongs to another user", () => {
    write(NAME);
    const { file, fault } = findConfiguration(top, () => false);
    expect(file).toBeUndefined();
    expect(fault?.problem).toMatch(/^belongs to another user \(uid \d+\), and --config does not name it$/);
  });

  test("is read if it belongs to the user or root, or as root to the user who ran sudo", () => {
    const file = write(NAME);
    const own = process.geteuid;
    const before = process.env.SUDO_UID;
    const { uid } = lstatSync(file);
    const foundAs = (user: number | undefined, sudo?: string) => {
      process.geteuid = user === undefined ? undefined! : () => user;
      if (sudo === undefined) delete process.env.SUDO_UID;
      else process.env.SUDO_UID = sudo;
      return findConfiguration(top).file !== undefined;
    };
    try {
      expect([foundAs(uid), foundAs(uid + 1), foundAs(undefined)]).toEqual([true, uid === 0, true]);
      expect(foundAs(0, `${uid}`)).toBe(true);
      expect(foundAs(uid + 1, `${uid}`)).toBe(uid === 0);
    } finally {
      process.geteuid = own!;
      if (before === undefined) delete process.env.SUDO_UID;
      else process.env.SUDO_UID = before;
    }
  });

  test("may be a link, but not to nothing, to itself or to a folder", () => {
    const target = write("elsewhere/settings.yaml");
    symlinkSync(target, join(top, NAME));
    expect(findConfiguration(top)).toEqual({ file: NAME });
    const refusedOf = (to: string) => {
      rmSync(join(top, NAME), { recursive: true });
      symlinkSync(to, join(top, NAME));
      return findConfiguration(top).fault?.problem;
    };
    expect(refusedOf("nowhere")).toMatch(/^no such file or folder/);
    expect(refusedOf(NAME)).toMatch(/^is a symbolic link that points to itself/);
    expect(refusedOf("elsewhere")).toMatch(/^is not a file/);
  });

  test("is absent if the folder does not exist", () => {
    expect(findConfiguration(join(top, "nowhere"))).toEqual({});
  });
});
