import { entranceRules } from "../../../src/reachability/isolation/excess";
import { type PropertyMap } from "../../../src/resources/read";
import { type Resource, UNKNOWN } from "../../../src/resources/resource";

const policy = (spec: PropertyMap, type = "networking.k8s.io/v1:NetworkPolicy"): Resource => ({
  origin: { urn: "urn:pulumi:test::network::policy" },
  type: `kubernetes:${type}`,
  name: "policy",
  properties: { metadata: { name: "policy", namespace: "clusters-tenant-a" }, spec },
});
const admin = (spec: PropertyMap) => policy(spec, "policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy");

test.each<[string, Resource]>([
  ["is only about egress", policy({ podSelector: UNKNOWN, policyTypes: ["Egress"], ingress: [{}] })],
  ["only denies", policy({ podSelector: UNKNOWN, policyTypes: ["Ingress"], ingress: [] })],
  ["denies by rules", admin({ subject: UNKNOWN, ingress: [{ action: "Deny", from: UNKNOWN }] })],
  ["passes to other policies", admin({ subject: UNKNOWN, ingress: [{ action: "Pass", from: UNKNOWN }] })],
])("a policy that %s lets nothing in", (_, one) => {
  expect(entranceRules(one)).toEqual([]);
});

test.each<[string, Resource, string[]]>([
  [
    "an administrators' policy",
    admin({ priority: 1, subject: UNKNOWN, ingress: [{ action: UNKNOWN, from: [{ namespaces: {} }] }] }),
    ["spec.subject", "spec.ingress[0].action"],
  ],
  ["types of which one is Ingress", policy({ policyTypes: [UNKNOWN, "Ingress"], ingress: [{}] }), []],
  ["types that decide", policy({ policyTypes: UNKNOWN, ingress: [{}] }), ["spec.policyTypes"]],
  [
    "a policy that the API server refuses",
    policy({ podSelector: {}, ingress: [{}, { ports: [{ port: 0 }] }] }),
    ["spec.ingress[1].ports[0].port", "spec.ingress[1].ports[0].port"],
  ],
  ["a text for labels", policy({ podSelector: "etcd", ingress: [{}] }), ["spec.podSelector"]],
])("what %s lets in depends on its values", (_, one, paths) => {
  expect(entranceRules(one).flatMap(({ unknown }) => unknown.map(({ path }) => path))).toEqual(paths);
});
