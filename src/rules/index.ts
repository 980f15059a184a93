import { addressRangesRules } from "../addressRanges/ruleList";
import { dedicatedNodesRules } from "../dedicatedNodes/rules";
import { egressFirewallRules } from "../egressFirewall/ruleList";
import { egressIpRules } from "../egressIp/ruleList";
import { egressRouterRules } from "../egressRouter/rules";
import { fleetRules } from "../fleet/judge";
import { hostedClusterRules } from "../hostedCluster/ruleList";
import { isolationRules } from "../isolation/ruleList";
import { multicastRules } from "../multicast/multicast";
import { networkOperatorRules } from "../networkOperator/ruleList";
import { networkTypeMigrationRules } from "../networkTypeMigration/ruleList";
import { ovnSubnetsRules } from "../ovnSubnets/rules";
import { proxyRules } from "../proxy/ruleList";
import { securityGroupsRules } from "../securityGroups/ruleList";
import { wholeExample, type ListedRule, type Rule, type RuleExample } from "../gate/rule";
import { objectInvalid, objectTwice } from "./objectTwice";
import { withValueTypes } from "./withValueTypes";

export * from "../gate/clusters";
export type { ClusterSource } from "../resources/clusterSources";
export * from "../gate/readConfiguration";
export * from "../gate/verdict";
export * from "../gate/judgedResources";
export * from "../gate/rule";

/** Rules on Kubernetes objects of every kind. */
const objectRules: readonly ListedRule[] = [
  {
    rule: objectInvalid,
    violated: `
apiVersion: v1
kind: Pod
metadata: { name: router, namespace: shop, labels: { app: router, public: true } }
`,
    mended: { "public: true": 'public: "true"' },
  },
  {
    rule: objectTwice,
    violated: `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: own, namespace: clusters-tenant-a }
spec: { podSelector: {}, policyTypes: [Ingress] }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: own, namespace: clusters-tenant-a }
spec: { podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] }
`,
    mended: {
      "own, namespace: clusters-tenant-a }\nspec: { podSelector: {}, ingress":
        "other, namespace: clusters-tenant-a }\nspec: { podSelector: {}, ingress",
    },
  },
];

/** Every rule by subject, in the order in which findings are listed. */
const listed: readonly { title: string; rules: readonly ListedRule[] }[] = [
  { title: "Kubernetes objects", rules: objectRules },
  { title: "Hosted clusters", rules: hostedClusterRules },
  { title: "Address ranges", rules: addressRangesRules },
  { title: "Address plans of fleets", rules: fleetRules },
  { title: "OVN-Kubernetes subnets", rules: ovnSubnetsRules },
  { title: "Security groups and network ACLs", rules: securityGroupsRules },
  { title: "Proxies", rules: proxyRules },
  { title: "Egress firewalls", rules: egressFirewallRules },
  { title: "Egress IPs", rules: egressIpRules },
  { title: "Egress routers", rules: egressRouterRules },
  { title: "Multicast", rules: multicastRules },
  { title: "Network operator", rules: networkOperatorRules },
  { title: "Network type migration", rules: networkTypeMigrationRules },
  { title: "Isolation of control planes", rules: isolationRules },
  { title: "Dedicated nodes", rules: dedicatedNodesRules },
];

/** The rules by subject. */
export const ruleGroups: readonly { title: string; rules: readonly Rule[] }[] = listed.map(
  ({ title, rules: ofGroup }) => ({ title, rules: ofGroup.map(({ rule }) => withValueTypes(rule)) }),
);

/** Every rule, in the order in which findings are listed. */
export const rules: readonly Rule[] = ruleGroups.flatMap((group) => group.rules);

const everyListed = listed.flatMap((group) => group.rules);

/** A violation of each rule and its fix, by the rule's id. */
export const ruleExamples: Readonly<Record<string, RuleExample>> = Object.fromEntries(
  everyListed.flatMap(({ rule, ...example }) =>
    example.withoutExample === undefined ? [[rule.id, wholeExample(example)] as const] : [],
  ),
);

/** The example of a rule, or why it has none. */
export const exampleOf = (id: string): RuleExample | string | undefined =>
  ruleExamples[id] ?? everyListed.find(({ rule }) => rule.id === id)?.withoutExample;
