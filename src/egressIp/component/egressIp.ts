import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import {
  canonicalAddress,
  EGRESS_IP_API_VERSION,
  EGRESS_IP_KIND,
  type EgressIpSelection,
  selectionFindings,
} from "../nodes";
import {
  EGRESS_IP_ROUTE_NOTE,
  judgeEgressIp,
  knownAddresses,
  selectionOf,
  type EgressIpInputs,
} from "../judge";
import { labelSelectorObject, type PlainLabelSelector } from "../../objects/labelSelector";
import type { Place } from "../../resources/read";
import type { PropertyValue } from "../../resources/resource";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
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
import { Claims, takenAddressFaults, takenFaults } from "../../components/claims";
import { topologyOutput, withoutCredentials } from "../../components/topologyOutput";
import type { EgressIPArgs } from "./egressIpArgs";
import { labelNodes } from "./egressAssignableNodes";
import type { LabelSelector } from "../../components/labelSelector";

/**
 * Fixed source addresses for the traffic of some pods that leaves the cluster: the label of the nodes that hold the
 * addresses, and then the EgressIP object.
 */
export class EgressIP extends pulumi.ComponentResource {
  /** Name of the EgressIP object. Its `status.items` say which node holds which address. */
  public readonly objectName: pulumi.Output<string>;
  /** The addresses in their canonical form. */
  public readonly addresses: pulumi.Output<string[]>;
  /** What works, but probably not as meant, as far as it shows before anything is made. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults and without credentials, for policies and reports. Absent where none was given. */
  public readonly topology?: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: EgressIPArgs, opts?: pulumi.ComponentResourceOptions) {
    const shown = args?.topology ? { ...args, topology: withoutCredentials(args.topology) } : args;
    super("hypershift-network:index:EgressIP", name, shown, opts);
    const inputs = { ...args, objectName: args?.objectName ?? name };
    const subject = `EgressIP ${name}`;
    const check = checked(this, subject, inputs, (known) => [
      ...PLAIN_EGRESS_IP_INPUTS.flatMap((input) => plainnessFaults(input, inputs[input])),
      ...judgement(known).faults,
      ...takenFaults(this, subject, nameOf(known), "an EgressIP object"),
      ...takenAddressFaults(this, subject, "addresses", addressesOf(known)),
      ...clashes(this, subject, known).faults,
    ]);
    const known = planned(inputs);
    const { cluster, warnings } = judgement(known);
    this.warnings = warn(this, sentences([...warnings, ...clashes(this, subject, known).warnings]));
    noteOnce(this, EGRESS_IP_ROUTE_NOTE);

    const labelled = labelNodes(name, args.nodes ?? [], args.forcePatch, this, check);
    const addresses = canonical(args.addresses);
    const { labels, annotations, namespaceSelector, podSelector } = args;
    new apiextensions.CustomResource(
      name,
      {
        apiVersion: EGRESS_IP_API_VERSION,
        kind: EGRESS_IP_KIND,
        metadata: {
          name: inputs.objectName,
          ...(labels && { labels }),
          ...(annotations && { annotations }),
        },
        spec: {
          egressIPs: addresses,
          namespaceSelector: selector(namespaceSelector),
          ...(podSelector && { podSelector: selector(podSelector) }),
        },
      },
      gated(this, check, labelled),
    );

    this.objectName = pulumi.output(inputs.objectName);
    this.addresses = pulumi.output(addresses);
    if (args.topology) this.topology = leafwise(topologyOutput(args.topology, cluster.topology!));
    this.registerOutputs(ownOutputs(this));
  }
}

/** Inputs that decide what is made, or what everything else is held against. */
export const PLAIN_EGRESS_IP_INPUTS = [
  "nodes",
  "topology",
  "platform",
  "release",
  "acceptUnsupportedPlatform",
] as const;

const judgement = (known: unknown) => judgeEgressIp(known as EgressIpInputs);
const nameOf = (known: PropertyValue): Place => ({
  path: "objectName",
  value: (known as EgressIpInputs).objectName,
});
const addressesOf = (known: PropertyValue) => knownAddresses((known as EgressIpInputs).addresses);

const selections = new Claims<EgressIpSelection | undefined>("selection of an EgressIP object");

/** What other objects of the program say of our selectors. */
function clashes(component: pulumi.Resource, subject: string, known: PropertyValue) {
  const own = selectionOf(known as EgressIpInputs);
  const others = selections.take(component, subject, own);
  const stated = others.flatMap(({ subject: other, what }) =>
    what ? [{ subject: other, selection: what }] : [],
  );
  return own ? selectionFindings(own, stated) : { faults: [], warnings: [] };
}

/** The addresses in their canonical form, those that are known at once. */
function canonical(addresses: EgressIPArgs["addresses"]): pulumi.Input<pulumi.Input<string>[]> {
  if (Array.isArray(addresses))
    return addresses.map((address) => whenKnown(address, (text) => canonicalAddress(text as string)));
  return pulumi.output(addresses).apply((texts) => texts.map(canonicalAddress));
}

const selector = (stated: pulumi.Input<LabelSelector>) =>
  whenKnown(stated, (plain) => labelSelectorObject(plain as PlainLabelSelector));
