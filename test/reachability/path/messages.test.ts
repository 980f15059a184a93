import { journeys } from "../../../src/flows/journeys";
import { judgeJourney } from "../../../src/reachability/path/judge";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { Proof } from "../../../src/reachability/proof/prove";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { said } from "./clusters";
import { documentedPlan, rule } from "./plan";
import { describePackets } from "../shown";

// Workers have only the groups of the plan, so flows that these drop are refuted.
const topology = said({ platform: "AWS", defaultWorkerRules: true });
const isIcmp = ({ name }: { name: string }) => /^workers\/ingress\/(nodes|worker)-icmp/.test(name);
const plan = documentedPlan(topology).filter((resource) => !isIcmp(resource));

/** The verdict on ICMP among workers, for which every message is documented. */
function icmp(...rules: Record<string, PropertyValue>[]) {
  const written = rules.map((properties, position) =>
    rule(Role.Workers, Direction.Ingress, `icmp-${position}`, { cidrIpv4: "10.0.0.0/16", ...properties }),
  );
  const guards = planGuards(new ResourceIndex([...plan, ...written]), topology);
  const journey = journeys(topology).find(({ key }) => key === "workers-ingress-nodes-icmp")!;
  const { proof, guards: judged } = judgeJourney(journey, guards);
  const verdict = judged.find((one) => one.verdict.proof !== Proof.Proved)?.verdict;
  if (verdict?.proof === Proof.Refuted) return [proof, ...describePackets(verdict.dropped)];
  return [proof, ...(verdict?.proof === Proof.Unknown ? verdict.values.map(({ path }) => path) : [])];
}

test.each<[string, Record<string, PropertyValue>]>([
  ["every message", { ipProtocol: "icmp", fromPort: -1, toPort: -1 }],
  ["no message, which means every message,", { ipProtocol: "icmp" }],
  ["the number of the protocol", { ipProtocol: "1", fromPort: -1, toPort: -1 }],
  ["every protocol", { ipProtocol: "-1" }],
])("a rule for %s allows all ICMP", (_, properties) => {
  expect(icmp(properties)).toEqual([Proof.Proved]);
});

test("a rule for one ICMP type does not allow the others", () => {
  const [proof, dropped] = icmp({ ipProtocol: "icmp", fromPort: 8, toPort: -1 });
  expect(proof).toBe(Proof.Refuted);
  expect(dropped).toBe("ICMP types 0-7, ICMP types 9-255 from 10.0.0.0/16 to 10.0.0.0/16");
});

test("a rule for one code of an ICMP type does not allow its other codes", () => {
  const others = [...Array(256).keys()].filter((type) => type !== 3);
  const rules = others.map((type) => ({ ipProtocol: "icmp", fromPort: type, toPort: -1 }));
  expect(icmp(...rules, { ipProtocol: "icmp", fromPort: 3, toPort: -1 })).toEqual([Proof.Proved]);
  expect(icmp(...rules, { ipProtocol: "icmp", fromPort: 3, toPort: 4 })[0]).toBe(Proof.Refuted);
});

test("a rule for another protocol does not allow ICMP", () => {
  for (const ipProtocol of ["tcp", "udp", "50"]) expect(icmp({ ipProtocol })[0]).toBe(Proof.Refuted);
});

test("an unknown ICMP message leaves the verdict unknown", () => {
  expect(icmp({ ipProtocol: "icmp", fromPort: UNKNOWN, toPort: -1 })).toEqual([Proof.Unknown, "fromPort"]);
});
