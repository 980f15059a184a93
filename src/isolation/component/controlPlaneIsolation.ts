import * as networking from "@pulumi/kubernetes/networking/v1";
import * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../fault";
import { FIELD_MANAGER } from "../../objects/hostedClusterReference";
import { additionalPolicy, type PlainAdditionalPolicy } from "../additional";
import { DENY_INGRESS } from "../ingress";
import { isolationPolicies, judgeIsolation } from "../judge";
import { networkPolicySpec, type IsolationPolicy } from "../networkPolicy";
import type { PropertyMap } from "../../resources/read";
import { describeReference } from "../../requirements/documents";
import {
  podConstraints,
  podSecurity,
  podSecurityLabels,
  podSecurityOverride,
  selinuxContexts,
  type PodConstraint,
} from "../../requirements/podIsolation";
import { Direction } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import {
  checked,
  missingInputFaults,
  ownOutputs,
  plainnessFaults,
  refuse,
  sentences,
  warn,
  whenKnown,
} from "../../components/checked";
import {
  leafwise,
  planned,
  withAddresses,
  topologyOutput,
  withoutCredentials,
} from "../../components/outputs";
import { gated, givenPart } from "../../components/settled";
import { Claims } from "../../components/claims";
import type {
  ControlPlaneIsolationArgs,
  ControlPlanePodConstraint,
  IsolationPolicyRow,
  NodeSelinuxContext,
} from "./controlPlaneIsolationArgs";
import { patchHostedCluster, secondPatchFaults } from "../../components/hostedClusterPatch";

/**
 * Container-level isolation of one hosted control plane: network policies in its namespace on the management cluster that deny
 * ingress and allow the documented flows, and the Pod Security level of the namespace. Other policies in the namespace stay.
 */
export class ControlPlaneIsolation extends pulumi.ComponentResource {
  /** The namespace of the hosted control plane: `clusters-tenant-a`. */
  public readonly namespace: pulumi.Output<string>;
  /** Every policy with its purpose, for tables and reports. */
  public readonly policies: pulumi.Output<IsolationPolicyRow[]>;
  /**
   * The Pod Security labels that HyperShift keeps on the namespace: `pod-security.kubernetes.io/enforce` and others. HyperShift
   * itself writes `privileged` if the release's control-plane-operator does not declare its pods restricted.
   */
  public readonly podSecurityLabels: pulumi.Output<Record<string, string>>;
  /**
   * What the restricted security context constraint imposes on every pod of the control plane. OpenShift enforces it; this output is
   * for reports and reviews. (Control plane pod isolation)
   */
  public readonly podConstraints: pulumi.Output<ControlPlanePodConstraint[]>;
  /** The SELinux contexts that keep the control plane's pods away from kubelet and CRI-O, as documented. (Control plane pod isolation) */
  public readonly selinuxContexts: pulumi.Output<NodeSelinuxContext[]>;
  /** Annotations for `metadata.annotations` of the HostedCluster that set `podSecurityLevel`; empty without it. */
  public readonly hostedClusterAnnotations: pulumi.Output<Record<string, string>>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: ControlPlaneIsolationArgs, opts?: pulumi.ComponentResourceOptions) {
    super(TYPE, name, { ...args, topology: withoutCredentials(args?.topology) }, opts);
    const inputs = { ...args };
    const subject = `ControlPlaneIsolation ${name}`;
    const check = checked(this, subject, inputs, (known) => [
      ...missingInputFaults(inputs, REQUIRED),
      ...plainnessFaults("topology", inputs.topology),
      ...judge(planned(known as PropertyMap)).faults,
      ...secondPatchFaults(this, subject, (known as PropertyMap).existingHostedCluster),
    ]);
    const given = givenPart(inputs);
    const { topology, options, warnings } = judge(planned(given));
    const { controlPlaneNamespace } = topology!;
    refuse(this, subject, takenFaults(this, subject, controlPlaneNamespace));
    this.warnings = warn(this, sentences(warnings));

    const policies = isolationPolicies(topology!, options);
    const written = (spec: NetworkPolicySpec) => withAddresses(spec, topology!, given.topology, check);
    const namespace = given.namespace ?? controlPlaneNamespace;
    const around = { parent: this, name, check, namespace, args: given, written };
    createPolicies(policies, around);
    const annotations = createOverride(around);

    this.namespace = pulumi.output(around.namespace);
    this.policies = pulumi.output([...policies, ...additionalRows(given)].map(policyRow));
    this.podSecurityLabels = pulumi.output(
      podSecurityLabels(given.podSecurityLevel ?? podSecurity.defaultLevel),
    );
    this.podConstraints = pulumi.output(podConstraints.map(constraintRow));
    this.selinuxContexts = pulumi.output(selinuxContexts.map((context) => ({ ...context })));
    this.hostedClusterAnnotations = pulumi.output(annotations);
    this.topology = leafwise(topologyOutput(given.topology, topology!));
    this.registerOutputs(ownOutputs(this));
  }
}

const TYPE = "hypershift-network:index:ControlPlaneIsolation";
const REQUIRED = { topology: "describe the hosted cluster: { name: ..., platform: ..., ... }" };

const judge = (known: unknown) => judgeIsolation(known as PropertyMap);

const isolated = new Claims<string>("hosted control plane namespace");

/** The fault of a second isolation of a namespace: both would write the same objects. */
function takenFaults(component: pulumi.Resource, subject: string, namespace: string): Fault[] {
  const other = isolated.take(component, subject, namespace).find(({ what }) => what === namespace);
  if (!other) return [];
  const problem = `${namespace} is already isolated by ${other.subject}`;
  return [{ path: "topology", problem, remedy: "remove one of the two" }];
}

/** What the child resources are created from. */
interface Surroundings {
  parent: pulumi.Resource;
  name: string;
  check: pulumi.Output<unknown>;
  namespace: pulumi.Input<string>;
  args: ControlPlaneIsolationArgs;
  /** Replaces the stand-ins in a spec by the addresses of other resources. */
  written: (spec: NetworkPolicySpec) => NetworkPolicySpec;
}

type NetworkPolicySpec = ReturnType<typeof networkPolicySpec>;

const PURPOSE_ANNOTATION = "hypershift-network/purpose";

/** Creates the policies that deny last and deletes them first, so that no required flow is cut in between. */
function createPolicies(policies: readonly IsolationPolicy[], around: Surroundings): void {
  const additional = Object.entries(around.args.additionalPolicies ?? {}).map(([name, policy]) => {
    const spec = whenKnown(policy, (plain) =>
      networkPolicySpec(additionalPolicy(name, plain as PlainAdditionalPolicy)),
    );
    return createPolicy(name, policy.purpose, spec, around);
  });
  const allowing = policies
    .filter((policy) => !denies(policy))
    .map((policy) =>
      createPolicy(policy.name, policy.purpose, around.written(networkPolicySpec(policy)), around),
    );
  // The policy that denies ingress, which always exists, comes last of all.
  const denying = policies.filter(denies).sort((a, b) => rank(a) - rank(b));
  denying.reduce<pulumi.Resource[]>(
    (earlier, policy) => [
      ...earlier,
      createPolicy(policy.name, policy.purpose, networkPolicySpec(policy), around, earlier),
    ],
    [...additional, ...allowing],
  );
}

const rank = ({ name }: IsolationPolicy): number => Number(name === DENY_INGRESS);

const denies = (policy: IsolationPolicy): boolean =>
  [policy[Direction.Ingress], policy[Direction.Egress]].some((rules) => rules?.length === 0);

function createPolicy(
  policy: string,
  purpose: string,
  spec: pulumi.Input<ReturnType<typeof networkPolicySpec>>,
  { parent, name, check, namespace, args: { labels } }: Surroundings,
  after: readonly pulumi.Resource[] = [],
): networking.NetworkPolicy {
  return new networking.NetworkPolicy(
    `${name}-${policy}`,
    {
      metadata: {
        name: policy,
        namespace,
        ...(labels && { labels }),
        annotations: { [PURPOSE_ANNOTATION]: purpose },
      },
      spec,
    },
    gated(parent, check, after),
  );
}

/** The annotation that overrides the Pod Security level, patched into the existing HostedCluster if there is one. */
function createOverride({ parent, name, check, args }: Surroundings): Record<string, string> {
  const { podSecurityLevel, existingHostedCluster, forcePatch: force, removeOnDelete } = args;
  if (podSecurityLevel === undefined) return {};
  const annotations = podSecurityOverride(podSecurityLevel);
  if (existingHostedCluster) {
    const ownership = { fieldManager: FIELD_MANAGER.podSecurity, force, removeOnDelete };
    const fields = { annotations };
    patchHostedCluster(name, existingHostedCluster, fields, ownership, gated(parent, check));
  }
  return annotations;
}

const additionalRows = ({ additionalPolicies = {} }: ControlPlaneIsolationArgs) =>
  Object.entries(additionalPolicies).map(([name, { purpose }]) => additionalPolicy(name, { purpose }));

const policyRow = ({
  name,
  purpose,
  requirements,
  documents,
  notes,
}: IsolationPolicy): IsolationPolicyRow => ({
  name,
  purpose,
  requirements: [...requirements],
  documents: [...documents],
  notes: [...notes],
});

const constraintRow = ({ fields, documents, ...rest }: PodConstraint): ControlPlanePodConstraint => ({
  ...rest,
  fields: [...fields],
  documents: documents.map(describeReference),
});
