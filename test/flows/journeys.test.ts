import { Platform } from "../../src/requirements/vocabulary";
import { journeys } from "../../src/flows/journeys";
import { judgeJourney, type JudgedJourney } from "../../src/reachability/path/judge";
import { planGuards } from "../../src/reachability/path/planGuards";
import { Proof } from "../../src/reachability/proof/prove";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";
import { published } from "../topology/topologies";
import { policy as stated, running } from "../reachability/answers/plans";
import { everything, pinned, placeOf, said } from "../reachability/path/clusters";
import { documentedPlan, isolatedPlan } from "../reachability/path/plan";
import { normalizeTopology } from "../../src/topology/normalizeTopology";

/** Every valid combination of platform, strategy, access and kind of load balancer targets. */
const combinations = Object.values(Platform).flatMap((platform) =>
  Object.entries({ ...published, NodePort: pinned }).flatMap(([strategy, services]) =>
    [undefined, "Public", "PublicAndPrivate", "Private"].flatMap((endpointAccess) =>
      ["instance", "ip"].flatMap((loadBalancerTargets) => {
        const raw = { ...everything, name: "tenant-a", platform, services, loadBalancerTargets };
        const { topology } = normalizeTopology({ ...raw, ...(endpointAccess && { endpointAccess }) });
        const name = [platform, strategy, endpointAccess ?? "", loadBalancerTargets].join(" ");
        return topology ? [[name, topology] as const] : [];
      }),
    ),
  ),
);

type Guards = ReturnType<typeof planGuards>;
const guardsOf = (topology: NormalizedTopology, resources: readonly Resource[]): Guards =>
  planGuards(new ResourceIndex(resources), topology);
const judge = (topology: NormalizedTopology, resources: readonly Resource[]): JudgedJourney[] => {
  const guards = guardsOf(topology, resources);
  return journeys(topology).map((journey) => judgeJourney(journey, guards));
};
const keysOf = (judged: readonly JudgedJourney[], wanted: Proof) =>
  judged.filter(({ proof }) => proof === wanted).map(({ journey }) => journey.key);

describe("a plan with every documented rule", () => {
  test.each(combinations)("%s: every journey is proved", (_, topology) => {
    const judged = judge(topology, isolatedPlan(topology));
    expect(judged.length).toBeGreaterThan(10);
    expect(keysOf(judged, Proof.Refuted)).toEqual([]);
    expect(keysOf(judged, Proof.Unknown)).toEqual([]);
  });
});

describe("with unstated inputs,", () => {
  test("an unpinned node port is proved for workers, who have the whole range, and unknown for users", () => {
    const topology = said({ platform: "None" });
    const judged = judge(topology, isolatedPlan(topology));
    expect(keysOf(judged, Proof.Refuted)).toEqual([]);
    expect(
      judged
        .filter(({ proof }) => proof === Proof.Unknown)
        .map(({ journey, missing }) => [journey.key, missing[0]?.input]),
    ).toEqual([
      ["users-kube-apiserver", "services.apiServer.nodePort"],
      ["users-oauth", "services.oauthServer.nodePort"],
    ]);
  });

  test("a journey is unknown if load balancer targets are not stated", () => {
    const topology = said({ platform: "AWS", loadBalancerTargets: undefined });
    const [first] = judge(topology, isolatedPlan(topology));
    expect(first?.proof).toBe(Proof.Unknown);
    expect(first?.missing.map(({ input }) => input)).toEqual(["loadBalancerTargets"]);
  });

  test("a journey is unknown if a hop has no security group in the plan", () => {
    const topology = said({ platform: "None", services: pinned });
    const plan = isolatedPlan(topology).filter(
      ({ properties }) => properties.securityGroupId !== "sg-workers" && properties.id !== "sg-workers",
    );
    const journey = judge(topology, plan).find(({ journey: { key } }) => key === "workers-konnectivity")!;
    expect(journey.proof).toBe(Proof.Unknown);
    expect(journey.unguarded).toEqual([expect.objectContaining({ role: "workers", direction: "egress" })]);
  });
});

test("a journey is not refuted if a rule of an unknown group could allow it", () => {
  const topology = said({ platform: "None", services: pinned });
  const isKonnectivity = ({ properties }: Resource) =>
    properties.securityGroupId === "sg-control-plane" && properties.fromPort === 31_091;
  const plan = isolatedPlan(topology);
  const unknownGroup: Resource["properties"] = { securityGroupId: UNKNOWN };
  const stray = plan.map((one) =>
    isKonnectivity(one) ? { ...one, properties: { ...one.properties, ...unknownGroup } } : one,
  );
  const proofOf = (resources: Resource[]) =>
    judge(topology, resources).find(({ journey: { key } }) => key === "workers-konnectivity")?.proof;
  expect(proofOf(plan.filter((one) => !isKonnectivity(one)))).toBe(Proof.Refuted);
  expect(proofOf(stray)).toBe(Proof.Unknown);
});

describe("the hops to services", () => {
  const waysOf = (raw: object) =>
    Object.fromEntries(
      journeys(said(raw))
        .filter(({ service }) => service)
        .map(({ key, hops }) => [key, hops.map(placeOf)]),
    );

  test("with PublicAndPrivate, OAuth goes through the management cluster's router, the rest through the endpoint", () => {
    const ways = waysOf({ platform: "AWS", endpointAccess: "PublicAndPrivate" });
    expect(ways["workers-konnectivity"]).toEqual([
      "workers egress",
      "private-endpoint ingress",
      "control-plane ingress",
      "pods private-router",
      "pods konnectivity-server",
      "pods kube-apiserver",
    ]);
    expect(ways["workers-kube-apiserver"]).toEqual([
      "workers egress",
      "private-endpoint ingress",
      "control-plane ingress",
      "pods kube-apiserver",
    ]);
    expect(ways["workers-oauth"]).toEqual([
      "workers egress",
      "control-plane ingress",
      "pods oauth-openshift",
    ]);
    expect(ways["users-kube-apiserver"]).toEqual(["control-plane ingress", "pods kube-apiserver"]);
  });

  test("with Private, users come through the endpoint, too", () => {
    expect(waysOf({ platform: "AWS", endpointAccess: "Private" })["users-oauth"]).toEqual([
      "private-endpoint ingress",
      "control-plane ingress",
      "pods private-router",
      "pods oauth-openshift",
    ]);
  });

  test("with node ports, go from the hosts directly to the pods", () => {
    expect(waysOf({ platform: "Agent", services: pinned })["workers-ignition"]).toEqual([
      "workers egress",
      "control-plane ingress",
      "pods ignition-server-proxy",
    ]);
  });

  test("do not include ignition after the bootstrap", () => {
    expect(Object.keys(waysOf({ platform: "Agent", services: pinned, bootstrap: false }))).not.toContain(
      "workers-ignition",
    );
  });
});

describe("network policies on a journey", () => {
  const topology = said({ platform: "None", services: pinned });
  const policy = (name: string, spec: PropertyValue): Resource => running(stated(name, spec));
  const konnectivity = (...policies: Resource[]) =>
    judge(topology, [...documentedPlan(topology), ...policies]).find(
      ({ journey }) => journey.key === "workers-konnectivity",
    )!;

  test("a policy that denies everything refutes the journey at the pods", () => {
    const judged = konnectivity(policy("deny", { podSelector: {}, policyTypes: ["Ingress"] }));
    expect(judged.proof).toBe(Proof.Refuted);
    const refuted = judged.guards.filter(({ verdict }) => verdict.proof === Proof.Refuted);
    expect(refuted.map(({ guard }) => guard.name)).toEqual([
      "network policies of pods konnectivity-server",
      "network policies of pods kube-apiserver",
    ]);
  });

  test("a policy for the workers' addresses proves nothing, because node ports hide clients", () => {
    const judged = konnectivity(
      policy("workers", { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/16" } }] }] }),
    );
    expect(judged.proof).toBe(Proof.Unknown);
    expect(judged.missing.map(({ why }) => why)).toContain("the address that replaces the client's address");
  });

  test("a policy that opens the port to everybody proves the journey", () => {
    const open = policy("open", { podSelector: {}, ingress: [{ ports: [{ port: 8091 }] }] });
    expect(konnectivity(open).proof).toBe(Proof.Proved);
  });
});

describe("network ACLs on a journey", () => {
  const topology = said({ platform: "None", services: pinned });
  const acl = (ingress: object[], egress: object[]): Resource => ({
    origin: { urn: "urn:pulumi:test::network::acl" },
    type: "aws:ec2/networkAcl:NetworkAcl",
    name: "hosts",
    properties: {
      tags: { "hypershift-network/role": "control-plane", "hypershift-network/cluster": "tenant-a" },
      ingress: ingress as never,
      egress: egress as never,
    },
  });
  const rule = (
    ruleNo: number,
    fromPort: number,
    toPort: number,
    cidrBlock = "0.0.0.0/0",
    action = "allow",
  ) => ({
    ruleNo,
    protocol: "tcp",
    action,
    cidrBlock,
    fromPort,
    toPort,
  });
  const konnectivity = (resource: Resource) =>
    judge(topology, [...isolatedPlan(topology), resource]).find(
      ({ journey }) => journey.key === "workers-konnectivity",
    )!;

  test("must allow replies, too: without the ephemeral ports the journey is refuted", () => {
    const open = [rule(100, 30_000, 32_767)];
    expect(konnectivity(acl(open, [rule(100, 1024, 65_535)])).proof).toBe(Proof.Proved);
    expect(konnectivity(acl(open, [rule(100, 443, 443)])).proof).toBe(Proof.Refuted);
    expect(konnectivity(acl([rule(100, 443, 443)], [rule(100, 0, 65_535)])).proof).toBe(Proof.Refuted);
  });

  test("are evaluated in the order of rule numbers", () => {
    const deny = rule(90, 31_091, 31_091, "198.51.100.0/24", "deny");
    const judged = konnectivity(acl([deny, rule(100, 0, 65_535)], [rule(100, 0, 65_535)]));
    expect(judged.proof).toBe(Proof.Refuted);
    const refuted = judged.guards.find(({ verdict }) => verdict.proof === Proof.Refuted)!;
    expect(refuted.verdict).toMatchObject({ decision: { clause: { path: "ingress[0]" } } });
  });
});
