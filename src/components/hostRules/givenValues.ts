import * as pulumi from "@pulumi/pulumi";
import { parsePrefix, prefixFaults } from "../../address/parse";
import type { Fault } from "../../fault";
import { byKey, leaf, number, plain, type Shape, text, word } from "../../objects/shape";
import type { PropertyMap } from "../../resources/read";
import { UNKNOWN } from "../../resources/resource";
import { isEventual } from "../settled";
import { awsRegion } from "../../requirements/hostedCluster/forms";
import { AddressFamily } from "../../requirements/vocabulary";
import { blockPath } from "../../topology/addressBlocks";
import { shortValue } from "../../topology/normalize/values";
import { isRecord } from "../../collections";
import { isGiven } from "../../resources/read";

const ALL_PORTS = { min: 0, max: 65535 };

/** An input value that other resources may produce: its path, its check and the value itself. */
export interface GivenValue {
  path: string;
  faultsOf: ValueCheck;
  value: unknown;
}

/** Returns the faults of a known value. */
type ValueCheck = (path: string, value: unknown) => Fault[];

const idOf =
  (what: string, prefix: string): ValueCheck =>
  (path, value) => {
    if (typeof value === "string" && value.startsWith(prefix) && value.length > prefix.length) return [];
    const remedy = `write the id, which begins with ${prefix}`;
    return [{ path, problem: `${valueText(value)} is not the id of a ${what}`, remedy }];
  };

const region: ValueCheck = (path, value) =>
  typeof value === "string" && awsRegion.matches(value)
    ? []
    : [{ path, problem: `${valueText(value)} is not an AWS region`, remedy: awsRegion.remedy }];

/** A CIDR block that does not include all addresses. */
const restrictedCidr: ValueCheck = (path, value) => {
  const { prefix } = parsePrefix(value);
  if (prefix?.length !== 0) return prefixFaults(path, value);
  const remedy = "write the CIDR blocks of those who need it";
  return [{ path, problem: `${prefix.text} would open the ports to everybody`, remedy }];
};

/** The check of each kind of value. */
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

/** The peers by keys of the user's choice: `additionalRules.ssh.cidr`. */
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

/** The ids in the sets of peers: `peers.workers.securityGroupIds.bastion`. */
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

/** The topology blocks that have a key. `normalizeTopology` judges them with the rest of the topology. */
export function namedBlocks(topology: unknown): GivenValue[] {
  const blocks = entriesOf(isRecord(topology) ? topology.addresses : undefined);
  return blocks.map(([key, block]) => ({
    path: blockPath(key),
    faultsOf: () => [],
    value: isRecord(block) ? block.cidr : undefined,
  }));
}

/** Faults of the values that are already known. */
export function knownValueFaults(values: readonly GivenValue[]): Fault[] {
  return values.flatMap(({ path, faultsOf, value }) =>
    value === UNKNOWN || !isGiven(value) ? [] : faultsOf(path, value),
  );
}

const entriesOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

/** A value that another resource of the same program may not have produced yet. */
export type Known<T> = T | typeof UNKNOWN;

/** A value as messages show it. */
export function valueText(value: unknown): string {
  if (value === UNKNOWN) return "an Output";
  if (value === undefined) return "nothing";
  return typeof value === "string" ? value : shortValue(value);
}

/** Faults of a key: it becomes part of resource names, so it must be a plain word. */
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

const DECIDES = "write a plain value: it decides which rules exist";

/** One of a few words, which decides which rules exist. */
export const plainWord = (words: readonly string[]): Shape => plain(word(words), DECIDES);

/** A whole number that decides which rules exist. */
export const plainNumber = (range: { min: number; max: number }): Shape => plain(number({ range }), DECIDES);

/** A text that is not blank. */
export const plainText = (remedy: string): Shape =>
  plain(
    text({ form: { matches: (given) => given.trim() !== "", name: "a sentence", remedy }, remedy }),
    `${remedy}, as a plain value`,
  );

/** The first and the last port of a range. */
export const portRange = { fromPort: plainNumber(ALL_PORTS), toPort: plainNumber(ALL_PORTS) };

/** The fault of a range that ends before it begins. */
export function orderFaults(path: string, { fromPort, toPort }: PropertyMap): Fault[] {
  if (typeof fromPort !== "number" || typeof toPort !== "number" || fromPort <= toPort) return [];
  const problem = `${toPort} is less than fromPort ${fromPort}`;
  return [{ path: `${path}.toPort`, problem, remedy: "write the last port of the range" }];
}

/** The family of a block that is not known yet. */
export const family = plainWord(Object.values(AddressFamily));

/** The fault of a stated family that differs from that of a known block. */
export function familyFaults(path: string, { family: stated, cidr }: PropertyMap): Fault[] {
  const { prefix } = parsePrefix(cidr);
  if (!prefix || !Object.values(AddressFamily).some((one) => one === stated)) return [];
  const own = `IPv${prefix.family}`;
  if (stated === own) return [];
  const problem = `${valueText(stated)} is not the family of ${prefix.text}`;
  return [{ path: `${path}.family`, problem, remedy: `write ${own}` }];
}

const FORMER_KEY = "write its previous key, or its CIDR block if it had no key";

/** The previous key of an entry. No other entry may have it, so that no two resources get one name. */
export const formerKey = (others: readonly string[]): Shape =>
  plain(
    leaf(({ path, value }) => {
      if (typeof value !== "string" || (!value.includes("/") && keyFaults(path, value).length > 0))
        return [{ path, problem: `${valueText(value)} is not a key`, remedy: FORMER_KEY }];
      return others.includes(value)
        ? [{ path, problem: `${value} is the key of another entry`, remedy: FORMER_KEY }]
        : [];
    }),
    FORMER_KEY,
  );

/** Entries by keys of the user's choice, which become parts of resource names. */
export const named = (entries: Shape, remedy: string): Shape =>
  plain(byKey(entries.isElsewhere ? entries : plain(entries, DECIDES), { keyFaults, remedy }), remedy);

/** Values of other resources, by their path in the inputs. */
export type CheckedValues = ReadonlyMap<string, pulumi.Output<string>>;

/** The given values, each available only after the check of all inputs has passed. */
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

/** Prefixes of tag keys that users must not set, with the reason. */
const REFUSED: readonly { prefix: string; why: string; remedy: string }[] = [
  {
    prefix: "kubernetes.io/cluster/",
    why: "stops the cluster's AWS load balancers from reconciling if two security groups of an instance have it",
    remedy: "remove it, and name the cluster under another key",
  },
  {
    prefix: "hypershift-network/",
    why: "is set by the component itself",
    remedy: "remove it",
  },
  { prefix: "aws:", why: "is reserved for AWS", remedy: "use a key that does not begin with aws:" },
];

/** The limits of AWS for one resource. */
const KEY_LENGTH = 128;
const VALUE_LENGTH = 256;

/** Tags as users give them. */
export type GivenTags = pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;

/** Tags of one resource: the user's tags override `byDefault`, and `own` overrides both. */
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

/** Faults of tags that break something or that AWS refuses. Values that are not known yet are not judged. */
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
    return [{ path, problem: `${valueText(value)} is not a string`, remedy: "write a string" }];
  if (value.length <= VALUE_LENGTH) return [];
  return [
    { path, problem: `the value has ${value.length} characters`, remedy: `use at most ${VALUE_LENGTH}` },
  ];
}
