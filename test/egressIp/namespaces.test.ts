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

describe("M16 the overlap between objects in the namespaces that the input states", () => {
  const prod = egressIp("a-prod", labels({ env: "prod" }));
  const team = egressIp("z-team", labels({ team: "x" }));
  const both = { env: "prod", team: "x" };
  const HIT = [same("z-team", "pods of namespace shop", "a-prod")];

  test.each<[string, Resource[], string[]]>([
    ["no namespaces", [], []],
    ["a namespace with both labels", [namespace("shop", both)], HIT],
    [
      "a namespace that gets the second label from a patch",
      [namespace("shop", { env: "prod" }), namespace("shop", { team: "x" }, "NamespacePatch")],
      HIT,
    ],
    [
      "several namespaces with both labels",
      [namespace("shop", both), namespace("till", { ...both, other: "y" })],
      HIT,
    ],
    [
      "a separate namespace for each label",
      [namespace("shop", { env: "prod" }), namespace("till", { team: "x" })],
      [],
    ],
    ["another value", [namespace("shop", { ...both, team: "y" })], []],
    ["an unknown label value", [namespace("shop", { ...both, team: UNKNOWN })], []],
    ["unknown labels", [namespace("shop", UNKNOWN)], []],
    [
      "a control plane's namespace, which is in the management cluster",
      [namespace("clusters-tenant-a", both)],
      [],
    ],
    ["the namespace of the HostedClusters", [namespace("clusters", both)], []],
  ])("%s", (_, namespaces, expected) => {
    expect(found(prod, team, ...namespaces)).toEqual(expected);
  });

  test("is found by namespace names, expressions and pod selectors", () => {
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

  test("is found for selectors without a required value, and pods that only some share", () => {
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
    // A selector of every namespace shares the pods whatever the labels, and is reported once.
    expect(found(some, all, shop)).toEqual([same("z-all", "pods", "some")]);
  });

  test("is reported once for objects that share pods whatever the labels", () => {
    const again = egressIp("again", labels({ env: "prod" }));
    expect(found(prod, again, namespace("shop", both))).toEqual([same("again", "pods", "a-prod")]);
  });
});
