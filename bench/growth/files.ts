import type { Json, JsonObject } from "../../local/fuzz/json";
import { TYPE } from "../../src/resources/resourceTypes";
import { cluster, type Command, type Dimension, upTo } from "./dimension";
import { tcp, UNSAID } from "./parts";

const READING: readonly Command[] = ["check"];
const file = (
  title: string,
  name: string,
  text: (count: number) => string,
  more: Partial<Dimension> = {},
) => ({
  title,
  from: 1_000,
  commands: READING,
  make: (count: number) => ({ files: { [name]: text(count) } }),
  ...more,
});
const many = (
  title: string,
  name: (place: number) => string,
  text: (place: number) => string,
): Dimension => ({
  title,
  from: 250,
  upTo: 8_000,
  commands: READING,
  make: (count) => ({ files: Object.fromEntries(upTo(count, (place) => [name(place), text(place)])) }),
});
const OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\ndata:";
const yaml = (title: string, text: (count: number) => string, more: Partial<Dimension> = {}): Dimension =>
  file(title, "more.yaml", text, more);
const data = (title: string, text: (count: number) => string, more: Partial<Dimension> = {}): Dimension =>
  yaml(title, (count) => `${OBJECT}${text(count)}\n`, more);
const each = (count: number, line: (place: number) => string): string => upTo(count, line).join("");
const json = (title: string, value: (count: number) => string, more: Partial<Dimension> = {}): Dimension =>
  file(
    title,
    "more.json",
    (count) =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"b"},"data":${value(count)}}`,
    more,
  );
/** Values nested deeper than 500 levels are rejected. */
const DEEP: Partial<Dimension> = { refused: true, upTo: 100_000 };

const urn = (stack: string, type: string, name: string): string => `urn:pulumi:${stack}::x::${type}::${name}`;
type Step = JsonObject & { op: string };
const step = (stack: string, type: string, name: string, inputs: Json, more: JsonObject = {}): Step => ({
  op: "create",
  urn: urn(stack, type, name),
  newState: { urn: urn(stack, type, name), custom: true, type, inputs, ...more },
});
const preview = (steps: readonly Step[], more: JsonObject = {}): string => {
  const changeSummary: Record<string, number> = {};
  for (const { op } of steps) changeSummary[op] = (changeSummary[op] ?? 0) + 1;
  return JSON.stringify({ steps, diagnostics: [], changeSummary, ...more });
};
const HOSTED = "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster";
const sg = (place: number): string => urn("s", TYPE.securityGroup, `sg-${place}`);
const SECRET: JsonObject = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** Previews, exports and folders of them, and JSON and YAML in forms that texts.ts lacks. */
export const FILES: Readonly<Record<string, Dimension>> = {
  stacks: many(
    "stacks with a preview each",
    (place) => `${place}.json`,
    (place) => preview([step(`s${place}`, TYPE.securityGroup, "sg", { ingress: [tcp(22, "0.0.0.0/0")] })]),
  ),
  "stacks-with-clusters": {
    ...many(
      "stacks with a preview with a hosted cluster each",
      (place) => `${place}.json`,
      (place) => preview([step(`s${place}`, HOSTED, "cluster", cluster(place).properties)]),
    ),
    from: 20,
  },
  dependencies: file("dependencies of a rule whose group is unknown", "plan.json", (count) =>
    preview([
      ...upTo(count, (place) => step("s", TYPE.securityGroup, `sg-${place}`, {})),
      step(
        "s",
        TYPE.securityGroup,
        "last",
        { ingress: [{ ...tcp(6443), securityGroups: [UNSAID] }] },
        { dependencies: upTo(count, sg), propertyDependencies: { ingress: upTo(count, sg) } },
      ),
    ]),
  ),
  "dependencies-in-a-row": file("resources that depend on one another in a row", "plan.json", (count) =>
    preview(
      upTo(count, (place) =>
        step(
          "s",
          TYPE.securityGroup,
          `sg-${place}`,
          { ingress: [{ ...tcp(6443), securityGroups: [UNSAID] }] },
          { propertyDependencies: { ingress: place === 0 ? [] : [sg(place - 1)] } },
        ),
      ),
    ),
  ),
  deletes: file("deletes and diagnostics of a preview", "plan.json", (count) =>
    preview(
      [
        step("s", TYPE.securityGroup, "sg-kept", { ingress: [] }),
        ...upTo(count, (place) => ({
          op: "delete",
          urn: sg(place),
          oldState: { urn: sg(place), custom: true, type: TYPE.securityGroup, inputs: {} },
        })),
      ],
      { diagnostics: upTo(count, (place) => ({ message: `warning ${place}`, severity: "warning" })) },
    ),
  ),
  secrets: file("secrets of a stack export", "state.json", (count) =>
    JSON.stringify({
      version: 3,
      deployment: {
        resources: upTo(count, (place) => ({
          urn: sg(place),
          custom: true,
          type: TYPE.securityGroup,
          inputs: { description: { ...SECRET, ciphertext: `${place}` } },
          outputs: { tags: { ...SECRET, ciphertext: `${place}` } },
        })),
      },
    }),
  ),
  "objects-of-one-name": yaml("objects of one name", (count) =>
    upTo(count, () =>
      JSON.stringify({
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "web", namespace: "shop" },
        spec: { type: "LoadBalancer", externalTrafficPolicy: "Local" },
      }),
    ).join("\n---\n"),
  ),
  "folders-beside-each-other": many(
    "folders with a file each",
    (place) => `folder-${place}/namespace.yaml`,
    () => "apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n",
  ),
  "foreign-files": {
    ...many(
      "files that are no objects",
      (place) => `${place}.yaml`,
      () => "a: b\n",
    ),
    refused: true,
  },
  "broken-files": {
    ...many(
      "files that cannot be read",
      (place) => `${place}.json`,
      () => '{"apiVersion":',
    ),
    refused: true,
  },
  "json-lists-in-lists": json("depth of JSON lists", (count) => "[".repeat(count) + "]".repeat(count), DEEP),
  "json-objects-in-objects": json(
    "depth of JSON objects",
    (count) => `${'{"a":'.repeat(count)}1${"}".repeat(count)}`,
    DEEP,
  ),
  "json-keys": json(
    "keys of a JSON object",
    (count) => `{${upTo(count, (place) => `"key-${place}":"x"`).join(",")}}`,
  ),
  "json-equal-keys": json(
    "equal keys of a JSON object",
    (count) => `{${upTo(count, () => '"key":"x"').join(",")}}`,
    { refused: true },
  ),
  "lists-in-lists": file(
    "Lists in Lists",
    "more.json",
    (count) => `${'{"apiVersion":"v1","kind":"List","items":['.repeat(count)}${"]}".repeat(count)}`,
    { ...DEEP, from: 100, upTo: 2_000 },
  ),
  "yaml-lists-in-lists": data("depth of YAML lists", (count) => ` ${"[".repeat(count)}${"]".repeat(count)}`, {
    ...DEEP,
    upTo: 16_000,
  }),
  "yaml-indentation": data(
    "depth of YAML blocks",
    (count) => `\n${each(count, (place) => `${" ".repeat(place + 1)}a:\n`)}`,
    // The size of the text is quadratic in the depth.
    { ...DEEP, from: 100, upTo: 1_600 },
  ),
  "yaml-items": yaml(
    "items of a YAML List",
    (count) =>
      `apiVersion: v1\nkind: List\nitems:\n${each(count, (place) => `- apiVersion: v1\n  kind: Service\n  metadata: { name: web-${place}, namespace: shop }\n`)}`,
  ),
  "yaml-merged-anchors": yaml(
    "anchors that one YAML map merges",
    (count) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\nall:\n${each(count, (place) => `- &a${place} { key-${place}: x }\n`)}data:\n  <<: [${upTo(count, (place) => `*a${place}`).join(", ")}]\n`,
  ),
  "yaml-anchors-of-one-name": data(
    "YAML anchors of one name",
    (count) => `\n${each(count, (place) => `  a${place}: &a x\n  b${place}: *a\n`)}`,
  ),
  "yaml-flow-keys": data(
    "keys of a YAML map between braces",
    (count) => ` {${upTo(count, (place) => `key-${place}: x`).join(", ")}}`,
  ),
  "yaml-folded-lines": data(
    "lines of folded, plain and quoted texts in YAML",
    (count) =>
      `\n  a: >\n${"    line\n".repeat(count)}  b: plain\n${"    line\n".repeat(count)}  c: "quoted\n${"    line\n".repeat(count)}  "`,
  ),
  "yaml-tags": data("YAML tags", (count) => `\n${each(count, (place) => `  key-${place}: !!str 1\n`)}`),
  "yaml-empty-documents": yaml("empty documents of a YAML file", (count) => "---\n".repeat(count), {
    refused: true,
  }),
  "yaml-crlf": yaml("documents with CRLF", (count) =>
    upTo(count, (place) => `apiVersion: v1\r\nkind: Service\r\nmetadata:\r\n  name: web-${place}\r\n`).join(
      "---\r\n",
    ),
  ),
  "yaml-long-key": data(
    "characters of a YAML key, in hundreds",
    (count) => `\n  "${"k".repeat(100 * count)}": x`,
    // A key of more than 1,024 characters is rejected.
    { upTo: 64_000, refused: true },
  ),
};
