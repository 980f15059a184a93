import * as ec2 from "@pulumi/aws/ec2";
import * as pulumi from "@pulumi/pulumi";
import { onceForEach, isRecord } from "../../collections";
import type { Fault } from "../../fault";
import type { PropertyValue } from "../../resources/resource";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { Role } from "../../requirements/vocabulary";
import { checked, missingInputFaults, ownOutputs, warn } from "../../components/checked";
import {
  leafwise,
  arnOf,
  childOf,
  withAddresses,
  topologyOutput,
  withoutCredentials,
} from "../../components/outputs";
import { gated, givenPart, knownPart } from "../../components/settled";
import {
  checkedValues,
  type GivenValue,
  knownValueFaults,
  namedBlocks,
  peersByKey,
  tagFaults,
  VALUE,
} from "../../components/hostRules/givenValues";
import { otherFamilyFaults } from "../../components/hostRules/rulePeers";
import { topologyAmong } from "../../components/hostRules/flowSelection";
import type {
  HostedControlPlaneNetworkAclsArgs,
  NetworkAclRuleRow,
} from "./hostedControlPlaneNetworkAclsArgs";
import { networkAclRules, type NetworkAclPlan } from "./networkAclRules";
import { roleOf, type GivenSubnet } from "./subnets";
import { type AclSurroundings, aclProofFaults, aclRuleRow, createAcl, createAclRules } from "./aclResources";
import { isGiven } from "../../resources/read";

/**
 * Network ACLs for the dedicated subnets of one hosted cluster: the physical isolation level. They allow the documented flows
 * across the borders of those subnets, with the answers, and nothing else. No subnet is associated unless it is named.
 */
export class HostedControlPlaneNetworkAcls extends pulumi.ComponentResource {
  /** Id of the ACL for subnets of control-plane hosts: `acl-...`. */
  public readonly controlPlaneNetworkAclId: pulumi.Output<string>;
  /** Id of the ACL for subnets of workers: `acl-...`. Absent if no subnet of workers is declared. */
  public readonly workerNetworkAclId?: pulumi.Output<string>;
  /** ARN of the ACL for subnets of control-plane hosts. */
  public readonly controlPlaneNetworkAclArn?: pulumi.Output<string>;
  /** ARN of the ACL for subnets of workers. Absent if no subnet of workers is declared. */
  public readonly workerNetworkAclArn?: pulumi.Output<string>;
  /** Every rule with its number and reason, for tables and reports. */
  public readonly rules: pulumi.Output<NetworkAclRuleRow[]>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: HostedControlPlaneNetworkAclsArgs, opts?: pulumi.ComponentResourceOptions) {
    super(TYPE, name, { ...args, topology: withoutCredentials(args?.topology) }, opts);
    const inputs = { ...args };
    const check = checked(this, `HostedControlPlaneNetworkAcls ${name}`, inputs, (known) =>
      networkAclFaults(inputs, known as KnownInputs),
    );
    const given = givenPart(inputs);
    const plan = knownPlan(given);
    this.warnings = warn(this, plan.warnings);

    const values = checkedValues(check, everyValue(given));
    const around = { name, options: gated(this, check), region: values.get("region"), values };
    const vpcId = values.get("vpcId")!;
    const vpcOf = { [Role.ControlPlane]: vpcId, [Role.Workers]: values.get("workerVpcId") ?? vpcId };
    const acls = new Map(
      plan.roles.map((role) => {
        const acl = createAcl(role, given.topology.name, vpcOf[role], given.tags, around);
        const own = plan.rules.filter((rule) => rule.role === role);
        return [role, { acl, rules: createAclRules(own, acl.id, around) }] as const;
      }),
    );
    for (const key of given.associatedSubnets ?? []) {
      const { acl, rules } = acls.get(roleOf(given.dedicatedSubnets![key] as GivenSubnet))!;
      // Associated after all rules are created, and released before any rule is deleted: without rules nothing passes.
      associate(key, acl, { ...around, options: gated(this, check, rules) });
    }

    // If the check fails, the outputs fail too: a child that is not created would leave them unresolved forever.
    this.controlPlaneNetworkAclId = check.apply(() => acls.get(Role.ControlPlane)!.acl.id);
    const workerAcl = acls.get(Role.Workers)?.acl;
    if (workerAcl) this.workerNetworkAclId = check.apply(() => workerAcl.id);
    this.controlPlaneNetworkAclArn = arnOf(this, Role.ControlPlane, check);
    this.workerNetworkAclArn = arnOf(this, Role.Workers, check);
    this.rules = leafwise(withAddresses(plan.rules.map(aclRuleRow), plan.topology!, given.topology, check));
    this.topology = leafwise(topologyOutput(given.topology, plan.topology!));
    this.registerOutputs(ownOutputs(this));
  }

  /** The ACL for subnets of control-plane hosts, in Node.js programs. */
  get controlPlaneNetworkAcl(): ec2.NetworkAcl {
    return childOf(this, Role.ControlPlane)!;
  }

  /** The ACL for subnets of workers, in Node.js programs; undefined if no subnet of workers is declared. */
  get workerNetworkAcl(): ec2.NetworkAcl | undefined {
    return childOf(this, Role.Workers);
  }
}

const TYPE = "hypershift-network:index:HostedControlPlaneNetworkAcls";

const REQUIRED = {
  topology: "describe the hosted cluster: { name: ..., platform: ..., ... }",
  vpcId: "write the id of the VPC of the management cluster's hosts: vpc-...",
};

/** The inputs, known or not. */
type Inputs = { readonly [input in keyof HostedControlPlaneNetworkAclsArgs]?: unknown };
type KnownInputs = Readonly<Record<string, PropertyValue>>;

/** Values that other resources may produce, except those from which the rules are planned. */
const singleValues = ({ vpcId, workerVpcId, region, dedicatedSubnets }: Inputs): GivenValue[] => [
  { path: "vpcId", faultsOf: VALUE.vpc, value: vpcId },
  { path: "workerVpcId", faultsOf: VALUE.vpc, value: workerVpcId },
  { path: "region", faultsOf: VALUE.region, value: region },
  ...Object.entries(isRecord(dedicatedSubnets) ? dedicatedSubnets : {}).map(([key, subnet]) => ({
    path: subnetPath(key),
    faultsOf: VALUE.subnet,
    value: isRecord(subnet) ? subnet.subnetId : undefined,
  })),
];

const subnetPath = (key: string): string => `dedicatedSubnets.${key}.subnetId`;

/** Every value that other resources may produce. */
const everyValue = (inputs: Inputs): GivenValue[] => [
  ...singleValues(inputs),
  ...peersByKey("additionalRules", inputs.additionalRules),
  ...namedBlocks(inputs.topology),
];

/** All faults of the known inputs. */
export function networkAclFaults(args: Inputs, known: KnownInputs): Fault[] {
  const plan = planOf(args, known);
  return [
    ...plan.faults,
    ...aclProofFaults(plan),
    ...missingInputFaults(known, REQUIRED),
    ...knownValueFaults(singleValues(known)),
    ...tagFaults("tags", known.tags),
    ...otherFamilyFaults(knownPlan(args).rules, everyValue(known)),
  ];
}

/** What is opened or left closed because the known inputs are not specific enough. */
export const networkAclWarnings = (args: Inputs): readonly string[] => knownPlan(args).warnings;

/** The plan from the inputs that are known immediately, computed once for faults, warnings and resources. */
const knownPlan = onceForEach((args: Inputs) => planOf(args, knownPart(args) as KnownInputs));

/** The rules from the known inputs. The topology must be plain; the plan reports where it is not. */
function planOf(inputs: Inputs, known: KnownInputs): NetworkAclPlan {
  const { topology: _, ...options } = known;
  const { topology } = inputs;
  if (!isGiven(topology)) return { roles: [], rules: [], faults: [], warnings: [] };
  return networkAclRules(topology as HostedClusterTopology, options, topologyAmong(inputs, known));
}

function associate(
  key: string,
  acl: ec2.NetworkAcl,
  { name, options, region, values }: AclSurroundings,
): void {
  new ec2.NetworkAclAssociation(
    `${name}-${key}`,
    {
      networkAclId: acl.id,
      subnetId: values.get(subnetPath(key))!,
      ...(region !== undefined && { region }),
    },
    options,
  );
}
