import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import * as core from "@pulumi/kubernetes/core/v1";
import {
  canonicalAddress,
  EGRESS_IP_API_VERSION,
  EGRESS_IP_KIND,
  type EgressIpSelection,
  selectionFindings,
  assignableNodesFaults,
  type AssignableNodesInputs,
  assignableNodesWarnings,
  EGRESS_ASSIGNABLE,
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
  warnOf,
} from "../../components/checked";
import { leafwise, planned, topologyOutput, withoutCredentials } from "../../components/outputs";
import { gated, givenPart, knownPart, marksOf } from "../../components/settled";
import { Claims, takenAddressFaults, takenFaults } from "../../components/claims";
import type { EgressIPArgs, EgressAssignableNodesArgs } from "./egressIpArgs";
import type { LabelSelector } from "../../components/labelSelector";
import { HOSTED_CLUSTER_API_VERSION, NODE_POOL_KIND } from "../../objects/hostedClusterReference";
import type { NodePoolReference } from "../../components/hostedClusterPatch";

/**
 * Labels nodes, so that they may hold egress IP addresses: for several EgressIP components, or through their NodePools on the management
 * cluster. Let EgressIP components depend on it: addresses that exist before the labels all go to the first labelled node. The smallest
 * role for it is rbac/egress-assignable-nodes.yaml.
 */
export class EgressAssignableNodes extends pulumi.ComponentResource {
  /** The label, for `spec.nodeLabels` of NodePools that you create. */
  public readonly nodeLabels: pulumi.Output<Record<string, string>>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;

  constructor(name: string, args: EgressAssignableNodesArgs, opts?: pulumi.ComponentResourceOptions) {
    super("hypershift-network:index:EgressAssignableNodes", name, args, opts);
    const inputs = { ...args };
    const check = checked(this, `EgressAssignableNodes ${name}`, inputs, (known) => [
      ...plainnessFaults("nodes", inputs.nodes),
      ...plainnessFaults("nodePools", inputs.nodePools),
      ...assignableNodesFaults(known as AssignableNodesInputs),
    ]);
    const given = givenPart(inputs);
    this.warnings = warnOf(this, assignableNodesWarnings(knownPart(given) as AssignableNodesInputs));

    const { nodes = [], nodePools = [], forcePatch } = given;
    const labelled = [
      ...labelNodes(name, nodes, forcePatch, this, check),
      ...labelNodePools(name, nodePools, forcePatch, this, check),
    ];

    this.nodeLabels = pulumi
      .all(labelled.map(({ id }) => id))
      .apply((): Record<string, string> => ({ ...EGRESS_ASSIGNABLE }));
    this.registerOutputs(ownOutputs(this));
  }
}

// The patches name no field manager, so each has its own. The label has only one value, so every patch of a node co-owns it, and the label
// is removed with the last of them. A single manager for all patches would take the label from the others; several named managers would
// conflict in the annotation that names them.

/** Labels existing nodes, so that they may hold egress IP addresses. */
export function labelNodes(
  name: string,
  nodes: readonly string[],
  force: boolean | undefined,
  parent: pulumi.Resource,
  check: pulumi.Output<unknown>,
): pulumi.CustomResource[] {
  return nodes.map(
    (node) =>
      new core.NodePatch(
        `${name}-${node}`,
        { metadata: { name: node, labels: { ...EGRESS_ASSIGNABLE }, ...forced(force) } },
        gated(parent, check),
      ),
  );
}

/** Labels the nodes that NodePools create from now on. */
function labelNodePools(
  name: string,
  nodePools: readonly NodePoolReference[],
  force: boolean | undefined,
  parent: pulumi.Resource,
  check: pulumi.Output<unknown>,
): pulumi.CustomResource[] {
  return nodePools.map(
    ({ name: nodePool, namespace }) =>
      new apiextensions.CustomResourcePatch(
        `${name}-${namespace}-${nodePool}`,
        {
          apiVersion: HOSTED_CLUSTER_API_VERSION,
          kind: NODE_POOL_KIND,
          metadata: { name: nodePool, namespace, ...forced(force) },
          spec: { nodeLabels: { ...EGRESS_ASSIGNABLE } },
        },
        gated(parent, check),
      ),
  );
}

const forced = (force: boolean | undefined) =>
  force ? { annotations: { "pulumi.com/patchForce": "true" } } : {};

/**
 * Fixed source addresses for traffic of selected pods that leaves the cluster: labels the nodes that hold the addresses, then creates the
 * EgressIP object.
 */
export class EgressIP extends pulumi.ComponentResource {
  /** Name of the EgressIP object. Its `status.items` show which node holds which address. */
  public readonly objectName: pulumi.Output<string>;
  /** The addresses in their canonical form. */
  public readonly addresses: pulumi.Output<string[]>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults and without credentials, for policies and reports. Absent if none was given. */
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
    const given = givenPart(inputs);
    const known = planned(given);
    const { cluster, warnings } = judgement(known);
    this.warnings = warn(this, sentences([...warnings, ...clashes(this, subject, known).warnings]));
    noteOnce(this, EGRESS_IP_ROUTE_NOTE);

    const labelled = labelNodes(name, given.nodes ?? [], given.forcePatch, this, check);
    const addresses = canonical(given.addresses);
    const { namespaceSelector, podSelector } = given;
    new apiextensions.CustomResource(
      name,
      {
        apiVersion: EGRESS_IP_API_VERSION,
        kind: EGRESS_IP_KIND,
        metadata: { name: given.objectName, ...marksOf(given) },
        spec: {
          egressIPs: addresses,
          namespaceSelector: selector(namespaceSelector),
          ...(podSelector && { podSelector: selector(podSelector) }),
        },
      },
      gated(this, check, labelled),
    );

    this.objectName = pulumi.output(given.objectName);
    this.addresses = pulumi.output(addresses);
    if (given.topology) this.topology = leafwise(topologyOutput(given.topology, cluster.topology!));
    this.registerOutputs(ownOutputs(this));
  }
}

/** Inputs that must be plain: they decide what is created, or everything else is checked against them. */
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

/** Compares our selectors with those of the other objects of the program. */
function clashes(component: pulumi.Resource, subject: string, known: PropertyValue) {
  const own = selectionOf(known as EgressIpInputs);
  const others = selections.take(component, subject, own);
  const stated = others.flatMap(({ subject: other, what }) =>
    what ? [{ subject: other, selection: what }] : [],
  );
  return own ? selectionFindings(own, stated) : { faults: [], warnings: [] };
}

/** The addresses in their canonical form, converted at once if they are known. */
function canonical(addresses: EgressIPArgs["addresses"]): pulumi.Input<pulumi.Input<string>[]> {
  if (Array.isArray(addresses))
    return addresses.map((address) => whenKnown(address, (text) => canonicalAddress(text as string)));
  return pulumi.output(addresses).apply((texts) => texts.map(canonicalAddress));
}

const selector = (stated: pulumi.Input<LabelSelector>) =>
  whenKnown(stated, (plain) => labelSelectorObject(plain as PlainLabelSelector));
