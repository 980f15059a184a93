import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import {
  EGRESS_FIREWALL_API_VERSION,
  EGRESS_FIREWALL_KIND,
  apiServerRules,
  egressFirewallEntry,
  defaultApiServerCidrs,
  type EgressFirewallEntry,
  type PlainEgressFirewallRule,
} from "../egressFirewall";
import { EGRESS_FIREWALL_NAME } from "../../requirements/names";
import { ROUTE_NOTE } from "../warnings";
import { judgeEgressFirewall, type EgressFirewallInputs } from "../judge";
import {
  viewsOfRules,
  type EgressFirewallProtocol,
  type EgressFirewallRuleType,
} from "../../objects/egressFirewallRules";
import { nodeApiServerPort } from "../../topology/publishing";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { Place } from "../../resources/read";
import {
  checked,
  noteOnce,
  ownOutputs,
  plainnessFaults,
  sentences,
  warn,
  whenKnown,
} from "../../components/checked";
import { leafwise, planned, topologyOutput, withoutCredentials } from "../../components/outputs";
import { gated, givenPart, marksOf } from "../../components/settled";
import { takenFaults } from "../../components/claims";
import type { LabelSelector } from "../../components/labelSelector";

/** Args of EgressFirewall: the egress firewall of one namespace. */
export interface EgressFirewallArgs extends EgressFirewallSettings {
  /**
   * The hosted cluster of the namespace. Plain values. Defaults to none: then denied DNS servers, rules that its release does not support
   * and rules for the cluster's own networks, which egress firewalls never match, are not found. Changing it changes nothing by itself.
   */
  topology?: HostedClusterTopology;
  /**
   * OpenShift release as `major.minor`, for a cluster without topology. A plain value. Defaults to the release of the topology. Rules for
   * nodes are refused before 4.13, wildcards before 4.16. Changing it changes nothing by itself. (OpenShift Container Platform, Release
   * notes)
   */
  release?: string;
}

/** Settings of an egress firewall that do not depend on the hosted cluster. */
export interface EgressFirewallSettings {
  /**
   * Name of the namespace in the hosted cluster that the firewall governs. A namespace has at most one firewall: a second component for it
   * is refused. For a namespace of the platform, rules that deny cause a warning. Changing it replaces the firewall. (OVN-Kubernetes,
   * Configuring an egress firewall for a project)
   */
  namespace: pulumi.Input<string>;
  /**
   * The rules in order: the first match decides, and traffic that no rule matches is allowed. At least one, at most 8,000. If
   * OVN-Kubernetes cannot read one rule, it does not apply the firewall at all, so every rule is checked here. Rules see traffic that
   * leaves the cluster: addresses of the cluster network are exempt, and users who may create a Route can bypass the firewall. Changes are
   * made in place. (OVN-Kubernetes, EgressFirewall custom resource)
   */
  rules: pulumi.Input<pulumi.Input<EgressFirewallRule>[]>;
  /**
   * Whether to keep the API server reachable. `true` adds rules in front that allow its addresses at its port. `false` accepts that pods
   * are cut off from it. If not set, a rule that would cut them off is refused. Changing it changes the firewall in place.
   * (OVN-Kubernetes, How an egress firewall works in a project)
   */
  allowApiServer?: boolean;
  /**
   * Where pods reach the API server, as CIDR blocks. Defaults to the advertise address of the topology, else to 172.20.0.1/32, the address
   * of the API proxy on each node of a hosted cluster, or fd00::1/128 if the first service network is IPv6. Without a topology, both apply
   * if a rule has an IPv6 block. For a cluster that is not hosted, use what `oc get ep kubernetes -n default` shows. Changing it changes
   * the firewall in place. (HyperShift, HostedCluster API; OVN-Kubernetes, How an egress firewall works in a project)
   */
  apiServerCidrs?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * TCP port of the API server at those addresses. Defaults to `topology.apiServerPort`, else to 6443. Changing it changes the firewall in
   * place. (HyperShift, HostedCluster API, networking.apiServer.port)
   */
  apiServerPort?: pulumi.Input<number>;
  /**
   * CIDR blocks of DNS servers outside the cluster network that pods query directly. Defaults to the DNS servers of the topology. A rule
   * that denies them causes a warning; pods that use the cluster's own DNS service are not affected. Changing it changes nothing by
   * itself. (OVN-Kubernetes, How Domain Name Server resolution works)
   */
  dnsServerCidrs?: pulumi.Input<pulumi.Input<string>[]>;
  /** Labels of the EgressFirewall object. Defaults to none. Changes are made in place. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Annotations of the EgressFirewall object. Defaults to none. Changes are made in place. */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** One rule of an egress firewall. */
export interface EgressFirewallRule {
  /** Whether traffic that the rule matches passes: `Allow` or `Deny`. Case-sensitive. */
  type: pulumi.Input<EgressFirewallRuleType>;
  /**
   * Destination as a CIDR block, IPv4 or IPv6, with a mask and without host bits: `10.0.0.0/8`. Exactly one of `cidr`,
   * `dnsName`, `nodeLabels` and `nodeSelector` is set. Addresses of the cluster network are never matched.
   */
  cidr?: pulumi.Input<string>;
  /**
   * Destination as a DNS name: `registry.example.com`. OVN-Kubernetes resolves the name again when its addresses expire, and pods may know
   * new addresses before the firewall does: use names whose addresses rarely change, and allow the DNS servers if they are not on the
   * nodes. `*.example.com` needs release 4.16 and the feature DNSNameResolver, a Technology Preview. Exactly one of `cidr`, `dnsName`,
   * `nodeLabels` and `nodeSelector` is set.
   */
  dnsName?: pulumi.Input<string>;
  /**
   * Destination as labels of nodes: the addresses of those nodes. An empty map selects every node. Needs release 4.13. Exactly one of
   * `cidr`, `dnsName`, `nodeLabels` and `nodeSelector` is set.
   */
  nodeLabels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Destination as a selector of nodes, if labels are not enough. Needs release 4.13. Exactly one of `cidr`, `dnsName`, `nodeLabels` and
   * `nodeSelector` is set.
   */
  nodeSelector?: pulumi.Input<LabelSelector>;
  /** Ports that the rule matches. Defaults to all ports of all protocols. */
  ports?: pulumi.Input<pulumi.Input<EgressFirewallPort>[]>;
}

/** A port with its transport. */
export interface EgressFirewallPort {
  /** Port number, 1 to 65535. */
  port: pulumi.Input<number>;
  /** Transport of the port: `TCP`, `UDP` or `SCTP`. Case-sensitive. */
  protocol: pulumi.Input<EgressFirewallProtocol>;
}

/** The egress firewall of one namespace: ordered rules for traffic that leaves the cluster, first match wins. */
export class EgressFirewall extends pulumi.ComponentResource {
  /** The namespace that the firewall governs. */
  public readonly namespace: pulumi.Output<string>;
  /** Number of rules of the firewall, including those for the API server. */
  public readonly ruleCount: pulumi.Output<number>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults and without credentials, for policies and reports. Absent if none was given. */
  public readonly topology?: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: EgressFirewallArgs, opts?: pulumi.ComponentResourceOptions) {
    const shown = args?.topology ? { ...args, topology: withoutCredentials(args.topology) } : args;
    super("hypershift-network:index:EgressFirewall", name, shown, opts);
    const inputs = { ...args };
    const subject = `EgressFirewall ${name}`;
    const check = checked(this, subject, inputs, (known) => [
      ...plainnessFaults("topology", inputs.topology),
      ...plainnessFaults("release", inputs.release),
      ...judgement(known).faults,
      ...takenFaults(this, subject, namespaceOf(known), "an egress firewall"),
    ]);
    const given = givenPart(inputs);
    const { cluster, warnings } = judgement(planned(given));
    this.warnings = warn(this, sentences(warnings));
    noteOnce(this, ROUTE_NOTE);

    const egress = entries(given, cluster.topology);
    const { namespace } = given;
    new apiextensions.CustomResource(
      name,
      {
        apiVersion: EGRESS_FIREWALL_API_VERSION,
        kind: EGRESS_FIREWALL_KIND,
        metadata: { name: EGRESS_FIREWALL_NAME, namespace, ...marksOf(given) },
        spec: { egress },
      },
      gated(this, check),
    );

    this.namespace = pulumi.output(namespace);
    this.ruleCount = pulumi.output(egress).apply((written) => written.length);
    if (given.topology) this.topology = leafwise(topologyOutput(given.topology, cluster.topology!));
    this.registerOutputs(ownOutputs(this));
  }
}

const namespaceOf = (known: unknown): Place => ({
  path: "namespace",
  value: (known as EgressFirewallInputs).namespace,
});

const judgement = (known: unknown) => judgeEgressFirewall(known as EgressFirewallInputs);

type Entries = pulumi.Input<pulumi.Input<EgressFirewallEntry>[]>;
type Rules = readonly PlainEgressFirewallRule[];

/** The entries of `spec.egress`: the rules for the API server, if `allowApiServer` is true, before the user's rules. */
function entries(
  { rules, allowApiServer, apiServerCidrs, apiServerPort }: EgressFirewallArgs,
  topology: NormalizedTopology | undefined,
): Entries {
  const written = Array.isArray(rules)
    ? rules.map((rule) => whenKnown(rule, (value) => egressFirewallEntry(value as PlainEgressFirewallRule)))
    : pulumi.output(rules).apply((values) => (values as unknown as Rules).map(egressFirewallEntry));
  if (allowApiServer !== true) return written;
  const cidrs =
    apiServerCidrs ??
    whenKnown(rules, (values) => defaultApiServerCidrs(viewsOfRules(values as never), topology));
  const added = whenKnown([cidrs, apiServerPort], (values) => {
    const [known, port = topology && nodeApiServerPort(topology)] = values as [string[], number?];
    return apiServerRules(known, port).map(egressFirewallEntry);
  });
  if (Array.isArray(added) && Array.isArray(written)) return [...added, ...written];
  return pulumi.all([added, written]).apply(([first, rest]) => [...first, ...rest]);
}
