// Checks certificates independently: it shares no code with the engine that creates them, so that a fault in one is not a fault in
// both. It knows only boxes of numbers, CIDR blocks, and how AWS and Kubernetes write rules.

type Json = Readonly<Record<string, unknown>>;

type Origin = { urn?: string; file?: string; line?: number };
/**
 * A resource of the plan with its known values; unknown values are left out, except for ids that name something. null stands for unknown
 * rules and lists of addresses.
 */
export type PlannedResource = Origin & {
  type: string;
  properties: Json;
  /** For each property, the URNs of the resources that its value came from. */
  dependencies?: Readonly<Record<string, readonly string[]>>;
  /** The fault of a policy or egress firewall that the API server refuses or that is not applied. */
  refused?: string;
  /** True for an object that is not in the clusters of the certificate, or is a copy of one that is. */
  isElsewhere?: true;
};
/** Stands for an id that the plan does not know yet. */
export const UNKNOWN_ID = {};

/** The names of one thing: its URN, its id, or both. */
type Names = readonly string[];
type Block = Record<"sources" | "destinations", readonly string[]> & {
  services: readonly (readonly [number, number])[];
};
/** Where a rule is written; `object` is the kind, namespace and name of a Kubernetes object, and does not depend on its file and line. */
type Place = Origin & { path: string; object?: string };
type Rule = {
  rule?: Place;
  /** What the rule is in: a security group, a network ACL or a namespace. */
  holder?: Names;
  /** The security groups and prefix lists that it names. */
  peers?: readonly Names[];
  assumed?: readonly string[];
  packets: readonly Block[];
};
type Guarded = {
  guard: string;
  packets: string;
  direction: string;
  required: readonly Block[];
  rules: readonly Rule[];
};
type Checked = { version: number; flows: readonly { journey: string; places: readonly Guarded[] }[] };

type Range = readonly [bigint, bigint];
/** Services, sources and destinations; IPv6 addresses come after IPv4 addresses. */
type Box = readonly [Range, Range, Range];

/** A rule in the plan. */
type Written = { resource: PlannedResource; path: string; rule: Json; isIngress: boolean; holder: Names };

/** Lists everything in a certificate that the plan does not support, one line each. Empty: the certificate holds. */
export function checkCertificate(
  { version, flows }: Checked,
  resources: readonly PlannedResource[],
): string[] {
  if (version !== 2) return [`version ${version} is not supported: this checker reads version 2`];
  const plan = new Plan(resources);
  return flows.flatMap(({ journey, places }) =>
    places.flatMap((place) => {
      const { guard, packets, direction, required, rules } = place;
      const open = covers(place, required) ? [] : ["no rule covers some of the required packets"];
      const isElsewhere = supportedElsewhere(place, places, plan);
      const faults = [...open, ...rules.flatMap((rule) => ruleFaults(rule, direction, plan, isElsewhere))];
      return faults.map((fault) => `${journey}, ${guard}, ${packets}: ${fault}`);
    }),
  );
}

const covers = ({ rules }: Guarded, required: readonly Block[]): boolean =>
  beyond(boxesOf(required), boxesOf(rules.flatMap((rule) => rule.packets))).length === 0;

/**
 * Whether another place of the same flow and guard has the rules of one version of an egress firewall: a patch replaces the list, and is
 * certified beside its object.
 */
function supportedElsewhere(place: Guarded, places: readonly Guarded[], plan: Plan) {
  const { guard, packets, required } = place;
  const others = places.filter((one) => one !== place && one.guard === guard && one.packets === packets);
  const known = new Map<string, boolean>();
  return (version: PlannedResource): boolean => {
    if (!isFirewall(version)) return false;
    const found =
      known.get(nameOf(version)) ??
      others.some(
        (one) => covers(one, required) && one.rules.every((rule) => supports(rule, one, version, plan)),
      );
    known.set(nameOf(version), found);
    return found;
  };
}

const supports = (stated: Rule, { direction }: Guarded, version: PlannedResource, plan: Plan): boolean =>
  !stated.rule ||
  (plan.versionsOf(stated.rule).some((one) => nameOf(one) === nameOf(version)) &&
    versionFaults(stated, stated.rule.path, version, direction, plan).length === 0);

const nameOf = ({ urn, file, line }: Origin) => urn ?? `${file}:${line}`;

/** Each version of the object in which a rule is must have it: it is unknown which of them applies. */
function ruleFaults(
  stated: Rule,
  direction: string,
  plan: Plan,
  isElsewhere: (version: PlannedResource) => boolean,
): string[] {
  const { rule } = stated;
  if (!rule) return [];
  const versions = plan.versionsOf(rule);
  const [first] = versions;
  if (!first) {
    const written = rule.object?.split(":").at(-1);
    return [`${rule.urn === undefined && written ? written : nameOf(rule)} is not in the plan`];
  }
  if (first.refused !== undefined) return [`${nameOf(first)} is not in force: ${first.refused}`];
  const scope = scopeOf(first);
  for (const version of versions) {
    if (scopeOf(version) !== scope)
      return [`${nameOf(version)} changes which pods ${nameOf(first)} selects, or its priority`];
    const faults = versionFaults(stated, rule.path, version, direction, plan);
    if (faults.length > 0 && !isElsewhere(version)) return faults;
  }
  return [];
}

function versionFaults(
  stated: Rule,
  path: string,
  resource: PlannedResource,
  direction: string,
  plan: Plan,
): string[] {
  const { holder = [], packets } = stated;
  const written = plan.ruleAt(resource, path);
  const name = `${nameOf(resource)} ${path}`;
  if (!written) return [`${nameOf(resource)} has no rule ${path}`];
  if (written.isIngress !== (direction === "ingress")) return [`${name} is not a rule for ${direction}`];
  // A preview may not know the namespace of an object.
  const isStated = isAws(resource) || holder.length > 0;
  if (isStated && !share(holder, written.holder))
    return [`${name} is in ${textOf(written.holder)}, and the certificate states ${textOf(holder)}`];
  if (plan.mayRemove(written))
    return [`a list of all rules of its security group does not certainly contain ${name}`];
  const boxes = boxesOf(packets);
  const taken = readable(() => allowed(written, assumedFor(stated, written, plan)), []);
  const denials = earlierDenials(written, plan);
  return [
    ...(!permits(written) || beyond(boxes, taken).length > 0
      ? [`${name} allows fewer packets than the certificate states`]
      : []),
    ...(plan.besides(written).some(({ rule: other }) => numberOf(other) === numberOf(written.rule))
      ? [`another rule has the number of ${name}, and EC2 accepts only one of them`]
      : []),
    ...(denials.some((denial) => boxes.some((box) => meet(box, denial)))
      ? [`a rule ${Array.isArray(written.rule) ? "in" : "before"} ${name} denies some of the packets`]
      : []),
  ];
}

const textOf = ([name = "an unknown place"]: Names): string => name;
const share = (some: Names, others: Names): boolean => some.some((name) => others.includes(name));

const isOf =
  (type: RegExp) =>
  (one: { type: string }): boolean =>
    type.test(one.type);
const isAws = isOf(/^aws:/);
const isAcl = isOf(/NetworkAcl$/);
const isAclRule = isOf(/NetworkAclRule$/);
const isGroupRule = isOf(/SecurityGroup(Ingress|Egress)?Rule$/);
/** Lists all rules that a security group may have. */
const isExclusive = isOf(/SecurityGroupRulesExclusive$/);
const isFirewall = isOf(/:EgressFirewall(Patch)?$/);
const isPatch = isOf(/Patch$/);
const isAdministrators = isOf(/AdminNetworkPolicy(Patch)?$/);
const isClusterPolicy = isOf(/ClusterNetworkPolicy(Patch)?$/);

/** Types at the end of a type token, or in a URN. */
const GROUP = /SecurityGroup(::|$)/;
const ACL = /NetworkAcl(::|$)/;
const LIST = /PrefixList(::|$)/;
const VPC = /Vpc(::|$)/;

/** A plan, and what the checker looks up in it. */
class Plan {
  readonly #named = new Map<string, PlannedResource>();
  /** Objects of the clusters of the certificate and patches of them, by kind, namespace and name. */
  readonly #objects = new Map<string | undefined, PlannedResource[]>();
  readonly #withId = new Map<unknown, string[]>();
  /** By the names of the ACL or the group; under undefined if these are unknown. */
  readonly #aclRules = new Map<string | undefined, Written[]>();
  readonly #exclusive = new Map<string | undefined, PlannedResource[]>();

  constructor(resources: readonly PlannedResource[]) {
    for (const one of resources) {
      const { id, defaultNetworkAclId } = one.properties;
      if (!this.#named.has(nameOf(one))) this.#named.set(nameOf(one), one);
      const key = keyOf(one);
      if (key !== undefined && !one.isElsewhere) add(this.#objects, [key], one);
      for (const its of new Set([id, defaultNetworkAclId])) add(this.#withId, [its], nameOf(one));
    }
    for (const one of resources) {
      if (isExclusive(one)) add(this.#exclusive, this.#holderOf(one), one);
      for (const path of pathsOfAclRules(one)) {
        const rule = this.ruleAt(one, path);
        if (rule) add(this.#aclRules, rule.holder, rule);
      }
    }
  }

  named(name: string): PlannedResource | undefined {
    return this.#named.get(name);
  }

  /**
   * The versions of what a rule is in, one of which applies: the objects of one kind, namespace and name, and the first of them with each
   * patch. None: it is not in the plan.
   */
  versionsOf({ object, path, ...place }: Place): PlannedResource[] {
    const isByLine = object !== undefined && place.urn === undefined;
    const one = isByLine ? undefined : this.named(nameOf(place));
    const key = this.#objects.has(object) ? object : one && keyOf(one);
    if (key === undefined) return one ? [one] : [];
    const here = this.#objects.get(key) ?? [];
    const all = one && here.includes(one) ? [...new Set([one, ...here])] : here;
    // A HostedCluster and a patch of it may both list the addresses.
    if (all.some(({ type }) => isAllowList(type, path))) {
      const listing = all.filter(({ properties }) => mayList(at(properties, path)));
      return listing.length > 0 ? listing : all;
    }
    const [patches, objects] = [true, false].map((wanted) => all.filter((each) => isPatch(each) === wanted));
    const [first] = objects!;
    return first ? [...objects!, ...patches!.map((patch) => patched(first, patch))] : patches!;
  }

  ruleAt(resource: PlannedResource, path: string): Written | undefined {
    const rule = at(resource.properties, path);
    const isIngress = ingress(resource, path);
    if (!isJson(rule) || isIngress === undefined) return undefined;
    return { resource, path, rule, isIngress, holder: this.#holderOf(resource) };
  }

  /** The other rules in one direction of the network ACL of a rule, and those that may be in any ACL. */
  besides({ resource, path, isIngress, holder }: Written): Written[] {
    if (!isAcl(resource) && !isAclRule(resource)) return [];
    return lookedUp(this.#aclRules, holder).filter(
      (one) => one.isIngress === isIngress && !(one.resource === resource && one.path === path),
    );
  }

  /** Whether a list of all rules of its security group may leave out a rule. */
  mayRemove({ resource, path, isIngress, holder }: Written): boolean {
    if (!isAws(resource) || this.#exclusive.size === 0) return false;
    const property = isIngress ? "ingressRuleIds" : "egressRuleIds";
    const idsOf = ({ properties }: PlannedResource) => [properties.id, properties.securityGroupRuleId];
    return lookedUp(this.#exclusive, holder).some(({ properties, dependencies }) => {
      const ids = properties[property] ?? undefined;
      if (ids === undefined) return false;
      const isListed = (one: PlannedResource | undefined) =>
        one !== undefined &&
        idsOf(one)
          .filter(isText)
          .some((id) => list(ids).includes(id));
      if (path !== "") return true;
      if (isListed(resource)) return false;
      // Each unknown id must be of one of the rules from which the list was made.
      const made = (dependencies?.[property] ?? []).filter((urn) => !isListed(this.named(urn)));
      const unknown = list(ids).filter((id) => !isText(id));
      const areRules = made.every((urn) => isGroupRule(this.named(urn) ?? { type: "" }));
      return !(made.includes(nameOf(resource)) && areRules && made.length === unknown.length);
    });
  }

  /** The names of what an id means. An id that is not known yet is that of the only such resource from which it comes, or of its VPC's own. */
  referred({ dependencies }: PlannedResource, property: string, id: unknown, type: RegExp): Names {
    if (isText(id) && id !== "") {
      // The id of a group in a peered account has that account as a prefix.
      const own = id.replace(/^\d{12}\//, "");
      return [...new Set([own, id, ...(this.#withId.get(own) ?? [])])];
    }
    const made = [type, VPC].map((wanted) =>
      (dependencies?.[property] ?? []).filter((urn) => wanted.test(this.named(urn)?.type ?? urn)),
    );
    const [one, ...others] = made.find(({ length }) => length > 0) ?? [];
    if (one === undefined || others.length > 0) return [];
    const resource = this.named(one);
    return resource ? this.#namesOf(resource) : [one];
  }

  /** The default group and ACL of a VPC also have its names. */
  #namesOf(resource: PlannedResource): Names {
    const { type, properties } = resource;
    const own = /Default(NetworkAcl|SecurityGroup)$/.exec(type)?.[1];
    const property = own === "NetworkAcl" ? "defaultNetworkAclId" : "vpcId";
    const ofVpc = own ? this.referred(resource, property, properties[property], VPC) : [];
    return [nameOf(resource), properties.id, ...ofVpc].filter(isText);
  }

  #holderOf(resource: PlannedResource): Names {
    const { networkAclId, securityGroupId } = resource.properties;
    if (isAclRule(resource)) return this.referred(resource, "networkAclId", networkAclId, ACL);
    if (isGroupRule(resource) || isExclusive(resource))
      return this.referred(resource, "securityGroupId", securityGroupId, GROUP);
    if (isAws(resource)) return this.#namesOf(resource);
    const { name, namespace = "default" } = (resource.properties.metadata ?? {}) as Json;
    // Of the egress firewalls of a namespace, only one has the name that OVN-Kubernetes reads.
    const parts = isFirewall(resource) ? [namespace, name] : [namespace];
    return parts.every(isText) ? [parts.join("/")] : [];
  }
}

/** An object in one cluster, whatever the version of its API: its kind, namespace and name. Undefined if these are not known. */
function keyOf({ type, properties }: PlannedResource): string | undefined {
  if (!type.startsWith("kubernetes:")) return undefined;
  const { name, namespace = "default" } = (properties.metadata ?? {}) as Json;
  const isNamespaced = !isAdministrators({ type }) && !isClusterPolicy({ type });
  if (!isText(name) || name === "" || (isNamespaced && !isText(namespace))) return undefined;
  const kind = type.replace(/\/[^/:]*:/, "/:").replace(/Patch$/, "");
  return `${kind} ${isNamespaced ? String(namespace) : ""}/${name}`;
}

/** An object with the properties of its spec that a patch states. */
const patched = (object: PlannedResource, patch: PlannedResource): PlannedResource => ({
  ...patch,
  type: object.type,
  properties: {
    ...object.properties,
    // The plan may not know what a patch states.
    spec: patch.properties.spec === null ? null : { ...object.properties.spec!, ...patch.properties.spec! },
  },
});

/** What decides whether and when a policy applies to a pod, as a text that is equal for equal values. */
function scopeOf({ properties }: PlannedResource): string {
  const { podSelector, subject, priority, tier } = (properties.spec ?? {}) as Json;
  return JSON.stringify({ podSelector, subject, priority, tier }, (_, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([, value]) => !isNone(value))
            .sort(([one], [other]) => (one < other ? -1 : 1)),
        )
      : part,
  );
}

function add<Value>(map: Map<unknown, Value[]>, keys: readonly unknown[], value: Value): void {
  for (const key of keys.length > 0 ? keys : [undefined]) {
    const values = map.get(key);
    if (values) values.push(value);
    else map.set(key, [value]);
  }
}

/** Each value under one of these names, and those under none. */
const lookedUp = <Value>(map: Map<string | undefined, Value[]>, names: Names): Value[] => [
  ...new Set([...names, undefined].flatMap((name) => map.get(name) ?? [])),
];

function pathsOfAclRules(resource: PlannedResource): string[] {
  if (isAclRule(resource)) return [""];
  if (!isAcl(resource)) return [];
  const { properties } = resource;
  return ["ingress", "egress"].flatMap((way) => list(properties[way]).map((_, place) => `${way}[${place}]`));
}

/** Whether a rule is for ingress; undefined if nothing states its direction. */
function ingress({ type, properties }: PlannedResource, path: string): boolean | undefined {
  if (isAclRule({ type })) return !isTrue(properties.egress);
  if (isFirewall({ type })) return false;
  if (isAllowList(type, path)) return true;
  const named = /(ingress|egress)\[/.exec(path) ?? /(Ingress|Egress)Rule/.exec(type);
  const direction = named ? named[1]!.toLowerCase() : properties.type;
  if (direction === "ingress") return true;
  return direction === "egress" ? false : undefined;
}

/** Whether a HostedCluster with this list may list addresses: null stands for a list that the plan does not know. */
const mayList = (addresses: unknown): boolean => addresses === null || !isNone(addresses);

/** Whether a path is the list of addresses that the load balancers of a HostedCluster allow. */
const isAllowList = (type: string, path: string) =>
  /:HostedCluster(Patch)?$/.test(type) && path === "spec.networking.apiServer.allowedCIDRBlocks";

/** The addresses that a certificate assumes, if the rule still names all groups and lists that these are behind. */
function assumedFor(
  { peers = [], assumed = [] }: Rule,
  { resource, path, rule, holder }: Written,
  plan: Plan,
): Names {
  const named = NAMING.flatMap(([property, type]) =>
    [rule[property]]
      .flat()
      .filter((id) => isText(id) || isJson(id))
      .map((id) => plan.referred(resource, path === "" ? property : path.split("[")[0]!, id, type)),
  );
  if (isTrue(rule.self)) named.push(holder);
  const isNamed = (peer: Names) => named.some((one) => share(peer, one));
  return peers.length > 0 && peers.every(isNamed) ? assumed : [];
}

/** Properties by which rules name groups and prefix lists. */
const NAMING: readonly (readonly [string, RegExp])[] = [
  ["securityGroups", GROUP],
  ["sourceSecurityGroupId", GROUP],
  ["referencedSecurityGroupId", GROUP],
  ["prefixListIds", LIST],
  ["prefixListId", LIST],
];

/** Whether a rule lets pass what it matches. */
function permits({ resource, rule, isIngress }: Written): boolean {
  const { action, ruleAction, type } = rule;
  if (isAcl(resource) || isAclRule(resource)) return isAllow(rule) && !Number.isNaN(numberOf(rule));
  if (isFirewall(resource))
    return (Array.isArray(rule) || (type === "Allow" && isRecord(rule.to))) && isApplied(resource);
  if (isAdministrators(resource)) return action === "Allow";
  if (isClusterPolicy(resource)) return action === "Accept";
  const types = at(resource.properties, "spec.policyTypes");
  // A patch leaves the types as they are.
  const isOfDirection = isNone(types)
    ? !isOf(/NetworkPolicyPatch$/)(resource)
    : list(types).includes(isIngress ? "Ingress" : "Egress");
  return isOfDirection && !["deny", "pass"].includes(String(action ?? ruleAction).toLowerCase());
}

const isAllow = ({ action, ruleAction }: Json): boolean =>
  String(action ?? ruleAction).toLowerCase() === "allow";

/** The number that orders a rule of a network ACL; NaN without one that EC2 accepts, which equals no other. */
function numberOf({ ruleNo, ruleNumber }: Json): number {
  const number = readable(() => integer(ruleNo ?? ruleNumber), undefined) ?? NaN;
  return 1 <= number && number <= 32_766 ? number : NaN;
}

/** An egress firewall with a destination that is not one readable block or name is not applied. */
const isApplied = ({ properties }: PlannedResource): boolean =>
  list(at(properties, "spec.egress"))
    .map((one) => step(one, "to"))
    .filter(isJson)
    .every(({ cidrSelector, dnsName, nodeSelector }) => {
      const given = [cidrSelector, dnsName, nodeSelector].filter((end) => end !== undefined && end !== null);
      return given.length < 2 && readable(() => !isText(cidrSelector) || Boolean(range(cidrSelector)), false);
    });

/** What earlier rules deny: earlier by position in egress firewalls, by number in network ACLs. All rules are before the end of a list. */
function earlierDenials(written: Written, plan: Plan): Box[] {
  const { resource, rule } = written;
  if (isFirewall(resource)) {
    const rules = list(at(resource.properties, "spec.egress"));
    const before = (Array.isArray(rule) ? rules : rules.slice(0, rules.indexOf(rule))).map((one) =>
      isJson(one) ? one : {},
    );
    // DNS names and nodes may have any address, and ports that are not readable any number.
    const whole = (one: Json) => ({
      ...one,
      ...(!isText(step(one.to, "cidrSelector")) && { to: [] }),
      ...(!(isNone(one.ports) || Array.isArray(one.ports)) && { ports: [] }),
      ...(firewallPorts(list(one.ports)).includes(NO_PORT) && { ports: [] }),
    });
    return before
      .filter(({ type }) => type !== "Allow")
      .flatMap((one) => deniedBy({ ...written, rule: whole(one) }));
  }
  // A rule without a number may come before any other.
  const isBefore = (one: Json) => !(numberOf(one) >= numberOf(rule)) && !isAllow(one);
  return plan
    .besides(written)
    .filter((one) => isBefore(one.rule))
    .flatMap(deniedBy);
}

const deniedBy = (rule: Written): Box[] =>
  readable(() => allowed(rule, []), [[ANYTHING, ANYWHERE, ANYWHERE]]);

/** Reads a value, or returns `otherwise` if it is not readable. */
function readable<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Each readable value of a list: others match nothing. */
const eachReadable = <Item, Value>(values: readonly Item[], read: (value: Item) => Value[]): Value[] =>
  values.flatMap((value) => readable(() => read(value), []));

/** The packets that a rule matches. Groups and prefix lists have the addresses that the certificate assumes. */
function allowed({ resource, rule, isIngress }: Written, assumed: readonly string[]): Box[] {
  if (Array.isArray(rule) && isFirewall(resource)) return [[ANYTHING, ANYWHERE, ANYWHERE]];
  if (Array.isArray(rule)) return rule.filter(isText).map((one): Box => [ANYTHING, range(one), ANYWHERE]);
  const isOfAws = isAws(resource);
  const peers = isOfAws ? awsPeers(resource, rule, assumed) : policyPeers(rule[isIngress ? "from" : "to"]);
  const ports = isFirewall(resource) && Array.isArray(rule.ports) ? firewallPorts(rule.ports) : rule.ports;
  const services = isOfAws ? awsServices(resource, rule) : policyServices({ ...rule, ports });
  return services.flatMap((service) =>
    peers.map((peer): Box => (isIngress ? [service, peer, ANYWHERE] : [service, ANYWHERE, peer])),
  );
}

const ANYWHERE: Range = [0n, (1n << 129n) - 1n];
const ANYTHING: Range = [0n, (1n << 24n) - 1n];

const [ICMP, TCP, UDP, ICMP_V6, SCTP] = [1, 6, 17, 58, 132];
/** The protocols that rules of AWS may name. (IANA, Assigned Internet Protocol Numbers) */
const PROTOCOLS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ hopopt: 0, icmp: ICMP, igmp: 2, ipv4: 4, tcp: TCP, egp: 8, igp: 9, udp: UDP, dccp: 33, ipv6: 41 },
    ...{ "ipv6-route": 43, "ipv6-frag": 44, rsvp: 46, gre: 47, esp: 50, ah: 51, icmpv6: ICMP_V6 },
    ...{ "ipv6-icmp": ICMP_V6, "ipv6-nonxt": 59, "ipv6-opts": 60, eigrp: 88, ospfigp: 89, ipip: 94 },
    ...{ etherip: 97, encap: 98, pim: 103, ipcomp: 108, vrrp: 112, l2tp: 115, stp: 118 },
    ...{ "isis-over-ipv4": 124, sctp: SCTP, "mobility-header": 135, udplite: 136, "mpls-in-ip": 137 },
    ...{ manet: 138, hip: 139, shim6: 140, wesp: 141, rohc: 142 },
  }),
);

function serviceRange(protocol: number, from = 0, to = 65_535): Range {
  if (!(protocol <= 255 && 0 <= from && from <= to && to <= 65_535)) throw new RangeError("no such service");
  const first = BigInt(protocol) << 16n;
  return [first + BigInt(from), first + BigInt(to)];
}

/** A whole number, also as text; undefined for none. */
function integer(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (Number.isInteger(value) || (isText(value) && /^-?\d+$/.test(value))) return Number(value);
  throw new RangeError("not a whole number");
}

/** The properties that a network ACL rule omits are sent as 0. */
function awsServices(resource: PlannedResource, rule: Json): Range[] {
  const word = String(rule.ipProtocol ?? rule.protocol).toLowerCase();
  // A rule without a protocol is for every one.
  if (["-1", "all", "undefined", "null"].includes(word)) return [ANYTHING];
  const protocol = PROTOCOLS.get(word) ?? integer(word)!;
  const isOfAcl = isAcl(resource) || isAclRule(resource);
  const isIcmp = protocol === ICMP || protocol === ICMP_V6;
  const [from, to] = (isOfAcl && isIcmp ? [rule.icmpType, rule.icmpCode] : [rule.fromPort, rule.toPort]).map(
    (end) => integer(end) ?? (isOfAcl ? 0 : undefined),
  );
  if (isIcmp) return [messages(protocol, from ?? -1, to ?? -1)];
  if (protocol !== TCP && protocol !== UDP) return [serviceRange(protocol)];
  // EC2 refuses a rule with one port, with none, or with a number that is no port.
  return from === undefined || to === undefined ? [] : [serviceRange(protocol, from, to)];
}

/** ICMP of a type and code; negative ones mean all. */
function messages(protocol: number, type: number, code: number): Range {
  if (type < 0) return serviceRange(protocol);
  return serviceRange(protocol, type * 256 + Math.max(code, 0), type * 256 + (code < 0 ? 255 : code));
}

/** EC2 clears the host bits of blocks in network ACLs; a rule there has one block. */
function awsPeers(resource: PlannedResource, rule: Json, assumed: readonly string[]): Range[] {
  const { cidrBlocks, ipv6CidrBlocks, cidrIpv4, cidrIpv6, cidrBlock, ipv6CidrBlock } = rule;
  const isFilled = (text: unknown): text is string => isText(text) && text !== "";
  if (isAcl(resource) || isAclRule(resource))
    return eachReadable([cidrBlock, ipv6CidrBlock].filter(isFilled).slice(0, 1), (text) => [range(text)]);
  const texts = [cidrBlocks, ipv6CidrBlocks, cidrIpv4, cidrIpv6].flat().filter(isFilled);
  return [...eachReadable(texts, (text) => [range(text, false)]), ...assumed.map((text) => range(text))];
}

const TRANSPORTS: ReadonlyMap<unknown, number> = new Map(Object.entries({ TCP, UDP, SCTP }));

/** Matches nothing. */
const NO_PORT: Json = { namedPort: "" };

/** The ports of an egress firewall, each with a known protocol, and with a number or none. */
const firewallPorts = (ports: readonly unknown[]): Json[] =>
  ports.map((one) =>
    isRecord(one) && TRANSPORTS.has(one.protocol) && Number.isInteger(one.port ?? 0) ? one : NO_PORT,
  );

/** Ports of network policies, administrators' and cluster policies, by number: a certificate does not show which ports names mean. */
function policyServices({ ports, protocols }: Json): Range[] {
  if (isNone(ports) && isNone(protocols)) return [ANYTHING];
  const entries = [...list(ports).filter(isRecord), ...list(protocols).filter(isRecord).map(plainProtocol)];
  return eachReadable(entries.map(plainPort), ({ protocol = "TCP", port, endPort, named }: Json) => {
    if (named !== undefined || (isText(port) && !/^\d+$/.test(port))) return [];
    const number = TRANSPORTS.get(protocol);
    return number === undefined ? [] : [serviceRange(number, integer(port), integer(endPort ?? port))];
  });
}

/** Converts a port of an AdminNetworkPolicy to the form of a NetworkPolicy. */
function plainPort(entry: Json): Json {
  const { portNumber, portRange, namedPort } = entry;
  if (isJson(portRange)) return { ...portRange, port: portRange.start, endPort: portRange.end };
  return isJson(portNumber) ? portNumber : { ...entry, named: namedPort };
}

/** Converts a protocol of a ClusterNetworkPolicy to the form of an AdminNetworkPolicy; without a port it matches nothing. */
function plainProtocol(entry: Json): Json {
  const protocol = ["tcp", "udp", "sctp"].find((word) => word in entry) ?? "";
  const { number, range: ports } = (step(entry[protocol], "destinationPort") ?? {}) as Json;
  const name = protocol.toUpperCase();
  if (isJson(ports)) return { portRange: { protocol: name, ...ports } };
  return number === undefined ? { namedPort: "" } : { portNumber: { protocol: name, port: number } };
}

/** Peers by CIDR block: a certificate does not show which pods selectors mean. Egress firewalls name only one end, by its block. */
function policyPeers(peers: unknown): Range[] {
  if (isRecord(peers)) return [peers.cidrSelector].filter(isText).map((one) => range(one));
  if (isNone(peers)) return [ANYWHERE];
  return eachReadable(list(peers).filter(isRecord), (peer) => {
    const { ipBlock, networks, domainNames, nodes } = peer;
    if (domainNames !== undefined || nodes !== undefined) return [];
    if (networks !== undefined)
      return list(networks)
        .filter(isText)
        .map((one) => range(one));
    const isSelector = ["podSelector", "namespaceSelector", "pods", "namespaces"].some((key) =>
      isRecord(peer[key]),
    );
    if (!isRecord(ipBlock)) return isSelector && isNone(ipBlock) ? [ANYWHERE] : [];
    return list(ipBlock.except).length === 0 ? [range(String(ipBlock.cidr))] : [];
  });
}

const boxesOf = (blocks: readonly Block[]): Box[] =>
  blocks.flatMap(({ services, sources, destinations }) =>
    services.flatMap(([from, to]) =>
      sources.flatMap((source) =>
        destinations.map((end): Box => [[BigInt(from), BigInt(to)], range(source), range(end)]),
      ),
    ),
  );

/** The numbers of a CIDR block; host bits are ignored, or not allowed. */
function range(text: string, withHostBits = true): Range {
  const [, address = "", length = ""] = /^(\d{1,3}(?:\.\d{1,3}){3}|[\da-f:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const [bits, number] = address.includes(":") ? [128, (1n << 128n) + ipv6(address)] : [32, ipv4(address)];
  const size = 1n << BigInt(bits - Number(length));
  const first = number - (number % size);
  if (address === "" || (first < number && !withHostBits)) throw new RangeError("not a CIDR block");
  return [first, first + size - 1n];
}

const ipv4 = (address: string): bigint =>
  address.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);

function ipv6(address: string): bigint {
  const [left = [], right = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...right].reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}

const meet = (a: Box, b: Box): boolean => a.every(([from, to], i) => from <= b[i]![1] && b[i]![0] <= to);

const beyond = (boxes: readonly Box[], taken: readonly Box[]): Box[] =>
  taken.reduce<Box[]>((rest, box) => rest.flatMap((one) => without(one, box)), [...boxes]);

/** A box minus another one: the parts before and after the hole in each dimension. */
function without(box: Box, hole: Box): Box[] {
  if (!meet(box, hole)) return [box];
  const rest: Box[] = [];
  const inner: [Range, Range, Range] = [...box];
  for (const i of [0, 1, 2] as const) {
    const [[from, to], [first, last]] = [inner[i], hole[i]];
    if (from < first) rest.push(inner.with(i, [from, first - 1n]) as unknown as Box);
    if (last < to) rest.push(inner.with(i, [last + 1n, to]) as unknown as Box);
    inner[i] = [from > first ? from : first, to < last ? to : last];
  }
  return rest;
}

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null;
const isRecord = (value: unknown): value is Json => isJson(value) && !Array.isArray(value);
const isTrue = (value: unknown): boolean => value === true || value === "true";
const isText = (value: unknown): value is string => typeof value === "string";
/** Whether a list is empty or absent. */
const isNone = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : (value ?? null) === null;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const step = (value: unknown, key: string): unknown => (isJson(value) ? value[key] : undefined);
const at = (value: unknown, path: string): unknown => (path.match(/[^.[\]]+/g) ?? []).reduce(step, value);
