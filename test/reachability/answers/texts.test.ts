import { ChangeKind, describeDiff, type PlanDiff } from "../../../src/reachability/answers/diff/diff";
import {
  describeAnswer,
  describeFlow,
  flowGroups,
  nameOfFlow,
} from "../../../src/reachability/answers/describeAnswer";
import { describeRepair } from "../../../src/reachability/answers/repair/describeRepair";
import type {
  ExcessAnswer,
  FlowAnswer,
  PlanAnswer,
  Refutation,
} from "../../../src/reachability/answers/answer";
import type { Repair } from "../../../src/reachability/answers/repair/repair";
import type { Written } from "../../../src/reachability/answers/places";
import { Proof } from "../../../src/reachability/proof/prove";
import { Direction, Phase, Service, Zone, Role } from "../../../src/requirements/vocabulary";

const group: Written = { type: "aws:ec2/securityGroup:SecurityGroup", name: "workers" };
const acl: Written = { type: "aws:ec2/networkAcl:NetworkAcl", name: "walls" };

const head = {
  key: "workers-konnectivity",
  title: "Workers reach Konnectivity",
  from: Zone.Workers,
  service: Service.Konnectivity,
  phase: Phase.Always,
  requirements: ["a"],
  documents: ["OKD networking, Ports"],
};
const proved: FlowAnswer = {
  ...head,
  proof: Proof.Proved,
  rules: [
    { ...group, path: "ingress[0]" },
    { ...acl, path: "" },
  ],
};
const refutation: Refutation = {
  place: "ingress of workers",
  guard: "security groups of workers",
  asked: "calls",
  packet: { source: "10.0.0.5", destination: "10.1.0.9", service: "TCP 8091" },
  dropped: ["TCP 8091 from 10.0.0.0/16"],
  repair: [],
  requirements: ["a"],
  documents: ["OKD networking, Ports", "HyperShift ports, Ports"],
};
const refuted: FlowAnswer = { ...head, key: "cut", proof: Proof.Refuted, refutations: [refutation] };
const unknown: FlowAnswer = {
  ...head,
  key: "open",
  proof: Proof.Unknown,
  optional: true,
  values: [
    { resource: group, path: "ingress[0].cidrBlocks", reason: "the list is unknown" },
    { resource: acl, path: "ingress" },
  ],
  missing: [
    { input: "workerCidrs", why: "the addresses of the zone worker" },
    { input: "", why: "the address that replaces the client's address" },
  ],
  unguarded: ["egress of workers"],
};

describe("the text of a flow", () => {
  test("names the rules that prove it", () => {
    expect(describeFlow(proved).join("\n")).toBe(
      [
        "proved   workers-konnectivity: Workers reach Konnectivity",
        "  by          ingress[0] of SecurityGroup workers",
        "  by          NetworkAcl walls",
      ].join("\n"),
    );
  });

  test("names what drops the packet or the answer, and the repair if there is one", () => {
    const denied: Refutation = {
      ...refutation,
      asked: "answers",
      rule: { ...acl, path: "egress[1]" },
      repair: [],
      obstacle: "say workerCidrs in the topology",
      documents: [],
    };
    expect(
      describeFlow({ ...head, key: "cut", proof: Proof.Refuted, refutations: [refutation, denied] }).join(
        "\n",
      ),
    ).toBe(
      [
        "refuted  cut: Workers reach Konnectivity",
        "  packet      10.0.0.5 -> 10.1.0.9, TCP 8091",
        "  dropped     by security groups of workers: no rule allows it",
        "  documented  OKD networking, Ports; HyperShift ports, Ports",
        "  answer      10.0.0.5 -> 10.1.0.9, TCP 8091",
        "  dropped     by security groups of workers: egress[1] of NetworkAcl walls denies it",
        "  repair      say workerCidrs in the topology",
      ].join("\n"),
    );
  });

  test("names what is not stated, not known and not shown, for an unknown flow", () => {
    expect(describeFlow(unknown).join("\n")).toBe(
      [
        "unknown  open: Workers reach Konnectivity (not every pod needs it)",
        "  not stated  workerCidrs: the addresses of the zone worker",
        "  not stated  the address that replaces the client's address",
        "  not known   ingress[0].cidrBlocks of SecurityGroup workers: the list is unknown",
        "  not known   ingress of NetworkAcl walls",
        "  not shown   what guards egress of workers",
      ].join("\n"),
    );
  });
});

const assumption = {
  place: "ingress of workers",
  by: "worker-group",
  name: "the group of worker nodes",
  releases: "4.14 and later",
  documents: ["HyperShift, sg.go", "OKD networking, Ports"],
  toProof: "set defaultWorkerRules",
};

describe("the text of an assumed or refuted flow", () => {
  const assumed: FlowAnswer = {
    ...head,
    proof: Proof.Assumed,
    rules: [],
    assumptions: [assumption, { ...assumption, place: "egress of workers" }],
  };

  test("names each assumption and how to prove it, and shared assumptions once for a group of flows", () => {
    const said = [
      "  by          the group of worker nodes",
      "  as of       4.14 and later: HyperShift, sg.go; OKD networking, Ports",
      "  to prove    set defaultWorkerRules",
    ];
    expect(describeFlow(assumed).join("\n").split("\n")).toEqual([
      "assumed  workers-konnectivity: Workers reach Konnectivity",
      "  at          ingress of workers",
      ...said,
      "  at          egress of workers",
      ...said,
    ]);
    expect(flowGroups([assumed])).toEqual([{ proof: "assumed", flows: [assumed], causes: said }]);
  });

  test("names a component argument instead of rules to add, and the note last", () => {
    const repair: Repair = {
      kind: "security-group-rule",
      direction: Direction.Ingress,
      protocol: "tcp",
      fromPort: 8091,
      toPort: 8091,
      cidrBlocks: ["10.0.0.0/16"],
      ipv6CidrBlocks: [],
    };
    const [lever, note] = ["set defaultWorkerRules: true", "others may let it pass"];
    const shown = (more: Partial<Refutation>) =>
      describeFlow({ ...refuted, refutations: [{ ...refutation, documents: [], ...more }] });
    expect(shown({ repair: [repair], lever, note }).slice(1)).toEqual([
      "  packet      10.0.0.5 -> 10.1.0.9, TCP 8091",
      "  dropped     by security groups of workers: no rule allows it",
      "  repair      set defaultWorkerRules: true",
      "  note        others may let it pass",
    ]);
    expect(shown({ repair: [repair] }).slice(3)).toEqual([
      "  repair      add to the security group: ingress tcp 8091 from 10.0.0.0/16",
    ]);
  });

  test.each<[Partial<FlowAnswer>, string]>([
    [{}, ""],
    [{ optional: true }, " (not every pod needs it)"],
    [{ accepted: "exempted" }, " (exempted)"],
    [{ optional: true, accepted: "disabled" }, " (not every pod needs it, its rule is disabled)"],
  ])("remarks after the name of the flow: %j", (more, remarks) => {
    expect(nameOfFlow({ ...refuted, ...more } as FlowAnswer)).toBe(
      `cut: Workers reach Konnectivity${remarks}`,
    );
  });
});

describe("the text of the answer for a plan", () => {
  const place = {
    place: "ingress of workers",
    role: Role.Workers,
    direction: Direction.Ingress,
    guard: "security groups of workers",
  };
  const answer = (flows: readonly FlowAnswer[], excess: readonly ExcessAnswer[] = []): PlanAnswer => {
    const count = (proof: Proof) => flows.filter((flow) => flow.proof === proof).length;
    return {
      version: 1,
      cluster: "clusters/tenant-a",
      flows,
      excess,
      outside: [
        { id: "dns-answers", what: "What names stand for", why: "no plan shows it", flows: ["cut"] },
        { id: "kernel", what: "Rules of the nodes", why: "no plan shows them", flows: ["cut", "open"] },
      ],
      summary: {
        proved: count(Proof.Proved),
        assumed: count(Proof.Assumed),
        refuted: count(Proof.Refuted),
        optionalRefuted: 0,
        exempted: 0,
        disabled: 0,
        unknown: count(Proof.Unknown),
        excess: excess.length,
      },
    };
  };
  const outside = [
    "outside the model",
    "  What names stand for (1 flow)",
    "  Rules of the nodes (2 flows)",
  ].join("\n");

  test("lists refuted flows before unknown ones, and only names proved ones", () => {
    const excess = [
      { rule: { ...group, path: "ingress[1]" }, places: [{ ...place, packets: ["TCP 22 from 0.0.0.0/0"] }] },
      { places: [{ ...place, packets: ["TCP 23 from 0.0.0.0/0", "TCP 24 from ::/0"] }] },
    ];
    const reasons = describeFlow(unknown).join("\n").split("\n").slice(1);
    const unknowns = [
      "unknown  2 flows",
      ...reasons,
      "    open: Workers reach Konnectivity (not every pod needs it)",
      "    next: Workers reach Konnectivity",
    ].join("\n");
    const { optional: _, ...next } = { ...unknown, key: "next" };
    expect(describeAnswer(answer([unknown, proved, next, refuted], excess)).join("\n")).toBe(
      [
        "clusters/tenant-a: 1 of 4 documented flows proved, 0 assumed, 2 unknown, 1 refuted; 2 rules open more than is needed",
        describeFlow(refuted).join("\n"),
        unknowns,
        [
          "open without need",
          "  ingress[1] of SecurityGroup workers: TCP 22 from 0.0.0.0/0, at ingress of workers",
          "  security groups of workers: TCP 23 from 0.0.0.0/0, at ingress of workers",
          "  security groups of workers: TCP 24 from ::/0, at ingress of workers",
        ].join("\n"),
        "proved   1 flow\n    workers-konnectivity: Workers reach Konnectivity",
        outside,
      ].join("\n\n"),
    );
  });

  test("groups flows that the same place drops under what they share, faults first", () => {
    const repair: Repair = {
      kind: "security-group-rule",
      group,
      direction: Direction.Ingress,
      protocol: "tcp",
      fromPort: 8091,
      toPort: 8091,
      cidrBlocks: ["10.0.0.0/16"],
      ipv6CidrBlocks: [],
    };
    const cut = (key: string, more: Partial<Refutation> = {}, head: Partial<FlowAnswer> = {}): FlowAnswer =>
      ({ ...refuted, ...head, key, refutations: [{ ...refutation, documents: [], ...more }] }) as FlowAnswer;
    const flows = [
      cut("exempted", {}, { accepted: "exempted" }),
      cut("first", { repair: [repair] }),
      cut("optional", {}, { optional: true }),
      cut("walled", { guard: "network ACLs of workers", rule: { ...acl, path: "" } }),
      cut("second"),
    ];
    expect(flowGroups(flows).map(({ flows: alike }) => alike.map(({ key }) => key))).toEqual([
      ["first", "second"],
      ["walled"],
      ["optional"],
      ["exempted"],
    ]);
    expect(describeAnswer(answer(flows)).join("\n")).toContain(
      [
        "refuted  2 flows",
        "  dropped     by security groups of workers: no rule allows it",
        "  packet      10.0.0.5 -> 10.1.0.9, TCP 8091",
        "    first: Workers reach Konnectivity",
        `      repair      ${describeRepair(repair)}`,
        "    second: Workers reach Konnectivity",
      ].join("\n"),
    );
  });

  test("orders flows from the worst verdict to the best, with accepted refutations before unknown flows", () => {
    const assumed: FlowAnswer = { ...head, proof: Proof.Assumed, rules: [], assumptions: [assumption] };
    const optional = { ...refuted, optional: true } as const;
    const exempted = { ...refuted, accepted: "exempted", optional: true } as const;
    const flows: FlowAnswer[] = [proved, assumed, unknown, exempted, optional, refuted];
    expect(flowGroups(flows).map((group) => group.flows)).toEqual(flows.toReversed().map((flow) => [flow]));
    expect(flowGroups(flows.toReversed()).map((group) => group.flows)).toEqual(
      flows.toReversed().map((flow) => [flow]),
    );
    expect(
      describeAnswer(answer([assumed]))
        .slice(2, 7)
        .join("\n"),
    ).toBe(
      [
        "assumed  1 flow",
        "  by          the group of worker nodes",
        "  as of       4.14 and later: HyperShift, sg.go; OKD networking, Ports",
        "  to prove    set defaultWorkerRules",
        "    workers-konnectivity: Workers reach Konnectivity",
      ].join("\n"),
    );
  });

  test("names what keeps policies from being judged", () => {
    const policy = { type: "kubernetes:networking.k8s.io/v1:NetworkPolicy", name: "team" };
    const undecided = [{ resource: policy, path: "spec", reason: "too many" }];
    expect(describeAnswer({ ...answer([]), undecided }).join("\n")).toContain(
      "\n\nmay open more\n  spec of NetworkPolicy team: too many\n\noutside the model\n",
    );
  });

  test("has no heading for an empty section", () => {
    expect(describeAnswer(answer([refuted])).join("\n")).toBe(
      [
        "clusters/tenant-a: 0 of 1 documented flow proved, 0 assumed, 0 unknown, 1 refuted: this plan proves nothing; 0 rules open more than is needed",
        describeFlow(refuted).join("\n"),
        outside,
      ].join("\n\n"),
    );
  });
});

describe("the text of the difference of two plans", () => {
  const diff: PlanDiff = {
    version: 1,
    cluster: "clusters/tenant-a",
    flows: [],
    changes: [],
    unknown: [],
    oneSided: [],
  };
  const change = {
    place: "ingress of control-plane",
    direction: Direction.Ingress,
    services: [],
    blocks: [],
  };

  test("lists what opens to new principals first, then what opens wider and what closes", () => {
    const text = describeDiff({
      ...diff,
      flows: [
        { key: "gone", title: "Not needed any more", before: Proof.Proved },
        { key: "new", title: "Needed now", after: Proof.Refuted },
      ],
      changes: [
        { ...change, kind: ChangeKind.Closed, packets: ["TCP 1 from 10.0.0.0/8"] },
        {
          ...change,
          kind: ChangeKind.NewPrincipal,
          services: ["Ignition", "OAuthServer"],
          packets: ["TCP 2 from 10.0.0.0/8", "TCP 2 from ::/0"],
        },
        { ...change, kind: ChangeKind.Widened, packets: ["TCP 3 from 10.0.0.0/8"] },
      ],
      unknown: [{ resource: group, path: "ingress[0].cidrBlocks" }],
      oneSided: [{ place: "egress of workers", missingIn: "old" }],
    }).join("\n");
    expect(text).toBe(
      [
        "clusters/tenant-a: 2 opened to new principals, 1 opened wider, 1 closed",
        "documented flows that change\n  gone: proved -> not needed: Not needed any more\n  new: not needed -> refuted: Needed now",
        "opened to new principals\n  ingress of control-plane (Ignition, OAuthServer): TCP 2 from 10.0.0.0/8\n  ingress of control-plane (Ignition, OAuthServer): TCP 2 from ::/0",
        "opened wider\n  ingress of control-plane: TCP 3 from 10.0.0.0/8",
        "closed\n  ingress of control-plane: TCP 1 from 10.0.0.0/8",
        "unknown values that may open or close more\n  ingress[0].cidrBlocks of SecurityGroup workers",
        "shown by only one plan\n  egress of workers: the old plan shows no filter there",
      ].join("\n\n"),
    );
  });

  test("is one line if nothing changes", () => {
    expect(describeDiff(diff).join("\n")).toBe("clusters/tenant-a: nothing opens or closes");
  });
});
