import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import {
  filesIn,
  isKustomization,
  isWithin,
  readBytes,
  readStandardInput,
  wouldRead,
} from "../../src/plan/files";
import { Folder } from "./plans";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const at = (...steps: string[]) => join(folder.path, ...steps);
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("the bytes of a file", () => {
  const utf16 = {
    problem: "is UTF-16, not UTF-8",
    remedy: "write it as UTF-8; in PowerShell with | Out-File -Encoding utf8",
  };
  const nul = (line: number) => ({ line, problem: "has a NUL byte", remedy: "write it as UTF-8 text" });
  const broken = (line: number) => ({ line, problem: "is not UTF-8", remedy: "write it as UTF-8 text" });

  test.each<[what: string, bytes: Buffer, fault: object]>([
    ["only a byte order mark of UTF-16", hex("ff fe"), utf16],
    ["a byte order mark of big-endian UTF-16", hex("fe ff 00 61"), utf16],
    ["UTF-16 without a byte order mark", Buffer.from("{}", "utf16le"), utf16],
    ["big-endian UTF-16 without a byte order mark", Buffer.from("{}", "utf16le").swap16(), utf16],
    ["UTF-16 with a non-ASCII letter at the end", Buffer.from("12345678é", "utf16le"), utf16],
    ["only a NUL byte", hex("00"), nul(1)],
    ["a NUL byte at the start", Buffer.from("\0abc"), nul(1)],
    ["a NUL byte after one letter", Buffer.from("a\0bc"), nul(1)],
    ["a NUL byte in the third line", Buffer.from("a\nb\n\0\n"), nul(3)],
    ["two NUL bytes", hex("00 00"), nul(1)],
    ["half a character at the end", hex("61 0a 62 0a c3"), broken(3)],
    ["a byte that starts no character", hex("80 0a"), broken(1)],
    [
      "a Latin-1 letter after lines of UTF-8",
      Buffer.concat([Buffer.from("é\n😀\n"), hex("e4 0a")]),
      broken(3),
    ],
    ["half of a UTF-16 surrogate pair", hex("ed a0 80"), broken(1)],
    ["an overlong slash", hex("c0 af"), broken(1)],
    ["a part of the byte order mark of UTF-8", hex("ef bb"), broken(1)],
    ["one byte of the byte order mark of UTF-16", hex("ff"), broken(1)],
    ["the other byte of that mark", hex("fe 61"), broken(1)],
  ])("are rejected if they are not UTF-8: %s", (_, bytes, fault) => {
    const file = folder.write("a.yaml", bytes);
    expect(readBytes(file)).toEqual({ fault: { file, ...fault } });
    expect(readBytes("elsewhere", bytes)).toEqual({ fault: { file: "elsewhere", ...fault } });
  });

  test.each<[what: string, bytes: Buffer, read: string]>([
    ["nothing", Buffer.alloc(0), ""],
    ["ASCII", Buffer.from("a\n"), "a\n"],
    ["non-ASCII letters", Buffer.from("é😀"), "é😀"],
    ["a byte order mark, which is removed", Buffer.from("\ufeffa"), "a"],
    ["only a byte order mark", Buffer.from("\ufeff"), ""],
    ["a byte order mark that is not at the start", Buffer.from("a\ufeff"), "a\ufeff"],
  ])("are its content: %s", (_, bytes, read) => {
    expect(readBytes(folder.write("a.yaml", bytes)).bytes?.toString()).toBe(read);
  });

  test("are absent if it cannot be read, and the fault states the reason", () => {
    const device = { problem: "is a device", remedy: "name a file, or - for standard input" };
    expect(readBytes("/dev/zero")).toEqual({ fault: { file: "/dev/zero", ...device } });
    expect(readBytes("/dev/null").bytes?.length).toBe(0);
    expect(readBytes(at("absent")).fault).toMatchObject({
      file: at("absent"),
      problem: "no such file or folder",
    });
    expect(readBytes("").fault).toEqual({
      file: '""',
      problem: "is not a path",
      remedy: "name a file or folder",
    });
    expect(readBytes(at(".")).fault).toMatchObject({ file: at(".") });
  });

  test("of standard input may come in parts, and a broken pipe is a fault", async () => {
    const given = (...parts: (string | Buffer)[]) =>
      (async function* () {
        for (const part of parts) yield await Promise.resolve(part);
      })();
    const { bytes } = await readStandardInput(given("é", hex("c3"), hex("a9"), "\n"));
    expect(bytes?.toString()).toBe("éé\n");
    expect(await readStandardInput(given(hex("c3")))).toEqual({ fault: { file: "stdin", ...broken(1) } });
    const ends = (async function* () {
      yield await Promise.resolve("a");
      throw Object.assign(new Error("closed"), { code: "EIO" });
    })();
    expect((await readStandardInput(ends)).fault).toEqual({
      file: "stdin",
      problem: "cannot be read (EIO)",
      remedy: "check the file",
    });
  });
});

describe("the files of a folder", () => {
  const names = (path = folder.path, given: string[] = []) => {
    const { files, faults } = filesIn(path, given);
    const short = (text: string) => text.replace(`${folder.path}/`, "");
    return [files.map(short), faults.map(({ file, problem }) => `${short(file)} ${short(problem)}`)];
  };

  test("are those with a name that is read, sorted, folder by folder", () => {
    for (const name of [
      "b.YAML",
      "a/z.yml",
      "a/y.Json",
      "c.txt",
      "yaml",
      "Kustomization",
      ".hidden.yaml",
      ".git/x.yaml",
    ])
      folder.write(name, "");
    for (const name of ["a/node_modules/x.yaml", "a/kustomization", "d.yaml.bak"]) folder.write(name, "");
    mkdirSync(at("folder.yaml"));
    expect(names()).toEqual([["Kustomization", "a/y.Json", "a/z.yml", "b.YAML"], []]);
    expect(
      ["kustomization.yaml", "a/kustomization.yml", "kustomization", "my-kustomization.yaml"].map(
        isKustomization,
      ),
    ).toEqual([true, true, false, false]);
  });

  test("are none if the path is no folder or does not exist", () => {
    folder.write("a.yaml", "");
    expect(names(at("absent"))).toEqual([[], ["absent no such file or folder"]]);
    expect(names(at("a.yaml"))[0]).toEqual([]);
  });

  test("may be links, and a link to nothing is a fault if its name is read", () => {
    folder.write("real/a.yaml", "");
    symlinkSync("real/a.yaml", at("b.yaml"));
    symlinkSync("nowhere", at("c.yaml"));
    symlinkSync("nowhere", at("c.txt"));
    symlinkSync("real", at("again"));
    expect(names()).toEqual([["again/a.yaml", "b.yaml"], ["c.yaml no such file or folder"]]);
  });

  test("do not include targets of links that lead out of the folder, which are faults", () => {
    for (const name of ["in/a.yaml", "out/b.yaml", "inside-too/c.yaml", "..in/d.yaml"])
      folder.write(name, "");
    symlinkSync(at("out"), at("in/out"));
    symlinkSync("../inside-too/c.yaml", at("in/c.yaml"));
    const leads = (name: string) => `in/${name} is a symbolic link that leads out of in`;
    expect(names(at("in"))).toEqual([["in/a.yaml"], [leads("c.yaml"), leads("out")]]);
    expect(names(at("in"), [at("out")])).toEqual([["in/a.yaml"], [leads("c.yaml")]]);
  });
});

test("a path is within a folder if its real path is", () => {
  for (const name of ["in/deep/a.yaml", "in/..b/c.yaml", "inner/d.yaml"]) folder.write(name, "");
  symlinkSync(at("inner"), at("in/link"));
  const within = (path: string) => isWithin(at("in"), at(path));
  expect(["in", "in/deep/a.yaml", "in/..b", "in/..b/c.yaml"].map(within)).toEqual([true, true, true, true]);
  expect([".", "inner", "inner/d.yaml", "in/link", "in/link/d.yaml", "absent"].map(within)).toEqual(
    Array(6).fill(false),
  );
  expect(isWithin(at("absent"), at("in"))).toBe(false);
});

test("a new file would be read with a folder if its name and location match", () => {
  for (const name of ["in/deep/a.yaml", "in/node_modules/b.yaml", "in/.git/c.yaml", "out/d.yaml"])
    folder.write(name, "");
  const would = (path: string, around = "in") => wouldRead(at(around), at(path));
  expect(["in/new.yaml", "in/deep/new.json", "in/Kustomization"].map((path) => would(path))).toEqual([
    true,
    true,
    true,
  ]);
  const not = [
    "in/new.txt",
    "in/.new.yaml",
    "in/node_modules/new.yaml",
    "in/.git/new.yaml",
    "out/new.yaml",
    "absent/new.yaml",
  ];
  expect(not.map((path) => would(path))).toEqual(not.map(() => false));
  expect([would("in/new.yaml", "absent"), would("in/deep/a.yaml", "in/deep/a.yaml")]).toEqual([false, false]);
});
