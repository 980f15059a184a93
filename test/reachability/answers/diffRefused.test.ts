import { diffPlans, type PlanSide } from "../../../src/reachability/answers/diff/diffPlans";
import { Role } from "../../../src/requirements/vocabulary";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { pinned, said } from "../path/clusters";
import { documentedPlan } from "../path/plan";
import { acl, entry } from "./plans";

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

describe("a policy of two management clusters", () => {
  const urnOf = (provider: string) => `urn:pulumi:test::network::pulumi:providers:kubernetes::${provider}`;
  const at = (provider: string, one: Resource): Resource => ({
    ...one,
    origin: { urn: `${one.origin.urn}-${provider}` },
    provider: urnOf(provider),
  });
  const wrong = egress("deny", PORT_0);
  const fault = ["deny spec.egress[0].ports[0].port"];

  test("stays in force in the one where the new plan's version is refused", () => {
    const [own, other] = [[at("k1", deny), at("k1", allow)], at("k2", allow)];
    const all = ["k1", "k2"].map((name) => ({ by: "provider" as const, is: urnOf(name) }));
    const placed = (...plan: Resource[]): PlanSide => ({
      ...side(plan),
      topology: { ...topology, placement: { own: all[0]!, all } },
    });
    const { changes, unknown } = diffPlans(
      placed(...own, other),
      placed(at("k1", deny), at("k1", refused), other),
    );
    expect(changes).toEqual([]);
    expect(unknown.map(({ resource, path }) => `${resource.name} ${path}`)).toEqual([FAULT]);
    expect(diffPlans(placed(...own, other), placed(at("k1", deny), other)).changes).not.toEqual([]);
  });

  test("is the same object if only one plan states its provider", () => {
    expect(diff([at("k1", deny)], [wrong])).toEqual({ changes: [], unknown: fault });
    expect(diff([deny], [at("k1", wrong)])).toEqual({ changes: [], unknown: fault });
  });
});

test("a network ACL rule with a number that EC2 refuses closes nothing for certain if its block changes", () => {
  const wall = (cidrBlock: string) =>
    acl(Role.Workers, [entry(40_000, "allow", { cidrBlock })], [entry(1, "allow")]);
  expect(diff([wall("10.0.0.0/16")], [wall("10.0.0.0/17")])).toEqual({
    changes: [],
    unknown: ["acl-workers ingress[0].ruleNo"],
  });
  expect(diff([wall("10.0.0.0/16")], [wall("10.0.0.0/16")])).toEqual({ changes: [], unknown: [] });
  const twice = acl(Role.Workers, [entry(7, "allow"), entry(7, "deny")], [entry(1, "allow")]);
  expect(diff([twice], [twice])).toEqual({ changes: [], unknown: [] });
});

describe("an egress firewall that the API server refuses", () => {
  const firewall = (...rules: PropertyValue[]): Resource => ({
    origin: { urn: "urn:pulumi:test::network::firewall" },
    type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
    name: "default",
    properties: { metadata: { name: "default", namespace: "web" }, spec: { egress: rules } },
  });
  const to = (cidrSelector: string, more: Record<string, PropertyValue> = {}, type = "Deny") => ({
    type,
    to: { cidrSelector },
    ...more,
  });
  const shut = firewall(to("0.0.0.0/0"), to("::/0"));
  const NO_PORT = { ports: [{ protocol: "UDP" }] };
  const wrong = firewall(to("198.51.100.0/24", NO_PORT));
  const fault = ["default spec.egress[0].ports[0].port"];

  test("leaves the firewall of the old plan in force", () => {
    expect(diff([shut], [wrong])).toEqual({ changes: [], unknown: fault });
    expect(diff([shut], [firewall(to("0.0.0.0/0", NO_PORT, "Allow"))])).toEqual({
      changes: [],
      unknown: fault,
    });
  });

  const withSpec = (spec: PropertyValue): Resource => ({
    ...shut,
    properties: { ...shut.properties, spec },
  });

  test.each<[string, PropertyValue, string]>([
    ["no list", {}, "spec.egress"],
    ["a list under another name", { egres: [to("0.0.0.0/0")] }, "spec.egres"],
    ["a rule where the list should be", { egress: to("0.0.0.0/0") }, "spec.egress"],
    [
      "a property that does not exist beside a rule that is refused",
      { egres: [], egress: [to("198.51.100.0/24", NO_PORT)] },
      "spec.egres",
    ],
  ])("leaves the firewall of the old plan in force if it has %s", (_, spec, path) => {
    expect(diff([shut], [withSpec(spec)])).toEqual({ changes: [], unknown: [`default ${path}`] });
  });

  test("leaves it in force if only the release of its hosted cluster refuses it", () => {
    const nodes = { type: "Allow", to: { nodeSelector: { matchLabels: { a: "b" } } } };
    const changes = (release: string, namespace: string) => {
      const cluster = said({ platform: "None", services: pinned, release });
      const at = (one: Resource): PlanSide => {
        const properties = { ...one.properties, metadata: { name: "default", namespace } };
        return { ...side([{ ...one, properties }]), topology: cluster };
      };
      return diffPlans(at(shut), at(firewall(nodes, to("0.0.0.0/0"), to("::/0")))).changes;
    };
    expect(changes("4.12", "web")).toEqual([]);
    expect(changes("4.13", "web")).not.toEqual([]);
  });

  test("is not a patch that leaves the rules as they are", () => {
    const patch: Resource = { ...withSpec({}), type: "kubernetes:k8s.ovn.org/v1:EgressFirewallPatch" };
    expect(diff([shut], [patch]).changes).toContain("new-principal egress of namespace web");
  });

  test("leaves open what replaces it if the old plan has none, or one that is refused too", () => {
    expect(diff([wrong], [wrong]).changes).toEqual([]);
    expect(diff([], [wrong]).changes).toEqual(["closed egress of namespace web"]);
    // It is not known what passed before.
    expect(diff([wrong], [shut]).changes).toEqual([]);
  });

  test("is not one that OVN-Kubernetes does not apply: it is not known which rules are in force", () => {
    const unapplied = firewall(to("fe80::1%eth0/64"));
    expect(diff([shut], [unapplied]).changes).toEqual([
      "new-principal egress of namespace web",
      "closed egress of namespace web",
    ]);
  });
});
