import { certificateFaults } from "../../../src/reachability/certificate/shape";
import { certificateOf, type Certificate } from "../../../src/reachability/certificate/certificate";
import { checkCertificate } from "../../../src/reachability/certificate/check";
import { journeys } from "../../../src/flows/journeys";
import { surroundingsOf } from "../../../src/flows/surroundings";
import { judgeJourney, type JudgedJourney } from "../../../src/reachability/path/judge";
import { NO_PACKETS } from "../../../src/reachability/packets/packetSet";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { Proof } from "../../../src/reachability/proof/prove";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { pinned, said } from "../path/clusters";
import { documentedPlan } from "../path/plan";

const topology = said({ platform: "None", services: pinned });
const acl: Resource = {
  origin: { urn: "urn:pulumi:test::network::acl" },
  type: "aws:ec2/networkAcl:NetworkAcl",
  name: "hosts",
  properties: {
    id: "acl-1",
    tags: { "hypershift-network/role": "control-plane", "hypershift-network/cluster": "tenant-a" },
    ingress: [{ ruleNo: 100, protocol: "-1", action: "allow", cidrBlock: "0.0.0.0/0" }],
    egress: [{ ruleNo: 100, protocol: "-1", action: "allow", cidrBlock: "0.0.0.0/0" }],
  },
};
const open: Resource = {
  origin: { file: "policies.yaml", line: 3 },
  type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
  name: "open",
  properties: {
    metadata: { name: "open", namespace: "clusters-tenant-a" },
    spec: { podSelector: {}, ingress: [{}] },
  },
};
const plan = [...documentedPlan(topology), acl, open];

const certify = (cluster: NormalizedTopology, resources: readonly Resource[]): Certificate => {
  const guards = planGuards(new ResourceIndex(resources), cluster);
  const judged = journeys(cluster).map((journey) => judgeJourney(journey, guards));
  return certificateOf("clusters/tenant-a", judged);
};
const planned = (resources: readonly Resource[]) =>
  resources.map(({ origin, type, properties }) => ({ ...origin, type, properties }));
/** Checks the certificate as written to a file and read again. */
const check = (certificate: Certificate, resources: readonly Resource[]) =>
  checkCertificate(JSON.parse(JSON.stringify(certificate)) as Certificate, planned(resources));

test("the certificate of a plan holds for that plan, with every place on the path", () => {
  const certificate = certify(topology, plan);
  expect(certificate.flows.map(({ journey }) => journey)).toContain("workers-konnectivity");
  expect(certificate.flows.length).toBe(journeys(topology).length);
  const [flow] = certificate.flows.filter(({ journey }) => journey === "workers-konnectivity");
  expect(flow?.places.map(({ guard, packets }) => `${guard}: ${packets}`)).toEqual([
    "security groups of workers: calls",
    "security groups of control-plane: calls",
    "network ACL hosts: calls",
    "network ACL hosts: answers",
    "network policies of pods konnectivity-server: calls",
    "network policies of pods kube-apiserver: calls",
  ]);
  expect(check(certificate, plan)).toEqual([]);
  expect(certificateFaults(JSON.parse(JSON.stringify(certificate)))).toEqual([]);
});

test("flows that are not proved, or proved without required packets, are left out", () => {
  const guards = planGuards(new ResourceIndex(plan), topology);
  const way = journeys(topology).find(({ key }) => key === "workers-konnectivity")!;
  const judged = judgeJourney(way, guards);
  const keys = (...changed: JudgedJourney[]) =>
    certificateOf("clusters/tenant-a", changed).flows.map(({ journey }) => journey);
  expect(keys(judged)).toEqual(["workers-konnectivity"]);
  const [first, ...others] = judged.guards;
  expect(keys({ ...judged, guards: [{ ...first!, required: NO_PACKETS }, ...others] })).toEqual([]);
  expect(keys({ ...judged, guards: [] })).toEqual([]);
  for (const proof of [Proof.Assumed, Proof.Refuted, Proof.Unknown])
    expect(keys({ ...judged, proof })).toEqual([]);
});

test("the certificate fails without any one of the rules that it names", () => {
  const certificate = certify(topology, plan);
  const named = new Set(
    certificate.flows.flatMap(({ places }) =>
      places.flatMap(({ rules }) => rules.flatMap(({ rule }) => rule?.urn ?? rule?.file ?? [])),
    ),
  );
  expect(named.size).toBeGreaterThan(20);
  for (const name of named) {
    const rest = plan.filter(({ origin }) => (origin.urn ?? origin.file) !== name);
    expect(check(certificate, rest).length).toBeGreaterThan(0);
  }
});

test("the check finds a narrowed rule and a deny rule placed before a rule", () => {
  const certificate = certify(topology, plan);
  const narrowed = plan.map((resource) =>
    resource.properties.fromPort === 31_091
      ? { ...resource, properties: { ...resource.properties, fromPort: 31_092, toPort: 31_092 } }
      : resource,
  );
  expect(check(certificate, narrowed)[0]).toMatch(/allows fewer packets than the certificate states/);
  const deny: Resource = {
    origin: { urn: "urn:pulumi:test::network::deny" },
    type: "aws:ec2/networkAclRule:NetworkAclRule",
    name: "deny",
    properties: {
      networkAclId: "acl-1",
      egress: false,
      ruleNumber: 50,
      ruleAction: "deny",
      protocol: "tcp",
      fromPort: 31_091,
      toPort: 31_091,
      cidrBlock: "198.51.100.0/24",
    },
  };
  const ways = ["workers-konnectivity", "control-plane-kubelet", "control-plane-webhooks"];
  expect(check(certificate, [...plan, deny])).toEqual(
    ways.map(
      (way) =>
        `${way}, network ACL hosts, calls: a rule before urn:pulumi:test::network::acl ingress[0] denies some of the packets`,
    ),
  );
});

test("the check refuses a certificate that claims more than its rules cover, or has another version", () => {
  const certificate = certify(topology, plan);
  const claiming = JSON.parse(JSON.stringify(certificate)) as {
    flows: { places: { required: { services: number[][] }[] }[] }[];
  };
  claiming.flows[0]!.places[0]!.required[0]!.services[0]![1]! += 1;
  expect(check(claiming as unknown as Certificate, plan)).toEqual([
    expect.stringMatching(/no rule covers some of the required packets$/),
  ]);
  expect(check({ ...certificate, version: 1 as 2 }, plan)).toEqual([
    "version 1 is not supported: this checker reads version 2",
  ]);
});

test("egress firewall rules support a flow of their namespace until a deny rule comes before them", () => {
  const allow = {
    type: "Allow",
    to: { cidrSelector: "10.1.0.2/32" },
    ports: [{ protocol: "UDP", port: 53 }],
  };
  const deny = { type: "Deny", to: { cidrSelector: "0.0.0.0/0" } };
  const firewall = (...egress: PropertyValue[]): Resource => ({
    origin: { urn: "urn:pulumi:test::network::firewall" },
    type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
    name: "default",
    properties: { metadata: { name: "default", namespace: "web" }, spec: { egress } },
  });
  const asked = [...plan, firewall(allow, deny)];
  const index = new ResourceIndex(asked);
  const guards = planGuards(index, topology);
  const way = journeys(topology, surroundingsOf(index, topology)).filter(
    ({ key }) => key === "namespace-web-dns-udp",
  );
  const certificate = certificateOf(
    "clusters/tenant-a",
    way.map((journey) => judgeJourney(journey, guards)),
  );
  expect(certificate.flows.map(({ journey }) => journey)).toEqual(["namespace-web-dns-udp"]);
  expect(check(certificate, asked)).toEqual([]);
  const place = "namespace-web-dns-udp, egress firewall of namespace web, calls: ";
  const rule = (position: number) => `urn:pulumi:test::network::firewall spec.egress[${position}]`;
  expect(check(certificate, [...plan, firewall(deny, allow)])).toEqual([
    `${place}${rule(0)} allows fewer packets than the certificate states`,
  ]);
  expect(check(certificate, [...plan, firewall({ ...allow, type: "Deny" }, deny)])).toEqual([
    `${place}${rule(0)} allows fewer packets than the certificate states`,
  ]);
});

test("the rules of an egress firewall and of its patch support a flow, each as its own list has them", () => {
  const allow = { type: "Allow", to: { cidrSelector: "10.1.0.2/32" } };
  const denied = (cidrSelector: string): PropertyValue => ({ type: "Deny", to: { cidrSelector } });
  const deny = denied("0.0.0.0/0");
  const other = denied("192.0.2.0/24");
  const written = (kind: string, ...egress: PropertyValue[]): Resource => ({
    origin: { urn: `urn:pulumi:test::network::${kind}` },
    type: `kubernetes:k8s.ovn.org/v1:${kind}`,
    name: "default",
    properties: { metadata: { name: "default", namespace: "web" }, spec: { egress } },
  });
  const both = (own: PropertyValue[], patch: PropertyValue[]) => [
    ...plan,
    written("EgressFirewall", ...own),
    written("EgressFirewallPatch", ...patch),
  ];
  const asked = both([allow, deny], [other, allow, deny]);
  const index = new ResourceIndex(asked);
  const guards = planGuards(index, topology);
  const ways = journeys(topology, surroundingsOf(index, topology));
  const [way] = ways.filter(({ key }) => key === "namespace-web-dns-udp");
  const certificate = certificateOf("clusters/tenant-a", [judgeJourney(way!, guards)]);
  const firewalls = certificate.flows[0]?.places.filter(({ guard }) => guard.startsWith("egress firewall"));
  expect(firewalls).toHaveLength(2);
  expect(check(certificate, asked)).toEqual([]);
  expect(check(certificate, both([deny, allow], [other, allow, deny]))).not.toEqual([]);
  expect(check(certificate, both([allow, deny], [other, deny]))).not.toEqual([]);
  // Whichever applies has the rules of one of the two places.
  expect(check(certificate, both([other, allow, deny], [allow, deny]))).toEqual([]);
});

test("objects in files are named by kind, namespace and name: files and lines change", () => {
  const certificate = certify(topology, plan);
  const moved = plan.map((one) =>
    one === open ? { ...one, origin: { file: "b/all.yaml", line: 12 } } : one,
  );
  expect(check(certificate, moved)).toEqual([]);
  const rules = certificate.flows.flatMap(({ places }) => places.flatMap((place) => place.rules));
  expect(rules.find(({ rule }) => rule?.file === "policies.yaml")?.rule?.object).toBe(
    "kubernetes:networking.k8s.io/:NetworkPolicy clusters-tenant-a/open",
  );
});

test("packets that no rule of an egress firewall matches have its list of rules as their rule", () => {
  const firewall = (...blocks: string[]): Resource => ({
    origin: { urn: "urn:pulumi:test::network::firewall" },
    type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
    name: "default",
    properties: {
      metadata: { name: "default", namespace: "web" },
      spec: { egress: blocks.map((cidrSelector) => ({ type: "Deny", to: { cidrSelector } })) },
    },
  });
  const certified = (one: Resource, cluster = topology) => {
    const index = new ResourceIndex([...documentedPlan(cluster), one]);
    const guards = planGuards(index, cluster);
    const ways = journeys(cluster, surroundingsOf(index, cluster));
    const [way] = ways.filter(({ key }) => key === "namespace-web-dns-udp");
    return certificateOf("clusters/tenant-a", [judgeJourney(way!, guards)]);
  };
  const rulesOf = ({ flows }: Certificate) =>
    flows[0]?.places[0]?.rules.map(({ rule, holder }) => [rule?.path, holder]);
  const certificate = certified(firewall("192.0.2.0/24"));
  expect(rulesOf(certificate)).toEqual([["spec.egress", ["web/default"]]]);
  expect(check(certificate, [...plan, firewall("192.0.2.0/24")])).toEqual([]);
  expect(check(certificate, [...plan, firewall("0.0.0.0/0")])).toEqual([
    expect.stringMatching(
      /^namespace-web-dns-udp, .*a rule in .*firewall spec.egress denies some of the packets$/,
    ),
  ]);
  // No rule stops packets to the cluster network.
  const inNetwork = said({ platform: "None", services: pinned, dnsServerCidrs: ["10.132.0.10/32"] });
  const exempt = certified(firewall("0.0.0.0/0"), inNetwork);
  expect(rulesOf(exempt)).toEqual([[undefined, undefined]]);
  expect(check(exempt, [...documentedPlan(inNetwork), firewall("0.0.0.0/0")])).toEqual([]);
});

test("addresses behind security groups are marked as assumed", () => {
  const byGroup = plan.map((resource) =>
    resource.name.startsWith("control-plane/ingress/konnectivity-node-port")
      ? {
          ...resource,
          properties: {
            ...resource.properties,
            cidrIpv4: undefined as never,
            referencedSecurityGroupId: "sg-workers",
          },
        }
      : resource,
  );
  const cluster = said({ platform: "None", services: pinned, workerNatCidrs: [] });
  const certificate = certify(cluster, byGroup);
  const [flow] = certificate.flows.filter(({ journey }) => journey === "workers-konnectivity");
  expect(flow?.places[1]?.rules[0]?.assumed).toEqual(["10.0.0.0/16"]);
  expect(check(certificate, byGroup)).toEqual([]);
});
