import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import { HOSTED_CLUSTER_API_VERSION, HOSTED_CLUSTER_KIND } from "../../objects/hostedClusterReference";
import { immutableChanges } from "../changes";
import { judgeHostedCluster } from "../judge";
import { merged, parsedSpec } from "../additionalSpec";
import { networkSpec, type NetworkSpec } from "../spec";
import { subnetsOfFragment } from "../fragments";
import type { PropertyMap } from "../../resources/read";
import { REPLACING_DESTROYS } from "../../requirements/hostedCluster";
import type { PropertyValue } from "../../resources/resource";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { controlPlaneNamespaceOf } from "../../requirements/names";
import { DEFAULT_NAMESPACE } from "../../topology/normalizeTopology";
import { checked, ownOutputs, plainnessFaults, refuse, sentences, warn } from "../../components/checked";
import {
  leafwise,
  childOf,
  handOut,
  planned,
  withAddresses,
  requiredFlowsOutput,
  topologyOutput,
  withoutCredentials,
} from "../../components/outputs";
import { gated, givenPart, hasHooks, hookName, knownPart, marksOf, settled } from "../../components/settled";
import type { RequiredFlowRow } from "../../components/requiredFlowRows";
import type { HostedClusterNetworkArgs, HostedClusterNetworkSpec } from "./hostedClusterNetworkArgs";
import { plainSettings, specOutput, typedSpec, wholeSpec } from "./hostedClusterSpec";
import { describeFaults, type Fault } from "../../fault";

/**
 * A HostedCluster with its network: address ranges, services and how they are published, internal subnets, proxy, allowed CIDR blocks and
 * access. It is protected and kept on destroy, and no change ever replaces it.
 *
 * A change of a field that can never change is refused here, by comparison with the stack's state. Refusals that only the server can make
 * are reported in the words of the Kubernetes provider, which name the field: the server's answer does not reach the program.
 */
export class HostedClusterNetwork extends pulumi.ComponentResource {
  /** Name of the HostedCluster. */
  public readonly name: pulumi.Output<string>;
  /** Namespace of the HostedCluster. */
  public readonly namespace: pulumi.Output<string>;
  /** The namespace of the hosted control plane: `<namespace>-<name>`. */
  public readonly hostedControlPlaneNamespace: pulumi.Output<string>;
  /** The part of the spec that the typed inputs set. A secret if a proxy URL holds credentials. */
  public readonly spec: pulumi.Output<HostedClusterNetworkSpec>;
  /** The topology with its defaults, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;
  /** What firewalls around hosts and workers must allow, for firewalls that this package does not create. */
  public readonly requiredFlows: pulumi.Output<RequiredFlowRow[]>;
  /** Settings that work but are probably not intended. */
  public readonly warnings: pulumi.Output<string[]>;

  constructor(name: string, args: HostedClusterNetworkArgs, opts?: pulumi.ComponentResourceOptions) {
    super(
      "hypershift-network:index:HostedClusterNetwork",
      name,
      { ...args, topology: withoutCredentials(args?.topology) },
      opts,
    );
    const subject = `HostedClusterNetwork ${name}`;
    const inputs = { ...args };
    const check = checked(this, subject, inputs, (known) => [
      ...plainnessFaults("topology", inputs.topology),
      ...judgeHostedCluster(planned(known as PropertyMap)).faults,
    ]);
    const given = givenPart(inputs);
    const { topology, warnings } = judgeHostedCluster(planned(given));
    this.warnings = warn(this, sentences(warnings));

    const typed = withAddresses(typedSpec(given, topology!), topology!, given.topology, check);
    const { deletable } = given;
    const metadata = {
      name: given.topology.name,
      namespace: given.namespace ?? given.topology.namespace ?? DEFAULT_NAMESPACE,
    };
    const wanted = wantedSpec(
      given,
      withAddresses(networkSpec(topology!, plainSettings(given)), topology!, given.topology, check),
    );
    const cluster = new apiextensions.CustomResource(
      name,
      {
        apiVersion: HOSTED_CLUSTER_API_VERSION,
        kind: HOSTED_CLUSTER_KIND,
        metadata: { ...metadata, ...marksOf(given) },
        spec: wholeSpec(typed, given),
      },
      {
        ...gated(this, check),
        // Deleting it also deletes the control plane, etcd and the machines of the NodePools.
        ...(deletable !== true && { protect: true }),
        retainOnDelete: deletable !== true,
        // Another name would replace the object. It keeps its name, and the change is refused below.
        ignoreChanges: ["metadata.name", "metadata.namespace"],
        hooks: beforeUpdate(subject, async (before) =>
          immutableChanges(before, await wanted(), topology!.platform),
        ),
      },
    );

    this.name = pulumi.output(metadata.name);
    this.namespace = pulumi.output(metadata.namespace);
    this.hostedControlPlaneNamespace = pulumi
      .all([this.namespace, this.name])
      .apply(([namespace, own]) => controlPlaneNamespaceOf(namespace, own));
    const proved = pulumi.all([check, refuseOtherIdentity(this, subject, cluster, metadata)]);
    this.spec = proved.apply(() => specOutput(typed));
    this.topology = leafwise(topologyOutput(given.topology, topology!));
    this.requiredFlows = requiredFlowsOutput(given.topology, topology!, check);
    handOut(this, HOSTED_CLUSTER_KIND, cluster);
    this.registerOutputs(ownOutputs(this, "spec"));
  }

  /** The HostedCluster, in Node.js programs: resources that can exist only after it name it in `dependsOn`. */
  get hostedCluster(): apiextensions.CustomResource {
    return childOf(this, HOSTED_CLUSTER_KIND)!;
  }
}

/** The new spec to the extent that it is known when this is called, for comparison with the spec in the stack's state. */
function wantedSpec(args: HostedClusterNetworkArgs, network: NetworkSpec): () => Promise<PropertyMap> {
  const later: Record<"fragment" | "rest", PropertyValue> = {
    fragment: knownPart(args.ovnSubnets),
    rest: knownPart(args.additionalSpecJson),
  };
  pulumi.output(args.ovnSubnets).apply((fragment) => (later.fragment = knownPart(fragment)));
  pulumi.output(args.additionalSpecJson).apply((rest) => (later.rest = rest ?? null));
  return async () => {
    const { known } = await settled(network);
    const ipv4 = subnetsOfFragment(later.fragment);
    const operatorConfiguration = { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4 } } };
    const typed = merged({ operatorConfiguration }, known as PropertyMap);
    return merged(
      typed,
      args.additionalSpec
        ? ((await settled(args.additionalSpec)).known as PropertyMap)
        : parsedSpec(later.rest),
    ) as Record<string, PropertyValue>;
  };
}

interface Identity {
  name: string;
  namespace: pulumi.Input<string>;
}

/** Stops the deployment if the program names or places the object differently from the one that it was created with. */
function refuseOtherIdentity(
  component: pulumi.Resource,
  subject: string,
  cluster: apiextensions.CustomResource,
  { name, namespace }: Identity,
): pulumi.Output<void> {
  return pulumi.all([cluster.metadata as pulumi.Output<unknown>, namespace]).apply(([metadata, space]) => {
    const live = metadata as { name: string; namespace: string };
    const changes = [
      { path: "metadata.name", was: live.name, now: name, input: "topology.name" },
      { path: "metadata.namespace", was: live.namespace, now: space, input: "the namespace" },
    ].filter(({ was, now }) => was !== now);
    const faults = changes.map(({ path, was, now, input }) => ({
      path,
      problem: `is ${was} and can never change: for ${now} ${REPLACING_DESTROYS}`,
      remedy: `write ${was} in ${input}, and describe another cluster in another component`,
    }));
    refuse(component, subject, faults);
  });
}

/** Returns the faults of a change, from the spec inputs and outputs in the stack's state. */
export type ChangeJudge = (before: {
  inputs?: PropertyValue;
  outputs?: PropertyValue;
}) => readonly Fault[] | Promise<readonly Fault[]>;

/**
 * Refuses changes of an object before the engine makes them, in previews too: the engine passes its state to the hook, whatever
 * language the program is in. Without an engine, as in tests with mocks, there is nothing that could change.
 */
export function beforeUpdate(subject: string, faultsOf: ChangeJudge): pulumi.ResourceHookBinding {
  if (!hasHooks()) return {};
  const hook = new pulumi.ResourceHook(
    hookName(`${subject}, fields that can never change`),
    async ({ oldInputs, oldOutputs }) => {
      const faults = await faultsOf({ inputs: await specOf(oldInputs), outputs: await specOf(oldOutputs) });
      if (faults.length > 0) throw new Error(describeFaults(subject, faults));
    },
    { onDryRun: true },
  );
  return { beforeUpdate: [hook] };
}

/** The spec, which is an Output if anything in it is secret. Everything in a state is known. */
function specOf(properties: Record<string, PropertyValue> | undefined): Promise<PropertyValue> {
  const spec = pulumi.output<unknown>(properties?.spec) as pulumi.Output<unknown>;
  return new Promise((resolve) => {
    spec.apply((known) => resolve((known ?? null) as PropertyValue));
  });
}
