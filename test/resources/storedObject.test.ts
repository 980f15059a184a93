import { execFileSync } from "node:child_process";

import {
  asStored,
  NUMBER_LISTS,
  TEXT_LISTS,
  TEXT_MAPS,
  TEXT_SELECTORS,
} from "../../src/resources/storedObject";
import type { PropertyValue } from "../../src/resources/resource";
import { kubernetesKinds } from "../../src/resources/resourceTypes";

const POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy";
const FIREWALL = "kubernetes:k8s.ovn.org/v1:EgressFirewall";
type Properties = Record<string, PropertyValue>;
const byKubectl = (type: string, properties: Properties) => asStored(type, properties, "kubectl");
const byPulumi = (type: string, properties: Properties) => asStored(type, properties, "pulumi");

describe("null in objects of built-in kinds", () => {
  it.each<[what: string, given: Properties, stored: Properties]>([
    ["is an empty rule under ingress, which allows everything", { ingress: [null] }, { ingress: [{}] }],
    [
      "is an empty peer, which the API server rejects",
      { ingress: [{ from: [null] }] },
      { ingress: [{ from: [{}] }] },
    ],
    ["is every port in a list of ports", { ingress: [{ ports: [null] }] }, { ingress: [{ ports: [{}] }] }],
    [
      "is an empty string as the value of a label",
      { podSelector: { matchLabels: { app: null } } },
      { podSelector: { matchLabels: { app: "" } } },
    ],
    [
      "is an empty string in a list of values",
      { podSelector: { matchExpressions: [{ key: "a", operator: "In", values: [null] }] } },
      { podSelector: { matchExpressions: [{ key: "a", operator: "In", values: [""] }] } },
    ],
    [
      "is an absent property",
      { podSelector: null, ingress: null, policyTypes: ["Ingress"] },
      { policyTypes: ["Ingress"] },
    ],
  ])("%s", (_, given, stored) => {
    expect(byKubectl(POLICY, { spec: given })).toEqual({ spec: stored });
  });

  it("is an empty string in the selector of a Service, and absent in that of a Deployment", () => {
    const properties = { spec: { selector: { app: null } } };
    expect(byKubectl("kubernetes:core/v1:Service", properties)).toEqual({ spec: { selector: { app: "" } } });
    expect(byKubectl("kubernetes:apps/v1:Deployment", properties)).toEqual({ spec: { selector: {} } });
  });

  it("is omitted from properties by Pulumi, and sent in lists", () => {
    const properties = { metadata: { labels: { app: null } }, spec: { ingress: [null] } };
    expect(byPulumi(POLICY, properties)).toEqual({ metadata: { labels: {} }, spec: { ingress: [{}] } });
  });

  it("is 0, an empty string or an empty object in a list, by the type of its entries", () => {
    const properties = {
      spec: { securityContext: { supplementalGroups: [null] }, containers: [{ command: [null] }, null] },
    };
    expect(byKubectl("kubernetes:core/v1:Pod", properties)).toEqual({
      spec: { securityContext: { supplementalGroups: [0] }, containers: [{ command: [""] }, {}] },
    });
  });
});

it("custom resources lose properties that are null, and keep null in lists", () => {
  const properties = {
    metadata: { labels: { a: null } },
    spec: { egress: [null, { type: "Deny", to: null }] },
  };
  const stored = { metadata: { labels: {} }, spec: { egress: [null, { type: "Deny" }] } };
  expect(byKubectl(FIREWALL, properties)).toEqual(stored);
  expect(byPulumi(FIREWALL, properties)).toEqual(stored);
});

it("objects without null are not copied, and other resources are not changed", () => {
  const properties = { spec: { ingress: [{ from: [] }] } };
  expect(byKubectl(POLICY, properties)).toBe(properties);
  const group = { ingress: [null] };
  expect(byPulumi("aws:ec2/securityGroup:SecurityGroup", group)).toBe(group);
});

type Attribute = readonly [name: string, type: string];

/** The attributes of each model of the official client, which is an ES module and loads only in Node. */
function models(): Readonly<Record<string, readonly Attribute[]>> {
  const print = `import * as kubernetes from "@kubernetes/client-node";
    const models = Object.entries(kubernetes).filter(([, model]) => model.getAttributeTypeMap);
    const attributes = (model) => model.getAttributeTypeMap().map(({ baseName, type }) => [baseName, type]);
    console.log(JSON.stringify(Object.fromEntries(models.map(([name, model]) => [name, attributes(model)]))));`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", print], {
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(printed.toString()) as Record<string, readonly Attribute[]>;
}

/** The fields of the built-in kinds that rules read. */
function* fields(): Generator<{ name: string; type: string; kind: string }> {
  const known = models();
  for (const { group, kind } of kubernetesKinds) {
    if (!["", "apps", "batch", "networking.k8s.io"].includes(group)) continue;
    const open = [`V1${kind}`];
    const seen = new Set(open);
    for (let model = open.pop(); model; model = open.pop())
      for (const [name, type] of known[model] ?? []) {
        yield { name, type, kind: `kubernetes:${group || "core"}/v1:${kind}` };
        const inner = /^Array<(\w+)>$/.exec(type)?.[1] ?? type;
        if (known[inner] && !seen.has(inner)) open.push(inner);
        seen.add(inner);
      }
  }
}

it("the lists and maps of strings are those of the Kubernetes API", () => {
  const all = [...fields()];
  expect(all.length).toBeGreaterThan(1000);
  const wrong = all.flatMap(({ name, type, kind }) => {
    const entry = /^Array<(\w+)>$/.exec(type)?.[1];
    const isMap = type.startsWith("{ [key: string]");
    const said = TEXT_LISTS.has(name) ? "string" : NUMBER_LISTS.has(name) ? "number" : "object";
    if (entry) return (/^[A-Z]/.test(entry) ? "object" : entry) === said ? [] : [`${kind} ${name}: ${entry}`];
    if (name === "selector") return isMap && !TEXT_SELECTORS.test(kind) ? [`${kind} ${name}: ${type}`] : [];
    return isMap === TEXT_MAPS.has(name) || type === "number" ? [] : [`${kind} ${name}: ${type}`];
  });
  // The exit codes of a Job's containers, which no rule reads.
  expect(wrong.filter((one) => !one.endsWith(" values: number"))).toEqual([]);
});
