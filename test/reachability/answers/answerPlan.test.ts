import { answerPlan, type PlanQuestion } from "../../../src/reachability/answers/answerPlan";
import { describeAnswer } from "../../../src/reachability/answers/describeAnswer";
import { describePacket } from "../../../src/reachability/answers/places";
import { repairsOf, type FlowAnswer } from "../../../src/reachability/answers/answer";
import { packets } from "../../../src/reachability/packets/packetSet";
import { service } from "../../../src/reachability/packets/service";
import { Proof } from "../../../src/reachability/proof/prove";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { pinned, said } from "../path/clusters";
import { denyingFirewall, documentedPlan, rule } from "../path/plan";
import { acl, applied, entry, guardedPlan } from "./plans";

const topology = said({ platform: "None", services: pinned });
const ask = (plan: readonly Resource[], more: Partial<PlanQuestion> = {}) =>
  answerPlan({ index: new ResourceIndex(plan), topology, ...more });
const flowOf = <P extends Proof>(
  plan: readonly Resource[],
  proof: P,
  key = "workers-konnectivity",
): Extract<FlowAnswer, { proof: P }> => {
  const flow = ask(plan).flows.find((one) => one.key === key);
  if (flow?.proof !== proof) throw new Error(`${key} is ${flow?.proof}`);
  return flow as Extract<FlowAnswer, { proof: P }>;
};
const withoutKonnectivity = documentedPlan(topology).filter(
  ({ properties }) => !(properties.securityGroupId === "sg-control-plane" && properties.fromPort === 31_091),
);
const ssh = rule(Role.Workers, Direction.Ingress, "ssh", {
  ipProtocol: "tcp",
  fromPort: 2022,
  toPort: 2023,
  cidrIpv4: "192.0.2.0/24",
});

describe("the answer for a plan", () => {
  test("a plan with every documented rule proves every flow, with the rules, rows and documents behind it", () => {
    const answer = ask(guardedPlan(topology));
    expect(answer.summary).toEqual({
      proved: answer.flows.length,
      assumed: 0,
      unknown: 0,
      refuted: 0,
      optionalRefuted: 0,
      exempted: 0,
      disabled: 0,
      excess: 4,
    });
    expect(new Set(answer.excess.map(({ rule: one }) => one?.name))).toEqual(
      new Set(["acl-control-plane", "acl-workers"]),
    );
    const flow = flowOf(guardedPlan(topology), Proof.Proved);
    expect(flow.rules.map(({ name }) => name)).toEqual(expect.arrayContaining(["open", "acl-workers"]));
    expect(flow.requirements).toEqual(expect.arrayContaining(["up-nodeport-range", "cp-in-konn-nodeport"]));
    expect(flow.documents).toContain("OKD networking, Common ingress ports, NodePort");
    expect(answer.flows.filter(({ requirements }) => requirements.length === 0)).toEqual([]);
  });

  test("a refuted flow shows one packet, the place, the resource that lacks the rule, and the repair", () => {
    const { refutations } = flowOf(withoutKonnectivity, Proof.Refuted);
    expect(refutations).toHaveLength(1);
    expect(refutations[0]).toMatchObject({
      place: "ingress of control-plane",
      guard: "security groups of control-plane",
      asked: "calls",
      dropped: ["TCP 31091 from 198.51.100.7/32 to 10.1.0.0/16"],
      holder: { name: "control-plane", urn: "urn:pulumi:test::network::control-plane" },
      repair: [{ kind: "security-group-rule", fromPort: 31_091, cidrBlocks: ["198.51.100.7/32"] }],
    });
    expect(refutations[0]).not.toHaveProperty("rule");
    expect(describePacket(refutations[0]!.packet)).toBe("198.51.100.7 -> 10.1.0.1, TCP 31091");
  });

  test("a deny rule is named as the rule that decides, for answers too", () => {
    const wall = acl(
      Role.ControlPlane,
      [entry(1, "allow")],
      [entry(1, "deny", { protocol: "tcp", toPort: 65_535 }), entry(2, "allow")],
    );
    const { refutations } = flowOf([...documentedPlan(topology), wall], Proof.Refuted);
    expect(refutations[0]).toMatchObject({
      asked: "answers",
      rule: { name: "acl-control-plane", path: "egress[0]" },
      packet: { source: "10.1.0.1", destination: "198.51.100.7", service: "TCP 32768" },
    });
  });

  test("an unknown flow names unknown values of the plan, missing topology properties and unguarded places", () => {
    const later = rule(Role.ControlPlane, Direction.Ingress, "later", {
      ipProtocol: "tcp",
      fromPort: 31_091,
      toPort: 31_091,
      cidrIpv4: UNKNOWN,
    });
    expect(flowOf([...withoutKonnectivity, later], Proof.Unknown)).toMatchObject({
      values: [{ resource: { name: "later" }, path: "cidrIpv4" }],
      missing: [],
      unguarded: [],
    });
    const noWorkers = documentedPlan(topology).filter(
      ({ properties }) => properties.securityGroupId !== "sg-workers" && properties.id !== "sg-workers",
    );
    expect(flowOf(noWorkers, Proof.Unknown).unguarded).toEqual(["egress of workers"]);
    const unsaid = said({ platform: "AWS", loadBalancerTargets: undefined });
    const [first] = ask(documentedPlan(unsaid), { topology: unsaid }).flows;
    expect(first).toMatchObject({ missing: [{ input: "loadBalancerTargets" }] });
  });

  test("excess names the rule that causes it, and declared packets are no excess", () => {
    const plan = [...documentedPlan(topology), ssh];
    expect(ask(plan).excess).toEqual([
      {
        rule: { urn: ssh.origin.urn, type: ssh.type, name: "ssh", path: "" },
        places: [
          {
            place: "ingress of workers",
            direction: "ingress",
            role: "workers",
            guard: "security groups of workers",
            packets: ["TCP 2022-2023 from 192.0.2.0/24"],
          },
        ],
      },
    ]);
    const declared = () => packets({ services: [service(6, { from: 2022, to: 2023 })] });
    expect(ask(plan, { declared }).excess).toEqual([]);
  });

  test("what lies outside the model is listed with the flows that depend on it", () => {
    const { outside, flows } = ask(documentedPlan(topology));
    expect(outside.find(({ id }) => id === "dns-answers")?.flows).toContain("workers-konnectivity");
    expect(new Set(outside.flatMap((one) => one.flows)).size).toBe(flows.length);
  });
});

describe("egress firewalls on the path", () => {
  const firewall = denyingFirewall("web");
  const answered = () => {
    const answer = ask([...documentedPlan(topology), firewall]);
    return { answer, cut: answer.flows.filter(({ proof }) => proof === Proof.Refuted) };
  };

  test("refute what pods of the namespace reach, and mark what not every pod needs", () => {
    const { answer, cut } = answered();
    expect(cut.map(({ key, optional }) => [key, optional ?? false])).toEqual(
      expect.arrayContaining([
        ["namespace-web-kube-apiserver", false],
        ["namespace-web-dns-udp", true],
      ]),
    );
    expect(describeAnswer(answer).join("\n")).toContain(
      "DNS servers outside over UDP (not every pod needs it)",
    );
  });

  test("name the rows that require the packets that they drop", () => {
    const rows = answered().cut.flatMap((flow) =>
      flow.proof === Proof.Refuted ? flow.refutations.map(({ requirements }) => requirements.length) : [],
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows).not.toContain(0);
  });

  test("can be repaired by applying all repairs together", () => {
    const { answer, cut } = answered();
    const mended = repairsOf(answer).reduce<readonly Resource[]>(applied, [
      ...documentedPlan(topology),
      firewall,
    ]);
    expect(ask(mended).summary).toMatchObject({ refuted: 0, unknown: 0 });
    const egress = (mended.at(-1)!.properties.spec as { egress: { type: string }[] }).egress;
    expect(egress.map(({ type }) => type)).toEqual([...cut.map(() => "Allow"), "Deny"]);
  });
});

test("the text of an answer lists refuted flows first, with packet, place and repair, then the rest", () => {
  const text = describeAnswer(ask([...withoutKonnectivity, ssh])).join("\n");
  const [head, refuted, ...rest] = text.split("\n\n");
  const open = rest.find((section) => section.startsWith("open without need"));
  expect(head).toMatch(
    /^clusters\/tenant-a: \d+ of \d+ documented flows proved, 6 assumed, 0 unknown, 3 refuted; 1 rule opens more than is needed$/,
  );
  const lines = refuted!.split("\n");
  expect(lines.slice(0, 5)).toEqual([
    "refuted  3 flows",
    "  dropped     by security groups of control-plane: no rule allows it",
    "  packet      198.51.100.7 -> 10.1.0.1, TCP 31091",
    "  repair      add to SecurityGroup control-plane: ingress tcp 31091 from 198.51.100.7/32, as a SecurityGroupIngressRule",
    expect.stringMatching(/^ {2}documented {2}/),
  ]);
  expect(lines[5]).toBe("    workers-konnectivity: Workers reach Konnectivity by NodePort");
  expect(open).toBe(
    "open without need\n  SecurityGroupIngressRule ssh: TCP 2022-2023 from 192.0.2.0/24, at ingress of workers",
  );
  expect(text).toMatch(/\n\nproved {3}39 flows\n/);
  expect(text).toContain(
    "\n\nassumed  6 flows\n  by          HyperShift's own network policies of the control plane's namespace\n",
  );
  expect(text).toContain("\n\noutside the model\n");
});
