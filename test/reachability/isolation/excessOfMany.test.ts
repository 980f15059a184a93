import { ingressExcess } from "../../../src/reachability/isolation/excess";
import type { PropertyMap } from "../../../src/resources/read";
import { type PropertyValue, type Resource, UNKNOWN } from "../../../src/resources/resource";

const NAMESPACE = "clusters-tenant-a";
const policy = (name: string, spec: PropertyMap): Resource => ({
  origin: { urn: `urn:pulumi:test::network::${name}` },
  type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
  name,
  properties: { metadata: { name, namespace: NAMESPACE }, spec: { policyTypes: ["Ingress"], ...spec } },
});
const from = (name: string) => ({
  from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } } }],
});
/** More policies than are checked one by one. */
const many = (podSelector: PropertyValue, ingress: (place: number) => PropertyValue[]): Resource[] =>
  Array.from({ length: 12 }, (_, place) =>
    policy(`documented-${place}`, { podSelector, ingress: ingress(place) }),
  );
const open = policy("open", { podSelector: { matchLabels: { app: "etcd" } }, ingress: [from("shop")] });
const found = (documented: readonly Resource[], isPossibleWanted: boolean) =>
  ingressExcess([open], documented, NAMESPACE, { isPossibleWanted })?.length;

test.each<[string, Resource[], sure: number, possible: number]>([
  ["deny", many({}, () => []), 1, 1],
  ["let in other senders", many({}, (place) => [from(`n${place}`)]), 1, 1],
  ["let in the sender", many({}, (place) => [from(place === 7 ? "shop" : `n${place}`)]), 0, 0],
  ["may select the pods", many(UNKNOWN, () => []), 1, 0],
  ["may let in the sender", many({}, (place) => [place === 7 ? { from: UNKNOWN } : from(`n${place}`)]), 1, 0],
  [
    "select the pods, or may do so",
    [...many(UNKNOWN, () => []), ...many({ matchLabels: { app: "etcd" } }, () => [])],
    1,
    1,
  ],
])("a rule is compared with what many policies that %s let in", (_, documented, sure, possible) => {
  expect(found(documented, false)).toBe(sure);
  expect(found(documented, true)).toBe(possible);
});
