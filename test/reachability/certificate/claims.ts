import { checkCertificate, type PlannedResource } from "../../../src/reachability/certificate/check";

export type Block = { services: [number, number][]; sources: string[]; destinations: string[] };

export type Properties = PlannedResource["properties"];

export const ALL = ["0.0.0.0/0", "::/0"];

export const number = { icmp: 1, tcp: 6, udp: 17, esp: 50, icmpv6: 58, sctp: 132 };

export const services = (protocol: keyof typeof number, from = 0, to = 65_535): [number, number] => [
  number[protocol] * 65_536 + from,
  number[protocol] * 65_536 + to,
];

export const EVERY_SERVICE: [number, number] = [0, 256 * 65_536 - 1];

export const block = (service: [number, number], sources = ALL, destinations = ALL): Block => ({
  services: [service],
  sources,
  destinations,
});

export const resource = (type: string, properties: Properties, urn = "urn:it"): PlannedResource => ({
  urn,
  type,
  properties,
});

type Certificate = Parameters<typeof checkCertificate>[0];
type Rules = Certificate["flows"][number]["places"][number]["rules"];

/** Names of what the rules of these tests are in: groups, network ACLs, namespaces and an egress firewall. */
const HOLDER = ["urn:it", "sg-1", "acl-1", "urn:acl", "default", "default/default"];

/** A certificate of one flow with one place. By default, it states the group, ACL or namespace that these tests use. */
export const certificate = (required: Block[], rules: Rules, direction = "ingress"): Certificate => ({
  version: 2,
  flows: [
    {
      journey: "j",
      places: [
        {
          guard: "g",
          packets: "calls",
          direction,
          required,
          rules: rules.map((rule) => ({ holder: HOLDER, ...rule })),
        },
      ],
    },
  ],
});

/** The direction of a rule by its path, or else that of packets of which only one end is restricted. */
export const directionOf = (path: string, { sources, destinations }: Block): string =>
  /(ingress|egress)\[/.exec(path)?.[1] ?? (sources === ALL && destinations !== ALL ? "egress" : "ingress");

/** Checks the claim that a rule allows exactly these packets. */
export const check = (
  plan: readonly PlannedResource[],
  path: string,
  said: Block,
  {
    urn = "urn:it",
    direction = directionOf(path, said),
    ...more
  }: { urn?: string; direction?: string; assumed?: string[]; peers?: string[][]; holder?: string[] } = {},
) =>
  checkCertificate(certificate([said], [{ rule: { urn, path }, packets: [said], ...more }], direction), plan);

export const less = (path: string) => [
  `j, g, calls: urn:it ${path} allows fewer packets than the certificate states`,
];

export const group = (ingress: object, direction = "ingress") =>
  resource("aws:ec2/securityGroup:SecurityGroup", { [direction]: [ingress] });

export const policy = (rule: object, direction = "ingress") =>
  resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", { spec: { [direction]: [rule] } });

export const entry = (properties: object) =>
  resource("aws:ec2/networkAcl:NetworkAcl", {
    id: "acl-1",
    ingress: [{ ruleNo: 100, action: "allow", cidrBlock: V4, ...properties }],
  });

export const web = { protocol: "tcp", fromPort: 443, toPort: 445 };

export const tcp: [number, number] = services("tcp", 443, 445);

export const V4 = "10.0.0.0/24";

export const V6 = "2001:db8:0:1::/64";

/** The claims with one more service or a wider address block at each end that can grow. */
export function widened({ services: [[from, to] = EVERY_SERVICE], sources, destinations }: Block): Block[] {
  const shorter = (texts: string[]) =>
    texts.map((text) => text.replace(/\/(\d+)$/, (_, length: string) => `/${Number(length) - 1}`));
  const blocks = [
    ...(from > EVERY_SERVICE[0] ? [block([from - 1, to], sources, destinations)] : []),
    ...(to < EVERY_SERVICE[1] ? [block([from, to + 1], sources, destinations)] : []),
    ...(sources === ALL
      ? []
      : [block([from, to], shorter(sources), destinations), block([from, to], ALL, destinations)]),
    ...(destinations === ALL
      ? []
      : [block([from, to], sources, shorter(destinations)), block([from, to], sources, ALL)]),
  ];
  return blocks;
}
