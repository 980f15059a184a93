// Checks certificates independently: it shares no code with the engine that creates them, so that a fault in one is not a fault in
// both. It knows only boxes of numbers, CIDR blocks, and how AWS and Kubernetes write rules.

type Json = Readonly<Record<string, unknown>>;

type Origin = { urn?: string; file?: string; line?: number };
/** A resource of the plan with its known values; unknown values are left out. */
export type PlannedResource = Origin & { type: string; properties: Json };

type Block = Record<"sources" | "destinations", readonly string[]> & {
  services: readonly (readonly [number, number])[];
};
type Rule = { rule?: Origin & { path: string }; assumed?: readonly string[]; packets: readonly Block[] };
type Place = { guard: string; packets: string; required: readonly Block[]; rules: readonly Rule[] };
type Checked = { version: number; flows: readonly { journey: string; places: readonly Place[] }[] };

type Range = readonly [bigint, bigint];
/** Services, sources and destinations; IPv6 addresses come after IPv4 addresses. */
type Box = readonly [Range, Range, Range];

type Plan = readonly PlannedResource[];

/** Lists everything in a certificate that the plan does not support, one line each. Empty: the certificate holds. */
export function checkCertificate({ version, flows }: Checked, plan: Plan): string[] {
  if (version !== 1) return [`version ${version} is not supported: this checker reads version 1`];
  return flows.flatMap(({ journey, places }) =>
    places.flatMap(({ guard, packets, required, rules }) => {
      const left = beyond(boxesOf(required), boxesOf(rules.flatMap((rule) => rule.packets)));
      const open = left.length > 0 ? ["no rule covers some of the required packets"] : [];
      const faults = [...open, ...rules.flatMap((rule) => ruleFaults(rule, plan))];
      return faults.map((fault) => `${journey}, ${guard}, ${packets}: ${fault}`);
    }),
  );
}

const nameOf = ({ urn, file, line }: Origin) => urn ?? `${file}:${line}`;

function ruleFaults({ rule, assumed = [], packets }: Rule, plan: Plan): string[] {
  if (!rule) return [];
  const name = nameOf(rule);
  const resource = plan.find((one) => nameOf(one) === name);
  if (!resource) return [`${name} is not in the plan`];
  const written = at(resource.properties, rule.path);
  const isIngress = ingress(resource, rule.path);
  if (!isJson(written) || isIngress === undefined) return [`${name} has no rule ${rule.path}`];
  const boxes = boxesOf(packets);
  const less =
    denies(written) ||
    beyond(
      boxes,
      readable(() => allowed(written, isIngress, assumed), []),
    ).length > 0;
  const denials = earlierDenials(resource, written, isIngress, plan);
  const denied = denials.some((denial) => boxes.some((box) => meet(box, denial)));
  return [
    ...(less ? [`${name} ${rule.path} allows fewer packets than the certificate states`] : []),
    ...(denied ? [`a rule before ${name} ${rule.path} denies some of the packets`] : []),
  ];
}

/** Whether a rule is for ingress; undefined if nothing states its direction. */
function ingress({ type, properties }: PlannedResource, path: string): boolean | undefined {
  if (type.endsWith("NetworkAclRule")) return properties.egress !== true;
  if (isAllowList(type, path)) return true;
  const named = /(ingress|egress)\[/.exec(path) ?? /(Ingress|Egress)Rule/.exec(type);
  const direction = named ? named[1]!.toLowerCase() : properties.type;
  if (direction === "ingress") return true;
  return direction === "egress" ? false : undefined;
}

/** Whether a path is the list of addresses that the load balancers of a HostedCluster allow. */
const isAllowList = (type: string, path: string) =>
  /:HostedCluster(Patch)?$/.test(type) && path === "spec.networking.apiServer.allowedCIDRBlocks";

/** Whether a rule denies or passes the decision on: network ACLs state it in `action` or `ruleAction`, egress firewalls in `type`. */
const denies = ({ action, ruleAction, type }: Json) =>
  ["deny", "pass"].includes(String(action ?? ruleAction ?? type).toLowerCase());

/** What earlier rules deny: earlier by position in egress firewalls, by number in network ACLs. */
function earlierDenials(acl: PlannedResource, rule: Json, isIngress: boolean, plan: Plan): Box[] {
  if (acl.type.endsWith(":EgressFirewall")) {
    const rules = list(at(acl.properties, "spec.egress"));
    const before = rules.slice(0, rules.indexOf(rule)).map((one) => (isJson(one) ? one : { type: "Deny" }));
    // DNS names and nodes may have any address.
    const whole = (one: Json) => (isText(step(one.to, "cidrSelector")) ? one : { ...one, to: [] });
    return before.filter(denies).flatMap((one) => deniedBy(whole(one), false));
  }
  if (!acl.type.includes("NetworkAcl")) return [];
  const id = acl.properties.networkAclId ?? acl.properties.id;
  // If the id of an ACL is not known, the rule may belong to any ACL.
  const isHere = (other: unknown) => id === undefined || other === undefined || other === id;
  const ofType = (type: RegExp) => plan.filter((one) => type.test(one.type));
  const isInline = acl.type.endsWith("NetworkAcl");
  const inline = isInline ? [acl] : ofType(/NetworkAcl$/).filter(({ properties }) => isHere(properties.id));
  const separate = ofType(/NetworkAclRule$/).filter(({ properties }) => isHere(properties.networkAclId));
  const rules = [
    ...inline.flatMap(({ properties }) => list(properties[isIngress ? "ingress" : "egress"]).filter(isJson)),
    ...separate.map(({ properties }) => properties).filter(({ egress }) => (egress !== true) === isIngress),
  ];
  const number = ({ ruleNo, ruleNumber }: Json) => Number(ruleNo ?? ruleNumber);
  // A rule without a number may come before any other.
  const isBefore = (one: Json) =>
    !(number(one) >= number(rule)) && (one.action ?? one.ruleAction) !== "allow";
  return rules.filter((one) => one !== rule && isBefore(one)).flatMap((one) => deniedBy(one, isIngress));
}

const deniedBy = (rule: Json, isIngress: boolean): Box[] =>
  readable(() => allowed(rule, isIngress, []), [[ANYTHING, ANYWHERE, ANYWHERE]]);

/** Reads a rule, or returns `otherwise` if BigInt cannot read its numbers. */
function readable<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** The packets that a rule matches. Groups and prefix lists have the addresses that the certificate assumes. */
function allowed(rule: Json, isIngress: boolean, assumed: readonly string[]): Box[] {
  if (Array.isArray(rule)) return rule.filter(isText).map((one): Box => [ANYTHING, range(one), ANYWHERE]);
  const isAws = "protocol" in rule || "ipProtocol" in rule;
  const peers = isAws ? awsPeers(rule, assumed) : policyPeers(rule[isIngress ? "from" : "to"]);
  return (isAws ? awsServices(rule) : policyServices(rule)).flatMap((service) =>
    peers.map((peer): Box => (isIngress ? [service, peer, ANYWHERE] : [service, ANYWHERE, peer])),
  );
}

const ANYWHERE: Range = [0n, (1n << 129n) - 1n];
const ANYTHING: Range = [0n, (1n << 24n) - 1n];
const NUMBERS: Json = { tcp: 6, udp: 17, icmp: 1, icmpv6: 58, sctp: 132 };
const serviceRange = (protocol: unknown, from: number, to: number): Range => {
  const number = BigInt(Number(NUMBERS[String(protocol).toLowerCase()] ?? protocol)) << 16n;
  return [number + BigInt(from), number + BigInt(to)];
};

/** The properties that a network ACL rule omits are sent as 0. */
function awsServices(rule: Json): Range[] {
  const word = String(rule.ipProtocol ?? rule.protocol).toLowerCase();
  if (word === "-1" || word === "all") return [ANYTHING];
  const isAcl = "ruleNo" in rule || "ruleNumber" in rule;
  const isIcmp = /^(icmp|icmpv6|1|58)$/.test(word);
  const ends = isAcl && isIcmp ? [rule.icmpType, rule.icmpCode] : [rule.fromPort, rule.toPort];
  const [from, to] = ends.map((end) => Number(end ?? (isAcl ? 0 : -1))) as [number, number];
  if (from < 0 || !(isIcmp || /^(tcp|udp|6|17)$/.test(word))) return [serviceRange(word, 0, 65_535)];
  const [low, high] = isIcmp ? [from * 256 + Math.max(to, 0), from * 256 + (to < 0 ? 255 : to)] : [from, to];
  return [serviceRange(word, low, high)];
}

function awsPeers(rule: Json, assumed: readonly string[]): Range[] {
  const { cidrBlocks, ipv6CidrBlocks, cidrIpv4, cidrIpv6, cidrBlock, ipv6CidrBlock } = rule;
  const texts = [cidrBlocks, ipv6CidrBlocks, cidrIpv4, cidrIpv6, cidrBlock, ipv6CidrBlock].flat();
  const named = Object.keys(rule).some((key) => /securityGroups|SecurityGroupId|prefixList|self/.test(key));
  return [...texts.filter(isText), ...(named ? assumed : [])].map(range);
}

/** Ports of network policies, administrators' and cluster policies, by number: a certificate does not show which ports names mean. */
function policyServices({ ports, protocols }: Json): Range[] {
  const entries = [...list(ports).filter(isJson), ...list(protocols).filter(isJson).map(plainProtocol)];
  if (entries.length === 0) return [ANYTHING];
  return entries
    .map(plainPort)
    .flatMap(({ protocol = "TCP", port, endPort, named }) =>
      named !== undefined || typeof port === "string"
        ? []
        : [serviceRange(protocol, Number(port ?? 0), Number(endPort ?? port ?? 65_535))],
    );
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
  if (isJson(ports)) return { portRange: { protocol, ...ports } };
  return number === undefined ? { namedPort: "" } : { portNumber: { protocol, port: number } };
}

/** Peers by CIDR block: a certificate does not show which pods selectors mean. Egress firewalls name only one end, by its block. */
function policyPeers(peers: unknown): Range[] {
  if (isJson(peers) && !Array.isArray(peers)) return [peers.cidrSelector].filter(isText).map(range);
  const entries = list(peers).filter(isJson);
  if (entries.length === 0) return [ANYWHERE];
  return entries.flatMap(({ ipBlock, networks, domainNames, nodes }) => {
    if (domainNames !== undefined || nodes !== undefined) return [];
    if (networks !== undefined) return list(networks).filter(isText).map(range);
    if (!isJson(ipBlock)) return [ANYWHERE];
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

/** The numbers of a CIDR block; its host bits are ignored. */
function range(text: string): Range {
  const [address = "", length] = text.split("/");
  const [bits, number] = address.includes(":") ? [128, (1n << 128n) + ipv6(address)] : [32, ipv4(address)];
  const size = 1n << BigInt(bits - Number(length ?? bits));
  const first = number - (number % size);
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
const isText = (value: unknown): value is string => typeof value === "string";
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const step = (value: unknown, key: string): unknown => (isJson(value) ? value[key] : undefined);
const at = (value: unknown, path: string): unknown => (path.match(/[^.[\]]+/g) ?? []).reduce(step, value);
