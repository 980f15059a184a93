import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  EGRESS_FIREWALL_API_VERSION,
  EGRESS_FIREWALL_KIND,
  EGRESS_FIREWALL_NAME,
  apiServerRules,
  defaultApiServerCidrs,
  egressFirewallEntry,
  judgeEgressFirewall,
  viewsOfRules,
  type EgressFirewallEntry,
  type EgressFirewallInputs,
  type PlainEgressFirewallRule,
} from "../../manifests/egressFirewall";
import { checked, knownPart } from "../checked";
import { warn } from "../refuse";
import type { EgressFirewallArgs } from "./egressFirewallArgs";
import { gated } from "./gated";
import { sentences } from "./sentences";
import { whenKnown } from "./whenKnown";

/** The egress firewall of one namespace: ordered rules for traffic that leaves the cluster, first match wins. */
export class EgressFirewall extends pulumi.ComponentResource {
  /** The namespace that the firewall governs. */
  public readonly namespace: pulumi.Output<string>;
  /** How many rules the firewall has, those for the API server included. */
  public readonly ruleCount: pulumi.Output<number>;

  constructor(name: string, args: EgressFirewallArgs, opts?: pulumi.ComponentResourceOptions) {
    super("hypershift-network:index:EgressFirewall", name, args, opts);
    const inputs = { ...args };
    const check = checked(this, `EgressFirewall ${name}`, inputs, (known) => judgement(known).faults);
    warn(this, sentences(judgement(knownPart(inputs)).warnings));

    const egress = entries(args);
    const { namespace, labels, annotations } = args;
    new kubernetes.apiextensions.CustomResource(
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
    this.registerOutputs({ namespace: this.namespace, ruleCount: this.ruleCount });
  }
}

const judgement = (known: unknown) => judgeEgressFirewall(known as EgressFirewallInputs);

type Entries = pulumi.Input<pulumi.Input<EgressFirewallEntry>[]>;
type Rules = readonly PlainEgressFirewallRule[];

/** The rules as the object holds them, those for the API server first where they are asked for. */
function entries({ rules, allowApiServer, apiServerCidrs, apiServerPort }: EgressFirewallArgs): Entries {
  const written = Array.isArray(rules)
    ? rules.map((rule) => whenKnown(rule, (value) => egressFirewallEntry(value as PlainEgressFirewallRule)))
    : pulumi.output(rules).apply((values) => (values as unknown as Rules).map(egressFirewallEntry));
  if (allowApiServer !== true) return written;
  const cidrs =
    apiServerCidrs ?? whenKnown(rules, (values) => defaultApiServerCidrs(viewsOfRules(values as never)));
  const added = whenKnown([cidrs, apiServerPort], (values) => {
    const [known, port] = values as [string[], number | undefined];
    return apiServerRules(known, port).map(egressFirewallEntry);
  });
  if (Array.isArray(added) && Array.isArray(written)) return [...added, ...written];
  return pulumi.all([added, written]).apply(([first, rest]) => [...first, ...rest]);
}
