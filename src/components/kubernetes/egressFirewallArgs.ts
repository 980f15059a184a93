import type * as pulumi from "@pulumi/pulumi";
import type {
  EgressFirewallProtocol,
  EgressFirewallRuleType,
} from "../../manifests/egressFirewall/egressFirewall";

/** The egress firewall of one namespace. */
export interface EgressFirewallArgs {
  /**
   * The namespace that the firewall governs: its name in the hosted cluster. A namespace has one firewall at most.
   * Changing it replaces the firewall. (OVN-Kubernetes, Configuring an egress firewall for a project)
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
   * Where pods reach the API server, as CIDR blocks. Defaults to 172.20.0.1/32, the address of the API proxy on each node
   * of a hosted cluster, and fd00::1/128 beside it when a rule speaks of IPv6. A hosted cluster with an advertise
   * address of its own has that one. Changing it changes the firewall in place. (HyperShift, HostedCluster API)
   */
  apiServerCidrs?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * TCP port of the API server at those addresses. Defaults to 6443. Changing it changes the firewall in place.
   * (HyperShift, HostedCluster API, networking.apiServer.port)
   */
  apiServerPort?: pulumi.Input<number>;
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
   * `dnsName` and `nodeLabels` is set. Addresses of the cluster network are never matched.
   */
  cidr?: pulumi.Input<string>;
  /**
   * Destination as a DNS name: `registry.example.com`. The addresses that it resolves to are asked for again when they
   * expire, and pods may know new ones before the firewall does: use it for names whose addresses rarely change, and
   * allow the DNS servers where they are not on the nodes. `*.example.com` needs the feature DNSNameResolver. Exactly
   * one of `cidr`, `dnsName` and `nodeLabels` is set.
   */
  dnsName?: pulumi.Input<string>;
  /**
   * Destination as labels of nodes, whose addresses are meant; an empty map means every node. Exactly one of `cidr`,
   * `dnsName` and `nodeLabels` is set.
   */
  nodeLabels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
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
