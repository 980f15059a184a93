import type { Rule } from "../../../src/gate/rule";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { resource, stating, unknowns, violations, type Properties } from "../../rules/builders";
import { machines } from "../../topology/topologies";

export const NETWORK_POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy";
/** The namespace of the hosted control plane. */
export const HCP = "clusters-tenant-a";

/** A NetworkPolicy, by default in the namespace of the control plane. */
export const policy = (
  spec: PropertyValue,
  name = "mine",
  namespace: PropertyValue = HCP,
  at = name,
): Resource => resource(NETWORK_POLICY, at, { metadata: { name, namespace }, spec });

export const app = (name: string): Properties => ({ matchLabels: { app: name } });
export const tcp = (port: number): PropertyValue => [{ protocol: "TCP", port }];
export const denyIngress = policy({ podSelector: {}, policyTypes: ["Ingress"] }, "deny");
export const denyEgress = policy({ podSelector: {}, policyTypes: ["Egress"] }, "deny-egress");

/** Hosted clusters as a configuration states them. */
export const agent = stating({ platform: "Agent", ...machines });
export const kubevirt = stating({
  platform: "KubeVirt",
  ...machines,
  services: { apiServer: { type: "LoadBalancer" }, konnectivity: { type: "LoadBalancer" } },
});

/** The messages of violations and of unknowns. */
export const found = (rule: Rule, resources: readonly Resource[], configuration = agent) =>
  violations(rule, resources, configuration).map(({ message, witness }) => `${message} | ${witness}`);
export const open = (rule: Rule, resources: readonly Resource[], configuration = agent) =>
  unknowns(rule, resources, configuration).map(({ message }) => message);
