import { JudgedResources } from "../../../src/gate/judgedResources";
import { wholeTopology } from "../../../src/gate/refutedFlows";
import { isolationFlowExcess } from "../../../src/isolation/rules/networkPolicies";
import { answerPlan } from "../../../src/reachability/answers/answerPlan";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { planQuestion } from "../../../src/rules/conclusion";
import { hostedCluster, resource, violations, type Properties } from "../../rules/builders";
import { agent, app, denyIngress, found, HCP, open } from "./policies";

describe("M14 isolation-flow-excess of administrators' policies, which no NetworkPolicy closes", () => {
  const HERE = { namespaces: { matchLabels: { "kubernetes.io/metadata.name": HCP } } };
  const api = "kubernetes:policy.networking.k8s.io";
  const anybody = [{ namespaces: {} }];
  const admin = (ingress: PropertyValue, more: Properties = {}, name = "admin"): Resource =>
    resource(`${api}/v1alpha1:AdminNetworkPolicy`, name, {
      metadata: { name },
      spec: { priority: 5, subject: HERE, ingress, ...more },
    });
  const ofCluster = (ingress: PropertyValue, more: Properties = {}): Resource =>
    resource(`${api}/v1beta1:ClusterNetworkPolicy`, "cluster", {
      metadata: { name: "cluster" },
      spec: { tier: "Admin", priority: 5, subject: HERE, ingress, ...more },
    });
  const allow = { action: "Allow", from: anybody };
  const deny = { action: "Deny", from: anybody };
  const monitoring = { matchLabels: { "kubernetes.io/metadata.name": "openshift-monitoring" } };
  const pods = (namespace: string, name: string) => ({
    pods: { namespaceSelector: { matchLabels: { team: namespace } }, podSelector: app(name) },
  });

  it.each<[string, Resource[], string, RegExp]>([
    [
      "access for everybody without another policy",
      [admin([allow])],
      "spec.ingress[0]",
      /on every protocol, which no/,
    ],
    [
      "access for everybody in spite of a denying NetworkPolicy",
      [denyIngress, admin([allow])],
      "spec.ingress[0]",
      /on every protocol/,
    ],
    [
      "access for some pods of a namespace to one port of some pods",
      [
        admin([{ action: "Allow", from: [pods("a", "backup")], ports: [{ portNumber: { port: 2379 } }] }], {
          subject: { pods: { namespaceSelector: HERE.namespaces, podSelector: app("etcd") } },
        }),
      ],
      "spec.ingress[0]",
      /^lets pods with app=backup of namespaces with team=a reach pods with app=etcd in clusters-tenant-a on TCP 2379/,
    ],
    [
      "a policy for all namespaces",
      [admin([allow], { subject: { namespaces: {} } })],
      "spec.ingress[0]",
      /every protocol/,
    ],
    [
      "the ports that an earlier denial leaves",
      [admin([{ ...deny, ports: [{ portRange: { start: 1, end: 65_000 } }] }, allow])],
      "spec.ingress[1]",
      /TCP 0, TCP 65001-65535/,
    ],
    [
      "a ClusterNetworkPolicy",
      [ofCluster([{ action: "Accept", from: [{ pods: { podSelector: app("x") } }] }])],
      "spec.ingress[0]",
      /^lets pods with app=x of/,
    ],
  ])("names %s", (_, policies, path, message) => {
    expect(violations(isolationFlowExcess, policies, agent)).toMatchObject([
      { level: "warning", path, message: expect.stringMatching(message) as unknown },
    ]);
  });

  it.each<[string, Resource[]]>([
    ["a denial", [admin([deny])]],
    ["a rule with the action Pass", [admin([{ ...allow, action: "Pass" }])]],
    ["packets that an earlier rule denies", [admin([deny, allow])]],
    ["packets that an earlier policy denies", [admin([allow]), admin([deny], { priority: 4 }, "first")]],
    [
      "packets that an earlier policy passes on",
      [admin([allow]), admin([{ ...allow, action: "Pass" }], { priority: 1 }, "b")],
    ],
    ["monitoring", [admin([{ action: "Allow", from: [{ namespaces: monitoring }] }])]],
    ["pods of the namespace", [admin([{ action: "Allow", from: [HERE] }])]],
    [
      "a documented flow",
      [
        admin([{ ...allow, ports: [{ portNumber: { port: 6443 } }] }], {
          subject: { pods: { namespaceSelector: {}, podSelector: app("kube-apiserver") } },
        }),
      ],
    ],
    ["a policy for other namespaces", [admin([allow], { subject: { namespaces: monitoring } })]],
    ["an unknown subject", [admin([allow], { subject: UNKNOWN })]],
    ["unknown senders", [admin([{ action: "Allow", from: [UNKNOWN] }])]],
    ["a priority that OVN-Kubernetes lacks", [admin([allow], { priority: 100 })]],
    ["the baseline tier", [ofCluster([{ action: "Accept", from: anybody }], { tier: "Baseline" })]],
    ["egress", [admin([], { egress: [{ action: "Allow", to: anybody }] })]],
  ])("accepts %s", (_, policies) => {
    expect(found(isolationFlowExcess, policies)).toEqual([]);
  });

  it("agrees with the excess that prove reports", () => {
    const judged = new JudgedResources([hostedCluster({}), denyIngress, admin([allow])]);
    const { excess } = answerPlan(planQuestion(judged, wholeTopology(judged.clusters[0]!)!));
    expect(excess.map(({ rule }) => `${rule?.name} ${rule?.path}`)).toEqual(["admin spec.ingress[0]"]);
  });

  it("is unknown if policies that allow distinguish too many pods to check each of them", () => {
    const many = Array.from({ length: 15 }, (_, position) => `key-${position}`).map((key) =>
      admin(
        [allow],
        { subject: { pods: { namespaceSelector: {}, podSelector: { matchLabels: { [key]: "a" } } } } },
        key,
      ),
    );
    expect(open(isolationFlowExcess, many)).toEqual([expect.stringContaining("too many kinds of pods")]);
    const denying = many.map(({ properties, ...more }) => ({
      ...more,
      properties: { ...properties, spec: { ...(properties.spec as Properties), ingress: [deny] } },
    }));
    expect(open(isolationFlowExcess, denying)).toEqual([]);
    const elsewhere = many.map(({ properties, ...more }) => ({
      ...more,
      properties: {
        ...properties,
        spec: { ...(properties.spec as Properties), subject: { namespaces: monitoring } },
      },
    }));
    expect(found(isolationFlowExcess, [...elsewhere, admin([allow])])).toHaveLength(1);
    expect(open(isolationFlowExcess, elsewhere)).toEqual([]);
  });
});
