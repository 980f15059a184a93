import { egressIpInvalid } from "../../src/egressIp/rules";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { hostedCluster, resource, violations } from "../rules/builders";

const namespace = (name: string, labels: PropertyValue, kind = "Namespace"): Resource =>
  resource(`kubernetes:core/v1:${kind}`, `${kind}-${name}`, { metadata: { name, labels } });
let last = 1290;
const egressIp = (name: string, namespaceSelector: PropertyValue, podSelector?: PropertyValue): Resource =>
  resource("kubernetes:k8s.ovn.org/v1:EgressIP", name, {
    metadata: { name },
    spec: {
      egressIPs: [`10.0.${last >> 8}.${last++ & 255}`],
      namespaceSelector,
      ...(podSelector && { podSelector }),
    },
  });
const labels = (matchLabels: Record<string, string>) => ({ matchLabels });
const found = (...objects: Resource[]) =>
  violations(egressIpInvalid, [hostedCluster({ platform: { type: "None" } }), ...objects]).map(
    ({ resource: { urn }, message }) => `${urn?.split("::").at(-1)}: ${message}`,
  );
const same = (name: string, of: string, other: string) =>
  `${name}: selects the same ${of} as EgressIP ${other}, and it is not defined whose addresses they get`;

describe("M16 no overlap between objects in the namespaces that the input states", () => {
  const prod = egressIp("a-prod", labels({ env: "prod" }));
  const team = egressIp("z-team", labels({ team: "x" }));
  const both = { env: "prod", team: "x" };
  const HIT = [same("z-team", "pods of namespace shop", "a-prod")];

  test.each<[string, Resource[], string[]]>([
    ["none is stated", [], []],
    ["one with both labels", [namespace("shop", both)], HIT],
    [
      "one that a patch gives the second",
      [namespace("shop", { env: "prod" }), namespace("shop", { team: "x" }, "NamespacePatch")],
      HIT,
    ],
    ["several with both", [namespace("shop", both), namespace("till", { ...both, other: "y" })], HIT],
    ["each in one of its own", [namespace("shop", { env: "prod" }), namespace("till", { team: "x" })], []],
    ["another value", [namespace("shop", { ...both, team: "y" })], []],
    ["a value that is not known yet", [namespace("shop", { ...both, team: UNKNOWN })], []],
    ["labels that are not known yet", [namespace("shop", UNKNOWN)], []],
    ["a control plane's, which is in the management cluster", [namespace("clusters-tenant-a", both)], []],
    ["that of the HostedClusters", [namespace("clusters", both)], []],
  ])("%s", (_, namespaces, expected) => {
    expect(found(prod, team, ...namespaces)).toEqual(expected);
  });

  test("by names, expressions, and pods", () => {
    const shop = namespace("shop", both);
    const named = egressIp("named", labels({ "kubernetes.io/metadata.name": "shop" }));
    const exists = egressIp("exists", { matchExpressions: [{ key: "team", operator: "Exists" }] });
    const one = egressIp("one", labels({ env: "prod" }), labels({ app: "a" }));
    const other = egressIp("other", labels({ team: "x" }), labels({ app: "b" }));
    expect(found(prod, named, shop)).toEqual([same("named", "pods of namespace shop", "a-prod")]);
    expect(found(prod, named)).toEqual([]);
    expect(found(prod, exists, shop)).toEqual([same("exists", "pods of namespace shop", "a-prod")]);
    expect(found(one, other, shop)).toEqual([]);
    expect(found(one, team, shop)).toEqual([same("z-team", "pods of namespace shop", "one")]);
  });

  test("by selectors that demand no value, and pods that only some of them share", () => {
    const not = (value: string) => ({
      matchExpressions: [{ key: "env", operator: "NotIn", values: [value] }],
    });
    const own = egressIp("own", not("prod"), labels({ app: "own" }));
    const some = egressIp("some", not("test"), labels({ app: "some" }));
    const others = egressIp(
      "z-others",
      { matchExpressions: [{ key: "team", operator: "Exists" }] },
      labels({ app: "some" }),
    );
    const all = egressIp("z-all", {}, labels({ app: "some" }));
    const shop = namespace("shop", both);
    expect(found(own, some, others, shop)).toEqual([same("z-others", "pods of namespace shop", "some")]);
    expect(found(own, some, namespace("till", { team: "x", env: "test" }), others)).toEqual([]);
    // What selects every namespace shares the pods by itself, and is named once.
    expect(found(some, all, shop)).toEqual([same("z-all", "pods", "some")]);
  });

  test("what shares pods whatever the labels are is said once", () => {
    const again = egressIp("again", labels({ env: "prod" }));
    expect(found(prod, again, namespace("shop", both))).toEqual([same("again", "pods", "a-prod")]);
  });
});
