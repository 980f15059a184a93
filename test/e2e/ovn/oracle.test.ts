import { existsSync } from "node:fs";

import {
  disagreements,
  observe,
  type Disagreement,
  type Observation,
  type Reader,
  type Trial,
} from "../../../local/ovn/compare";
import { DIFFERENCES } from "../../../local/ovn/differences";
import type { Manifest } from "../../../local/ovn/manifests";
import { amounts, describeDisagreement, unexplained } from "../../../local/ovn/oracle";
import { trialsWith } from "../../../local/ovn/random/scenes";
import { read } from "../../../local/ovn/reader";
import { traced, type Verdict } from "../../../local/ovn/trace";
import { silent } from "../../../local/report";
import { startOvn, type Ovn } from "../../../local/servers/ovn";
import { runningProcesses } from "../../../local/servers/processes";
import { findOvn } from "../../../local/toolchain/ovn";
import { admin, egress, firewall, from, ingress, packetOf, policy, sceneWith, type Sent } from "./corners";

let ovn: Ovn;
beforeAll(async () => {
  ovn = await startOvn((await findOvn(silent)).tool);
});
afterAll(() => ovn.stop());

let scenes = 0;
const trialOf = (ports: Trial["ports"], sent: readonly Sent[], objects: readonly Manifest[]): Trial => {
  const scene = sceneWith(`corner${(scenes += 1)}`, objects);
  return { scene, packets: sent.map((one) => packetOf(scene, one)), ports };
};

const SEED = 5;

describe(`random packets, seed ${SEED}`, () => {
  let observations: Observation[];
  beforeAll(async () => {
    observations = await observe(ovn, trialsWith(150, 3000, SEED));
  });

  test("OVN makes of them what the readers say", () => {
    expect(unexplained(disagreements(observations)).map(describeDisagreement)).toEqual([]);
    const { objects, passed, dropped } = amounts(observations);
    expect(objects).toBeGreaterThanOrEqual(150);
    expect(passed + dropped).toBeGreaterThanOrEqual(3000);
    // Neither verdict is rare: an oracle that always says the same would agree with a reader that does.
    expect(Math.min(passed, dropped)).toBeGreaterThan(500);
  });

  test.each(wrongReaders())("a reader that %s is noticed", (_, reader) => {
    expect(observations.some((one) => unexplained(disagreements([one], reader)).length > 0)).toBe(true);
  });
});

function wrongReaders(): [string, Reader][] {
  const of = (change: (object: Manifest) => Manifest): Reader => {
    return (scene, packet) => read({ ...scene, objects: scene.objects.map(change) }, packet);
  };
  const writes = (text: string, instead: string): Reader =>
    of((object) => JSON.parse(JSON.stringify(object).replaceAll(text, instead)) as Manifest);
  const reversed = (object: Manifest): Manifest =>
    object.kind === "EgressFirewall"
      ? { ...object, spec: { egress: object.spec.egress.toReversed() } }
      : object;
  return [
    ["forgets exceptions of blocks", writes('"except":', '"x":')],
    ["takes a range for its first port", writes('"endPort":', '"x":')],
    ["takes NotIn for In", writes('"NotIn"', '"In"')],
    ["takes SCTP for UDP", writes('"SCTP"', '"UDP"')],
    [
      "takes an empty list of types for both",
      writes('"policyTypes":[]', '"policyTypes":["Ingress","Egress"]'),
    ],
    ["takes Pass for Allow", writes('"Pass"', '"Allow"')],
    ["reads firewalls from their end", of(reversed)],
    ["lets everything pass", () => "allowed"],
  ];
}

const CLIENTS = from({ matchLabels: { app: "client" } });
const TCP = (port: number | string, endPort?: number) => ({
  ports: [{ port, ...(endPort !== undefined && { endPort }) }],
});
const block = (cidr: string, ...except: string[]) => ({ ipBlock: { cidr, except } });

/** What was sent, what becomes of it, and under which objects. */
const CORNERS: readonly (readonly [string, readonly (readonly [Sent, Verdict])[], readonly Manifest[]])[] = [
  [
    "an exception inside a wider block, and another block of the rule that holds it",
    [
      ["203.0.113.9 -> api TCP 80", "denied"],
      ["203.0.113.130 -> api TCP 80", "allowed"],
      ["203.0.112.1 -> api TCP 80", "allowed"],
    ],
    [ingress({ from: [block("203.0.0.0/16", "203.0.113.0/24"), block("203.0.113.128/25")] })],
  ],
  [
    "an exception of one policy takes nothing from what another lets pass",
    [["203.0.113.9 -> api TCP 80", "allowed"]],
    [
      ingress({ from: [block("203.0.0.0/16", "203.0.113.0/24")] }),
      ingress({ from: [block("203.0.113.9/32")] }),
    ],
  ],
  [
    "a range includes both of its ends",
    [
      ["client -> api TCP 79", "denied"],
      ["client -> api TCP 80", "allowed"],
      ["client -> api TCP 90", "allowed"],
      ["client -> api TCP 91", "denied"],
      ["client -> api UDP 80", "denied"],
    ],
    [ingress(TCP(80, 90))],
  ],
  [
    "a name is another port in each pod",
    [
      ["client -> api TCP 6443", "allowed"],
      ["client -> api TCP 8443", "denied"],
      ["client -> db TCP 8443", "allowed"],
    ],
    [ingress(TCP("web"))],
  ],
  [
    "a policy with egress alone leaves ingress open",
    [
      ["client -> api TCP 80", "allowed"],
      ["api -> client TCP 80", "denied"],
    ],
    [egress()],
  ],
  [
    "egress rules without types isolate both ways",
    [
      ["client -> api TCP 80", "denied"],
      ["api -> client TCP 80", "allowed"],
    ],
    [policy({ podSelector: {}, egress: [{}] })],
  ],
  [
    "NotIn selects pods without the label",
    [
      ["client -> db TCP 80", "denied"],
      ["client -> api TCP 80", "allowed"],
    ],
    [
      policy({
        podSelector: { matchExpressions: [{ key: "app", operator: "NotIn", values: ["api"] }] },
        ingress: [],
      }),
    ],
  ],
  [
    "a missing list of rules and an empty one let nothing pass, a missing list of peers and an empty one everything",
    [
      ["client -> api TCP 80", "denied"],
      ["api -> client TCP 80", "allowed"],
      ["api -> 2001:db8::1 UDP 53", "allowed"],
    ],
    [policy({ podSelector: {}, policyTypes: ["Ingress", "Egress"], egress: [{ to: [] }] })],
  ],
  [
    "rules with ports let no ICMP pass, rules without do",
    [
      ["client -> api ICMP", "denied"],
      ["api -> client ICMP", "allowed"],
      ["api -> 2001:db8::1 ICMP", "allowed"],
    ],
    [ingress(TCP(1, 65_535)), egress({})],
  ],
  [
    "SCTP is a protocol of its own",
    [
      ["client -> api SCTP 80", "allowed"],
      ["client -> api TCP 80", "denied"],
    ],
    [ingress({ ports: [{ protocol: "SCTP", port: 80 }] })],
  ],
  [
    "policies on the same pod add up",
    [
      ["client -> api TCP 80", "allowed"],
      ["client -> api TCP 443", "allowed"],
      ["client -> api TCP 444", "denied"],
      ["db -> api TCP 80", "denied"],
    ],
    [ingress(), ingress({ ...CLIENTS, ...TCP(80) }), ingress({ ...CLIENTS, ...TCP(443) })],
  ],
  [
    "an Allow after a Deny comes too late, one with ports before it lets those pass",
    [
      ["api -> 203.0.113.9 TCP 443", "allowed"],
      ["api -> 203.0.113.9 TCP 80", "denied"],
      ["api -> 203.0.113.9 UDP 443", "denied"],
    ],
    [firewall("Allow 203.0.113.0/24 TCP 443", "Deny 203.0.0.0/16", "Allow 203.0.113.0/24")],
  ],
  [
    "0.0.0.0/0 is every address of IPv4 outside the cluster network, and none of IPv6",
    [
      ["api -> 8.8.8.8 TCP 443", "denied"],
      ["api -> client TCP 443", "allowed"],
      ["api -> 2001:db8::1 TCP 443", "allowed"],
      ["client -> 8.8.8.8 TCP 443", "allowed"],
    ],
    [firewall("Deny 0.0.0.0/0")],
  ],
  [
    "a Deny with host bits denies its whole block",
    [["api -> 203.0.113.200 TCP 443", "denied"]],
    [firewall("Deny 203.0.113.7/24")],
  ],
  [
    "a firewall and policies both have to let a packet pass",
    [
      ["api -> 203.0.113.9 TCP 443", "denied"],
      ["api -> 203.0.114.9 TCP 443", "allowed"],
      ["api -> 203.0.114.9 TCP 80", "denied"],
    ],
    [firewall("Deny 203.0.113.0/24"), egress(TCP(443))],
  ],
  [
    "an administrator's rule decides before those of namespaces, one that passes leaves it to them",
    [
      ["client -> api TCP 80", "denied"],
      ["client -> api TCP 443", "allowed"],
      ["client -> api TCP 444", "denied"],
      ["client -> api TCP 445", "allowed"],
    ],
    [
      admin(7, "Deny TCP 445"),
      admin(3, "Deny TCP 80", "Pass TCP 444", "Pass TCP 443", "Allow"),
      ingress(TCP(80), TCP(443)),
    ],
  ],
  [
    "the baseline decides for pods that no policy selects, and for those alone",
    [
      ["client -> api TCP 80", "allowed"],
      ["api -> client TCP 80", "denied"],
      ["api -> client TCP 81", "allowed"],
    ],
    [admin("baseline", "Deny TCP 80"), ingress({})],
  ],
];

describe("corners", () => {
  const trials = CORNERS.map(([, sent, objects]) =>
    trialOf(
      "specified",
      sent.map(([one]) => one),
      objects,
    ),
  );
  beforeAll(
    async () =>
      void (await observe(
        ovn,
        trials.map((trial) => ({ ...trial, packets: [] })),
      )),
  );

  test.each(CORNERS.map(([name], position) => [name, position] as const))("%s", async (_, position) => {
    const { scene, packets } = trials[position]!;
    const sent = CORNERS[position]![1];
    const verdicts = await Promise.all(
      packets.map(async (packet, at) => [
        sent[at]![0],
        await traced(ovn, scene, packet),
        read(scene, packet),
      ]),
    );
    expect(verdicts).toEqual(sent.map(([one, verdict]) => [one, verdict, verdict]));
  });
});

describe("what ovn-kubernetes does otherwise than the API says", () => {
  const SHOWN: Readonly<Record<string, readonly [Sent, Manifest]>> = {
    "named-port": ["client -> api TCP 80", ingress(TCP("web"))],
    "numbers-win": ["client -> api TCP 80", ingress({ ports: [{ protocol: "TCP" }, { port: 443 }] })],
  };

  let differing: Disagreement[];
  beforeAll(async () => {
    const trials = Object.values(SHOWN).flatMap(([sent, object]) =>
      (["written", "specified"] as const).map((ports) => trialOf(ports, [sent], [object])),
    );
    differing = disagreements(await observe(ovn, trials));
  });

  test.each(DIFFERENCES.map((difference) => [difference.id, difference] as const))(
    "%s explains a verdict that differs, as long as ports are written that way",
    (id, difference) => {
      const [, object] = SHOWN[id]!;
      const mine = differing.filter(({ trial }) => trial.scene.objects.includes(object));
      expect(mine.map(({ trial, explanation }) => [trial.ports, explanation])).toEqual([
        ["written", [difference]],
      ]);
    },
  );
});

test("a packet that is lost for another reason than a rule is no verdict", async () => {
  const trial = trialOf("specified", ["client -> 10.128.63.200 TCP 80"], []);
  await expect(observe(ovn, [trial])).rejects.toThrow("OVN neither delivers the packet nor denies it");
});

test("nothing is left of it", async () => {
  const other = await startOvn((await findOvn(silent)).tool);
  const scene = sceneWith("alone", []);
  await observe(other, [{ scene, packets: [packetOf(scene, "client -> api ICMP")], ports: "written" }]);
  const own = () => runningProcesses().filter(({ command }) => command.includes(other.folder));
  expect(own().length).toBeGreaterThanOrEqual(3);
  await other.stop();
  expect(own()).toEqual([]);
  expect(existsSync(other.folder)).toBe(false);
});
