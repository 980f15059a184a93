import { answerPlan } from "../../../src/reachability/answers/answerPlan";
import { explainWritten } from "../../../src/reachability/answers/explain/explainWritten";
import { describeWrittenExplanation } from "../../../src/reachability/answers/explain/explanation";
import { Role } from "../../../src/requirements/vocabulary";
import { type PropertyValue, type Resource, UNKNOWN } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { pinned, said } from "../path/clusters";
import { deniedByAdmin, denyingFirewall, documentedPlan } from "../path/plan";
import { acl, entry, policy } from "./plans";

const node = said({ platform: "None", services: pinned });
const both = said({ platform: "AWS", endpointAccess: "PublicAndPrivate" });
const ask = (asked: Resource, topology: NormalizedTopology, ...others: Resource[]) =>
  explainWritten(
    { index: new ResourceIndex([...documentedPlan(topology), asked, ...others]), topology },
    asked,
  );
const writtenAt = ({ origin, type, name }: Resource) => ({ ...origin, type, name });

describe("the explanation of what a rule does at each of its places", () => {
  test("lists the flows to the pods of a policy, which are uncertain behind load balancers", () => {
    const konnectivity = policy("konnectivity", { podSelector: {}, ingress: [{ ports: [{ port: 8091 }] }] });
    const place = "pods konnectivity-server from addresses";
    const needed = [
      ["workers-konnectivity", "Workers reach Konnectivity by NodePort"],
      [
        "control-plane-kubelet",
        "The control plane reaches kubelets, for logs, exec and metrics, through the tunnel of konnectivity",
      ],
      [
        "control-plane-webhooks",
        "The control plane reaches webhooks and APIs in pods of the hosted cluster through the tunnel of konnectivity",
      ],
    ];
    const { places } = ask(konnectivity, node);
    expect(places.filter((one) => one.place === place)).toEqual([
      {
        rule: { ...writtenAt(konnectivity), path: "spec.ingress[0]" },
        place,
        actions: ["allow"],
        packets: ["TCP 8091 from 0.0.0.0/0", "TCP 8091 from ::/0"],
        unknown: [],
        flows: needed.map(([key, purpose]) => ({
          key,
          purpose,
          place,
          requirements: ["cp-in-konn-nodeport", "cp-in-konn-lb"],
          sure: false,
        })),
        excess: [],
      },
    ]);
  });

  test("lists no flow for a policy that allows other ports", () => {
    const web = policy("web", { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] });
    const { places, rows } = ask(web, node);
    expect(places.length).toBeGreaterThan(1);
    expect([places.flatMap(({ flows }) => flows), rows]).toEqual([[], []]);
  });

  test("lists the flows that control-plane pods send, for a policy on egress", () => {
    const place = "egress of pods of the control plane to addresses";
    const flowsAt = (asked: Resource) => ask(asked, node).places.find((one) => one.place === place)?.flows;
    const ports = [{ protocol: "TCP", port: 443 }];
    const sent = {
      key: "control-plane-egress-https",
      purpose: "Control-plane components pull images and call routes and HTTPS services outside",
      place,
      requirements: ["cp-out-443"],
      sure: true,
    };
    const allowing = (cidr: string) =>
      policy("sent", {
        podSelector: {},
        policyTypes: ["Egress"],
        egress: [{ to: [{ ipBlock: { cidr } }], ports }],
      });
    expect(flowsAt(allowing("0.0.0.0/0"))).toEqual([sent]);
    expect(flowsAt(allowing("203.0.113.0/24"))).toEqual([]);
    const admin = deniedByAdmin("egress", "to");
    expect(flowsAt(admin)?.map(({ key }) => key)).toEqual([
      "control-plane-egress-https",
      "control-plane-egress-management-api",
    ]);
  });

  test("lists the same excess of an ACL as the answer for the plan", () => {
    const wall = acl(Role.Workers, [entry(1, "allow")], [entry(1, "allow")]);
    const { excess } = answerPlan({
      index: new ResourceIndex([...documentedPlan(node), wall]),
      topology: node,
    });
    const told = excess.flatMap(({ rule, places }) =>
      places.map(({ place, packets }) => ({ where: `${rule?.path} at ${place}`, packets })),
    );
    expect(told.map(({ where }) => where)).toEqual(
      ["ingress", "egress"].flatMap((way) =>
        ["workers", "private-endpoint"].map((role) => `${way}[0] at ${way} of ${role}`),
      ),
    );
    const { places } = ask(wall, node);
    for (const { where, packets } of told)
      expect(places.find(({ rule, place }) => where === `${rule.path} at ${place}`)?.excess).toEqual(packets);
    expect(places).toHaveLength(told.length);
  });

  test("lists the flows of the hosts behind an ACL", () => {
    const wall = acl(Role.Workers, [entry(1, "allow", { protocol: "tcp", fromPort: 440, toPort: 445 })], []);
    const at = (place: string) => ask(wall, both).places.find((one) => one.place === place)?.flows;
    expect(at("ingress of private-endpoint")).toEqual([
      {
        key: "private-endpoint/ingress/endpoint-router",
        purpose: "Machines reach the private router through the VPC endpoint",
        place: "ingress of private-endpoint",
        requirements: ["up-aws-vpce-443"],
        sure: true,
      },
    ]);
    expect(at("ingress of workers")).toEqual([]);
  });

  test("lists what leaves the namespace of an egress firewall, and the flows that it decides", () => {
    const wall = denyingFirewall("web");
    const { places, rows } = ask(wall, node);
    const [{ flows, ...place }] = places as [(typeof places)[number]];
    expect(places).toHaveLength(1);
    expect(place).toEqual({
      rule: { ...writtenAt(wall), path: "spec.egress[0]" },
      place: "egress of namespace web",
      actions: ["deny"],
      packets: ["every protocol to 0.0.0.0/0 except 10.132.0.0/14"],
      unknown: [],
      excess: [],
    });
    expect(flows.map(({ key, requirements: [row], sure }) => [key, row, sure])).toEqual([
      ["namespace-web-kube-apiserver", "up-nodeport-range", true],
      ["namespace-web-dns-tcp", "wk-out-dns-tcp", true],
      ["namespace-web-dns-udp", "wk-out-dns-udp", true],
      ["namespace-web-registries", "wk-out-443", true],
    ]);
    expect(rows.map(({ id }) => id)).toContain("wk-out-dns-udp");
  });
});

describe("a policy without rules", () => {
  const deny = policy("deny", { podSelector: {}, policyTypes: ["Ingress"] });
  const allowing = (kind: string, spec: Record<string, PropertyValue>): Resource => ({
    origin: { urn: `urn:${kind}` },
    type: `kubernetes:policy.networking.k8s.io/v1alpha1:${kind}`,
    name: "admin",
    properties: { spec: { subject: { namespaces: {} }, ...spec } },
  });
  const ports = [{ portNumber: { protocol: "TCP", port: 8091 } }];
  const ingress = [{ action: "Allow", from: [{ namespaces: {} }], ports }];
  const atKonnectivity = (...others: Resource[]) =>
    ask(deny, both, ...others).places.find(
      ({ place }) => place === "pods konnectivity-server from pods private-router",
    )?.packets;

  test("does nothing if another policy allows everything", () => {
    expect(ask(deny, node, policy("open", { podSelector: {}, ingress: [{}] })).places).toEqual([]);
  });

  test("denies nothing that an AdminNetworkPolicy allows before it, but what a baseline policy allows after it", () => {
    const all = ["every protocol from 0.0.0.0/0", "every protocol from ::/0"];
    expect(atKonnectivity()).toEqual(all);
    expect(atKonnectivity(allowing("AdminNetworkPolicy", { priority: 1, ingress }))).toEqual(
      all.map((line) => line.replace("every protocol", "every protocol except TCP 8091")),
    );
    expect(atKonnectivity(allowing("BaselineAdminNetworkPolicy", { ingress }))).toEqual(all);
  });

  test("does nothing at hosts or at pods that it does not select", () => {
    const elsewhere = policy("deny", {
      podSelector: { matchLabels: { app: "etcd" } },
      policyTypes: ["Ingress"],
    });
    expect(ask(elsewhere, node).places).toEqual([]);
    expect(ask({ ...deny, type: TYPE.securityGroup }, node).places).toEqual([]);
  });
});

describe("what a policy opens to pods that no document names", () => {
  const shop = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "shop" } } };
  const open = policy("open", {
    podSelector: { matchLabels: { app: "etcd" } },
    ingress: [{ from: [shop], ports: [{ port: 2379 }] }, { from: [{ podSelector: {} }] }],
  });
  const other = policy("other", { podSelector: { matchLabels: { app: "etcd" } }, ingress: [{}] });
  const question = (policies: Resource[]) => ({
    index: new ResourceIndex([...documentedPlan(node), open, other]),
    topology: node,
    isolation: { policies, admin: [], documented: [] },
  });

  test("is listed with an example for each rule that opens something", () => {
    const documented = policy("documented", { podSelector: {}, policyTypes: ["Ingress"] });
    const asked = {
      ...question([open, other]),
      isolation: { policies: [open, other], admin: [], documented: [documented] },
    };
    const packets = [expect.stringContaining("TCP 2379 from pods")];
    expect(explainWritten(asked, open).places).toMatchObject([
      { rule: { path: "spec.ingress[0]" }, place: "pods with app=etcd", packets, flows: [], excess: packets },
    ]);
    expect(explainWritten(asked, open, "spec.ingress[1]").places).toEqual([]);
    expect(explainWritten(asked, other).places).toMatchObject([{ rule: { name: "other" } }]);
  });

  test("is not known if the policies tell too many kinds of pods apart", () => {
    const from = Array.from({ length: 16 }, (_, n) => ({
      namespaceSelector: {},
      podSelector: { matchLabels: { [`key-${n}`]: "a" } },
    }));
    const many = policy("many", { podSelector: { matchLabels: { app: "etcd" } }, ingress: [{ from }] });
    const asked = {
      index: new ResourceIndex([...documentedPlan(node), many]),
      topology: node,
      isolation: { policies: [many], admin: [], documented: [] },
    };
    const reason = "the policies distinguish too many kinds of pods to check each of them";
    expect(explainWritten(asked, many).places).toMatchObject([
      { rule: { name: "many", path: "spec.podSelector" }, place: "pods", unknown: [{ reason }], excess: [] },
    ]);
    expect(explainWritten(asked, many, "spec.ingress[0]").places).toEqual([]);
  });

  const etcd = { matchLabels: { app: "etcd" } };
  const isolating = (...policies: Resource[]) => ({
    index: new ResourceIndex([...documentedPlan(node), ...policies]),
    topology: node,
    isolation: { policies, admin: [], documented: [] },
  });

  test("is certain for a policy that only denies, however many kinds of pods other policies tell apart", () => {
    const kinds = Array.from({ length: 16 }, (_, n) => ({
      from: [{ namespaceSelector: {}, podSelector: { matchLabels: { [`key-${n}`]: "a" } } }],
    }));
    const many = policy("many", { podSelector: etcd, ingress: kinds });
    const deny = policy("deny", { podSelector: {}, policyTypes: ["Ingress"], ingress: [] });
    expect(explainWritten(isolating(deny, many), deny)).toEqual(explainWritten(isolating(deny), deny));
    expect(explainWritten(isolating(deny), deny).places).not.toEqual([]);
  });

  test("depends on the values inside its rules that are not known", () => {
    const from: PropertyValue = [{ namespaceSelector: { matchLabels: { team: UNKNOWN } } }];
    const later = policy("later", { podSelector: etcd, ingress: [{ from: [shop] }, { from }] });
    const asked = isolating(later);
    const place = {
      rule: { name: "later", path: "spec.ingress[1]" },
      place: "pods",
      unknown: [{ path: "spec.ingress[1].from[0].namespaceSelector.matchLabels.team" }],
    };
    expect(explainWritten(asked, later).places).toMatchObject([{ rule: { path: "spec.ingress[0]" } }, place]);
    expect(explainWritten(asked, later, "spec.ingress[1]").places).toMatchObject([place]);
    expect(describeWrittenExplanation(explainWritten(asked, later, "spec.ingress[1]"))).toEqual([
      "spec.ingress[1] of NetworkPolicy later, at pods",
      "  not known   spec.ingress[1].from[0].namespaceSelector.matchLabels.team of NetworkPolicy later",
    ]);
  });

  test("depends on the namespace of the policy", () => {
    const later = policy("later", { podSelector: etcd, ingress: [{ from: [shop] }] });
    const elsewhere: Resource = {
      ...later,
      properties: { ...later.properties, metadata: { namespace: UNKNOWN } },
    };
    expect(explainWritten(isolating(elsewhere), elsewhere).places).toMatchObject([
      { rule: { path: "spec.ingress[0]" }, place: "pods", unknown: [{ path: "metadata.namespace" }] },
    ]);
    const api = policy("later", { podSelector: { matchLabels: { app: "kube-apiserver" } }, ingress: [{}] });
    const known: Resource = { ...api, properties: { ...api.properties, metadata: { namespace: UNKNOWN } } };
    const places = explainWritten(isolating(known), known).places;
    expect(places.map(({ place }) => place)).not.toContain("pods");
    expect(places.flatMap(({ unknown }) => unknown.map(({ path }) => path))).toEqual(
      places.map(() => "metadata.namespace"),
    );
  });

  test("is not determined without the policies of the namespace", () => {
    const { isolation: _, ...asked } = question([]);
    expect(explainWritten(asked, open).places).toEqual([]);
  });
});
