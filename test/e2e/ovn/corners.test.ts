import { observe, type Observation } from "../../../local/ovn/compare";
import type { Manifest } from "../../../local/ovn/manifests";
import { read } from "../../../local/ovn/reader";
import type { TraceResult } from "../../../local/ovn/trace";
import { silent } from "../../../local/report";
import { startOvn, type Ovn } from "../../../local/servers/ovn";
import { findOvn } from "../../../local/toolchain/ovn";
import { admin, egress, firewall, from, ingress, policy, trialOf, type Sent } from "./corners";

let ovn: Ovn;
beforeAll(async () => {
  ovn = await startOvn((await findOvn(silent)).tool);
});
afterAll(() => ovn.stop());

const CLIENTS = from({ matchLabels: { app: "client" } });
const TCP = (port: number | string, endPort?: number) => ({
  ports: [{ port, ...(endPort !== undefined && { endPort }) }],
});
const block = (cidr: string, ...except: string[]) => ({ ipBlock: { cidr, except } });

/** The packets that are sent, their verdicts, and the objects that apply. */
const CORNERS: readonly (readonly [
  string,
  readonly (readonly [Sent, TraceResult])[],
  readonly Manifest[],
])[] = [
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
    "a policy with only egress leaves ingress open",
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
    "the baseline decides for pods that no policy selects, and only for those",
    [
      ["client -> api TCP 80", "allowed"],
      ["api -> client TCP 80", "denied"],
      ["api -> client TCP 81", "allowed"],
    ],
    [admin("baseline", "Deny TCP 80"), ingress({})],
  ],
];

describe("edge cases of policies and firewalls that OVN and the readers judge alike", () => {
  const trials = CORNERS.map(([, sent, objects], position) =>
    trialOf(
      `corner${position}`,
      "specified",
      sent.map(([one]) => one),
      objects,
    ),
  );
  let observations: Observation[];
  beforeAll(async () => {
    observations = await observe(ovn, trials);
  });

  test.each(CORNERS.map(([name], position) => [name, position] as const))("%s", (_, position) => {
    const sent = CORNERS[position]![1];
    const mine = observations.filter(({ trial }) => trial === trials[position]);
    const verdicts = mine.map(({ trial, packet, verdict }, at) => [
      sent[at]![0],
      verdict,
      read(trial.scene, packet),
    ]);
    expect(verdicts).toEqual(sent.map(([one, verdict]) => [one, verdict, verdict]));
  });
});
