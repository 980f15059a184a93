import type { FirewallRules } from "../reachability/filters";
import type { RuleView } from "../resources/egressFirewallRules";

/** Rules of a component's args, for which there is no object yet. */
export const writtenRules = (views: readonly RuleView[]): FirewallRules => ({
  resource: { origin: {}, type: "kubernetes:k8s.ovn.org/v1:EgressFirewall", name: "default", properties: {} },
  views,
});
