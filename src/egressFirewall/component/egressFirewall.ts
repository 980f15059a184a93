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
import { viewsOfRules } from "../../resources/egressFirewallRules";
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
import { leafwise } from "../../components/leafwise";
import { planned } from "../../components/addresses";
import { gated } from "../../components/settled";
import { takenFaults } from "../../components/claims";
import { topologyOutput, withoutCredentials } from "../../components/topologyOutput";
import type { EgressFirewallArgs } from "./egressFirewallArgs";

/** The egress firewall of one namespace: ordered rules for traffic that leaves the cluster, first match wins. */
export class EgressFirewall extends pulumi.ComponentResource {
  /** The namespace that the firewall governs. */
  public readonly namespace: pulumi.Output<string>;
  /** How many rules the firewall has, those for the API server included. */
  public readonly ruleCount: pulumi.Output<number>;
  /** What works, but probably not as meant, as far as it shows before anything is made. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults and without credentials, for policies and reports. Absent where none was given. */
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
    const { cluster, warnings } = judgement(planned(inputs));
    this.warnings = warn(this, sentences(warnings));
    noteOnce(this, ROUTE_NOTE);

    const egress = entries(args, cluster.topology);
    const { namespace, labels, annotations } = args;
    new apiextensions.CustomResource(
      name,
      {
        apiVersion: EGRESS_FIREWALL_API_VERSION,
        kind: EGRESS_FIREWALL_KIND,
        metadata: {
          name: EGRESS_FIREWALL_NAME,
          namespace,
          ...(labels && { labels }),
          ...(annotations && { annotations }),
        },
        spec: { egress },
      },
      gated(this, check),
    );

    this.namespace = pulumi.output(namespace);
    this.ruleCount = pulumi.output(egress).apply((written) => written.length);
    if (args.topology) this.topology = leafwise(topologyOutput(args.topology, cluster.topology!));
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

/** The rules as the object holds them, those for the API server first where they are asked for. */
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
