import * as pulumi from "@pulumi/pulumi";

import { HostedControlPlaneSecurityGroups } from "../../src/securityGroups/component/hostedControlPlaneSecurityGroups";
import { answerPlan } from "../../src/reachability/answers/answerPlan";
import { JudgedResources } from "../../src/gate/judgedResources";
import { rules } from "../../src/rules";
import { verdictOf } from "../../src/gate/verdict";
import { planQuestion } from "../../src/rules/conclusion";
import { group, hostedCluster, tcp } from "../rules/builders";
import { goldenCases } from "../securityGroups/component/goldenCases";

/** The number of calls of each counted function. */
const counts: Record<string, number> = {};

function mockCounted<Module extends object>(path: string, name: keyof Module & string): Module {
  const actual = jest.requireActual<Module>(path);
  const original = actual[name] as (...given: unknown[]) => unknown;
  const counted = (...given: unknown[]) => {
    counts[name] = (counts[name] ?? 0) + 1;
    return original(...given);
  };
  return { ...actual, [name]: counted };
}
jest.mock("../../src/topology/normalizeTopology", () =>
  mockCounted("../../src/topology/normalizeTopology", "normalizeTopology"),
);
jest.mock("../../src/flows/required/controlPlane", () =>
  mockCounted("../../src/flows/required/controlPlane", "documentedIngress"),
);
jest.mock("../../src/flows/serviceJourneys", () =>
  mockCounted("../../src/flows/serviceJourneys", "serviceJourneys"),
);

beforeEach(() => {
  for (const name of Object.keys(counts)) counts[name] = 0;
});

const plan = () => new JudgedResources([hostedCluster(), group("hosts", [tcp(6443, "10.0.0.0/16")])]);

describe("a topology is read once, and its flows are derived once,", () => {
  test("for a component", async () => {
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
    await pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }),
      call: ({ inputs }) => inputs as Record<string, unknown>,
    });
    const { topology } = goldenCases.find(({ name }) => name === "aws-route")!;
    void new HostedControlPlaneSecurityGroups("tenant", { topology, vpcId: "vpc-1" });
    await pulumi.runtime.disconnect();
    expect(counts).toEqual({ normalizeTopology: 1, documentedIngress: 1 });
  });

  test("for every rule of the gate", () => {
    const { findings } = verdictOf(plan(), rules);
    expect(findings).not.toEqual([]);
    expect(counts).toEqual({ normalizeTopology: 1, documentedIngress: 1, serviceJourneys: 1 });
  });

  test("for the gate and a proof of one plan", () => {
    const judged = plan();
    verdictOf(judged, rules);
    answerPlan(planQuestion(judged, judged.clusters[0]!.topology!));
    expect(counts).toEqual({ normalizeTopology: 1, documentedIngress: 1, serviceJourneys: 1 });
  });
});
