import { prefixFaults } from "../../address";
import type { Fault } from "../../fault";
import { UNKNOWN } from "../../resources/resource";
import { isRecord, shown } from "./inputShape";

/** A value among the inputs that other resources may produce: where it stands, what it has to be, and itself. */
interface GivenValue {
  path: string;
  faultsOf: ValueCheck;
  value: unknown;
}

/** What is wrong with a value that is known. */
type ValueCheck = (path: string, value: unknown) => Fault[];

const idOf =
  (what: string, prefix: string): ValueCheck =>
  (path, value) => {
    if (typeof value === "string" && value.startsWith(prefix) && value.length > prefix.length) return [];
    const remedy = `write the id, which begins with ${prefix}`;
    return [{ path, problem: `${shown(value)} is no id of a ${what}`, remedy }];
  };

const vpc = idOf("VPC", "vpc-");
const securityGroup = idOf("security group", "sg-");
const prefixList = idOf("prefix list", "pl-");

const region: ValueCheck = (path, value) =>
  typeof value === "string" && /^[a-z]{2,}(-[a-z]+)+-\d+$/.test(value)
    ? []
    : [{ path, problem: `${shown(value)} is no AWS region`, remedy: "write its code, such as eu-central-1" }];

/** Every value among the inputs of the component that other resources may produce, as far as it is given. */
export function givenValues(inputs: Readonly<Record<string, unknown>>): GivenValue[] {
  return [
    { path: "vpcId", faultsOf: vpc, value: inputs.vpcId },
    { path: "workerVpcId", faultsOf: vpc, value: inputs.workerVpcId },
    { path: "region", faultsOf: region, value: inputs.region },
    {
      path: "controlPlaneSecurityGroupId",
      faultsOf: securityGroup,
      value: inputs.controlPlaneSecurityGroupId,
    },
    { path: "workerSecurityGroupId", faultsOf: securityGroup, value: inputs.workerSecurityGroupId },
    ...peerIds(inputs.peers),
    ...additionalPeers(inputs.additionalRules),
  ].filter(({ value }) => value !== undefined && value !== null);
}

function peerIds(peers: unknown): GivenValue[] {
  return entries(peers).flatMap(([set, references]) => {
    const { securityGroupIds, prefixLists } = isRecord(references) ? references : {};
    return [
      ...entries(securityGroupIds).map(([key, value]) => ({
        path: `peers.${set}.securityGroupIds.${key}`,
        faultsOf: securityGroup,
        value,
      })),
      ...entries(prefixLists).map(([key, list]) => ({
        path: `peers.${set}.prefixLists.${key}.id`,
        faultsOf: prefixList,
        value: isRecord(list) ? list.id : undefined,
      })),
    ];
  });
}

function additionalPeers(rules: unknown): GivenValue[] {
  return entries(rules).flatMap(([key, rule]) => {
    const { cidr, securityGroupId, prefixListId } = isRecord(rule) ? rule : {};
    const path = `additionalRules.${key}`;
    return [
      { path: `${path}.cidr`, faultsOf: prefixFaults, value: cidr },
      { path: `${path}.securityGroupId`, faultsOf: securityGroup, value: securityGroupId },
      { path: `${path}.prefixListId`, faultsOf: prefixList, value: prefixListId },
    ];
  });
}

const entries = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

/** What is wrong with those of these values that are known already. */
export function knownValueFaults(inputs: Readonly<Record<string, unknown>>): Fault[] {
  return givenValues(inputs).flatMap(({ path, faultsOf, value }) =>
    value === UNKNOWN ? [] : faultsOf(path, value),
  );
}
