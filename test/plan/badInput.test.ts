import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { readLargeJson } from "../../src/plan/jsonDocument";
import { TYPE } from "../../src/resources/resourceTypes";
import { unprivileged } from "../unprivileged";
import { Folder, preview, stackExport, state, step } from "./plans";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const bomb = ["a: &a [x,x,x,x,x,x,x,x,x,x]"]
  .concat([..."bcdefghi"].map((key, n) => `${key}: &${key} [${Array(10).fill(`*${"abcdefgh"[n]!}`).join()}]`))
  .join("\n");
const object = "apiVersion: v1\nkind: Service\n";

describe("bad input", () => {
  it.each<[what: string, name: string, content: string | Buffer, fault: RegExp]>([
    [
      "JSON that ends in a string",
      "a.json",
      `{"steps": [{"op": "cre`,
      /^a\.json:1:23 {2}JSON ends in the middle/,
    ],
    ["JSON that ends after a value", "a.json", `{"steps":\n[{}`, /^a\.json:2:4 {2}JSON ends in the middle/],
    [
      "JSON with a mistake",
      "a.json",
      `{"steps": [\n  {"op": create}]}`,
      /^a\.json:2:10 {2}is not JSON from here/,
    ],
    ["JSON with an extra comma", "a.json", `{"steps": [1,\n]}`, /^a\.json:2:1 {2}is not JSON from here/],
    ["two JSON values", "a.json", `{"steps": []}\n{}`, /^a\.json:2:1 {2}more text follows/],
    [
      "the event log of the engine",
      "a.json",
      `{"sequence":1}\n{"sequence":2}`,
      /PULUMI_ENABLE_STREAMING_JSON_PREVIEW/,
    ],
    [
      "aliases that expand without bound",
      "a.yaml",
      `${object}---\n${bomb}`,
      /^a\.yaml:\d+:\d+ {2}has aliases that expand/,
    ],
    [
      "an alias inside the value of its anchor",
      "a.yaml",
      "apiVersion: v1\nkind: List\nitems: &a\n  - kind: List\n    items: *a\n",
      /^a\.yaml:5:12 {2}has an alias inside/,
    ],
    [
      "a key that is a list",
      "a.yaml",
      `${object}spec:\n  ? [a]\n  : b\n`,
      /^a\.yaml:4:5 {2}has a key that is a/,
    ],
    [
      "an alias without an anchor",
      "a.yaml",
      `${object}a: *b`,
      /^a\.yaml:3:4 {2}has an alias without an anchor/,
    ],
    [
      "a list whose items are stated twice",
      "a.yaml",
      "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Pod}]\nitems:\n  - {apiVersion: v1, kind: Pod}\n",
      /^a\.yaml:5 {2}has the same key twice/,
    ],
    ["a NUL byte", "a.yaml", `${object}a: b\0c\n`, /^a\.yaml:3 {2}has a NUL byte/],
    ["a NUL byte in JSON", "a.json", '{"a":\n"\0"}', /^a\.json:2 {2}has a NUL byte/],
    [
      "UTF-16 without a byte order mark",
      "a.json",
      Buffer.from('{"steps": []}', "utf16le"),
      /^a\.json {2}is UTF-16/,
    ],
    ["big-endian UTF-16", "a.yaml", Buffer.from(object, "utf16le").swap16(), /^a\.yaml {2}is UTF-16/],
    [
      "a control character",
      "a.yaml",
      `${object}a: "b\x07"\n`,
      /^a\.yaml:3 {2}has the control character U\+0007/,
    ],
    [
      "a line separator",
      "a.yaml",
      `${object}# a\u2028a: b\n`,
      /^a\.yaml:3 {2}has the line separator U\+2028/,
    ],
    [
      "a document that kubectl skips",
      "a.yaml",
      `${object}...\n${object}`,
      /^a\.yaml:4 {2}is a document that/,
    ],
    [
      "an infinite number",
      "a.yaml",
      `${object}a: .inf\n`,
      /^a\.yaml:3:4 {2}has a number that JSON cannot represent/,
    ],
    [
      "a key that is null",
      "a.yaml",
      `${object}~: 1\n`,
      /^a\.yaml:3:1 {2}has a key that kubectl does not read as a string/,
    ],
    [
      "a merge of a string",
      "a.yaml",
      `${object}<<: a\n`,
      /^a\.yaml:3:5 {2}merges something that is not a map/,
    ],
    [
      "a tag that does not match its value",
      "a.yaml",
      `${object}a: !!int b\n`,
      /^a\.yaml:3:\d+ {2}has a value that does not match its tag/,
    ],
    [
      "a colon before a bracket",
      "a.yaml",
      `${object}a: {b:}\n`,
      /^a\.yaml:3:5 {2}has a string between brackets/,
    ],
    ["a tab as indentation", "a.yaml", `${object}spec:\n\ta: 1\n`, /^a\.yaml:4:1 {2}is indented with a tab/],
    [
      "a template",
      "a.yaml",
      `${object}spec:\n  {{- if .Values.a }}\n  a: {{ .Values.b }}\n`,
      /^a\.yaml:\d.*helm template/,
    ],
    [
      "a template that happens to be valid YAML",
      "a.yaml",
      `${object}metadata:\n  name: {{ .Values.name }}\n`,
      /^a\.yaml:4:10 {2}is a template.*helm template/,
    ],
    [
      "an OpenShift Template",
      "a.yaml",
      "apiVersion: template.openshift.io/v1\nkind: Template\n",
      /oc process/,
    ],
    ["Latin-1", "a.yaml", Buffer.from(`${object}# \xe4\n`, "latin1"), /^a\.yaml:3 {2}is not UTF-8/],
    ["UTF-16", "a.json", Buffer.from("\ufeff{}", "utf16le"), /^a\.json {2}is UTF-16/],
    [
      "brackets without an end",
      "a.yaml",
      "[".repeat(20_000),
      /^a\.yaml:1 {2}is nested more than 500 levels deep/,
    ],
    [
      "deeply nested lists",
      "a.yaml",
      "- ".repeat(20_000),
      /^a\.yaml:1 {2}is nested more than 500 levels deep/,
    ],
    ["a string without an end", "a.yaml", `${object}a: "b`, /^a\.yaml:3:\d+ {2}is not YAML/],
    ["a flow map without a comma", "a.yaml", `${object}a: { b: c d: e }`, /is not YAML \(\w[^()]* \w+\)/],
    ["a long key", "a.yaml", `${object}"${"k".repeat(1_100)}": b`, /has a key of more than 1024 characters/],
  ])("is reported with file, line and fix: %s", async (_, name, content, fault) => {
    folder.write(name, content);
    expect(await folder.faults([name])).toEqual([expect.stringMatching(fault)]);
  });

  it("may use an alias any number of times without a fault", async () => {
    const services = Array.from({ length: 500 }, (_, n) => `- metadata: {name: s${n}, labels: *l}`);
    const head = "apiVersion: v1\nkind: ServiceList\nmetadata: &l {app: a}\nitems:\n";
    folder.write("a.yaml", `${head}${services.join("\n")}\n`);
    const { resources, faults } = await folder.read();
    expect([resources.length, faults]).toEqual([500, []]);
  });

  it("never shows the content of the file", async () => {
    const texts = [
      "@hunter2",
      "a: `hunter2",
      "hunter2: [}",
      'a: "hunter2',
      "- a\nhunter2: c",
      "hunter2: 1\nhunter2: 2",
    ];
    texts.forEach((text, n) => folder.write(`${n}.yaml`, text));
    folder.write("a.json", `{"a": hunter2}`);
    const faults = await folder.faults(
      ["a.json", ...texts.keys()].map((n) => (n === "a.json" ? n : `${n}.yaml`)),
    );
    expect(faults).toHaveLength(texts.length + 1);
    expect(faults.join()).not.toContain("hunter2");
  });

  it("reports all faults of all files at once", async () => {
    folder.write("a.yaml", `${object}a: *d\n---\n${object}b: *c`);
    folder.write("b.json", "{");
    expect(await folder.faults(["a.yaml", "b.json", "missing.yaml"])).toHaveLength(4);
  });

  it("reports a missing file, a file that may not be read, and a device", async () => {
    expect(await folder.faults(["missing.json"])).toEqual([expect.stringContaining("no such file")]);
    expect(await folder.faults([join("..", "..", "dev", "zero")])).toEqual([
      expect.stringContaining("is a device"),
    ]);
    const closed = folder.write("closed.yaml", object);
    chmodSync(closed, 0);
    expect(await unprivileged(folder.path, () => folder.faults(["closed.yaml"]))).toEqual([
      "closed.yaml  may not be read: change its permissions",
    ]);
  });

  it("reports standard input that never ends", async () => {
    const part = Buffer.alloc(64 * 1024 * 1024, " ");
    const stdin = (async function* () {
      for (;;) yield await Promise.resolve(part);
    })();
    const { faults } = await folder.read(["-"], { stdin });
    expect(faults).toEqual([{ file: "stdin", problem: "is larger than 2 GiB", remedy: "split it" }]);
  });

  it("reports a circular link, and reads each folder once", async () => {
    folder.write("one/a.yaml", object);
    symlinkSync(folder.path, join(folder.path, "one", "again"));
    symlinkSync(join(folder.path, "one"), join(folder.path, "two"));
    symlinkSync("itself.yaml", join(folder.path, "itself.yaml"));
    const { resources, faults } = await folder.read();
    expect(resources).toHaveLength(1);
    expect(faults).toMatchObject([{ problem: "is a symbolic link that points to itself" }]);
  });

  it("reports a link that leads out of the folder, and does not read its target", async () => {
    folder.write("outside/secret.yaml", "password: hunter2: [");
    folder.write("inside/a.yaml", object);
    folder.write("inside/..data/b.yaml", object);
    const at = (name: string) => join(folder.path, name);
    symlinkSync(at("outside/secret.yaml"), at("inside/file.yaml"));
    symlinkSync("../outside", at("inside/folder"));
    symlinkSync("folder/secret.yaml", at("inside/twice.yaml"));
    symlinkSync("/etc/hostname", at("inside/not-read.txt"));
    symlinkSync("..data/b.yaml", at("inside/b.yaml"));
    const { resources, faults } = await folder.read(["inside"]);
    expect(resources).toHaveLength(2);
    expect(faults).toEqual(
      ["file.yaml", "folder", "twice.yaml"].map((name) => ({
        file: at(`inside/${name}`),
        problem: `is a symbolic link that leads out of ${at("inside")}`,
        remedy: "replace it with its target, or name the target as an input too",
      })),
    );
  });

  it("skips a link into another input, which is read by its own name", async () => {
    folder.write("shared/a.yaml", object);
    folder.write("inside/link-is-here.txt", "");
    symlinkSync("../shared/a.yaml", join(folder.path, "inside", "a.yaml"));
    symlinkSync("../shared", join(folder.path, "inside", "shared"));
    expect((await folder.read(["inside"])).faults).toHaveLength(2);
    const { resources, faults } = await folder.read(["inside", "shared"]);
    expect([resources.length, faults]).toEqual([1, []]);
  });

  it("skips unrelated files in a folder and reports that in notes", async () => {
    folder.write("tsconfig.json", "{ // a comment\n}");
    folder.write("values.yaml", "replicas: 3\n");
    folder.write("cloudbuild.json", '{"steps": [{"name": "docker", "args": ["build"]}]}');
    folder.write("service.json", '{"deployment": {"replicas": 3}}');
    folder.write("node_modules/a/a.yaml", object);
    folder.write(".git/a.yaml", object);
    folder.write("chart.txt", object);
    const { resources, faults, notes } = await folder.read();
    expect([resources, faults]).toEqual([[], []]);
    expect(notes).toEqual([
      expect.stringContaining("tsconfig.json was skipped: "),
      expect.stringContaining("contains nothing to judge"),
    ]);
  });

  it.each<[string, string, string, number | undefined]>([
    ["before manifests", "a.yaml", `${preview([])}\n---\n${object}`, 1],
    ["after manifests", "a.yaml", `${object}---\n${stackExport([])}`, 4],
    ["in YAML", "a.yaml", "changeSummary: { create: 1 }\nsteps: []\n", 1],
    ["in a list", "a.json", `[${preview([])}]`, 1],
    ["in a long list", "a.json", `[${preview([])}, "${" ".repeat(4 * 1024 * 1024)}"]`, undefined],
  ])("rejects a preview or a stack export %s", async (_, name, content, line) => {
    folder.write(name, content);
    for (const named of [[name], [""]]) {
      const { faults } = await folder.read(named);
      expect(faults).toEqual([
        expect.objectContaining({ problem: expect.stringContaining("a preview or") as string }),
      ]);
      expect(faults[0]!.line).toBe(line);
    }
  });

  it.each([
    ["an empty file", ""],
    ["empty JSON", "{}"],
    ["values of a Helm chart", "a: 1\n"],
    ["a string", "hello\n"],
    ["only comments", "# nothing\n---\n"],
    ["an empty list", "apiVersion: v1\nkind: List\nitems: []\n"],
    ["a list whose items are null", '{"apiVersion": "v1", "kind": "List", "items": null}'],
  ])("reports that the file contains nothing to judge: %s", async (_, content) => {
    folder.write("a.yaml", content);
    const { resources, faults, notes } = await folder.read(["a.yaml"]);
    expect([resources, faults]).toEqual([[], []]);
    expect(notes).toEqual([expect.stringContaining("a.yaml contains nothing to judge")]);
  });

  it("reads thousands of documents with their lines", async () => {
    folder.write("a.yaml", `${object}---\n`.repeat(5_000));
    const { resources, faults } = await folder.read(["a.yaml"]);
    expect(faults).toEqual([]);
    expect(resources).toHaveLength(5_000);
    expect(resources.at(-1)?.origin.line).toBe(4_999 * 3 + 1);
  });

  describe("JSON that is too large for one string", () => {
    const states = [state(TYPE.vpc, 'a "quoted\\" name', { a: ["]", "}", ","] }), state(TYPE.vpc, "b", {})];
    const texts = [
      preview(states.map((one) => step("create", one))),
      preview([], { config: { steps: "no list" } }),
      stackExport(states),
      JSON.stringify(JSON.parse(stackExport(states))),
    ];

    it("is split into its entries, with the same value as JSON.parse", () => {
      for (const text of texts)
        expect(readLargeJson(Buffer.from(text), "a.json").value).toEqual(JSON.parse(text));
    });

    it("has a fault if it is truncated or has a broken entry", () => {
      const [text] = texts as [string];
      for (let length = 0; length < text.length; length += 7)
        expect(readLargeJson(Buffer.from(text.slice(0, length)), "a.json").fault).toBeDefined();
      const broken = text.replace('"custom": true', '"custom": tru');
      expect(readLargeJson(Buffer.from(broken), "a.json").fault).toMatchObject({ line: 8 });
    });
  });
});
