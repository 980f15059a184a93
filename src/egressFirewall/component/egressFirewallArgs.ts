import type * as pulumi from "@pulumi/pulumi";
import type { EgressFirewallProtocol, EgressFirewallRuleType } from "../../resources/egressFirewallRules";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { LabelSelector } from "../../components/labelSelector";

/** The egress firewall of one namespace. */
export interface EgressFirewallArgs extends EgressFirewallSettings {
  /**
   * The hosted cluster in which the namespace is. Plain values. Defaults to none: then rules for the cluster's own
   * networks, which egress firewalls never match, are not found, nor denied DNS servers, nor rules that its release does
   * not have. Changing it changes nothing by itself.
   */
  topology?: HostedClusterTopology;
  /**
   * OpenShift release as `major.minor`, for a cluster without topology. A plain value. Defaults to that of the topology.
   * Rules for nodes are refused before 4.13, wildcards before 4.16. Changing it changes nothing by itself. (OpenShift
   * Container Platform, Release notes)
   */
  release?: string;
}

/** What can be chosen of an egress firewall, whatever the hosted cluster is. */
export interface EgressFirewallSettings {
  /**
   * The namespace that the firewall governs: its name in the hosted cluster. A namespace has one firewall at most, so a
   * second component for it is refused. Namespaces of the platform may have one too, with a warning. Changing it replaces the firewall. (OVN-Kubernetes, Configuring an egress firewall for a project)
   */
  namespace: pulumi.Input<string>;
  /**
   * The rules in their order: the first one that matches decides, and traffic that none matches is allowed. At least
   * one, at most 8,000. One rule that OVN-Kubernetes cannot read leaves the whole firewall unapplied, so all of them are
   * checked here. Rules see traffic that leaves the cluster: addresses of the cluster network are exempt, and whoever
   * may create a Route can get around them. Changes are made in place. (OVN-Kubernetes, EgressFirewall custom resource)
   */
  rules: pulumi.Input<pulumi.Input<EgressFirewallRule>[]>;
  /**
   * What happens to the API server. `true` puts rules in front that allow its addresses at its port. `false` accepts
   * that pods are cut off from it. Left out, a rule that would cut them off is refused. Changing it changes the firewall in
   * place. (OVN-Kubernetes, How an egress firewall works in a project)
   */
  allowApiServer?: boolean;
  /**
   * Where pods reach the API server, as CIDR blocks. Defaults to the advertise address of the topology, else to
   * 172.20.0.1/32, the address of the API proxy on each node of a hosted cluster, and fd00::1/128 beside it when a rule
   * speaks of IPv6. In a cluster that is not hosted it is what `oc get ep kubernetes -n default` shows. Changing it
   * changes the firewall in place. (HyperShift, HostedCluster API; OVN-Kubernetes, How an egress firewall works in a
   * project)
   */
  apiServerCidrs?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * TCP port of the API server at those addresses. Defaults to `topology.apiServerPort`, else to 6443. Changing it changes the firewall in place.
   * (HyperShift, HostedCluster API, networking.apiServer.port)
   */
  apiServerPort?: pulumi.Input<number>;
  /**
   * CIDR blocks of DNS servers outside the cluster network that pods ask themselves. Defaults to those of the topology. A
   * rule that denies them is warned about; pods that use the cluster's own DNS service are not concerned. Changing it
   * changes nothing by itself. (OVN-Kubernetes, How Domain Name Server resolution works)
   */
  dnsServerCidrs?: pulumi.Input<pulumi.Input<string>[]>;
  /** Labels of the EgressFirewall object. Defaults to none. Changes are made in place. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Annotations of the EgressFirewall object. Defaults to none. Changes are made in place. */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** One rule of an egress firewall. */
export interface EgressFirewallRule {
  /** Whether traffic that the rule matches passes: `Allow` or `Deny`, written exactly so. */
  type: pulumi.Input<EgressFirewallRuleType>;
  /**
   * Destination as a CIDR block, IPv4 or IPv6, with a mask and without host bits: `10.0.0.0/8`. Exactly one of `cidr`,
   * `dnsName`, `nodeLabels` and `nodeSelector` is set. Addresses of the cluster network are never matched.
   */
  cidr?: pulumi.Input<string>;
  /**
   * Destination as a DNS name: `registry.example.com`. The addresses that it resolves to are asked for again when they
   * expire, and pods may know new ones before the firewall does: use it for names whose addresses rarely change, and
   * allow the DNS servers where they are not on the nodes. `*.example.com` needs release 4.16 and the feature
   * DNSNameResolver, a Technology Preview. Exactly one of `cidr`, `dnsName`, `nodeLabels` and `nodeSelector` is set.
   */
  dnsName?: pulumi.Input<string>;
  /**
   * Destination as labels of nodes, whose addresses are meant; an empty map means every node. Needs release 4.13. Exactly
   * one of `cidr`, `dnsName`, `nodeLabels` and `nodeSelector` is set.
   */
  nodeLabels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Destination as a selector of nodes, where labels by themselves do not say it. Needs release 4.13. Exactly one of `cidr`,
   * `dnsName`, `nodeLabels` and `nodeSelector` is set.
   */
  nodeSelector?: pulumi.Input<LabelSelector>;
  /** Ports that the rule matches. Defaults to every port of every protocol. */
  ports?: pulumi.Input<pulumi.Input<EgressFirewallPort>[]>;
}

/** A port with its transport. */
export interface EgressFirewallPort {
  /** Port number, 1 to 65535. */
  port: pulumi.Input<number>;
  /** Transport of the port: `TCP`, `UDP` or `SCTP`, written exactly so. */
  protocol: pulumi.Input<EgressFirewallProtocol>;
}
