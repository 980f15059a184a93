import {
  describePacketExplanation,
  describeRow,
  describeRuleExplanation,
  describeWrittenExplanation,
  explainedRow,
  type ExplainedFlow,
  type ExplainedPlace,
  type ExplainedRow,
} from "../../../src/reachability/answers/explain/explanation";
import { Action } from "../../../src/reachability/filters/filter";
import { OKD_NETWORKING, HYPERSHIFT, at } from "../../../src/requirements/documents";
import { port, requirement, type Requirement } from "../../../src/requirements/requirement";
import {
  Direction,
  Perspective,
  Phase,
  Platform,
  Protocol,
  PublishingType,
  Service,
  Zone,
} from "../../../src/requirements/vocabulary";

const rowOf = (more: Partial<Requirement> = {}): Requirement =>
  requirement({
    id: "konnectivity",
    direction: Direction.Ingress,
    perspective: Perspective.ControlPlane,
    protocol: Protocol.Tcp,
    ports: port(8091),
    component: "konnectivity server",
    purpose: "Workers dial the konnectivity server",
    sources: [Zone.Workers],
    destinations: [Zone.SameNamespace],
    documents: [at(OKD_NETWORKING, "Ports")],
    ...more,
  });
const explained = (more: Partial<Requirement> = {}): ExplainedRow => explainedRow(rowOf(more));

describe("the explanation of a row of the requirements", () => {
  test("names its ports, or only the protocol if it has none", () => {
    expect(explained().service).toBe("TCP 8091");
    expect(explained({ ports: { from: 1, to: 9 }, protocol: Protocol.Udp }).service).toBe("UDP 1-9");
    const { ports: _, ...portless } = rowOf();
    expect(explainedRow({ ...portless, protocol: Protocol.Icmp }).service).toBe("ICMP");
    expect(explainedRow({ ...portless, protocol: Protocol.Any }).service).toBe("every protocol");
  });

  test("names its peers: sources of ingress, destinations of egress", () => {
    expect(explained().peers).toEqual(["worker"]);
    expect(explained({ direction: Direction.Egress }).peers).toEqual(["same-namespace"]);
  });

  test("names platforms and strategies if the row does not hold for all of them", () => {
    expect(explained()).toMatchObject({ platforms: [], publishing: [] });
    expect(explained({ platforms: [Platform.AWS], publishing: [PublishingType.Route] })).toMatchObject({
      platforms: ["AWS"],
      publishing: ["Route"],
    });
  });

  test("has a note, upstream behavior and a service only if the row has them", () => {
    expect(Object.keys(explained())).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(note|upstream|published)$/)]),
    );
    expect(explained({ note: "a", upstream: "b", service: Service.Ignition })).toMatchObject({
      note: "a",
      upstream: "b",
      published: "Ignition",
    });
  });

  test("names how reality differs from the row", () => {
    expect(explained().disagreements).toEqual([]);
    const replacedOn = [
      { platform: Platform.Azure, port: 7443 },
      { platform: Platform.IBMCloud, publishing: PublishingType.NodePort, port: 2040 },
    ];
    expect(
      explained({
        replacedOn,
        upstreamRejects: [Platform.AWS, Platform.Azure],
        openInFirewall: false,
        portSeenAt: "pod",
        documents: [at(HYPERSHIFT, "main.go")],
      }).disagreements,
    ).toEqual([
      "on Azure the port is 7443",
      "on IBMCloud with NodePort the port is 2040",
      "HyperShift refuses this way of publishing on AWS, Azure",
      "it listens on localhost: no firewall has to allow it",
      "a port of pods: packet filters of hosts do not see it unless the pod uses the host network",
      "no document lists it, but the software needs it",
    ]);
    expect(
      explained({ documents: [at(HYPERSHIFT, "main.go"), at(OKD_NETWORKING, "Ports")] }).disagreements,
    ).toEqual([]);
  });
});

describe("the text of a row", () => {
  test("has a line for each property that the row states", () => {
    const row = explained({
      platforms: [Platform.AWS, Platform.Azure],
      publishing: [PublishingType.NodePort, PublishingType.Route],
      service: Service.Konnectivity,
      phase: Phase.Bootstrap,
      sources: [Zone.Workers, Zone.ExternalClients],
      documents: [at(OKD_NETWORKING, "Ports"), at(HYPERSHIFT, "main.go")],
      note: "Documents contradict each other.",
      upstream: "It is a pod port.",
      openInFirewall: false,
    });
    expect(describeRow(row).join("\n")).toBe(
      [
        "konnectivity: Workers dial the konnectivity server",
        "  packets     TCP 8091, ingress of control-plane: konnectivity server",
        "  from        worker, external-client",
        "  when        Konnectivity by NodePort or Route; on AWS, Azure; while nodes join",
        `  documented  ${row.documents.join("; ")}`,
        "  note        Documents contradict each other.",
        "  upstream    It is a pod port.",
        "  but         it listens on localhost: no firewall has to allow it",
      ].join("\n"),
    );
  });

  test("has no line for properties that the row does not state", () => {
    expect(describeRow(explained({ sources: [] })).join("\n")).toBe(
      [
        "konnectivity: Workers dial the konnectivity server",
        "  packets     TCP 8091, ingress of control-plane: konnectivity server",
        "  documented  OKD networking, Ports",
      ].join("\n"),
    );
  });

  test("names the destinations of egress, and any service for a strategy without one", () => {
    const row = explained({ direction: Direction.Egress, publishing: [PublishingType.Route] });
    expect(describeRow(row).join("\n").split("\n").slice(1, 4)).toEqual([
      "  packets     TCP 8091, egress of control-plane: konnectivity server",
      "  to          same-namespace",
      "  when        a service by Route",
    ]);
  });
});

const flow: ExplainedFlow = {
  key: "workers/egress/konnectivity",
  purpose: "Workers dial the konnectivity server",
  place: "egress of workers",
  requirements: ["konnectivity"],
  sure: true,
};
const SHORT = describeRow(explained()).join("\n");

test("the text of a packet explanation has notes and flows before the rows", () => {
  expect(
    describePacketExplanation({
      version: 1,
      asked: "TCP 8091",
      rows: [explained()],
      flows: [flow, { ...flow, key: "other", sure: false }],
      notes: ["no topology says more"],
    }).join("\n"),
  ).toBe(
    [
      "TCP 8091: 1 requirement asks for it",
      "note: no topology says more",
      [
        "flows of this cluster",
        "  workers/egress/konnectivity: Workers dial the konnectivity server, at egress of workers",
        "  other: Workers dial the konnectivity server (perhaps: the topology does not state everything that decides this), at egress of workers",
      ].join("\n"),
      SHORT,
    ].join("\n\n"),
  );
});

test.each<[string, number, readonly ExplainedFlow[]]>([
  ["2 requirements ask for it", 2, [flow]],
  ["flows of this cluster need it", 0, [flow]],
  ["no requirement needs it", 0, []],
])("the headline of a packet explanation: %s", (headline, count, flows) => {
  const rows = Array.from({ length: count }, () => explained());
  expect(describePacketExplanation({ version: 1, asked: "TCP 3128", rows, flows, notes: [] })[0]).toBe(
    `TCP 3128: ${headline}`,
  );
});

test("the text of a gate rule includes the rows behind it", () => {
  expect(
    describeRuleExplanation({
      version: 1,
      rule: "port-missing",
      title: "A title",
      description: "A description.",
      details: ["A detail.", "Another detail."],
      remediation: "A way out.",
      documents: ["OKD networking, Ports", "HyperShift ports, Ports"],
      rows: [explained(), explained({ id: "another" })],
    }).join("\n"),
  ).toBe(
    [
      "port-missing: A title",
      "A description.",
      "- A detail.\n- Another detail.",
      "fix         A way out.\ndocumented  OKD networking, Ports; HyperShift ports, Ports",
      "2 requirements ask for what it checks",
      SHORT,
      SHORT.replace("konnectivity:", "another:"),
    ].join("\n\n"),
  );
});

test("the text of a rule in a plan lists its packets, the flows that need them, and the excess", () => {
  const place: ExplainedPlace = {
    rule: { type: "aws:ec2/networkAcl:NetworkAcl", name: "walls", path: "ingress[0]" },
    place: "ingress of workers",
    actions: [Action.Allow, Action.Deny],
    packets: ["TCP 1 from ::/0", "TCP 2 from 0.0.0.0/0"],
    unknown: [],
    flows: [flow],
    excess: ["TCP 1 from ::/0"],
  };
  expect(describeWrittenExplanation({ version: 1, places: [place], rows: [explained()] }).join("\n")).toBe(
    [
      [
        "ingress[0] of NetworkAcl walls, at ingress of workers",
        "  allow or deny  TCP 1 from ::/0",
        "  allow or deny  TCP 2 from 0.0.0.0/0",
        "  matches     workers/egress/konnectivity: Workers dial the konnectivity server",
        "  excess      TCP 1 from ::/0",
      ].join("\n"),
      SHORT,
    ].join("\n\n"),
  );
  const walls = { type: "aws:ec2/networkAcl:NetworkAcl", name: "walls", path: "" };
  const doubtful = {
    ...place,
    actions: [Action.Allow],
    unknown: [{ resource: walls, path: "ingress[0].cidrBlock" }],
  };
  const lines = describeWrittenExplanation({ version: 1, places: [doubtful], rows: [] })
    .join("\n")
    .split("\n");
  expect(lines.slice(1, 4)).toEqual([
    "  may allow   TCP 1 from ::/0",
    "  may allow   TCP 2 from 0.0.0.0/0",
    "  not known   ingress[0].cidrBlock of NetworkAcl walls",
  ]);
});
