import { symlinkSync } from "node:fs";
import { basename, join } from "node:path";

import { TYPE } from "../../src/resources/resourceTypes";
import { readInputs } from "../../src/plan/readInputs";
import { Folder, preview, stackExport, state, step } from "./plans";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const vpc = (name: string) => state(TYPE.vpc, name, { cidrBlock: "10.0.0.0/16" });
const service = (name: string) => `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\n`;
const inShort = (text: string) => text.replaceAll(`${folder.path}/`, "").replaceAll(folder.path, ".");

/** The outcome of reading files, without the name of the folder. */
async function outcome(names?: readonly string[], options = {}) {
  const { resources, faults, notes, files } = await folder.read(names, options);
  return {
    names: resources.map(({ name }) => name),
    faults: faults.map(({ file, line, problem, remedy }) =>
      inShort([file, line, problem, remedy].join(" | ")),
    ),
    notes: notes.map(inShort),
    files,
  };
}

describe("files", () => {
  test("are announced before each is read, with their sizes, and counted", async () => {
    folder.write("in/a.yaml", service("a"));
    folder.write("in/b.yml", "");
    folder.write("c.json", stackExport([vpc("c")]));
    const told: [string, number | undefined][] = [];
    const onFile = (file: string, size?: number) => told.push([inShort(file), size]);
    const stdin = (async function* () {
      yield await Promise.resolve(service("d"));
    })();
    const { files, names } = await outcome(["in", "-", "c.json", "absent", "c.json"], { onFile, stdin });
    expect([files, names]).toEqual([5, ["a", "d", "c"]]);
    expect(told).toEqual([
      ["in/a.yaml", service("a").length],
      ["in/b.yml", 0],
      ["stdin", undefined],
      ["c.json", stackExport([vpc("c")]).length],
      ["absent", undefined],
    ]);
  });

  test.each<[name: string, content: string, faults: string[], notes: string[]]>([
    [
      "a.yml",
      "{ a: 1 }\n",
      [],
      ["a.yml contains nothing to judge: no preview, stack export or Kubernetes object with a resource"],
    ],
    [
      "a.YAML",
      "[ a, b ]\n",
      [],
      ["a.YAML contains nothing to judge: no preview, stack export or Kubernetes object with a resource"],
    ],
    [
      "a.json",
      "{ a: 1 }\n",
      ["a.json | 1 | is not JSON from here on | check this place, or write the file again"],
      [],
    ],
    [
      "a.json",
      "[]",
      [],
      ["a.json contains nothing to judge: no preview, stack export or Kubernetes object with a resource"],
    ],
    [
      "a.json",
      "7",
      [],
      ["a.json contains nothing to judge: no preview, stack export or Kubernetes object with a resource"],
    ],
    ["a.json", "{} 7", ["a.json | 1 | more text follows the JSON value | write one JSON value per file"], []],
    [
      "a.json",
      '{"apiVersion": "v1", "kind": "Pod"} {"a": 1}',
      ["a.json | 1 | more text follows the JSON value | write one JSON value per file"],
      [],
    ],
    [
      "a.json",
      '{"version": 1, "deployment": {}}',
      ["a.json |  | is a stack export of an unknown version | export it with a current Pulumi"],
      [],
    ],
    [
      "a.json",
      '[{"version": 3, "deployment": {}}]',
      [
        "a.json | 1 | contains a preview or a stack export together with other content, or not in the form that Pulumi writes | give each as a separate JSON file",
      ],
      [],
    ],
    [
      "a.yaml",
      "apiVersion: v1\nkind: Template\n",
      [
        "a.yaml | 1 | is an OpenShift Template, whose objects have no values yet | process it first: oc process -f FILE --local -o yaml",
      ],
      [],
    ],
    [
      "a.yaml",
      "apiVersion: v1\nkind: List\nitems: []\nitems: []\n",
      ["a.yaml | 4 | has the same key twice | leave one of them out"],
      [],
    ],
  ])(
    "named %s with the content %j have the expected faults and notes",
    async (name, content, faults, notes) => {
      folder.write(name, content);
      const said = await outcome([name]);
      expect([said.faults, said.notes]).toEqual([faults, notes]);
    },
  );

  test.each<[content: string, faults: number, note: string]>([
    ["a: *b\n", 0, "x.yaml was skipped: has an alias without an anchor"],
    [
      "a: { b: }\nc: [\n",
      0,
      "x.yaml was skipped: is not YAML (Flow sequence in block collection must be sufficiently indented and end with a ])",
    ],
    ["{{ if .Values.a }}\n", 0, "x.yaml was skipped: is a template, not YAML"],
    ["apiVersion: *b\n", 1, ""],
    ["changeSummary: *b\n", 1, ""],
    ['"steps": *b\n', 1, ""],
    ['"deployment": *b\n', 1, ""],
  ])(
    "of a folder that are broken are a fault only if they seem to be an input: %j",
    async (content, faults, note) => {
      folder.write("x.yaml", content);
      folder.write("z.yaml", service("z"));
      const said = await outcome();
      expect([said.names, said.faults.length, said.notes]).toEqual([
        ["z"],
        faults,
        note === "" ? [] : [note],
      ]);
    },
  );

  test("of a folder that contain nothing have no note if another file has an object", async () => {
    folder.write("empty.yaml", "");
    folder.write("b.yaml", service("b"));
    expect(await outcome()).toEqual({ names: ["b"], faults: [], notes: [], files: 2 });
    folder.write("b.yaml", "a: 1\n");
    expect((await outcome()).notes).toEqual([
      ". contains nothing to judge: no preview, stack export or Kubernetes object",
    ]);
    expect((await outcome(["", "b.yaml"])).notes).toEqual([
      "b.yaml contains nothing to judge: no preview, stack export or Kubernetes object with a resource",
    ]);
  });

  test("of JSON have lines up to a size of 4 MiB", async () => {
    const most = 4 * 1024 * 1024;
    const text = '\n{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a", "name": "b"}}';
    folder.write("a.json", text.padEnd(most));
    folder.write("b.json", text.padEnd(most + 1));
    const { resources, faults } = await folder.read(["a.json", "b.json"]);
    expect(faults).toEqual([]);
    expect(
      resources.map(({ name, type, origin, repeated }) => [
        name,
        type,
        inShort(origin.file!),
        origin.line,
        repeated,
      ]),
    ).toEqual([
      ["b", "kubernetes:core/v1:Service", "a.json", 2, ["metadata.name"]],
      ["b", "kubernetes:core/v1:Service", "b.json", undefined, undefined],
    ]);
  });

  test("have objects as kubectl sends them, with null in built-in kinds left out or empty", async () => {
    folder.write(
      "a.yaml",
      "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec:\n  podSelector:\n  ingress:\n  -\n",
    );
    folder.write(
      "b.json",
      JSON.stringify({
        apiVersion: "networking.k8s.io/v1",
        kind: "NetworkPolicy",
        spec: { podSelector: null, ingress: [null] },
      }),
    );
    const { resources } = await folder.read();
    expect(resources.map(({ properties }) => properties.spec)).toEqual([
      { ingress: [{}] },
      { ingress: [{}] },
    ]);
  });

  test("of JSON have a line for each object, indented with tabs or with spaces", async () => {
    for (const indent of ["\t", "  "]) {
      const objects = ["a", "b"].map((name) => ({ apiVersion: "v1", kind: "Service", metadata: { name } }));
      folder.write("a.json", JSON.stringify(objects, undefined, indent));
      const { resources } = await folder.read(["a.json"]);
      expect(resources.map(({ origin }) => origin.line)).toEqual([2, 9]);
    }
  });
});

describe("a kustomization", () => {
  const firewall = "apiVersion: k8s.ovn.org/v1\nkind: EgressFirewall\nmetadata: { name: default }\n";
  const said = (changed: string) =>
    `objects are judged as their files state them, without the changes of in/kustomization.yaml${changed}: give the output of kubectl kustomize FOLDER`;

  test("opens no file that is not an input", async () => {
    folder.write("elsewhere.yaml", firewall);
    folder.write("in/a.yaml", service("a"));
    folder.write("in/kustomization.yaml", "patches: [{ path: ../elsewhere.yaml }, { patch: '[]' }, {}]\n");
    expect(await outcome(["in"])).toEqual({ names: ["a"], faults: [], notes: [said("")], files: 2 });
    expect((await outcome(["in", "elsewhere.yaml"])).notes).toEqual([said(" to EgressFirewall default")]);
  });

  test("is a fault if it is not UTF-8 or does not exist", async () => {
    folder.write("in/kustomization.yaml", Buffer.from("patches: [\xe4]", "latin1"));
    expect((await outcome(["in"])).faults).toEqual([
      "in/kustomization.yaml | 1 | is not UTF-8 | write it as UTF-8 text",
    ]);
    expect((await outcome(["absent/kustomization.yaml"])).faults).toEqual([
      expect.stringMatching(/^absent\/kustomization\.yaml \| {2}\| no such file or folder/),
    ]);
  });

  test("names each changed object once, and at most 50", async () => {
    const names = Array.from({ length: 52 }, (_, n) => `s${n}`);
    const patches = [...names, "s0"].map(
      (name) => `- target: { kind: Service, name: ${name} }\n  patch: '[]'\n`,
    );
    folder.write("in/kustomization.yaml", `patches:\n${patches.join("")}`);
    const [note] = (await outcome(["in"])).notes;
    expect(note).toMatch(/ to Service s0, Service s1, .*Service s49,? and 2 more: give/);
  });

  test.each([
    ["kind: 7, name: 8", "every object that it selects"],
    ["kind: Pod, name: 8", "every Pod that it selects"],
    ["kind: 7, name: a", "object a"],
  ])("with the target { %s } changes %s", async (target, words) => {
    folder.write("in/kustomization.yaml", `patches: [{ target: { ${target} }, patch: "[]" }]\n`);
    expect((await outcome(["in"])).notes[0]).toBe(said(` to ${words}`));
  });
});

test("two stacks may have resources of the same name, but each stack may be given only once", async () => {
  const file = (name: string, stack: string) =>
    folder.write(name, stackExport([vpc("a"), vpc("b")]).replaceAll("dev::", `${stack}::`));
  file("a.json", "dev");
  file("b.json", "prod");
  expect((await outcome(["a.json", "b.json"])).names).toEqual(["a", "b", "a", "b"]);
  file("b.json", "dev");
  expect((await outcome(["a.json", "b.json"])).faults).toEqual([
    "b.json |  | shows resources that a.json shows too | give each stack once; check takes the export of a previewed stack with --state",
  ]);
});

test("a preview of targets reports how many resources it does not create", async () => {
  const provider = "urn:pulumi:dev::network::pulumi:providers:aws::default";
  const notMade = (name: string) => step("same", vpc(name), { ...vpc(name), provider } as never);
  const notes = async (...names: string[]) => {
    folder.write("plan.json", preview([step("create", vpc("new")), ...names.map(notMade)]));
    return (await outcome(["plan.json"])).notes;
  };
  expect(await notes("a")).toEqual([
    "plan.json is a preview of targets only: 1 resource that it does not create is not judged",
  ]);
  expect(await notes("a", "b")).toEqual([
    "plan.json is a preview of targets only: 2 resources that it does not create are not judged",
  ]);
});

test("an export for --state is not a separate input, and has no note if the preview has faults", async () => {
  const options = { state: folder.write("state.json", stackExport([vpc("a")])) };
  folder.write("plan.json", "{");
  expect(await outcome(["plan.json"], options)).toMatchObject({
    names: [],
    notes: [],
    faults: [expect.stringContaining("plan.json")],
  });
  expect((await outcome(["absent"], options)).notes).toEqual([]);
});

describe("a file is read once", () => {
  const object = (name: string) =>
    `apiVersion: v1\nkind: Service\nmetadata: { name: ${name}, namespace: b }\n`;
  beforeEach(() => {
    folder.write("k/a.yaml", object("a"));
    folder.write("k/in/b.yaml", object("b"));
    folder.write("k/in/deeper/c.yaml", object("c"));
  });
  const link = (target: string, path: string) => symlinkSync(target, join(folder.path, path));
  const read = async (...names: string[]) => {
    const { names: found, notes, faults } = await outcome(names);
    return [[...found].sort().join(), ...notes, ...faults];
  };

  test.each([
    [["k", "k/a.yaml"], "a,b,c"],
    [["k/a.yaml", "k"], "a,b,c"],
    [["k/in/b.yaml", "k/./in/../in/b.yaml"], "b"],
    [["k", "k/in"], "a,b,c"],
    [["k/in", "k"], "a,b,c"],
    [["k", "k/in/deeper", "k/in/b.yaml"], "a,b,c"],
  ])("%j", async (names, found) => expect(await read(...names)).toEqual([found]));

  test("if a link in its folder refers to it, or a link refers to its folder", async () => {
    link("a.yaml", "k/z.yaml");
    link("k", "same");
    for (const names of [["k"], ["k", "same"], ["k/a.yaml", "k/z.yaml"], ["same/a.yaml", "k/a.yaml"]])
      expect([names, ...(await read(...names))]).toEqual([names, names.includes("k") ? "a,b,c" : "a"]);
  });

  test("for each folder that links to it, because these may be two management clusters", async () => {
    link("../a.yaml", "k/in/a.yaml");
    expect(await read("k")).toEqual(["a,a,b,c"]);
  });

  test("as a named file, even if its folder is given first", async () => {
    folder.write("k/values.yaml", "replicas: 3\n");
    expect(await read("k", "k/values.yaml")).toEqual([
      "a,b,c",
      "k/values.yaml contains nothing to judge: no preview, stack export or Kubernetes object with a resource",
    ]);
  });
});

describe("in the working folder, a file has one name, however it is written:", () => {
  const home = process.cwd();
  beforeEach(() => {
    folder.write("man/a.yaml", service("a"));
    folder.write("-", service("b"));
    process.chdir(folder.path);
  });
  afterEach(() => process.chdir(home));
  const filesOf = async (path: string, options = {}) =>
    (await readInputs([path], options)).resources.map(({ origin }) => origin.file);

  test.each([
    ".",
    "./man",
    "man/",
    "./man//a.yaml",
    "man/../man/a.yaml",
    "../HERE/man",
    "WHOLE",
    "WHOLE/man/a.yaml",
  ])("%s", async (path) => {
    const written = path.replace("HERE", basename(folder.path)).replace("WHOLE", folder.path);
    expect(await filesOf(written)).toEqual(["man/a.yaml"]);
  });

  test("./- is a file, not standard input", async () => {
    expect(await filesOf("./-")).toEqual(["./-"]);
  });

  test("outside of it, as it is written", async () => {
    process.chdir("man");
    expect(await filesOf(".././man/../man/a.yaml")).toEqual(["a.yaml"]);
    expect(await filesOf(".././-")).toEqual(["../-"]);
    expect(await filesOf(`${folder.path}//-`)).toEqual([join(folder.path, "-")]);
  });

  test("unless .. is behind a link, whose target has another parent", async () => {
    folder.write("far/away/x", "");
    folder.write("far/a.yaml", service("c"));
    symlinkSync("far/away", "link");
    expect(await filesOf("link/../a.yaml")).toEqual(["link/../a.yaml"]);
  });

  test("also if it was read ahead", async () => {
    const ahead = { file: "./man/a.yaml", bytes: Promise.resolve(Buffer.from(service("c"))) };
    const { resources } = await readInputs(["./man/a.yaml"], { ahead });
    expect(resources).toMatchObject([{ name: "c" }]);
  });

  test("also if it is the export of a previewed stack, read ahead or not", async () => {
    const unchanged = { changeSummary: { create: 1, same: 1 } };
    folder.write("plan.json", preview([step("create", vpc("new"))], unchanged));
    folder.write("state.json", stackExport([vpc("a")]));
    expect(await filesOf("plan.json", { state: "./state.json" })).toEqual(["plan.json", "state.json"]);
    const ahead = { file: "./state.json", bytes: Promise.resolve(Buffer.from(stackExport([vpc("b")]))) };
    const { resources } = await readInputs(["plan.json"], { state: "./state.json", ahead });
    expect(resources.map(({ name }) => name)).toEqual(["new", "b"]);
  });

  test("a file that is missing is named so too", async () => {
    const { faults } = await readInputs([`${folder.path}/man/b.yaml`]);
    expect(faults).toMatchObject([{ file: "man/b.yaml" }]);
  });
});
