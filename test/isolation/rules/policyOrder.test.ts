import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { rules } from "../../../src/rules";
import { hostedCluster, resource, violations } from "../../rules/builders";

const rule = rules.find(({ id }) => id === "policy-order-undefined")!;
const subject = { namespaces: { matchLabels: { "kubernetes.io/metadata.name": "clusters-tenant-a" } } };
const everywhere = [{ networks: ["0.0.0.0/0", "::/0"] }];
const admin = (name: string, priority: PropertyValue, action: string, more: object = {}): Resource =>
  resource("kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy", name, {
    metadata: { name },
    spec: { priority, subject, egress: [{ action, to: everywhere }], ...more },
  });
const ofCluster = (name: string, priority: number, action: string, tier = "Admin"): Resource =>
  resource("kubernetes:policy.networking.k8s.io/v1alpha2:ClusterNetworkPolicy", name, {
    metadata: { name },
    spec: { tier, priority, subject, egress: [{ action, to: everywhere }] },
  });
const found = (...policies: Resource[]) =>
  violations(rule, [hostedCluster({ platform: { type: "None" } }), ...policies]).map(
    ({ resource: { urn }, message }) => `${urn?.slice(urn.lastIndexOf("::") + 2)}: ${message}`,
  );

describe("policy-order-undefined", () => {
  const shut = admin("shut", 5, "Deny");

  test("reports both policies if two of the same priority decide differently on the same packets", () => {
    const text = "decides on packets of documented flows differently from AdminNetworkPolicy";
    const end = "of priority 5, and their order is not defined";
    expect(found(shut, admin("open", 5, "Allow")).sort()).toEqual([
      `open: ${text} shut ${end}`,
      `shut: ${text} open ${end}`,
    ]);
    expect(found(admin("open", 5, "Pass"), shut)).toHaveLength(2);
  });

  test.each<[string, Resource[]]>([
    ["different priorities", [shut, admin("open", 4, "Allow")]],
    ["the same action", [shut, admin("other", 5, "Deny")]],
    [
      "different packets",
      [
        shut,
        admin("open", 5, "Allow", { egress: [], ingress: [{ action: "Allow", from: [{ namespaces: {} }] }] }),
      ],
    ],
    [
      "different pods",
      [
        shut,
        admin("open", 5, "Allow", {
          subject: { namespaces: { matchLabels: { "kubernetes.io/metadata.name": "shop" } } },
        }),
      ],
    ],
    ["a single policy", [shut]],
    ["a priority that is not known yet", [admin("shut", UNKNOWN, "Deny"), admin("open", UNKNOWN, "Allow")]],
    ["two tiers", [ofCluster("shut", 5, "Deny"), ofCluster("open", 5, "Accept", "Baseline")]],
  ])("finds nothing for %s", (_, policies) => {
    expect(found(...policies)).toEqual([]);
  });

  test("applies to one tier of ClusterNetworkPolicies, and to both kinds together at any priorities", () => {
    expect(found(ofCluster("shut", 5, "Deny"), ofCluster("open", 5, "Accept"))).toHaveLength(2);
    expect(found(shut, ofCluster("open", 9, "Accept"))).toHaveLength(2);
    expect(
      found(ofCluster("shut", 5, "Deny", "Baseline"), ofCluster("open", 5, "Accept", "Baseline")),
    ).toHaveLength(2);
  });
});
