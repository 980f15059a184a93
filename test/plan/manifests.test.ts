import { Parser } from "yaml";

import { Folder } from "./plans";

const jsYaml = jest.requireActual<typeof import("js-yaml")>("js-yaml");

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const firewall = [
  "apiVersion: k8s.ovn.org/v1",
  "kind: EgressFirewall",
  "metadata: { name: default, namespace: team }",
  "spec:",
  "  egress:",
  "    - type: Deny",
  "      to:",
  "        cidrSelector: 10.0.0.1/8",
].join("\n");

describe("manifests", () => {
  it("have a resource for each document with its type, name and first line", async () => {
    const service = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n";
    folder.write("all.yaml", `# a comment\n---\n${firewall}\n---\n\n# nothing\n---\n${service}`);
    const { resources, faults } = await folder.read(["all.yaml"]);
    expect(faults).toEqual([]);
    expect(resources).toMatchObject([
      { type: "kubernetes:k8s.ovn.org/v1:EgressFirewall", name: "default", origin: { line: 3 } },
      { type: "kubernetes:core/v1:Service", name: "web", origin: { line: 15 } },
    ]);
  });

  it("have a line for each property, and for an absent one the line of its parent", async () => {
    folder.write("a.yaml", `kind: ConfigMap\napiVersion: v1\n---\n${firewall}\n`);
    const inputs = await folder.read(["a.yaml"]);
    const { origin } = inputs.resources[1]!;
    expect(inputs.lineOf(origin, "spec.egress[0].to.cidrSelector")).toBe(11);
    expect(inputs.lineOf(origin, "spec.egress[0].ports[0]")).toBe(9);
    expect(inputs.lineOf(origin, "")).toBe(4);
  });

  it.each([
    ["in plain YAML", "# plain\n", () => jest.spyOn(jsYaml, "parseEvents")],
    ["in YAML that needs a full parser", "# a\ttab\n", () => jest.spyOn(Parser.prototype, "parse")],
  ] as const)(
    "%s are parsed a second time for the lines of properties, and only if a line is requested",
    async (_, comment, spy) => {
      const rules = Array.from(
        { length: 50 },
        (_entry, n) => `    - { type: Deny, to: { cidrSelector: 10.${n}.0.0/16 } }\n`,
      );
      folder.write(
        "a.yaml",
        `${comment}${firewall.slice(0, firewall.indexOf("    - type"))}${rules.join("")}`,
      );
      const parsed = spy();
      const inputs = await folder.read(["a.yaml"]);
      expect(parsed).toHaveBeenCalledTimes(1);
      const lines = rules.map((_entry, n) =>
        inputs.lineOf(inputs.resources[0]!.origin, `spec.egress[${n}].type`),
      );
      expect(lines).toEqual(rules.map((_entry, n) => n + 7));
      expect(parsed).toHaveBeenCalledTimes(2);
      parsed.mockRestore();
    },
  );

  it.each([
    ["in a folder", [""]],
    ["that is named next to them", ["base/a.yaml", "patch.yaml", "kustomization.yaml"]],
  ])(
    "do not include patches of a kustomization %s, and a note states that its changes are missing",
    async (_, names) => {
      folder.write("base/a.yaml", firewall);
      folder.write("patch.yaml", firewall.replace("10.0.0.1/8", "10.0.0.0/8"));
      folder.write("json.yaml", "[{ op: remove, path: /spec/egress/0 }]");
      folder.write("own.yml", firewall);
      folder.write(
        "kustomization.yaml",
        `resources: [base]
patchesStrategicMerge: ["./patch.yaml"]
patches: [{ path: own.yml, target: { kind: EgressFirewall } }, { patch: "[]" }]
patchesJson6902: [{ path: json.yaml }]
`,
      );
      const { resources, faults, notes } = await folder.read(names);
      expect(faults).toEqual([]);
      expect(resources.map(({ origin }) => origin.file)).toEqual([expect.stringMatching(/base.a\.yaml$/)]);
      expect(notes.map((note) => note.replaceAll(`${folder.path}/`, "")).slice(0, 1)).toEqual([
        "objects are judged as their files state them, without the changes of kustomization.yaml to every EgressFirewall that it selects, EgressFirewall default: give the output of kubectl kustomize FOLDER",
      ]);
    },
  );

  it.each([
    ["a patch file", "patches: [{ path: ../patches/own.yaml }]", "EgressFirewall default"],
    ["a target", "patchesJson6902: [{ target: { kind: Service, name: a }, patch: '[]' }]", "Service a"],
    [
      "a label selector",
      "patches: [{ target: { labelSelector: a=b }, patch: '[]' }]",
      "every object that it selects",
    ],
    [
      "the patch itself",
      `patchesStrategicMerge: ['{ "apiVersion": "v1", "kind": "Service", "metadata": { "name": "a" } }']`,
      "Service a",
    ],
    [
      "a replacement",
      "replacements: [{ source: {}, targets: [{ select: { kind: Service, name: a } }] }, 7]",
      "Service a",
    ],
    ["no patch outside of the input", "patches: [{ path: ../../elsewhere.yaml }, 7]", undefined],
    ["no prefix", "namePrefix: a-", undefined],
  ])(
    "with a file Kustomization have a note that names the changed objects from %s",
    async (_, fields, changed) => {
      folder.write("over/Kustomization", fields);
      folder.write("patches/own.yaml", firewall);
      for (const names of [["."], ["over", "patches"], ["over/Kustomization", "patches/own.yaml"]]) {
        const { notes, resources, faults } = await folder.read(names);
        expect([faults, resources.length]).toEqual([[], fields.includes("own.yaml") ? 0 : 1]);
        expect(notes[0]).toContain(`/over/Kustomization${changed ? ` to ${changed}` : ""}: give the output`);
      }
    },
  );

  it("have no note on a kustomization that only collects files, and a fault if it is broken", async () => {
    folder.write("a.yaml", firewall);
    folder.write("kustomization.yml", "resources: [a.yaml]\npatches:\n");
    expect(await folder.read()).toMatchObject({ resources: [{ name: "default" }], notes: [] });
    folder.write("kustomization.yml", "apiVersion: kustomize.config.k8s.io/v1beta1\npatches: [");
    expect(await folder.faults()).toEqual([expect.stringContaining("kustomization.yml:2")]);
  });

  it("of lists of both kinds are their items, in YAML and JSON, with the line of each", async () => {
    const item = firewall.replaceAll("\n", "\n    ");
    folder.write("list.yaml", `apiVersion: v1\nkind: List\nitems:\n  - ${item}\n  - ${item}\n`);
    const typed = {
      apiVersion: "k8s.ovn.org/v1",
      kind: "EgressFirewallList",
      items: [{ metadata: { name: "a" } }],
    };
    folder.write("typed.json", JSON.stringify(typed, undefined, 2));
    const inputs = await folder.read();
    expect(inputs.faults).toEqual([]);
    expect(inputs.resources.map(({ type, name, origin }) => [type.split(":")[2], name, origin.line])).toEqual(
      [
        ["EgressFirewall", "default", 4],
        ["EgressFirewall", "default", 12],
        ["EgressFirewall", "a", 5],
      ],
    );
    expect(inputs.lineOf(inputs.resources[1]!.origin, "spec.egress[0].type")).toBe(17);
  });

  it("with a JSON array, anchors and merges are read as by kubectl", async () => {
    folder.write("two.json", `[{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"}}]`);
    folder.write("merged.yaml", "apiVersion: v1\nkind: Service\na: &a { b: 1 }\nspec:\n  <<: *a\n");
    const { resources } = await folder.read(["two.json", "merged.yaml"]);
    expect(resources).toMatchObject([{ name: "a" }, { properties: { spec: { b: 1 } } }]);
  });

  it.each(["json", "yaml"])(
    "of several JSON values in a row, as jq writes them, are read from a file named .%s",
    async (ending) => {
      const object = (name: string) => ({ apiVersion: "v1", kind: "Service", metadata: { name } });
      const text = `${JSON.stringify(object("a"))} ${JSON.stringify(object("b"), undefined, 2)}\n\n`;
      folder.write(`stream.${ending}`, `\n${text}${JSON.stringify(object("c"))}\n`);
      const inputs = await folder.read([`stream.${ending}`]);
      expect(inputs.faults).toEqual([]);
      expect(inputs.resources.map(({ name, origin }) => [name, origin.line])).toEqual([
        ["a", 2],
        ["b", 2],
        ["c", 10],
      ]);
      expect(inputs.lineOf(inputs.resources[1]!.origin, "metadata.name")).toBe(6);
    },
  );

  it("with equal keys use the last one and record the repeated key, in YAML and JSON", async () => {
    const pod = "apiVersion: v1\nkind: Pod\nspec:\n  hostNetwork: false\n  hostNetwork: on\n";
    folder.write("a.yaml", pod);
    folder.write(
      "list.yaml",
      `apiVersion: v1\nkind: List\nitems:\n- ${pod.trimEnd().replaceAll("\n", "\n  ")}\n`,
    );
    folder.write(
      "b.json",
      '{"apiVersion":"v1","kind":"Pod","spec":{"hostNetwork":false,\n\t"hostNetwork":true}}',
    );
    const inputs = await folder.read(["a.yaml", "list.yaml", "b.json"]);
    expect(inputs.faults).toEqual([]);
    for (const { properties, repeated } of inputs.resources)
      expect([properties.spec, repeated]).toEqual([{ hostNetwork: true }, ["spec.hostNetwork"]]);
    const lines = inputs.resources.map(({ origin }) => inputs.lineOf(origin, "spec.hostNetwork"));
    expect(lines).toEqual([5, 8, 2]);
  });

  it("in JSON are read as JSON, whatever its characters mean in YAML, and have lines", async () => {
    folder.write(
      "a.json",
      '{\n\t"apiVersion": "v1",\n\t"kind": "Pod",\n\t"spec": {"a": "\\/\u2028\u007f"}\n}',
    );
    const inputs = await folder.read(["a.json"]);
    expect(inputs.faults).toEqual([]);
    expect(inputs.resources).toMatchObject([{ properties: { spec: { a: "/\u2028\u007f" } } }]);
    expect(inputs.lineOf(inputs.resources[0]!.origin, "spec.a")).toBe(4);
  });

  it("have lines for keys that YAML reads as other values", async () => {
    folder.write("a.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  0x10: a\n  on:\n    b\n");
    const inputs = await folder.read(["a.yaml"]);
    const lines = ["data.16", "data.true"].map((path) => inputs.lineOf(inputs.resources[0]!.origin, path));
    expect(lines).toEqual([4, 6]);
  });

  it("may come from standard input", async () => {
    const stdin = (async function* () {
      yield await Promise.resolve(Buffer.from(firewall));
    })();
    const { resources } = await folder.read(["-"], { stdin });
    expect(resources).toMatchObject([{ name: "default", origin: { file: "stdin", line: 1 } }]);
  });
});
