import { diffPlans, type PlanSide } from "../../../src/reachability/answers/diff/diffPlans";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { pinned, said } from "../path/clusters";
import { documentedPlan } from "../path/plan";

const topology = said({ platform: "None", services: pinned });
const base = documentedPlan(topology);
const side = (plan: readonly Resource[]): PlanSide => ({
  index: new ResourceIndex([...base, ...plan]),
  topology,
});
const diff = (old: readonly Resource[], now: readonly Resource[]) => {
  const { changes, unknown } = diffPlans(side(old), side(now));
  return {
    changes: [...new Set(changes.map(({ kind, place }) => `${kind} ${place}`))],
    unknown: unknown.map(({ resource, path, opens }) => `${resource.name} ${path}${opens ? ", opens" : ""}`),
  };
};
const policy = (name: string, spec: Record<string, PropertyValue>): Resource => ({
  origin: { urn: `urn:pulumi:test::network::${name}` },
  type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
  name,
  properties: {
    metadata: { name, namespace: topology.controlPlaneNamespace },
    spec: { podSelector: {}, ...spec },
  },
});
const PORT_0: PropertyValue = { ports: [{ port: 0 }] };
const egress = (name: string, ...rules: PropertyValue[]) =>
  policy(name, { policyTypes: ["Egress"], egress: rules });
const deny = egress("deny");
const allow = egress("allow", {});
const refused = egress("allow", {}, PORT_0);
const FAULT = "allow spec.egress[1].ports[0].port";

describe("a policy that the API server refuses", () => {
  const [opened] = diff([deny], [deny, allow]).changes;

  test("opens nothing in a new plan, and is an unknown value", () => {
    expect(opened).toBeDefined();
    expect(diff([deny], [deny, refused])).toEqual({ changes: [], unknown: [FAULT] });
  });

  test("of both plans is no difference", () => {
    expect(diff([deny, refused], [deny, refused])).toEqual({ changes: [], unknown: [] });
  });

  test("opens something once it is corrected", () => {
    const { changes, unknown } = diff([deny, refused], [deny, allow]);
    expect(changes).toContain(opened);
    expect(unknown).toContain(FAULT);
  });

  test("leaves the policy of the old plan in force that it should replace", () => {
    const wrong = egress("deny", PORT_0);
    expect(diff([deny], [wrong])).toEqual({ changes: [], unknown: ["deny spec.egress[0].ports[0].port"] });
    expect(diff([deny, allow], [deny, refused])).toEqual({ changes: [], unknown: [FAULT] });
  });

  test("closes nothing if it would deny", () => {
    expect(diff([], [egress("deny", PORT_0)]).changes).toEqual([]);
  });

  test("may open an entrance: its unknown value says so", () => {
    const entering = policy("allow", { ingress: [{}, PORT_0] });
    const shut = policy("deny", { policyTypes: ["Ingress"] });
    expect(diff([shut], [shut, entering])).toEqual({
      changes: [],
      unknown: ["allow spec.ingress[1].ports[0].port, opens"],
    });
  });
});
