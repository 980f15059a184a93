import * as pulumi from "@pulumi/pulumi";
import { parsePrefix, prefixFaults } from "../../address/parse";
import type { Fault } from "../../fault";
import { UNKNOWN } from "../../resources/resource";
import { isEventual } from "../settled";
import { AddressFamily } from "../../requirements/vocabulary";
import { blockPath } from "../../topology/addressBlocks";

/** A value among the inputs that other resources may produce: where it stands, what it has to be, and itself. */
export interface GivenValue {
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

const region: ValueCheck = (path, value) =>
  typeof value === "string" && /^[a-z]{2,}(-[a-z]+)+-\d+$/.test(value)
    ? []
    : [{ path, problem: `${shown(value)} is no AWS region`, remedy: "write its code, such as eu-central-1" }];

/** A CIDR block that is not everybody's. */
const restrictedCidr: ValueCheck = (path, value) => {
  const { prefix } = parsePrefix(value);
  if (prefix?.length !== 0) return prefixFaults(path, value);
  const remedy = "write the CIDR blocks of those who need it";
  return [{ path, problem: `${prefix.text} would open the ports to everybody`, remedy }];
};

/** What each kind of value has to be. */
export const VALUE = {
  vpc: idOf("VPC", "vpc-"),
  subnet: idOf("subnet", "subnet-"),
  vpcEndpoint: idOf("VPC endpoint", "vpce-"),
  securityGroup: idOf("security group", "sg-"),
  prefixList: idOf("prefix list", "pl-"),
  cidr: prefixFaults,
  restrictedCidr,
  region,
} as const satisfies Readonly<Record<string, ValueCheck>>;

/** Values of one kind under keys of the user's choice: `endpointIds.privateRouter`. */
export function valuesByKey(path: string, values: unknown, faultsOf: ValueCheck): GivenValue[] {
  return entriesOf(values).map(([key, value]) => ({ path: `${path}.${key}`, faultsOf, value }));
}

/** The peers that stand under keys of the user's choice: `additionalRules.ssh.cidr`. */
export function peersByKey(path: string, peers: unknown, cidrCheck: ValueCheck = VALUE.cidr): GivenValue[] {
  return entriesOf(peers).flatMap(([key, peer]) => {
    const { cidr, securityGroupId, prefixListId } = isRecord(peer) ? peer : {};
    return [
      { path: `${path}.${key}.cidr`, faultsOf: cidrCheck, value: cidr },
      { path: `${path}.${key}.securityGroupId`, faultsOf: VALUE.securityGroup, value: securityGroupId },
      { path: `${path}.${key}.prefixListId`, faultsOf: VALUE.prefixList, value: prefixListId },
    ];
  });
}

/** The ids in sets of peers: `peers.workers.securityGroupIds.bastion`. */
export function peerSetIds(peers: unknown): GivenValue[] {
  return entriesOf(peers).flatMap(([set, references]) => {
    const { securityGroupIds, prefixLists } = isRecord(references) ? references : {};
    return [
      ...valuesByKey(`peers.${set}.securityGroupIds`, securityGroupIds, VALUE.securityGroup),
      ...entriesOf(prefixLists).map(([key, list]) => ({
        path: `peers.${set}.prefixLists.${key}.id`,
        faultsOf: VALUE.prefixList,
        value: isRecord(list) ? list.id : undefined,
      })),
    ];
  });
}

/** The blocks of a topology that have a key. `normalizeTopology` judges them, with everything else in it. */
export function namedBlocks(topology: unknown): GivenValue[] {
  const blocks = entriesOf(isRecord(topology) ? topology.addresses : undefined);
  return blocks.map(([key, block]) => ({
    path: blockPath(key),
    faultsOf: () => [],
    value: isRecord(block) ? block.cidr : undefined,
  }));
}

/** What is wrong with those of these values that are known already. */
export function knownValueFaults(values: readonly GivenValue[]): Fault[] {
  return values.flatMap(({ path, faultsOf, value }) =>
    value === UNKNOWN || !isGiven(value) ? [] : faultsOf(path, value),
  );
}

const entriesOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

/** A value that a resource of the same program may still have to produce. */
export type Known<T> = T | typeof UNKNOWN;

/** Whether the user gave a value; absent and null mean the same. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Whether a value is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as messages show it. */
export function shown(value: unknown): string {
  if (value === UNKNOWN) return "an Output";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

/** A key becomes part of resource names, so it has to be a plain word. */
export function keyFaults(path: string, key: string): Fault[] {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(key)) return [];
  return [
    {
      path,
      problem: `the key ${JSON.stringify(key)} cannot be part of a resource name`,
      remedy: "use letters, digits, dots, hyphens and underscores, beginning with a letter or digit",
    },
  ];
}

/** One of a few words. */
export function oneOfFaults(path: string, value: unknown, allowed: readonly string[]): Fault[] {
  if (allowed.some((one) => one === value)) return [];
  const problem = isGiven(value) ? `${shown(value)} is none of the values` : "missing";
  return [{ path, problem, remedy: `use ${allowed.join(", ")}` }];
}

/** The family of a block; of one that is written here it is the block's own. */
export function familyFaults(path: string, family: unknown, cidr: unknown): Fault[] {
  if (!isGiven(family)) return [];
  const wrong = oneOfFaults(path, family, Object.values(AddressFamily));
  if (wrong.length > 0) return wrong;
  const { prefix } = parsePrefix(cidr);
  if (!prefix || family === `IPv${prefix.family}`) return [];
  return [
    {
      path,
      problem: `${shown(family)} is not the family of ${prefix.text}`,
      remedy: `write IPv${prefix.family}`,
    },
  ];
}

/** The key that an entry had before: no other entry has it, so that nothing is made twice under one name. */
export function formerKeyFaults(path: string, formerKey: unknown, others: readonly string[] = []): Fault[] {
  if (!isGiven(formerKey)) return [];
  const remedy = "write the key that it had before, or the CIDR block where it had none";
  if (typeof formerKey !== "string" || (!formerKey.includes("/") && keyFaults(path, formerKey).length > 0))
    return [{ path, problem: `${shown(formerKey)} is no key`, remedy }];
  return others.includes(formerKey)
    ? [{ path, problem: `${formerKey} is the key of another one`, remedy }]
    : [];
}

/** A whole number within limits. */
export function countFaults(
  path: string,
  value: unknown,
  from: number,
  to = Number.MAX_SAFE_INTEGER,
): Fault[] {
  if (Number.isInteger(value) && Number(value) >= from && Number(value) <= to) return [];
  const limits = to === Number.MAX_SAFE_INTEGER ? `from ${from}` : `from ${from} to ${to}`;
  return [{ path, problem: `${shown(value)} is no such number`, remedy: `write a whole number ${limits}` }];
}

/** Values of other resources by their place in the inputs. */
export type CheckedValues = ReadonlyMap<string, pulumi.Output<string>>;

/** The values that are given, none of which is seen before the check of all inputs has passed. */
export function checkedValues(check: pulumi.Output<unknown>, values: readonly GivenValue[]): CheckedValues {
  return new Map(
    values
      .filter(({ value }) => isGiven(value))
      .map(({ path, value }) => [path, check.apply(() => pulumi.output(value as pulumi.Input<string>))]),
  );
}

export { CLUSTER_TAG, ROLE_TAG } from "../../resources/groupRoles";

/** Tag with the ids of the requirements that a rule fulfils. */
export const REQUIREMENT_TAG = "hypershift-network/requirement";

/** Beginnings of tag keys that are not the user's to set, and why. */
const REFUSED: readonly { prefix: string; why: string; remedy: string }[] = [
  {
    prefix: "kubernetes.io/cluster/",
    why: "stops the cluster's AWS load balancers from reconciling where two groups of an instance carry it",
    remedy: "take it out, and name the cluster under another key",
  },
  {
    prefix: "hypershift-network/",
    why: "is set by the component itself",
    remedy: "take it out",
  },
  { prefix: "aws:", why: "is reserved for AWS", remedy: "use a key that does not begin with aws:" },
];

/** What AWS allows for one resource. */
const KEY_LENGTH = 128;
const VALUE_LENGTH = 256;

/** Tags as users give them. */
export type GivenTags = pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;

/** Tags of one resource: those of the user, between others that it may set and those that it may not. */
export function taggedWith(
  tags: GivenTags,
  own: Record<string, pulumi.Input<string>>,
  byDefault: Record<string, pulumi.Input<string>> = {},
): pulumi.Input<Record<string, pulumi.Input<string>>> {
  const all = (given: Record<string, pulumi.Input<string>> | undefined) => ({
    ...byDefault,
    ...given,
    ...own,
  });
  return isEventual(tags)
    ? pulumi.output(tags).apply(all)
    : all(tags as Record<string, pulumi.Input<string>>);
}

/** Tags that break something, or that AWS refuses. Values that are not known yet are not judged. */
export function tagFaults(path: string, tags: unknown): Fault[] {
  if (tags === undefined || tags === null || tags === UNKNOWN) return [];
  if (!isRecord(tags))
    return [{ path, problem: "is not an object", remedy: "write keys and values: { key: value }" }];
  return Object.entries(tags).flatMap(([key, value]) => {
    const place = `${path}[${JSON.stringify(key)}]`;
    const refused = REFUSED.find(({ prefix }) => key.startsWith(prefix));
    if (refused) return [{ path: place, problem: `${key} ${refused.why}`, remedy: refused.remedy }];
    if (key === "" || key.length > KEY_LENGTH) {
      return [
        { path: place, problem: `the key has ${key.length} characters`, remedy: `use 1 to ${KEY_LENGTH}` },
      ];
    }
    return typeof value === "symbol" ? [] : valueFaults(place, value);
  });
}

function valueFaults(path: string, value: unknown): Fault[] {
  if (typeof value !== "string")
    return [{ path, problem: `${shown(value)} is no text`, remedy: "write a text" }];
  if (value.length <= VALUE_LENGTH) return [];
  return [
    { path, problem: `the value has ${value.length} characters`, remedy: `use at most ${VALUE_LENGTH}` },
  ];
}
