import { documentedFlows } from "../../src/isolation/documentedFlows";
import { isolationPolicies } from "../../src/isolation/judge";
import { policyResource } from "../../src/isolation/networkPolicy";
import { Proof } from "../../src/reachability/proof/prove";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { makeRunBook } from "../../src/runBook/makeRunBook";
import { openingPolicy, OPENING_POLICY } from "../../src/runBook/steps/isolation";
import { resource } from "../rules/builders";
import { normal } from "../topology/topologies";
import { answers, base, side, stepIds } from "./sides";
import { Outcome } from "../../src/runBook/runBook";
import { judgeTraffic } from "../../src/reachability/isolation/podTraffic";

const agent = { ...base, platform: "Agent" };
const HCP = "clusters-tenant-a";
const made = (): Resource[] => isolationPolicies(normal(agent)).map((policy) => policyResource(policy, HCP));
const policy = (name: string, spec: PropertyValue): Resource =>
  resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", name, {
    metadata: { name, namespace: HCP },
    spec,
  });
const denyAll = policy("deny", { podSelector: {}, policyTypes: ["Ingress"] });
const isolate = (wanted: readonly Resource[], current: readonly Resource[] = []) =>
  makeRunBook({ current: side(agent, current), wanted: side(agent, wanted) });

/** For each documented flow, whether no policy drops it. */
const passing = (policies: readonly Resource[]): boolean[] =>
  documentedFlows(normal(agent)).flatMap(({ traffic }) =>
    traffic.map((one) => judgeTraffic(policies, HCP, one)?.verdict.proof !== Proof.Refuted),
  );

describe("M12 isolation policies are turned on without cutting flows", () => {
  test("with a temporary policy that allows everything and is deleted last", () => {
    const book = isolate(made());
    expect(book.outcome).toBe(Outcome.InPlace);
    expect(stepIds(book)).toEqual(["isolation-opening", "isolation-policies", "isolation-closing"]);
    expect(book.steps[1]!.patches.map(({ name }) => name)).toEqual(
      isolationPolicies(normal(agent)).map(({ name }) => name),
    );
    expect(book.steps[2]!.patches).toEqual([
      expect.objectContaining({ type: "delete", name: OPENING_POLICY }),
    ]);
    expect(book.steps[2]!.wayBack.patches[0]!.body).toEqual(book.steps[0]!.patches[0]!.body);
  });

  test("every documented flow passes at every moment, whatever the order of the policies", () => {
    const policies = made();
    const before = passing([]);
    const opening = openingPolicy(HCP);
    for (const order of [policies, [...policies].reverse()])
      for (let applied = 0; applied <= order.length; applied++)
        expect(passing([opening, ...order.slice(0, applied)])).toEqual(before);
    expect(passing(policies)).toEqual(before);
    // Without the opening policy, the first policy cuts flows that the others allow.
    expect(passing(policies.slice(0, 1))).not.toEqual(before);
  });

  test("policies that would cut a flow block the change, and are reported with the packet", () => {
    const book = isolate([denyAll]);
    expect(book.outcome).toBe(Outcome.Blocked);
    expect(book.obstacles[0]!.what).toMatch(/no policy allows this documented flow: .* -> .*/);
    expect(book.obstacles[0]!.fix).toContain("NetworkPolicy");
    const closing = book.steps.find(({ id }) => id === "isolation-closing")!;
    expect(closing.preChecks[0]).toMatchObject({ result: "unmet" });
  });

  test("existing policies, policies of other namespaces and no policies need no steps", () => {
    const elsewhere = resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", "deny", {
      metadata: { name: "deny", namespace: "shop" },
      spec: { podSelector: {} },
    });
    for (const [wanted, current] of [
      [made(), made()],
      [[elsewhere], []],
      [[], made()],
    ])
      expect(isolate(wanted!, current).steps).toEqual([]);
  });

  test("a change that stopped after any step continues from there", () => {
    const [wanted, opening] = [made(), openingPolicy(HCP)];
    const all = ["isolation-opening", "isolation-policies", "isolation-closing"];
    expect(stepIds(isolate(wanted, [opening]))).toEqual(all);
    const half = isolate(wanted, [opening, ...wanted.slice(0, 2)]);
    expect(stepIds(half)).toEqual(all);
    expect(half.steps[1]!.patches).toHaveLength(wanted.length - 2);
    const open = isolate(wanted, [opening, ...wanted]);
    expect([open.outcome, stepIds(open)]).toEqual([Outcome.InPlace, ["isolation-closing"]]);
    expect(isolate([denyAll], [opening, denyAll]).outcome).toBe(Outcome.Blocked);
    expect(isolate([...wanted, opening], [...wanted, opening]).steps).toEqual([]);
  });

  test("the way back restores the policies that existed before", () => {
    const [first, ...others] = made();
    const before: Resource = {
      ...first!,
      properties: { ...first!.properties, spec: { podSelector: { matchLabels: { app: "web" } } } },
    };
    const { patches } = isolate([first!, ...others], [before]).steps[1]!.wayBack;
    expect(patches.map(({ type, name }) => [type, name])).toEqual([
      ["apply", first!.name],
      ...others.map(({ name }) => ["delete", name]),
    ]);
    expect(patches[0]!.body).toMatchObject({ spec: { podSelector: { matchLabels: { app: "web" } } } });
  });

  test.each<[string, PropertyValue, PropertyValue]>([
    [
      "an empty list",
      { podSelector: {}, policyTypes: ["Ingress"], ingress: [] },
      { podSelector: {}, policyTypes: ["Ingress"] },
    ],
    [
      "the default protocol and policy types",
      { podSelector: {}, ingress: [{ ports: [{ port: 6443 }] }] },
      { podSelector: {}, policyTypes: ["Ingress"], ingress: [{ ports: [{ port: 6443, protocol: "TCP" }] }] },
    ],
    [
      "the policy types of both directions",
      { podSelector: {}, egress: [{}] },
      { podSelector: {}, policyTypes: ["Ingress", "Egress"], egress: [{}] },
    ],
  ])("%s: no change if only the API server's spelling differs", (_, written, served) => {
    expect(isolate([policy("own", written)], [policy("own", served)]).steps).toEqual([]);
    const narrower = { podSelector: { matchLabels: { app: "web" } } };
    expect(isolate([policy("own", written)], [policy("own", narrower)]).steps).not.toEqual([]);
  });

  test("a changed policy is applied like a new one", () => {
    const [first, ...others] = made();
    const { spec } = first!.properties as { spec: Record<string, PropertyValue> };
    const changed: Resource = {
      ...first!,
      properties: { ...first!.properties, spec: { ...spec, ingress: [{}] } },
    };
    const book = isolate([changed, ...others], made());
    expect(book.steps[1]!.patches.map(({ name }) => name)).toEqual([first!.name]);
  });
});

describe("policies with unknown values", () => {
  const spec = { podSelector: {}, policyTypes: ["Ingress"] };
  const own = { name: "some", namespace: HCP };
  const some = (metadata: PropertyValue, of: PropertyValue) =>
    resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", "some", { metadata, spec: of });

  test.each<[string, PropertyValue, PropertyValue]>([
    ["spec", own, UNKNOWN],
    ["spec.podSelector", own, { ...spec, podSelector: UNKNOWN }],
    ["spec.podSelector.matchLabels.app", own, { ...spec, podSelector: { matchLabels: { app: UNKNOWN } } }],
    ["spec.ingress[0].from", own, { ...spec, ingress: [{ from: UNKNOWN }] }],
    ["metadata.labels", { ...own, labels: UNKNOWN }, spec],
    ["metadata.namespace", { ...own, namespace: UNKNOWN }, spec],
    ["metadata", UNKNOWN, spec],
  ])("at %s have no patch, and the value is named", (path, metadata, of) => {
    const book = isolate([...made(), some(metadata, of)]);
    const named = answers(book).map(([property, answer]) => [property, answer]);
    const places =
      path === "metadata" ? ["name", "namespace", "labels"].map((key) => `metadata.${key}`) : [path];
    expect(named).toEqual(places.map((place) => [`NetworkPolicy some: ${place}`, "unknown"]));
    expect([Outcome.Unknown, Outcome.Blocked]).toContain(book.outcome);
    expect(book.steps).toEqual([]);
  });

  test("of other namespaces are ignored", () => {
    expect(isolate([some({ name: "some", namespace: "shop" }, UNKNOWN)])).toMatchObject({
      outcome: Outcome.NothingToDo,
      changes: [],
    });
  });
});

test("flows that only the wanted firewalls drop, and not the current ones, are an obstacle", () => {
  const every = { protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["0.0.0.0/0"] };
  const group = (ingress: PropertyValue) =>
    resource("aws:ec2/securityGroup:SecurityGroup", "control-plane", {
      tags: { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "control-plane" },
      ingress: [ingress],
      egress: [every],
    });
  const [wide, narrow] = [[group(every)], [group({ ...every, protocol: "tcp", fromPort: 22, toPort: 22 })]];
  const book = makeRunBook({ current: side(agent, wide), wanted: side(agent, narrow) });
  expect(book.obstacles.map(({ what }) => what)).toContainEqual(
    expect.stringMatching(/the wanted state drops a documented flow: .*APIServer/),
  );
  expect(makeRunBook({ current: side(agent, narrow), wanted: side(agent, narrow) }).obstacles).toEqual([]);
  expect(makeRunBook({ current: side(agent, narrow), wanted: side(agent, wide) }).obstacles).toEqual([]);
});
