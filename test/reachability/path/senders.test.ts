import { settledJourneys } from "../../../src/flows/journeys";
import { surroundingsOf } from "../../../src/flows/surroundings";
import { judgeJourney } from "../../../src/reachability/path/judge";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { diffPlans } from "../../../src/reachability/answers/diff/diffPlans";
import { Proof } from "../../../src/reachability/proof/prove";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { published } from "../../topology/topologies";
import { pinned, said } from "./clusters";
import { isolatedPlan } from "./plan";

const NAMESPACE = "clusters-tenant-a";
const bare = said({ platform: "None", services: pinned });
const routed = said({ platform: "AWS", endpointAccess: "PublicAndPrivate" });

/** The flows of a cluster whose proofs change because of these objects. */
function changed(topology: NormalizedTopology, ...objects: Resource[]): Record<string, Proof> {
  const proofs = (plan: Resource[]) => {
    const index = new ResourceIndex(plan);
    const guards = planGuards(index, topology);
    return settledJourneys(topology, surroundingsOf(index, topology)).map((journey) => ({
      key: journey.key,
      proof: judgeJourney(journey, guards).proof,
    }));
  };
  const plan = isolatedPlan(topology);
  const before = new Map(proofs(plan).map(({ key, proof }) => [key, proof]));
  return Object.fromEntries(
    proofs([...plan, ...objects])
      .filter(({ key, proof }) => before.get(key) !== proof)
      .map(({ key, proof }) => [key, proof]),
  );
}

function object(type: string, name: string, spec: PropertyValue, namespace?: PropertyValue): Resource {
  return {
    origin: { urn: `urn:${name}` },
    type: `kubernetes:${type}`,
    name,
    properties: { metadata: { name, ...(namespace !== undefined && { namespace }) }, spec },
  };
}
const policy = (spec: object, namespace: PropertyValue = NAMESPACE, name = "mine") =>
  object(
    "networking.k8s.io/v1:NetworkPolicy",
    name,
    { policyTypes: ["Egress"], podSelector: {}, ...spec },
    namespace,
  );
const admin = (action: string) =>
  object("policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy", "admin", {
    priority: 1,
    subject: { namespaces: { matchLabels: { "kubernetes.io/metadata.name": NAMESPACE } } },
    egress: [{ name: "all", action, to: [{ networks: ["0.0.0.0/0", "::/0"] }] }],
  });

const SENT = ["https", "management-api", "dns-tcp", "dns-udp"].map((key) => `control-plane-egress-${key}`);
const all = (proof: Proof) => Object.fromEntries(SENT.map((key) => [key, proof]));
const peersOf = (...blocks: string[]) => blocks.map((cidr) => ({ ipBlock: { cidr } }));

describe("policies on egress of control-plane pods", () => {
  test("leave egress unknown if one denies all, because HyperShift's own policies may allow it", () => {
    expect(changed(bare, policy({}))).toMatchObject(all(Proof.Unknown));
    expect(changed(bare, policy({}, UNKNOWN))).toMatchObject(all(Proof.Unknown));
    expect(changed(bare, policy({ podSelector: { matchLabels: { app: "etcd" } } }))).toMatchObject(
      all(Proof.Unknown),
    );
  });

  test("prove egress that they allow again", () => {
    const dns = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "openshift-dns" } } };
    const pods = { podSelector: {} };
    const open = policy({ egress: [{ to: [...peersOf("0.0.0.0/0", "::/0"), dns, pods] }] });
    expect(changed(bare, open)).toEqual({});
    const https = policy({ egress: [{ to: peersOf("0.0.0.0/0"), ports: [{ port: 443 }] }] });
    expect(changed(bare, https)).not.toHaveProperty("control-plane-egress-https");
    expect(changed(bare, https)).toHaveProperty("control-plane-egress-management-api", Proof.Unknown);
  });

  test("apply after an administrators' denial", () => {
    expect(changed(bare, admin("Deny"))).toMatchObject({
      "control-plane-egress-https": Proof.Refuted,
      "control-plane-egress-management-api": Proof.Refuted,
    });
    expect(changed(bare, admin("Allow"))).toEqual({});
    expect(changed(bare, admin("Allow"), policy({}))).not.toHaveProperty("control-plane-egress-https");
    expect(changed(bare, admin("Deny"), policy({}))).toMatchObject({
      "control-plane-egress-https": Proof.Refuted,
      "control-plane-egress-management-api": Proof.Refuted,
    });
    expect(changed(bare, admin("Pass"), policy({}))).toMatchObject(all(Proof.Unknown));
  });

  test("come before a baseline, which may not apply if HyperShift's own policies may select the pods", () => {
    const baseline = object("policy.networking.k8s.io/v1alpha1:BaselineAdminNetworkPolicy", "default", {
      subject: { namespaces: {} },
      egress: [{ action: "Deny", to: [{ networks: ["0.0.0.0/0", "::/0"] }] }],
    });
    const https = (topology: NormalizedTopology, ...objects: Resource[]) =>
      changed(topology, ...objects)["control-plane-egress-https"];
    expect(https(bare, baseline)).toBe(Proof.Refuted);
    expect(https(routed, baseline)).toBe(Proof.Unknown);
    expect(https(routed, baseline, admin("Deny"))).toBe(Proof.Refuted);
    // If a running cluster was read, there are no other policies.
    const live: Resource = {
      ...policy({ policyTypes: ["Ingress"] }),
      origin: { live: "NetworkPolicy mine" },
    };
    expect(https(routed, baseline, live)).toBe(Proof.Refuted);
  });

  test("leave the router's egress unknown behind a baseline, and other egress only if HyperShift may isolate it", () => {
    const { Route: services } = published;
    const baseline = object("policy.networking.k8s.io/v1alpha1:BaselineAdminNetworkPolicy", "default", {
      subject: { namespaces: {} },
      egress: [{ action: "Deny", to: [{ namespaces: {} }, { networks: ["0.0.0.0/0"] }] }],
    });
    const router = ["workers-konnectivity", "workers-oauth"];
    for (const platform of ["AWS", "Azure", "GCP"]) {
      const found = changed(said({ platform, services }), baseline);
      for (const key of router) expect([platform, key, found[key]]).toEqual([platform, key, Proof.Unknown]);
      const isolated = platform === "AWS";
      expect(found["control-plane-egress-https"]).toBe(isolated ? Proof.Unknown : Proof.Refuted);
    }
    const stated = policy({ podSelector: { matchLabels: { app: "private-router" } }, egress: [{}] });
    expect(changed(said({ platform: "Azure", services }), baseline, stated)).not.toHaveProperty(
      "workers-konnectivity",
    );
    expect(changed(said({ platform: "Azure", services }), admin("Deny"))).toHaveProperty(
      "control-plane-egress-https",
      Proof.Refuted,
    );
  });

  test("apply after or before a ClusterNetworkPolicy, according to its tier", () => {
    const of = (tier: PropertyValue, action: string) =>
      object("policy.networking.k8s.io/v1beta1:ClusterNetworkPolicy", "cluster", {
        tier,
        priority: 1,
        subject: { pods: { podSelector: {} } },
        egress: [{ action, to: [{ networks: ["0.0.0.0/0", "::/0"] }] }],
      });
    const open = policy({ egress: [{}] });
    const denied = { "control-plane-egress-https": Proof.Refuted };
    expect(changed(bare, of("Admin", "Deny"))).toMatchObject(denied);
    expect(changed(bare, of("Admin", "Accept"), policy({}))).not.toHaveProperty("control-plane-egress-https");
    expect(changed(bare, of("Baseline", "Deny"))).toMatchObject(denied);
    expect(changed(bare, of("Baseline", "Deny"), open)).toEqual({});
    expect(changed(bare, of("Baseline", "Pass"))).toEqual({});
    expect(changed(bare, of(UNKNOWN, "Deny"))).toMatchObject({ "control-plane-egress-https": Proof.Unknown });
  });

  test.each([
    ["of another namespace", policy({}, "other")],
    ["about ingress", policy({ policyTypes: ["Ingress"], ingress: [{}] })],
    [
      "about virtual machines",
      policy({ podSelector: { matchExpressions: [{ key: "kubevirt.io", operator: "Exists" }] } }),
    ],
  ])("are not affected by one %s", (_, other) => {
    expect(changed(bare, other)).toEqual({});
  });

  test("apply to the control plane's own router, which sends to the pods behind routes", () => {
    const router = policy({ podSelector: { matchLabels: { app: "private-router" } } });
    const found = changed(routed, router);
    expect(found).toHaveProperty("workers-konnectivity", Proof.Unknown);
    expect(found).not.toHaveProperty("workers-kube-apiserver");
    const within = policy({
      podSelector: { matchLabels: { app: "private-router" } },
      egress: [{ to: [{ podSelector: {} }] }],
    });
    expect(changed(routed, within)).not.toHaveProperty("workers-konnectivity");
  });

  test("appear in a difference with what they close", () => {
    const side = (...objects: Resource[]) => ({
      index: new ResourceIndex([...isolatedPlan(bare), ...objects]),
      topology: bare,
    });
    const { changes } = diffPlans(side(), side(policy({})));
    expect(changes.map(({ kind, place }) => `${kind} ${place}`)).toContain(
      "closed egress of pods of the control plane to addresses",
    );
  });
});

describe("an egress firewall in an unknown namespace", () => {
  const firewall = (namespace: PropertyValue, type: string) =>
    object(
      "k8s.ovn.org/v1:EgressFirewall",
      "default",
      { egress: [{ type, to: { cidrSelector: "0.0.0.0/0" } }] },
      namespace,
    );

  test("may apply in either cluster, and refutes nothing", () => {
    const found = changed(bare, firewall(UNKNOWN, "Deny"));
    expect(new Set(Object.values(found))).toEqual(new Set([Proof.Unknown]));
    expect(Object.keys(found)).toEqual(
      expect.arrayContaining(["namespace-of default-kube-apiserver", `namespace-${NAMESPACE}-https`]),
    );
  });

  test("adds only doubt to a known firewall", () => {
    const named = { ...firewall(NAMESPACE, "Allow"), origin: { urn: "urn:other" } };
    const found = changed(bare, named, firewall(UNKNOWN, "Deny"));
    expect(found[`namespace-${NAMESPACE}-https`]).toBe(Proof.Unknown);
    expect(
      changed(bare, { ...named, ...firewall(NAMESPACE, "Deny") })[`namespace-${NAMESPACE}-https`],
    ).not.toBe(Proof.Proved);
  });
});
