import { TYPE } from "../../src/resources/resourceTypes";
import { readLargeJson } from "../../src/plan/jsonDocument";
import { readKustomization } from "../../src/plan/manifests";
import { Folder, preview, stackExport, state, step } from "./plans";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const object = (name = "a") => `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\n`;
const vpc = (name: string) => state(TYPE.vpc, name, { cidrBlock: "10.0.0.0/16" });
const secret = (name: string) =>
  state(TYPE.vpc, name, {
    cidrBlock: { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" },
  });
const notesOf = async (names?: string[], options = {}) => {
  const { notes } = await folder.read(names, options);
  return notes.map((note) => note.replaceAll(`${folder.path}/`, ""));
};

describe("the exact fault of a file", () => {
  test.each<[string, string | Buffer, string]>([
    ["a.json", '{"a": [1, \n\n', "a.json:1:10  JSON ends in the middle of a value: write the file again"],
    ["a.json", "", ""],
    ["a.json", '{"a": b}', "a.json:1:7  is not JSON from here on: check this place, or write the file again"],
    ["a.json", "{}\n {}", "a.json:2:2  more text follows the JSON value: write one JSON value per file"],
    [
      "a.json",
      '{"timestamp":1}\n{"timestamp":2}',
      "a.json:2:1  more text follows the JSON value: these are engine events; run pulumi preview --json without PULUMI_ENABLE_STREAMING_JSON_PREVIEW",
    ],
    [
      "a.json",
      `{"\u{1f600}é": ${"[".repeat(600)}`,
      "a.json:1:508  is nested more than 500 levels deep: write it flatter",
    ],
    [
      "a.yaml",
      `${object()}a: "\x07"\n`,
      "a.yaml:4  has the control character U+0007: remove it, or write \\u0007 between double quotes",
    ],
    [
      "a.yaml",
      `${object()}a: "\u2029"\n`,
      "a.yaml:4  has the line separator U+2029: remove it, or write \\u2029 between double quotes",
    ],
    [
      "a.yaml",
      `${object()}a: "\ufffe"\n`,
      "a.yaml:4  has the control character U+FFFE: remove it, or write \\ufffe between double quotes",
    ],
    [
      "a.yaml",
      `${object()}b: *c\n`,
      "a.yaml:4:4  has an alias without an anchor: define the anchor before it",
    ],
    [
      "a.yaml",
      `${object()}...\n${object()}`,
      "a.yaml:5  is a document that kubectl skips, because it does not begin with ---: write --- above it",
    ],
    [
      "a.yaml",
      `${object()}a: { b: c d: e }\n`,
      "a.yaml:4:9  is not YAML (Block collections are not allowed within flow collections): check this place",
    ],
    [
      "a.yaml",
      `${object()}a: { "b" "c" }\n`,
      "a.yaml:4:10  is not YAML (Missing , or : between flow map items): check this place",
    ],
    [
      "a.yaml",
      `${object()}a: !hunter!two b\n`,
      "a.yaml:4:4  has a tag that is not defined: leave the tag out",
    ],
    ["a.yaml", `${object()}a: !hunter! b\n`, "a.yaml:4:4  has a tag that is not defined: leave the tag out"],
    ["a.yaml", `${object()}a: !<hunter2 b\n`, "a.yaml:4:4  has a tag that is not defined: leave the tag out"],
    [
      "a.yaml",
      `${object()}a: "x\\Uhunter22"\n`,
      "a.yaml:4:6  has an escape sequence that YAML does not have: write \\\\ for a backslash",
    ],
    [
      "a.yaml",
      `${object()}a: "x\\hunter2"\n`,
      "a.yaml:4:6  has an escape sequence that YAML does not have: write \\\\ for a backslash",
    ],
    [
      "a.yaml",
      `%YAML hunter2\n---\n${object()}`,
      "a.yaml:1:7  has a directive that YAML does not have: leave the directive out",
    ],
    [
      "a.yaml",
      `${object()}a: !!int 1.5\n`,
      "a.yaml:4:10  has a value that does not match its tag: leave the tag out",
    ],
    [
      "a.yaml",
      `${object()}a: !!bool 1\n`,
      "a.yaml:4:11  has a value that does not match its tag: leave the tag out",
    ],
    [
      "a.yaml",
      `${object()}a: !!binary b\n`,
      "a.yaml:4:13  has a value that does not match its tag: leave the tag out",
    ],
    [
      "a.yaml",
      `${object()}a: !!timestamp b\n`,
      "a.yaml:4:16  has a value that does not match its tag: leave the tag out",
    ],
    [
      "a.yaml",
      `${object()}<<: [{ a: 1 }, 7]\n`,
      "a.yaml:4:16  merges something that is not a map: name a map, or a list of maps, after <<",
    ],
    [
      "a.yaml",
      `${object()}a: &b [1]\n<<: *b\n`,
      "a.yaml:5:5  merges something that is not a map: name a map, or a list of maps, after <<",
    ],
    [
      "a.yaml",
      `${object()}<<: *b\n`,
      "a.yaml:4:5  has an alias without an anchor: define the anchor before it",
    ],
    [
      "a.yaml",
      `${object()}a: &b [1]\n*b : 2\n`,
      "a.yaml:5:1  has a key that is a map or a list: write a string",
    ],
    [
      "a.yaml",
      `${object()}a: &b ~\n*b : 2\n`,
      "a.yaml:5:1  has a key that kubectl does not read as a string: write it in quotes",
    ],
    ["a.yaml", Buffer.from([0x61, 0x0a, 0xff]), "a.yaml:2  is not UTF-8: write it as UTF-8 text"],
    ["a.yaml", "a: 1\nb: \0\n", "a.yaml:2  has a NUL byte: write it as UTF-8 text"],
    [
      "a.yaml",
      Buffer.from("\ufeffa", "utf16le"),
      "a.yaml  is UTF-16, not UTF-8: write it as UTF-8; in PowerShell with | Out-File -Encoding utf8",
    ],
    [
      "a.yaml",
      `# ${"x".repeat(32 * 1024 * 1024)}\n`,
      "a.yaml:1  is a document of more than 32 MiB of YAML: split it",
    ],
    [
      "a.yaml",
      `warning: {"steps": [\n${object()}: [`,
      "a.yaml  has a preview mixed with other lines, from which it cannot be separated: give the complete output of pulumi preview --json and nothing else",
    ],
  ])("is reported for %s", async (name, content, fault) => {
    folder.write(name, content);
    expect(await folder.faults([name])).toEqual(fault === "" ? [] : [fault]);
  });
});

describe("a note", () => {
  const nothing = "contains nothing to judge";

  test("reports a file and a folder with nothing to judge", async () => {
    folder.write("empty.yaml", "");
    folder.write("values.yaml", "a: 1\n");
    expect(await notesOf(["empty.yaml", "values.yaml"])).toEqual([
      `empty.yaml ${nothing}: it is empty`,
      `values.yaml ${nothing}: no preview, stack export or Kubernetes object with a resource`,
    ]);
    const { notes } = await folder.read();
    expect(notes).toEqual([`${folder.path} ${nothing}: no preview, stack export or Kubernetes object`]);
  });

  test("does not report that for a file with faults", async () => {
    folder.write("a.yaml", `${object()}b: *c\n`);
    expect(await notesOf(["a.yaml"])).toEqual([]);
    expect(await notesOf()).toEqual([]);
  });

  test("reports secrets, counted by resources", async () => {
    folder.write("a.json", stackExport([secret("a"), vpc("b")]));
    folder.write(
      "b.json",
      stackExport([secret("c"), secret("d")]).replaceAll("dev::network", "prod::network"),
    );
    expect(await notesOf(["a.json", "b.json"])).toEqual([
      "a.json: 1 resource has secret values, which count as unknown",
      "b.json: 2 resources have secret values, which count as unknown",
    ]);
  });

  test("reports an export that is not needed, and skipped lines around a preview", async () => {
    folder.write("state.json", stackExport([vpc("a")]));
    folder.write("plan.json", `installed a policy pack\n${preview([step("create", vpc("b"))])}\nsaved\n`);
    expect(await notesOf(["plan.json"], { state: `${folder.path}/state.json` })).toEqual([
      "plan.json: the lines around the JSON were skipped",
      "state.json was not needed: no preview left anything out",
    ]);
  });

  test("is not enough for a stack that is given twice, which is a fault", async () => {
    folder.write("a.json", stackExport([vpc("a")]));
    folder.write("b.json", stackExport([vpc("a")]));
    expect(await folder.faults(["a.json", "b.json"])).toEqual([
      "b.json  shows resources that a.json shows too: give each stack once; check takes the export of a previewed stack with --state",
    ]);
  });
});

describe("a preview that leaves out unchanged resources", () => {
  const plan = (unchanged: number) =>
    preview([step("create", vpc("new"))], { changeSummary: { create: 1, same: unchanged } });
  const withState = async (unchanged: number, exported?: string) => {
    folder.write("plan.json", plan(unchanged));
    if (exported !== undefined) folder.write("state.json", exported);
    return folder.faults(["plan.json"], exported === undefined ? {} : { state: `${folder.path}/state.json` });
  };
  const wayOut =
    "run pulumi preview --json --show-sames; check also takes the output of pulumi stack export, with --state";

  test.each<[number, string[] | undefined, string[]]>([
    [1, undefined, [`plan.json  1 resource is left out because it is unchanged: ${wayOut}`]],
    [2, undefined, [`plan.json  2 resources are left out because they are unchanged: ${wayOut}`]],
    [1, ["a"], []],
    [0, undefined, []],
    [
      2,
      ["a"],
      [
        "state.json  does not fit plan.json: the preview leaves out 2 resources, the export has 1 that the preview does not show: export and preview the stack again, both in the same state, or give a preview with --show-sames, which recognizes renamed resources",
      ],
    ],
  ])("leaves out %p of them, with %j in its export", async (count, names, faults) => {
    expect(await withState(count, names && stackExport(names.map(vpc)))).toEqual(faults);
  });

  test("is rejected with the export of another stack", async () => {
    const foreign = stackExport([vpc("a")]).replaceAll("dev::network", "prod::network");
    expect(await withState(1, foreign)).toEqual([
      "state.json  is an export of another stack than plan.json: it has a: export the stack of the preview",
    ]);
  });
});

describe("a kustomization", () => {
  const changed = (text: string) => readKustomization(text, "kustomization.yaml");

  test.each<[string, string, ReturnType<typeof readKustomization>]>([
    ["that only names files", "resources: [a.yaml]\n", { patches: [], changes: false }],
    ["whose changes are empty", "namespace:\nlabels: ~\n", { patches: [], changes: false }],
    ["that sets a namespace", "resources: [a.yaml]\nnamespace: team\n", { patches: [], changes: true }],
    [
      "with an inline patch",
      `patches:\n- patch: |\n    apiVersion: v1\n    kind: Service\n    metadata: { name: web }\n- patch: "[]"\n  target: { kind: Pod, name: a }\n`,
      { patches: [{ changed: ["Service web"] }, { changed: ["Pod a"] }], changes: true },
    ],
    [
      "with a patch in a file",
      "patches:\n- path: a.yaml\n- path: b.yaml\n  target: { kind: Pod }\npatchesStrategicMerge: [c.yaml]\n",
      {
        patches: [
          { file: "a.yaml", changed: [] },
          { file: "b.yaml", changed: ["every Pod that it selects"] },
          { file: "c.yaml", changed: [] },
        ],
        changes: true,
      },
    ],
    [
      "with replacements",
      "replacements:\n- targets:\n  - select: { name: web }\n  - select: {}\n  - 7\n- 7\n",
      {
        patches: [
          { changed: ["object web"] },
          { changed: ["every object that it selects"] },
          { changed: [] },
        ],
        changes: true,
      },
    ],
    ["that is not an object", "7\n", { patches: [], changes: false }],
  ])("%s is read with its patches", (_, text, expected) => {
    expect(changed(text)).toEqual(expected);
  });
});

describe("Kubernetes objects", () => {
  const named = async (text: string) => {
    folder.write("a.yaml", text);
    const inputs = await folder.read(["a.yaml"]);
    return inputs.resources.map(({ type, name, origin }) => [
      type.replace("kubernetes:core/v1:", ""),
      name,
      inputs.lineOf(origin, "metadata.name"),
    ]);
  };

  test.each<[string, string, unknown[]]>([
    [
      "may omit their kind in a typed list",
      "apiVersion: v1\nkind: ServiceList\nitems:\n- metadata: { name: a }\n- { kind: Pod, apiVersion: v1, metadata: { name: b } }\n",
      [
        ["Service", "a", 4],
        ["Pod", "b", 5],
      ],
    ],
    [
      "need a kind in an untyped list",
      "apiVersion: v1\nkind: List\nitems:\n- metadata: { name: a }\n- 7\n- { kind: Pod, apiVersion: v1, metadata: { name: b } }\n",
      [["Pod", "b", 6]],
    ],
    [
      "may be in nested lists",
      "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - { kind: Pod, apiVersion: v1, metadata: { name: b } }\n",
      [["Pod", "b", 7]],
    ],
    [
      "may have a kind that ends in List",
      "apiVersion: v1\nkind: AllowList\nmetadata: { name: a }\n",
      [["AllowList", "a", 3]],
    ],
    [
      "are in any object with items, whatever its kind",
      "apiVersion: v1\nkind: Basket\nmetadata: { name: b }\nitems:\n- { kind: Pod, apiVersion: v1, metadata: { name: c } }\n- metadata: { name: d }\n",
      [
        ["Pod", "c", 5],
        ["Basket", "d", 6],
      ],
    ],
    [
      "are in lists without a version",
      "kind: List\nitems:\n- { kind: Pod, apiVersion: v1, metadata: { name: a } }\n",
      [["Pod", "a", 3]],
    ],
    ["are not in lists without a kind", "items: [{ kind: Pod, apiVersion: v1 }]\n", []],
    [
      "have the kind of their list only if they state neither kind nor version",
      "apiVersion: v1\nkind: ServiceList\nitems:\n- { kind: Pod }\n- { apiVersion: v1 }\n- { kind: '', metadata: { name: a } }\n",
      [["Service", "a", 6]],
    ],
    [
      "are not in null items",
      "kind: List\napiVersion: v1\nitems:\n---\nkind: Box\napiVersion: v1\nitems: null\n",
      [],
    ],
    ["are not items that are no list", "kind: Box\napiVersion: v1\nitems: { a: b }\n", []],
    [
      "may have a generated name",
      "apiVersion: v1\nkind: Pod\nmetadata: { name: 5, generateName: web- }\n",
      [["Pod", "web-", 3]],
    ],
    ["may be unnamed", "apiVersion: v1\nkind: Pod\n", [["Pod", "unnamed", 1]]],
    ["need a version and a kind", "kind: Pod\n---\napiVersion: v1\n", []],
  ])("%s", async (_, text, expected) => {
    expect(await named(text)).toEqual(expected);
  });

  describe("in a file with something that is no object", () => {
    const object = "apiVersion: v1\nkind: Pod\n---\n";
    const remove = "add it, or remove what is not a Kubernetes object";

    test.each<[what: string, text: string, fault: string]>([
      ["no kind", "apiVersion: v1\nmetadata: {}\n", `4  has no kind: ${remove}`],
      ["no version", "# a pod\nkind: Pod\n", `5  has no apiVersion: ${remove}`],
      ["an empty kind", "apiVersion: v1\nkind: ''\n", `4  has no kind: ${remove}`],
      ["no property", "{}\n", `4  has no kind: ${remove}`],
      [
        "kind in another case",
        "apiVersion: v1\nKind: Pod\n",
        "4  has no kind, but a property with a similar name: write kind",
      ],
      [
        "apiVersion misspelt",
        "apiversoin: v1\nkind: Pod\n",
        "4  has no apiVersion, but a property with a similar name: write apiVersion",
      ],
      [
        "a number as version",
        "apiVersion: 1\nkind: Pod\n",
        "4  has a value of apiVersion that is not a string: write it in quotes",
      ],
      [
        "items that are no list",
        "apiVersion: v1\nkind: PodList\nitems: { a: b }\n",
        "4  has items that are not a list: write a list",
      ],
      ["a text", "hunter2\n", "4  is not a Kubernetes object: remove it, or write an object"],
      ["a list of texts", "- hunter2\n", "4  is not a Kubernetes object: remove it, or write an object"],
      [
        "an item without a kind",
        "apiVersion: v1\nkind: List\nitems:\n- kind: Pod\n  apiVersion: v1\n- metadata: {}\n",
        `9  has no kind: ${remove}`,
      ],
      [
        "an item that is null",
        "apiVersion: v1\nkind: List\nitems:\n-\n",
        "7  is not a Kubernetes object: remove it, or write an object",
      ],
    ])("are not judged: %s", async (_, text, fault) => {
      folder.write("a.yaml", `${object}${text}`);
      for (const named of [["a.yaml"], [""]]) expect(await folder.faults(named)).toEqual([`a.yaml:${fault}`]);
    });

    test("are not judged, in JSON", async () => {
      const entries = [{ apiVersion: "v1", kind: "Pod" }, { apiVersion: "v1", Kind: "Pod" }, 7];
      folder.write("a.json", JSON.stringify(entries, undefined, 1));
      const faults = [
        "has no kind, but a property with a similar name: write kind",
        "is not a Kubernetes object: remove it, or write an object",
      ];
      expect(await folder.faults(["a.json"])).toEqual([`a.json:6  ${faults[0]}`, `a.json:10  ${faults[1]}`]);
      folder.write("a.json", JSON.stringify([...entries, " ".repeat(4 * 1024 * 1024)]));
      expect(await folder.faults(["a.json"])).toEqual([0, 1, 1].map((at) => `a.json  ${faults[at]}`));
    });

    test.each(["", "---\n", "# nothing\n", "null\n"])("are judged if the rest is empty: %j", async (rest) => {
      folder.write("a.yaml", `${object}${rest}`);
      expect(await folder.faults([""])).toEqual([]);
    });
  });

  test.each([
    ["apiVersion: v1\nKind: Pod\n", "has no kind, but a property with a similar name: write kind"],
    [
      "apiVersion: v1\nknd: Pod\nmetadata: {}\n",
      "has no kind, but a property with a similar name: write kind",
    ],
    ["apiVersion: v1\nkind: 1\n", "has a value of kind that is not a string: write it in quotes"],
  ])("without other objects in the file are a fault if they look like objects: %j", async (text, fault) => {
    folder.write("a.yaml", `${text}---\na: 1\n`);
    for (const named of [["a.yaml"], [""]])
      expect(await folder.faults(named)).toEqual([`a.yaml:1  ${fault}`]);
  });

  test("without other objects and without a version are a fault if their file is named, else a note", async () => {
    folder.write("a.yaml", "kind: Pod\nmetadata: {}\n");
    const fault = "has no apiVersion: add it, or remove what is not a Kubernetes object";
    expect(await folder.faults(["a.yaml"])).toEqual([`a.yaml:1  ${fault}`]);
    expect(await folder.faults([""])).toEqual([]);
    expect(await notesOf([""])).toContain("a.yaml was skipped: has no apiVersion");
  });

  test.each([
    ["values of a chart", "values.yaml", "kind: DaemonSet\nreplicas: 1\n"],
    ["a chart", "Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n"],
    ["a kustomization without a kind", "kustomization.yaml", "apiVersion: v1\nmetadata: { name: a }\n"],
    ["a workflow of GitHub", "ci.yml", "name: ci\non: push\njobs: {}\n---\n- a\n"],
    ["a list of patches", "patch.json", '[{ "op": "remove", "path": "/kind" }]'],
    ["a package of npm", "package.json", '{ "name": "a", "metadata": {} }'],
    [
      "a configuration of the installer",
      "install-config.yaml",
      "apiVersion: v1\nbaseDomain: example.com\nmetadata: { name: a }\nnetworking: { networkType: OVNKubernetes }\nplatform: {}\n",
    ],
  ])("may be in a folder with %s", async (_, name, text) => {
    folder.write("a.yaml", "apiVersion: v1\nkind: Pod\n");
    folder.write(name, text);
    const { resources, faults, notes } = await folder.read();
    expect([resources.length, faults, notes]).toEqual([1, [], []]);
    expect(await folder.faults([name])).toEqual([]);
  });

  test.each(["v1", "template.openshift.io/v1"])(
    "of the kind Template in %s must be processed first",
    async (version) => {
      folder.write("a.yaml", `apiVersion: ${version}\nkind: Template\n`);
      expect(await folder.faults(["a.yaml"])).toEqual([expect.stringContaining("oc process")]);
      folder.write("a.yaml", `apiVersion: example.com/${version}\nkind: Template\n`);
      expect(await folder.faults(["a.yaml"])).toEqual([]);
    },
  );
});

test("large JSON is split only at the list of a plan", () => {
  const entries = [vpc("a"), vpc("b")];
  const document = { config: ["steps", [1], { a: "resources" }, [2]], deployment: { resources: entries } };
  for (const text of [JSON.stringify(document), JSON.stringify(document, null, 2), stackExport([])])
    expect(readLargeJson(Buffer.from(text), "a.json").value).toEqual(JSON.parse(text));
  expect(readLargeJson(Buffer.from('{"a": 1}'), "a.json").fault).toEqual({
    file: "a.json",
    problem: "is larger than 512 MiB and is neither a complete preview nor a complete stack export",
    remedy: "write the file again, or split it",
  });
});

describe("YAML is read as by kubectl:", () => {
  test.each<[string, string, unknown]>([
    ["tags", "{ a: !!str 1, b: !!int 2, c: !!float 3, d: !!bool on }", { a: "1", b: 2, c: 3, d: true }],
    [
      "tags of strings",
      "{ a: !!binary aGVsbG8=, b: !!timestamp 2026-01-02, c: !own 7 }",
      { a: "hello", b: "2026-01-02", c: "7" },
    ],
    ["aliases", "{ a: &a { b: 1 }, c: *a, d: [*a] }", { a: { b: 1 }, c: { b: 1 }, d: [{ b: 1 }] }],
    [
      "aliases as keys",
      "{ a: &a b, *a : 1, c: &c 2, *c : 3, d: &d true, *d : 4 }",
      { a: "b", b: 1, c: 2, "2": 3, d: true, true: 4 },
    ],
    ["an anchor at a key", "{ &a a: 1, b: *a }", { a: 1, b: "a" }],
    ["a merge between other keys", "{ a: 1, <<: { a: 2, b: 3 }, b: 4 }", { a: 2, b: 4 }],
    ["the first of several merged maps", "{ <<: [{ a: 1 }, { a: 2, b: 3 }] }", { a: 1, b: 3 }],
    ["a merge by its tag", "{ !!merge <<: { a: 1 } }", { a: 1 }],
    ["a merge with a non-specific tag", "{ ! <<: { a: 1 } }", { a: 1 }],
    ["a quoted key that looks like a merge", '{ "<<": { a: 1 } }', { "<<": { a: 1 } }],
    ["a tagged key that looks like a merge", "{ !!str <<: { a: 1 } }", { "<<": { a: 1 } }],
    [
      "numbers in any base",
      "{ a: 0x10, b: 0o17, c: 017, d: 0b11, e: -0b11, f: 1_000, g: 1e3 }",
      { a: 16, b: 15, c: 15, d: 3, e: -3, f: 1000, g: 1000 },
    ],
  ])("%s", async (_, text, value) => {
    folder.write("a.yaml", `apiVersion: v1\nkind: Pod\n# a\ttab, for which a tree is made\nspec: ${text}\n`);
    const { resources, faults } = await folder.read(["a.yaml"]);
    expect(faults).toEqual([]);
    expect(resources[0]?.properties.spec).toEqual(value);
  });

  test("__proto__ is an ordinary key, of which the last one counts", async () => {
    folder.write(
      "a.yaml",
      "apiVersion: v1\nkind: Pod\n# a\ttab\nspec:\n  __proto__: { a: 1 }\n  __proto__: { a: 2 }\n",
    );
    const [pod] = (await folder.read(["a.yaml"])).resources;
    expect(JSON.stringify(pod?.properties.spec)).toBe('{"__proto__":{"a":2}}');
    expect(pod?.repeated).toEqual(["spec.__proto__"]);
  });
});
