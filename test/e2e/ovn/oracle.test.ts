import { existsSync } from "node:fs";

import {
  disagreements,
  observe,
  type Disagreement,
  type Observation,
  type Reader,
} from "../../../local/ovn/compare";
import { DIFFERENCES } from "../../../local/ovn/differences";
import type { Manifest } from "../../../local/ovn/manifests";
import { amounts, describeDisagreement, unexplained } from "../../../local/ovn/oracle";
import { trialsWith } from "../../../local/ovn/random/scenes";
import { read } from "../../../local/ovn/reader";
import { silent } from "../../../local/report";
import { startOvn, type Ovn } from "../../../local/servers/ovn";
import { runningProcesses } from "../../../local/servers/processes";
import { findOvn } from "../../../local/toolchain/ovn";
import { ingress, trialOf, type Sent } from "./corners";

let ovn: Ovn;
beforeAll(async () => {
  ovn = await startOvn((await findOvn(silent)).tool);
});
afterAll(() => ovn.stop());

const SEED = 5;

describe(`random packets, seed ${SEED}`, () => {
  let observations: Observation[];
  beforeAll(async () => {
    observations = await observe(ovn, trialsWith(150, 3000, SEED));
  });

  test("get the same verdicts from OVN and the readers", () => {
    expect(unexplained(disagreements(observations)).map(describeDisagreement)).toEqual([]);
    const { objects, passed, dropped } = amounts(observations);
    expect(objects).toBeGreaterThanOrEqual(150);
    expect(passed + dropped).toBeGreaterThanOrEqual(3000);
    // Both verdicts are frequent: otherwise an oracle with a constant verdict would agree with such a reader.
    expect(Math.min(passed, dropped)).toBeGreaterThan(500);
  });

  test.each(wrongReaders())("expose a reader that %s", (_, reader) => {
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

describe("known differences between ovn-kubernetes and the API", () => {
  const SHOWN: Readonly<Record<string, readonly [Sent, Manifest]>> = {
    "named-port": ["client -> api TCP 80", ingress({ ports: [{ port: "web" }] })],
    "numbers-win": ["client -> api TCP 80", ingress({ ports: [{ protocol: "TCP" }, { port: 443 }] })],
  };

  let differing: Disagreement[];
  beforeAll(async () => {
    const trials = Object.values(SHOWN).flatMap(([sent, object], position) =>
      (["written", "specified"] as const).map((ports) =>
        trialOf(`${ports}${position}`, ports, [sent], [object]),
      ),
    );
    differing = disagreements(await observe(ovn, trials));
  });

  test.each(DIFFERENCES.map((difference) => [difference.id, difference] as const))(
    "%s explains a different verdict if ports are written in that form, and there is none otherwise",
    (id, difference) => {
      const [, object] = SHOWN[id]!;
      const mine = differing.filter(({ trial }) => trial.scene.objects.includes(object));
      expect(mine.map(({ trial, explanation }) => [trial.ports, explanation])).toEqual([
        ["written", [difference]],
      ]);
    },
  );
});

test("a packet that is lost for a reason other than a rule is an error, not a verdict", async () => {
  const trial = trialOf("lost", "specified", ["client -> 10.128.63.200 TCP 80"], []);
  await expect(observe(ovn, [trial])).rejects.toThrow("OVN neither delivers the packet nor denies it");
});

test("stopping OVN ends its processes and removes its folder", async () => {
  const other = await startOvn((await findOvn(silent)).tool);
  await observe(other, [trialOf("single", "written", ["client -> api ICMP"], [])]);
  const own = () => runningProcesses().filter(({ command }) => command.includes(other.folder));
  expect(own().length).toBeGreaterThanOrEqual(3);
  await other.stop();
  expect(own()).toEqual([]);
  expect(existsSync(other.folder)).toBe(false);
});
