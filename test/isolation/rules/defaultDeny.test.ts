import { isolationDefaultDeny } from "../../../src/isolation/rules/networkPolicies";
import { UNKNOWN, type Resource } from "../../../src/resources/resource";
import { hostedCluster, resource, stating } from "../../rules/builders";
import { app, denyEgress, denyIngress, found, NETWORK_POLICY, open, policy } from "./policies";

describe("M12 isolation-default-deny", () => {
  const some = policy({ podSelector: app("etcd"), ingress: [] });
  it("reports pods that no policy isolates", () => {
    expect(found(isolationDefaultDeny, [some])).toEqual([
      "no policy of this plan isolates pods without labels that a policy names in clusters-tenant-a: only HyperShift's own policies isolate them | anybody -> pod without labels that a policy names, every port",
    ]);
  });

  it.each<[string, Resource[]]>([
    ["one policy selects every pod", [some, denyIngress]],
    [
      "two policies together select every pod",
      [
        policy({ podSelector: { matchExpressions: [{ key: "app", operator: "Exists" }] } }),
        policy({ podSelector: { matchExpressions: [{ key: "app", operator: "DoesNotExist" }] } }, "rest"),
      ],
    ],
    ["the plan has no policies", []],
    [
      "only HyperShift's own policies are in the plan",
      [policy({ podSelector: app("kube-apiserver"), ingress: [{}] }, "kas")],
    ],
    ["the policy is in another namespace", [policy({ podSelector: app("etcd") }, "mine", "other")]],
  ])("passes if %s", (_, resources) => {
    expect(found(isolationDefaultDeny, resources)).toEqual([]);
    expect(open(isolationDefaultDeny, resources)).toEqual([]);
  });

  it("reports unknown selectors and namespaces as unknown", () => {
    expect(found(isolationDefaultDeny, [policy({ podSelector: UNKNOWN })])).toEqual([]);
    expect(open(isolationDefaultDeny, [policy({ podSelector: UNKNOWN })])).toEqual([
      "NetworkPolicy mine: spec.podSelector",
    ]);
    expect(open(isolationDefaultDeny, [policy({ podSelector: {} }, "mine", UNKNOWN)])).toEqual([
      "NetworkPolicy mine: metadata.namespace",
    ]);
    expect(
      open(isolationDefaultDeny, [policy({ podSelector: { matchLabels: { app: UNKNOWN } } })]),
    ).toHaveLength(1);
  });

  it("reports policies that the API server refuses as unknown", () => {
    const refused = policy({ podSelector: {}, ingress: [{ ports: [{ port: 0 }] }] });
    expect(found(isolationDefaultDeny, [refused])).toEqual([]);
    expect(open(isolationDefaultDeny, [refused])).toEqual([
      "NetworkPolicy mine: spec.ingress[0].ports[0].port, the API server refuses the policy",
    ]);
    expect(open(isolationDefaultDeny, [refused, denyIngress])).toEqual([]);
  });

  it("reports nothing for policies of administrators, or for policies without a namespace", () => {
    const admin = resource("kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy", "admin", {
      metadata: { name: "admin" },
      spec: { priority: 5, subject: { namespaces: {} }, ingress: [] },
    });
    const { properties, ...others } = hostedCluster();
    const nameless: Resource = {
      ...others,
      properties: { ...properties, metadata: { name: UNKNOWN, namespace: "clusters" } },
    };
    const homeless = resource(NETWORK_POLICY, "mine", {
      metadata: { name: "mine" },
      spec: { podSelector: {} },
    });
    for (const resources of [
      [hostedCluster(), admin],
      [nameless, homeless],
      [hostedCluster(), homeless],
    ]) {
      expect(found(isolationDefaultDeny, resources, stating({}))).toEqual([]);
      expect(open(isolationDefaultDeny, resources, stating({}))).toEqual([]);
    }
  });

  it("does not distinguish pods by labels of policies whose policyTypes are unknown", () => {
    const hidden = Array.from({ length: 15 }, (_, at) =>
      policy({ podSelector: { matchLabels: { [`key-${at}`]: "a" } }, policyTypes: UNKNOWN }, `of-${at}`),
    );
    expect(open(isolationDefaultDeny, [...hidden, policy({ podSelector: app("etcd") })])).toEqual([
      "NetworkPolicy of-0: spec.policyTypes",
    ]);
  });

  it("does not count an egress policy as isolation of ingress", () => {
    expect(found(isolationDefaultDeny, [denyEgress])).toHaveLength(1);
  });
});
