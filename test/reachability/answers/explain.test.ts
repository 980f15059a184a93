import {
  describePacketExplanation,
  describeRuleExplanation,
  describeWrittenExplanation,
} from "../../../src/reachability/answers/explain/explanation";
import {
  describeQuery,
  readPacketQuery,
  explainPacket,
} from "../../../src/reachability/answers/explain/explainPacket";
import { explainWritten, explainRule } from "../../../src/reachability/answers/explain/explainWritten";
import { rules } from "../../../src/rules";
import { requirements } from "../../../src/requirements/requirements";
import { OKD_NETWORKING, at } from "../../../src/requirements/documents";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import { type Resource, UNKNOWN } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { pinned, said } from "../path/clusters";
import { documentedPlan, rule } from "../path/plan";
import { acl, entry, policy } from "./plans";

const explained = (text: string, topology?: Parameters<typeof explainPacket>[1]) => {
  const query = readPacketQuery(text);
  if (!query) throw new Error(`${text} is no query`);
  return explainPacket(query, topology);
};
const idsOf = ({ rows }: { rows: readonly { id: string }[] }) => rows.map(({ id }) => id);

describe("packet queries as users write them", () => {
  test.each([
    ["6443", "port 6443"],
    ["1", "port 1"],
    ["65535", "port 65535"],
    ["Any 53", "any 53"],
    ["udp/53", "UDP 53"],
    ["53/UDP", "UDP 53"],
    ["10.0.0.5 -> 10.1.0.9, 443/tcp", "10.0.0.5/32 -> 10.1.0.9/32, TCP 443"],
    ["TCP 31091", "TCP 31091"],
    ["icmp", "ICMP"],
    ["10.0.0.5 -> 10.1.0.9, TCP 31091", "10.0.0.5/32 -> 10.1.0.9/32, TCP 31091"],
    ["10.0.0.5 -> 10.1.0.9", "10.0.0.5/32 -> 10.1.0.9/32"],
    ["worker -> control-plane, 443", "worker -> control-plane, 443"],
    ["any -> 2001:db8::/32, tcp", "any -> 2001:db8::/32, TCP"],
    ["198.51.100.7 -> , TCP 443", "198.51.100.7/32 -> any, TCP 443"],
  ])("%s", (text, form) => {
    expect(describeQuery(readPacketQuery(text)!)).toBe(form);
  });

  test.each([
    "",
    "port-missing",
    "70000",
    "65536",
    "0",
    "tcp/abc",
    "443/abc",
    "70000/tcp",
    "443/tcp/udp",
    "10.0.0.300 -> 10.0.0.1, TCP 1",
    "10.0.0.1 -> 10.0.0.300, TCP 1",
    "10.0.0.1 -> 10.0.0.3, TCP, 1",
    "10.0.0.1 -> 10.0.0.3 -> 10.0.0.5, TCP 1",
    "any -> any",
    "xyz 5",
  ])("%s is not a packet query", (text) => {
    expect(readPacketQuery(text)).toBeUndefined();
  });
});

describe("a packet", () => {
  test("lists the rows that require it, with document, heading and what upstream does", () => {
    const { rows } = explained("TCP 8091");
    expect(rows.map(({ id }) => id)).toContain("cp-in-konn-nodeport");
    expect(rows.find(({ id }) => id === "cp-in-konn-nodeport")).toMatchObject({
      published: "Konnectivity",
      publishing: ["NodePort"],
      documents: expect.arrayContaining(["OKD networking, Common ingress ports, NodePort"]) as string[],
      upstream: "A pod and service port; from outside the management cluster it is the node port.",
      disagreements: ["HyperShift refuses this way of publishing on AWS, Azure"],
    });
  });

  test("shows contradictions between the documents, as for port 9090", () => {
    const { rows } = explained("tcp/9090");
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ note }) => note !== undefined)).toBe(true);
    expect(explained("tcp/9440").rows.length).toBeGreaterThan(0);
  });

  test("lists rows whose port is replaced by the queried port on some platform", () => {
    const { rows } = explained("TCP 7443");
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.flatMap(({ disagreements }) => disagreements).join()).toContain("on Azure");
    const none = explained("TCP 7443", said({ platform: "None", services: pinned }));
    expect(none.rows.flatMap(({ disagreements }) => disagreements).join()).not.toContain("7443");
  });

  test("lists only rows of the protocol and zones in the query", () => {
    expect(idsOf(explained("UDP 443"))).not.toContain("cp-in-route-443");
    expect(idsOf(explained("443"))).toContain("cp-in-route-443");
    expect(idsOf(explained("worker -> , TCP 443"))).toContain("cp-in-route-443");
    expect(idsOf(explained("dns-server -> , TCP 443"))).not.toContain("cp-in-route-443");
    expect(idsOf(explained("443")).every((id) => !id.includes("icmp") && !id.includes("esp"))).toBe(true);
    expect(idsOf(explained("ICMP"))).toContain("up-aws-worker-icmp");
  });

  test("lists exact ports before ranges, and ranges before rows for all ports", () => {
    const widths = explained("TCP 9440").rows.map(({ id }) => {
      const { ports } = requirements.find((row) => row.id === id)!;
      return ports ? ports.to - ports.from : Infinity;
    });
    expect(widths).toEqual([...widths].sort((a, b) => a - b));
    expect(widths[0]).toBe(0);
  });

  test("with a topology belongs to the flows of that cluster, by its addresses", () => {
    const topology = said({ platform: "None", services: pinned });
    const { flows, rows } = explained("10.0.3.4 -> 10.1.0.9, TCP 31091", topology);
    expect(flows.map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        "control-plane/ingress/konnectivity-node-port",
        "workers/egress/konnectivity-node-port",
      ]),
    );
    expect(rows.map(({ id }) => id)).toContain("up-nodeport-range");
    expect(explained("192.0.2.1 -> 192.0.2.2, TCP 31091", topology).flows).toEqual([]);
    const unsaid = said({ platform: "None", services: pinned, managementClusterCidrs: undefined });
    expect(explained("10.0.3.4 -> 10.1.0.9, TCP 31091", unsaid).flows[0]?.sure).toBe(false);
  });

  test("counts an unknown value of the topology as everything that it may be", () => {
    const joined = said({ platform: "None", services: pinned, bootstrap: false });
    const ignition = (cluster: typeof joined) => {
      const { flows, notes } = explained("TCP 31090", cluster);
      const found = flows.filter(({ key }) => key.includes("ignition"));
      return { sure: [...new Set(found.map(({ sure }) => sure))], notes };
    };
    expect(ignition(joined)).toEqual({ sure: [], notes: [] });
    expect(ignition({ ...joined, bootstrap: true })).toEqual({ sure: [true], notes: [] });
    const nobodyKnows = ignition({ ...joined, unknown: ["bootstrap"] });
    expect(nobodyKnows.sure).toEqual([false]);
    expect(nobodyKnows.notes).toEqual([
      "not known yet: bootstrap; flows that depend on them are listed as perhaps",
    ]);
    const two = { ...joined, unknown: ["bootstrap", "release"] };
    expect(explained("TCP 31091", two)).toMatchObject({
      flows: expect.arrayContaining([
        expect.objectContaining({ key: "workers/egress/konnectivity-node-port", sure: true }),
      ]) as object[],
      notes: ["not known yet: bootstrap, release; flows that depend on them are listed as perhaps"],
    });
  });

  test("without a topology has addresses of unknown zones, and a note says so", () => {
    expect(explained("10.0.0.5 -> 10.1.0.9, TCP 31091").notes).toEqual([
      "the zones of the addresses are unknown without a topology",
    ]);
  });

  test("has a text with its rows, or says that no requirement needs it", () => {
    const text = describePacketExplanation(explained("worker -> control-plane, TCP 8091")).join("\n");
    expect(text).toMatch(/^worker -> control-plane, TCP 8091: \d requirements ask for it\n\n/);
    expect(text).toContain(
      [
        "  when        Konnectivity by NodePort",
        "  documented  OKD networking, Common ingress ports, NodePort; ",
      ].join("\n"),
    );
    expect(text).toContain("\n  but         HyperShift refuses this way of publishing on AWS, Azure");
    expect(describePacketExplanation(explained("dns-server -> route, SCTP 7")).join("\n")).toBe(
      "dns-server -> route, SCTP 7: no requirement needs it",
    );
  });
});

describe("the explanation of a rule of the gate", () => {
  const texts = { title: "A title", description: "A description.", remediation: "A way out." };

  test("lists the rows that the rule checks plans against", () => {
    const ofRule = (id: string) => explainRule(rules.find((rule) => rule.id === id)!);
    const localhost = ofRule("port-localhost-only");
    expect(localhost.rows.length).toBeGreaterThan(0);
    expect(localhost.rows.every(({ disagreements }) => disagreements.join().includes("localhost"))).toBe(
      true,
    );
    const missing = ofRule("port-missing");
    expect(missing.rows.some(({ disagreements }) => disagreements.join().includes("localhost"))).toBe(false);
    const bootstrap = ofRule("bootstrap-port-open");
    expect(new Set(bootstrap.rows.map(({ phase }) => phase))).toEqual(new Set(["bootstrap"]));
  });

  test("lists the rows under the headings of the rule for any other rule", () => {
    const { rows, documents } = explainRule({
      id: "some-rule",
      documents: [at(OKD_NETWORKING, "Common ingress ports, NodePort")],
      ...texts,
    });
    expect(documents).toEqual(["OKD networking, Common ingress ports, NodePort"]);
    expect(rows.map(({ id }) => id)).toContain("cp-in-konn-nodeport");
    expect(rows.every((row) => row.documents.includes(documents[0]!))).toBe(true);
    expect(explainRule({ id: "cidr-overlap", documents: [], ...texts }).rows).toEqual([]);
  });

  test("has a text with title, description, fix and documents", () => {
    const text = describeRuleExplanation(
      explainRule({ id: "cidr-overlap", documents: [at(OKD_NETWORKING, "Ranges")], ...texts }),
    ).join("\n");
    expect(text).toBe(
      "cidr-overlap: A title\n\nA description.\n\nfix         A way out.\ndocumented  OKD networking, Ranges",
    );
  });
});

describe("the explanation of a rule in a plan", () => {
  const topology = said({ platform: "None", services: pinned });
  const ask = (resource: Resource, path?: string, rest = documentedPlan(topology)) =>
    explainWritten({ index: new ResourceIndex([...rest, resource]), topology }, resource, path);

  test("lists the packets that the rule opens at a place, for documented flows and beyond them", () => {
    const wide = rule(Role.ControlPlane, Direction.Ingress, "wide", {
      ipProtocol: "tcp",
      fromPort: 31_091,
      toPort: 31_092,
      cidrIpv4: "198.51.100.7/32",
    });
    const { places, rows } = ask(wide);
    expect(places).toMatchObject([
      {
        place: "ingress of control-plane",
        actions: ["allow"],
        packets: ["TCP 31091-31092 from 198.51.100.7/32"],
        excess: ["TCP 31092 from 198.51.100.7/32"],
      },
    ]);
    expect(places[0]!.flows.map(({ key }) => key)).toContain("control-plane/ingress/konnectivity-node-port");
    expect(rows.map(({ id }) => id)).toContain("up-nodeport-range");
  });

  test("names the unknown values that the packets of the rule depend on", () => {
    const doubtful = rule(Role.ControlPlane, Direction.Ingress, "doubtful", {
      ipProtocol: "tcp",
      fromPort: 22,
      toPort: 22,
      cidrIpv4: UNKNOWN,
    });
    expect(ask(doubtful).places).toMatchObject([
      { packets: ["TCP 22 from 0.0.0.0/0"], unknown: [{ path: "cidrIpv4" }] },
    ]);
  });

  test("covers one rule of several if its path is given, and lists no excess for a deny rule", () => {
    const wall = acl(
      Role.Workers,
      [entry(1, "deny", { protocol: "tcp", fromPort: 10_250, toPort: 10_250 }), entry(2, "allow")],
      [entry(1, "allow")],
    );
    const { places } = ask(wall, "ingress[0]");
    expect(places.map(({ place }) => place)).toContain("ingress of workers");
    expect(places[0]).toMatchObject({ actions: ["deny"], packets: ["TCP 10250 from 0.0.0.0/0"], excess: [] });
    expect(places[0]!.flows.map(({ key }) => key)).toContain("workers/ingress/nodes-kubelet");
    expect(ask(wall).places.length).toBeGreaterThan(places.length);
  });

  test("lists the flows that a network policy allows into pods", () => {
    const { places } = ask(policy("konn", { podSelector: {}, ingress: [{ ports: [{ port: 8091 }] }] }));
    const konnectivity = places.find(({ place }) => place === "pods konnectivity-server from addresses");
    expect(konnectivity?.flows.map(({ key }) => key)).toEqual([
      "workers-konnectivity",
      "control-plane-kubelet",
      "control-plane-webhooks",
    ]);
  });

  test("lists, for a policy without rules, what it denies at the pods that it isolates", () => {
    const deny = policy("deny", { podSelector: {}, policyTypes: ["Ingress"] });
    const { places } = ask(deny);
    const konnectivity = places.find(({ place }) => place === "pods konnectivity-server from addresses");
    expect(konnectivity).toMatchObject({
      rule: { name: "deny", path: "" },
      actions: ["deny"],
      packets: ["every protocol from 0.0.0.0/0", "every protocol from ::/0"],
      unknown: [],
      excess: [],
    });
    expect(konnectivity!.flows.map(({ key }) => key)).toContain("workers-konnectivity");
    expect(ask(policy("etcd", { podSelector: { matchLabels: { app: "etcd" } } })).places).toEqual([]);
    const out = ask(policy("out", { podSelector: {}, policyTypes: ["Egress"] })).places;
    expect(out.map(({ place, actions }) => `${actions.join()} ${place}`)).toEqual([
      "deny pods konnectivity-server from pods kube-apiserver",
      "deny egress of pods of the control plane to addresses",
      "deny egress of pods of the control plane to pods elsewhere",
    ]);
  });

  test("has a text, which says so if the resource is not on the path of any flow", () => {
    const ssh = rule(Role.Workers, Direction.Ingress, "ssh", {
      ipProtocol: "tcp",
      fromPort: 2022,
      toPort: 2022,
      cidrIpv4: "192.0.2.0/24",
    });
    expect(describeWrittenExplanation(ask(ssh)).join("\n")).toBe(
      [
        "SecurityGroupIngressRule ssh, at ingress of workers",
        "  allow       TCP 2022 from 192.0.2.0/24",
        "  no documented flow has such packets",
        "  excess      TCP 2022 from 192.0.2.0/24",
      ].join("\n"),
    );
    const other: Resource = {
      origin: { urn: "urn:pulumi:test::network::x" },
      type: "test:index:X",
      name: "x",
      properties: {},
    };
    expect(describeWrittenExplanation(ask(other)).join("\n")).toBe(
      "none of its rules is on the path of a documented flow of this cluster",
    );
  });
});
