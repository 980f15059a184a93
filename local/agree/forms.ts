import { CLUSTER_TAG, ROLE_TAG } from "../../src/resources/groupRoles";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { OUR_COMPONENTS, TYPE } from "../../src/resources/resourceTypes";
import { Direction, Role } from "../../src/requirements/vocabulary";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";
import { resource } from "../../src/testing";
import type { Case, Form, Shape, Writer } from "./case";
import type { AclRule, Filters, GroupRule } from "./filters";
import { alike, SHAPES } from "./shapes";

const WRITERS: readonly Writer[] = ["split", "classic", "inline"];

/** Every form. */
export const formsOf = (hasAcls: boolean): Form[] => [
  { writer: "component", shape: "single" },
  { writer: "component", shape: "single", preview: true },
  ...WRITERS.flatMap((writer) =>
    (Object.keys(SHAPES) as Shape[]).flatMap((shape): Form[] => [
      { writer, shape },
      { writer, shape, lists: true, ...(hasAcls && { inlineAcls: true }) },
      { writer, shape, configured: true, ...(writer !== "inline" && { preview: true }) },
    ]),
  ),
];

/** The form that all others are compared with. */
export const PLAIN: Form = { writer: "split", shape: "single" };

/** The resources of a plan with the filters in a given form. */
export function written(
  { topology: given, disabledRules = [], additionalRules = {}, form }: Case,
  filters: Filters,
  topology: NormalizedTopology,
): Resource[] {
  const shaped = SHAPES[form.shape](filters, topology);
  const component = resource(`${OUR_COMPONENTS}HostedControlPlaneSecurityGroups`, NAME, {
    topology: given as unknown as PropertyValue,
    rules: filters.rows,
    disabledRules,
    additionalRules: additionalRules as unknown as PropertyValue,
  });
  const isOurs = form.writer === "component";
  const made = new Plan(form, isOurs ? component : undefined);
  for (const role of Object.values(Role)) {
    const rules = shaped.rules.filter((rule) => rule.role === role);
    if (role !== Role.PrivateEndpoint || rules.length > 0) made.addGroup(role, rules);
  }
  made.addRules(shaped.rules);
  made.addAcls(shaped.acls);
  return [...(isOurs ? [component] : []), ...made.resources];
}

const NAME = "tenant-a";
const groupName = (role: Role): string => `${NAME}-${role}`;

type Properties = Record<string, PropertyValue>;
type From = Record<string, Resource>;
/** The peers of a rule, and the resources that provide their ids. */
type WrittenPeer = { properties: Properties; from?: From };

/** A plan that is being built. */
class Plan {
  readonly resources: Resource[] = [];
  readonly #groups = new Map<Role, Resource>();

  constructor(
    private readonly form: Form,
    private readonly parent: Resource | undefined,
  ) {}

  addGroup(role: Role, rules: readonly GroupRule[]): void {
    const { writer, configured } = this.form;
    const lists = Object.values(Direction).map(
      (direction) => [direction, this.#inline(rules, direction)] as const,
    );
    const group = this.#add(TYPE.securityGroup, groupName(role), {
      ...this.#id(`sg-${role}`),
      ...(!configured && { tags: tagsOf(role) }),
      ...(writer === "inline" && Object.fromEntries(lists)),
    });
    this.#groups.set(role, group);
  }

  addRules(rules: readonly GroupRule[]): void {
    if (this.form.writer === "inline") return;
    for (const same of this.form.lists ? alike(rules) : rules.map((rule) => [rule])) this.#addAlike(same);
  }

  addAcls(rules: readonly AclRule[]): void {
    for (const role of new Set(rules.map((rule) => rule.role))) {
      const own = rules.filter((rule) => rule.role === role);
      const list = (isEgress: boolean): PropertyValue[] =>
        own.filter(({ egress }) => egress === isEgress).map(inlineEntry);
      const acl = this.#add(TYPE.networkAcl, `${NAME}-acl-${role}`, {
        ...this.#id(`acl-${role}`),
        tags: tagsOf(role),
        ...(this.form.inlineAcls && { ingress: list(false), egress: list(true) }),
      });
      if (this.form.inlineAcls) continue;
      for (const { role: _, ...entry } of own)
        this.#add(
          TYPE.networkAclRule,
          `${NAME}-acl-${role}-${entry.egress ? "egress" : "ingress"}-${entry.ruleNumber}`,
          { networkAclId: this.#idOf(acl), ...entry },
          { networkAclId: acl },
        );
    }
  }

  /** Adds rules for the same packets: one for each peer, or with prefix lists one for all blocks of a family. */
  #addAlike(same: readonly GroupRule[]): void {
    const [{ role, direction, traffic, key }] = same as [GroupRule];
    const group = this.#groups.get(role)!;
    const isClassic = this.form.writer === "classic";
    const name = [groupName(role), direction, key].join("-");
    const type = isClassic
      ? TYPE.securityGroupRule
      : direction === Direction.Ingress
        ? TYPE.ingressRule
        : TYPE.egressRule;
    const { ipProtocol, ...ports } = traffic;
    const head: Properties = {
      securityGroupId: this.#idOf(group),
      ...(isClassic
        ? { type: direction, protocol: ipProtocol, fromPort: 0, toPort: 0, ...ports }
        : { ...traffic }),
    };
    for (const [at, { properties, from }] of this.#peers(same, name).entries())
      this.#add(
        type,
        at === 0 ? name : `${name}-${at}`,
        { ...head, ...properties },
        { securityGroupId: group, ...from },
      );
  }

  /** The peers of rules, each as the properties of its own rule. */
  #peers(same: readonly GroupRule[], name: string): WrittenPeer[] {
    const isClassic = this.form.writer === "classic";
    const cidrs = same.flatMap(({ peer }) => ("cidr" in peer ? [peer.cidr] : []));
    const groups = same.flatMap(({ peer }) => ("group" in peer ? [peer.group] : []));
    return [
      ...(this.form.lists
        ? [4, 6].flatMap((family): WrittenPeer[] => {
            const list = this.#list(`${name}-${family}`, cidrs.filter(isOf(family)));
            if (!list) return [];
            const key = isClassic ? "prefixListIds" : "prefixListId";
            const id = this.#idOf(list);
            const properties: Properties = { [key]: isClassic ? [id] : id };
            return [{ properties, from: { [key]: list } }];
          })
        : cidrs.map((cidr) => ({ properties: blockOf(cidr, isClassic) }))),
      ...groups.map((role) => {
        const key = isClassic ? "sourceSecurityGroupId" : "referencedSecurityGroupId";
        const group = this.#groups.get(role)!;
        const properties: Properties = { [key]: this.#idOf(group) };
        return { properties, from: { [key]: group } };
      }),
    ];
  }

  #list(name: string, cidrs: readonly string[]): Resource | undefined {
    if (cidrs.length === 0) return undefined;
    const isSplit = this.form.writer === "split";
    const list = this.#add(TYPE.prefixList, `${name}-list`, {
      ...this.#id(`pl-${this.resources.length}`),
      ...(!isSplit && { entries: cidrs.map((cidr) => ({ cidr })) }),
    });
    if (isSplit)
      for (const [at, cidr] of cidrs.entries())
        this.#add(
          TYPE.prefixListEntry,
          `${name}-entry-${at}`,
          { prefixListId: this.#idOf(list), cidr },
          { prefixListId: list },
        );
    return list;
  }

  /** Rules that are inline in their group. They reference other groups by id, and their own as `self`. */
  #inline(rules: readonly GroupRule[], direction: Direction): PropertyValue[] {
    if (this.form.writer !== "inline") return [];
    return alike(rules.filter((rule) => rule.direction === direction)).map((same): PropertyValue => {
      const [{ role, key, traffic }] = same as [GroupRule];
      const { ipProtocol: protocol, ...ports } = traffic;
      const cidrs = same.flatMap(({ peer }) => ("cidr" in peer ? [peer.cidr] : []));
      const groups = same.flatMap(({ peer }) => ("group" in peer ? [peer.group] : []));
      const lists: PropertyValue[] | undefined = this.form.lists
        ? [4, 6].flatMap((family): PropertyValue[] => {
            const list = this.#list(
              [groupName(role), direction, key, family].join("-"),
              cidrs.filter(isOf(family)),
            );
            return list ? [this.#idOf(list)] : [];
          })
        : undefined;
      return {
        protocol,
        fromPort: 0,
        toPort: 0,
        ...ports,
        ...(lists
          ? { prefixListIds: lists }
          : { cidrBlocks: cidrs.filter(isOf(4)), ipv6CidrBlocks: cidrs.filter(isOf(6)) }),
        securityGroups: groups.filter((one) => one !== role).map((one) => `sg-${one}`),
        self: groups.includes(role),
      };
    });
  }

  /** In a preview the ids of new resources are unknown. */
  #id(id: string): { id?: string } {
    return this.form.preview ? {} : { id };
  }

  #idOf({ properties: { id } }: Resource): PropertyValue {
    return id ?? UNKNOWN;
  }

  #add(type: string, name: string, properties: Properties, from: From = {}): Resource {
    const made = resource(type, name, properties, this.form.preview ? from : {});
    const { urn } = this.parent?.origin ?? {};
    const added = urn === undefined ? made : { ...made, parent: urn };
    this.resources.push(added);
    return added;
  }
}

const isOf =
  (family: number) =>
  (cidr: string): boolean =>
    cidr.includes(":") === (family === 6);

const tagsOf = (role: Role): PropertyValue => ({ [CLUSTER_TAG]: NAME, [ROLE_TAG]: role });

function blockOf(cidr: string, isClassic: boolean): Properties {
  const isIPv6 = isOf(6)(cidr);
  if (isClassic) return { [isIPv6 ? "ipv6CidrBlocks" : "cidrBlocks"]: [cidr] };
  return { [isIPv6 ? "cidrIpv6" : "cidrIpv4"]: cidr };
}

function inlineEntry({ role: _, egress: __, ruleNumber: ruleNo, ruleAction: action, ...rest }: AclRule) {
  return { ruleNo, action, fromPort: 0, toPort: 0, ...rest } as PropertyValue;
}

/** The names by which a configuration assigns roles to groups. */
export const configuredNames = {
  ...Object.fromEntries(Object.values(Role).map((role) => [role, [groupName(role)]])),
};
