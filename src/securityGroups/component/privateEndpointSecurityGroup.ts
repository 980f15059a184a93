import * as ec2 from "@pulumi/aws/ec2";
import * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../fault";
import { elsewhere, inputFaults, plainSwitch } from "../../objects/shape";
import { isMap, isGiven } from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
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
  type CheckedValues,
  type GivenValue,
  knownValueFaults,
  named,
  namedBlocks,
  peersByKey,
  tagFaults,
  VALUE,
  valuesByKey,
} from "../../components/hostRules/givenValues";
import { duplicateFaults, groupProofFaults, ruleRow, type SecurityGroupPlan } from "./securityGroupRules";
import { endpointIdOf, endpointServicesOf, privateEndpointRules } from "./privateEndpointRules";
import { otherFamilyFaults } from "../../components/hostRules/rulePeers";
import { topologyAmong } from "../../components/hostRules/flowSelection";
import { createGroup, groupNameFaults, createRules } from "./groupResource";
import type { SecurityGroupRuleRow } from "./hostedControlPlaneSecurityGroupsArgs";
import type { PrivateEndpointSecurityGroupArgs } from "./privateEndpointSecurityGroupArgs";

/**
 * The security group of the VPC endpoints through which machines and callers outside the VPC reach a private hosted
 * control plane on AWS. It is attached in addition to the group that HyperShift creates, which admits only the machine network.
 */
export class PrivateEndpointSecurityGroup extends pulumi.ComponentResource {
  /** Id of the security group: `sg-...`. */
  public readonly securityGroupId: pulumi.Output<string>;
  /** ARN of the security group. Absent if an existing group is given. */
  public readonly securityGroupArn?: pulumi.Output<string>;
  /** Ids of the VPC endpoints that have the group, by key: `{ "private-router": "vpce-..." }`. */
  public readonly endpointIds: pulumi.Output<Record<string, string>>;
  /** Every rule with its reason, for tables and reports. */
  public readonly rules: pulumi.Output<SecurityGroupRuleRow[]>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: PrivateEndpointSecurityGroupArgs, opts?: pulumi.ComponentResourceOptions) {
    super(TYPE, name, { ...args, topology: withoutCredentials(args?.topology) }, opts);
    const subject = `PrivateEndpointSecurityGroup ${name}`;
    const inputs = { ...args };
    const check = checked(this, subject, inputs, (known) =>
      privateEndpointFaults(name, inputs, known as KnownInputs),
    );
    const given = givenPart(inputs);
    const plan = planOf(given, knownPart(given) as KnownInputs);
    const topology = plan.topology!;
    this.warnings = warn(this, privateEndpointWarnings(given));

    const values = checkedValues(check, everyValue(given));
    const { tags } = given;
    const around = { name, options: gated(this, check), values, tags, region: values.get("region") };
    const group =
      values.get("securityGroupId") ??
      createGroup(Role.PrivateEndpoint, topology.name, values.get("vpcId"), around);
    const groups = { [Role.PrivateEndpoint]: group };
    const rules = createRules(plan.rules, { ...around, groups });

    const endpoints = given.readEndpointServices
      ? endpointsRead(this, name, subject, topology)
      : endpointsGiven(given, values);
    for (const [key, vpcEndpointId] of Object.entries(endpoints)) {
      // Attached after its rules are created, so that no client that they admit is locked out in between.
      new ec2.SecurityGroupAssociation(
        `${name}-${key}`,
        {
          vpcEndpointId,
          securityGroupId: group,
          ...(around.region !== undefined && { region: around.region }),
        },
        gated(this, check, rules),
      );
    }

    // If the check fails, the output fails too: a child that is not created would leave it unresolved forever.
    this.securityGroupId = check.apply(() => group);
    this.securityGroupArn = arnOf(this, Role.PrivateEndpoint, check);
    this.endpointIds = pulumi.output(endpoints);
    this.rules = leafwise(withAddresses(plan.rules.map(ruleRow), topology, given.topology, check));
    this.topology = leafwise(topologyOutput(given.topology, topology));
    this.registerOutputs(ownOutputs(this));
  }

  /** The security group, in Node.js programs; undefined if an existing group is given. */
  get securityGroup(): ec2.SecurityGroup | undefined {
    return childOf(this, Role.PrivateEndpoint);
  }
}

const TYPE = "hypershift-network:index:PrivateEndpointSecurityGroup";

const REQUIRED = {
  topology: "describe the hosted cluster: { name: ..., platform: AWS, endpointAccess: Private, ... }",
  vpcId: "write the id of the VPC of the workers: vpc-...",
};

/** The inputs, known or not. */
type Inputs = { readonly [input in keyof PrivateEndpointSecurityGroupArgs]?: unknown };
type KnownInputs = Readonly<Record<string, PropertyValue>>;

/** Values that other resources may produce, except those from which the rules are planned. */
const singleValues = ({ vpcId, region, securityGroupId, endpointIds }: Inputs): GivenValue[] => [
  { path: "vpcId", faultsOf: VALUE.vpc, value: vpcId },
  { path: "region", faultsOf: VALUE.region, value: region },
  { path: "securityGroupId", faultsOf: VALUE.securityGroup, value: securityGroupId },
  ...valuesByKey("endpointIds", endpointIds, VALUE.vpcEndpoint),
];

/** Every value that other resources may produce. */
const everyValue = (inputs: Inputs): GivenValue[] => [
  ...singleValues(inputs),
  ...peersByKey("callers", inputs.callers, VALUE.restrictedCidr),
  ...namedBlocks(inputs.topology),
];

const ids = named(elsewhere, "write ids under keys of your choice: { key: id }");

/** All faults of the known inputs. */
export function privateEndpointFaults(name: string, args: Inputs, known: KnownInputs): Fault[] {
  const { securityGroupId } = known;
  const { rules } = planOf(args, knownPart(args) as KnownInputs);
  const plan = planOf(args, known);
  return [
    ...plan.faults,
    ...groupProofFaults(plan),
    ...missingInputFaults(known, REQUIRED),
    ...knownValueFaults(singleValues(known)),
    ...tagFaults("tags", known.tags),
    ...(isGiven(securityGroupId) ? [] : groupNameFaults(name)),
    ...inputFaults({ readEndpointServices: plainSwitch, endpointIds: ids }, known),
    ...endpointFaults(known),
    ...duplicateFaults(rules, everyValue(known)),
    ...otherFamilyFaults(rules, everyValue(known)),
  ];
}

/** What is opened or left closed because the known inputs are not specific enough. */
export function privateEndpointWarnings(args: Inputs): string[] {
  const { warnings, topology } = planOf(args, knownPart(args) as KnownInputs);
  return topology ? [...warnings, ...attachmentWarnings(args, topology)] : [...warnings];
}

/** The rules from the known inputs. The topology must be plain; the plan reports where it is not. */
function planOf(inputs: Inputs, known: KnownInputs): SecurityGroupPlan {
  const { topology: _, ...options } = known;
  const { topology } = inputs;
  if (!isGiven(topology)) return { rules: [], faults: [], warnings: [] };
  return privateEndpointRules(topology as HostedClusterTopology, options, topologyAmong(inputs, known));
}

function endpointFaults({ endpointIds, readEndpointServices }: KnownInputs): Fault[] {
  if (readEndpointServices !== true || !isMap(endpointIds) || Object.keys(endpointIds).length === 0)
    return [];
  const problem = "is set together with readEndpointServices";
  return [{ path: "endpointIds", problem, remedy: "write one of the two" }];
}

/** Warns about a group that is attached to no endpoint and so has no effect. */
function attachmentWarnings(
  { endpointIds, readEndpointServices }: Inputs,
  topology: NormalizedTopology,
): string[] {
  if (readEndpointServices || Object.keys(endpointIds ?? {}).length > 0) return [];
  const services = endpointServicesOf(topology).join(" and ");
  return [
    `endpointIds missing: the group is attached to no VPC endpoint; write the ids in status.endpointID of the AWSEndpointService objects ${services} in namespace ${topology.controlPlaneNamespace}, or set readEndpointServices`,
  ];
}

type Endpoints = Record<string, pulumi.Output<string>>;

function endpointsGiven({ endpointIds }: PrivateEndpointSecurityGroupArgs, values: CheckedValues): Endpoints {
  const keys = Object.keys(endpointIds ?? {});
  return Object.fromEntries(
    keys.flatMap((key) => {
      const id = values.get(`endpointIds.${key}`);
      return id ? [[key, id]] : [];
    }),
  );
}

/** The endpoints that HyperShift's controller created, read from the AWSEndpointService objects. */
function endpointsRead(
  component: pulumi.Resource,
  name: string,
  subject: string,
  topology: NormalizedTopology,
): Endpoints {
  const { controlPlaneNamespace: namespace } = topology;
  const endpoints = endpointServicesOf(topology).map((service) => {
    const id = endpointIdOf(name, namespace, service, { parent: component });
    const check = checked(component, subject, id, (known) => statusFaults(namespace, service, known));
    return [service, check.apply(() => id)] as const;
  });
  return Object.fromEntries(endpoints);
}

function statusFaults(namespace: string, service: string, id: unknown): Fault[] {
  if (id === UNKNOWN || (typeof id === "string" && id !== "")) return [];
  return [
    {
      path: "readEndpointServices",
      problem: `AWSEndpointService ${namespace}/${service} names no endpoint in its status yet`,
      remedy: "run again when status.endpointID is there",
    },
  ];
}
