import * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../fault";
import { FIELD_MANAGER, patchInputs, unpatchedFaults } from "../../objects/hostedClusterReference";
import { inputFaults } from "../../objects/shape";
import {
  judgeOvnSubnets,
  ovnSubnetFragment,
  type OvnSubnetInputs,
  type OvnSubnetValues,
} from "../ovnSubnets";
import { isGiven, type PropertyMap } from "../../resources/read";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { checked, ownOutputs, plainnessFaults, warnOf } from "../../components/checked";
import { planned, leafwise, topologyOutput, withoutCredentials } from "../../components/outputs";
import { gated, givenPart } from "../../components/settled";
import { patchHostedCluster, secondPatchFaults } from "../../components/hostedClusterPatch";
import type { OvnSubnetConfigArgs, OvnSubnetFragment } from "./ovnSubnetArgs";

/**
 * The internal subnets of OVN-Kubernetes in one hosted cluster: a fragment for a HostedCluster that is being created, or a
 * patch of an existing one, for which rbac/hosted-cluster-patch.yaml is the smallest role. Destroying it leaves the subnets of
 * a running cluster as they are.
 */
export class OvnSubnetConfig extends pulumi.ComponentResource {
  /** Fields for `spec` of the HostedCluster that you create. */
  public readonly fragment: pulumi.Output<OvnSubnetFragment>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with these subnets and its defaults, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: OvnSubnetConfigArgs, opts?: pulumi.ComponentResourceOptions) {
    super(
      "hypershift-network:index:OvnSubnetConfig",
      name,
      { ...args, topology: withoutCredentials(args?.topology) },
      opts,
    );
    const inputs = { ...args };
    const subject = `OvnSubnetConfig ${name}`;
    const check = checked(this, subject, inputs, (known) => [
      ...plainnessFaults("topology", inputs.topology),
      ...ovnSubnetConfigFaults(known as PropertyMap),
      ...secondPatchFaults(this, subject, (known as PropertyMap).existingHostedCluster),
    ]);
    const given = givenPart(inputs);
    const known = planned(given);
    const { topology } = judgeOvnSubnets(known as unknown as OvnSubnetInputs);
    this.warnings = warnOf(this, ovnSubnetConfigWarnings(known));

    const subnets = subnetsOf(given);
    const {
      existingHostedCluster,
      hostedClusterAnnotations: annotations,
      forcePatch: force,
      removeOnDelete,
    } = given;
    if (existingHostedCluster) {
      const ownership = { fieldManager: FIELD_MANAGER.ovnSubnets, force, removeOnDelete };
      patchHostedCluster(
        name,
        existingHostedCluster,
        { spec: ovnSubnetFragment(subnets), annotations },
        ownership,
        gated(this, check),
      );
    }

    // The fragment waits for the check: it goes into objects that this component cannot hold back.
    this.fragment = check.apply(
      () => pulumi.output(ovnSubnetFragment(subnets)) as pulumi.Output<OvnSubnetFragment>,
    );
    const around = given.topology.infrastructureCidrs ?? [];
    const { otherNetworks = [] } = given;
    this.topology = leafwise({
      ...topologyOutput(given.topology, topology!),
      ...subnets,
      infrastructureCidrs: Array.isArray(otherNetworks)
        ? [...around, ...otherNetworks]
        : pulumi.output(otherNetworks).apply((others) => [...around, ...others]),
    });
    this.registerOutputs(ownOutputs(this));
  }
}

const ROLL_OUT: Fault = {
  path: "existingHostedCluster",
  problem:
    "is patched: a change of the internal subnets of a running cluster rolls out ovnkube-node and restarts OVN on every compute node",
  remedy: "expect a brief disruption of the pods' network",
  ofChange: true,
};

/** The faults of the inputs, by every rule. */
export function ovnSubnetConfigFaults(known: PropertyMap): Fault[] {
  const { topology, faults } = judgeOvnSubnets(known as unknown as OvnSubnetInputs);
  return [...faults, ...inputFaults(patchInputs(topology), known), ...unpatchedFaults(known)];
}

/** Settings that work but are probably not intended. */
export function ovnSubnetConfigWarnings(known: PropertyMap): Fault[] {
  const { warnings } = judgeOvnSubnets(known as unknown as OvnSubnetInputs);
  return [...warnings, ...(isGiven(known.existingHostedCluster) ? [ROLL_OUT] : [])];
}

/** The subnets, each from its own input or from the topology. */
function subnetsOf({ topology, internalJoinSubnet, internalTransitSwitchSubnet }: OvnSubnetConfigArgs) {
  const subnets = {
    internalJoinSubnet: internalJoinSubnet ?? topology.internalJoinSubnet,
    internalTransitSwitchSubnet: internalTransitSwitchSubnet ?? topology.internalTransitSwitchSubnet,
  };
  return Object.fromEntries(
    Object.entries(subnets).filter(([, subnet]) => subnet !== undefined),
  ) as OvnSubnetValues;
}
