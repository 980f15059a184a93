import type { Configuration } from "../../../src/gate/configuration";
import type { Rule } from "../../../src/gate/rule";
import { isolationFlowBlocked } from "../../../src/isolation/rules/isolationFlowBlocked";
import { isolationDefaultDeny, isolationFlowExcess } from "../../../src/isolation/rules/networkPolicies";
import { policyOrder } from "../../../src/isolation/rules/policyOrder";
import { UNKNOWN, type Resource } from "../../../src/resources/resource";
import { expectGolden } from "../../objects/golden";
import { judge, resource, stating, textOf, type Properties } from "../../rules/builders";
import { machines } from "../../topology/topologies";
import { agent, app, denyEgress, denyIngress, HCP, kubevirt, NETWORK_POLICY, policy, tcp } from "./policies";

const stated = stating({ platform: "Agent", ...machines, managementClusterCidrs: ["10.1.0.0/16"] });
const aws = stating({ platform: "AWS", ...machines });

const patch = resource(`${NETWORK_POLICY}Patch`, "theirs", {
  metadata: { name: "theirs", namespace: HCP },
  spec: { ingress: [{}] },
});
const subject = { namespaces: { matchLabels: { "kubernetes.io/metadata.name": HCP } } };
const admin = (spec: Properties, name = "admin"): Resource =>
  resource("kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy", name, {
    metadata: { name },
    spec: { priority: 5, subject, ...spec },
  });
const baseline = (spec: Properties): Resource =>
  resource("kubernetes:policy.networking.k8s.io/v1alpha1:BaselineAdminNetworkPolicy", "default", {
    metadata: { name: "default" },
    spec: { subject, ...spec },
  });
const everywhere = [{ networks: ["0.0.0.0/0", "::/0"] }];
const out = (action: string) => ({ egress: [{ action, to: everywhere }] });
const into = (from: Properties[], more: Properties = {}) => ({
  ingress: [{ action: "Deny", from, ...more }],
});
const manyLabels = Array.from({ length: 15 }, (_, at) =>
  policy({ podSelector: { matchLabels: { [`key-${at}`]: "a" } } }, `of-${at}`),
);

const CASES: [title: string, rule: Rule, resources: Resource[], configuration: Configuration][] = [
  ["ingress is denied", isolationFlowBlocked, [denyIngress], kubevirt],
  ["egress is denied", isolationFlowBlocked, [denyEgress], stated],
  ["egress is denied, and nothing says where it goes", isolationFlowBlocked, [denyEgress], agent],
  [
    "clients come from some addresses",
    isolationFlowBlocked,
    [
      policy({
        podSelector: app("kube-apiserver"),
        ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8" } }], ports: tcp(8091) }],
      }),
    ],
    kubevirt,
  ],
  [
    "policies add to HyperShift's own",
    isolationFlowBlocked,
    [policy({ podSelector: app("etcd"), ingress: [] })],
    agent,
  ],
  ["a policy is not known", isolationFlowBlocked, [policy({ podSelector: UNKNOWN }), denyIngress], agent],
  ["a policy is patched", isolationFlowBlocked, [patch], agent],
  ["too many labels", isolationFlowBlocked, manyLabels, agent],
  ["administrators deny what goes out", isolationFlowBlocked, [admin(out("Deny"))], aws],
  ["a baseline denies it", isolationFlowBlocked, [baseline(out("Deny"))], agent],
  [
    "administrators deny one port between pods",
    isolationFlowBlocked,
    [admin(into([subject], { ports: [{ portNumber: { protocol: "TCP", port: 2379 } }] }))],
    agent,
  ],
  [
    "administrators deny namespaces by a label that nothing states",
    isolationFlowBlocked,
    [admin(into([{ namespaces: { matchLabels: { team: "infra" } } }]))],
    agent,
  ],
  [
    "etcd is open",
    isolationFlowExcess,
    [policy({ podSelector: app("etcd"), ingress: [{ ports: tcp(2379) }] }), denyIngress],
    agent,
  ],
  [
    "administrators let others in",
    isolationFlowExcess,
    [admin({ ingress: [{ action: "Allow", from: [{ namespaces: { matchLabels: { team: "a" } } }] }] })],
    agent,
  ],
  ["too many labels", isolationFlowExcess, manyLabels, agent],
  [
    "some pods are isolated",
    isolationDefaultDeny,
    [policy({ podSelector: app("etcd"), ingress: [] })],
    agent,
  ],
  ["a selector is not known", isolationDefaultDeny, [policy({ podSelector: UNKNOWN })], agent],
  ["too many labels", isolationDefaultDeny, manyLabels, agent],
  ["two of one priority", policyOrder, [admin(out("Deny"), "shut"), admin(out("Allow"), "open")], agent],
];

const withoutDocuments = (text: string): string => text.replace(/^ +documented .*\n/gm, "");

// Complete sentences with their fixes, so that every change of wording is reviewed.
test("the findings of the rules on policies match the golden file", () => {
  const text = CASES.map(([title, rule, resources, configuration]) =>
    [
      `${rule.id}: ${title}`,
      ...judge(rule, resources, configuration).map((one) => `  ${withoutDocuments(textOf(one))}`),
    ].join("\n"),
  );
  expectGolden("isolation/findings.txt", `${text.join("\n\n")}\n`);
});
