import type { Json } from "../../local/fuzz/json";
import type { FuzzedResource } from "../../local/fuzz/samples";
import { TYPE } from "../../src/resources/resourceTypes";
import {
  besideCluster,
  CHECKS,
  cluster,
  type Command,
  type Dimension,
  object,
  ON_PLANS,
  resource,
  upTo,
} from "./dimension";

const service = (place: number): FuzzedResource =>
  object(
    "v1",
    "Service",
    { name: `web-${place}`, namespace: "shop" },
    { spec: { type: "LoadBalancer", externalTrafficPolicy: "Local" } },
  );
const OLD = cluster(0, { release: { image: "quay.io/openshift-release-dev/ocp-release:4.7.1-x86_64" } });
const map = (data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\ndata:\n${data}`;
const yaml = (text: string) => ({ files: { "more.yaml": text } });
const READING: readonly Command[] = ["check"];

/** The form of inputs: files, texts, and resources regardless of their kind. */
export const TEXTS: Readonly<Record<string, Dimension>> = {
  findings: {
    title: "findings",
    from: 1_000,
    commands: [...CHECKS, "report", "pack"],
    make: (count) => ({ resources: [OLD, ...upTo(count, service)] }),
  },
  foreign: {
    title: "resources that no rule looks at",
    from: 5_000,
    forms: ["preview", "export", "manifests", "yaml"],
    commands: [...ON_PLANS, "check-state"],
    make: besideCluster((place) =>
      object("v1", "Secret", { name: `secret-${place}`, namespace: "shop" }, { data: { a: `${place}` } }),
    ),
  },
  components: {
    title: "components in components",
    from: 500,
    make: besideCluster((place) => ({
      ...resource(TYPE.securityGroup, `group-${place}`, {}),
      ...(place > 0 && { parent: { type: TYPE.securityGroup, name: `group-${place - 1}` } }),
    })),
  },
  tags: {
    title: "tags of 4,096 security groups",
    from: 5_000,
    // V8 takes about twice as long for each key of objects with more than 1,020: both sizes stay below. AWS accepts 50.
    upTo: 2_560_000,
    make: (count) => ({
      resources: [
        cluster(),
        ...upTo(4_096, (group) =>
          resource(TYPE.securityGroup, `sg-${group}`, {
            tags: Object.fromEntries(
              upTo(Math.ceil((count - group) / 4_096), (place) => [`tag-${place}`, `${place}`]),
            ),
          }),
        ),
      ],
    }),
  },
  "long-text": {
    title: "characters of a text, in hundreds",
    from: 5_000,
    upTo: 200_000,
    forms: ["preview", "yaml"],
    commands: READING,
    make: (count) => ({
      resources: [
        cluster(),
        object(
          "v1",
          "ConfigMap",
          { name: "a", namespace: "b", annotations: { text: `${"\\ \u200b x".repeat(20)}`.repeat(count) } },
          {},
        ),
      ],
    }),
  },
  files: {
    title: "files of a folder",
    from: 500,
    upTo: 8_000,
    commands: READING,
    make: (count) => ({
      files: Object.fromEntries(
        upTo(count, (place) => [`f${place}.yaml`, JSON.stringify(service(place).properties)]),
      ),
    }),
  },
  folders: {
    title: "depth of folders",
    from: 100,
    // A path has at most 4,096 characters.
    upTo: 800,
    commands: READING,
    make: (count) => ({
      files: { [`${"d/".repeat(count)}a.yaml`]: JSON.stringify(service(0).properties) },
    }),
  },
  documents: {
    title: "documents of a YAML file",
    from: 1_000,
    commands: READING,
    make: (count) => yaml(upTo(count, (place) => JSON.stringify(service(place).properties)).join("\n---\n")),
  },
  items: {
    title: "items of a List",
    from: 5_000,
    commands: READING,
    make: (count) => ({
      files: {
        "list.json": JSON.stringify({
          apiVersion: "v1",
          kind: "List",
          items: upTo(count, (place): Json => service(place).properties),
        }),
      },
    }),
  },
  aliases: {
    title: "YAML aliases",
    from: 2_000,
    // More than 100,000 are rejected.
    upTo: 100_000,
    commands: READING,
    make: (count) => yaml(map(`  first: &a x\n${upTo(count, (place) => `  k${place}: *a\n`).join("")}`)),
  },
  anchors: {
    title: "YAML anchors, each with an alias",
    from: 2_000,
    commands: READING,
    make: (count) =>
      yaml(map(upTo(count, (place) => `  a${place}: &a${place} x\n  b${place}: *a${place}\n`).join(""))),
  },
  keys: {
    title: "keys of a YAML map",
    from: 4_000,
    commands: READING,
    make: (count) => yaml(map(upTo(count, (place) => `  k${place}: x\n`).join(""))),
  },
  "repeated-keys": {
    title: "equal keys of a YAML map",
    from: 2_000,
    commands: READING,
    make: (count) => yaml(map(upTo(count, (place) => `  k${place}: x\n  k${place}: y\n`).join(""))),
  },
  merges: {
    title: "merges of a YAML map",
    from: 1_000,
    commands: READING,
    make: (count) =>
      yaml(map(`  base: &a { x: "1" }\n${upTo(count, (place) => `  k${place}: { <<: *a }\n`).join("")}`)),
  },
  "flow-list": {
    title: "entries of a YAML list between brackets",
    from: 4_000,
    commands: READING,
    make: (count) => yaml(map(`  list: [${upTo(count, (place) => `e${place}`).join(", ")}]\n`)),
  },
  comments: {
    title: "lines of comments in YAML",
    from: 4_000,
    upTo: 1_024_000,
    commands: READING,
    make: (count) => yaml(`${"# a comment\n".repeat(count)}${map("  a: x\n")}`),
  },
  "block-text": {
    title: "lines of a text in YAML",
    from: 4_000,
    // A YAML document has at most 32 MiB.
    upTo: 2_048_000,
    commands: READING,
    make: (count) => yaml(map(`  text: |\n${"    a line\n".repeat(count)}`)),
  },
  "yaml-faults": {
    title: "documents of a YAML file that cannot be read",
    refused: true,
    from: 1_000,
    commands: READING,
    make: (count) => yaml("a: *b\n---\n".repeat(count)),
  },
};
