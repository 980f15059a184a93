import fc from "fast-check";

import { JudgedResources } from "../../../src/gate/judgedResources";
import { flowsOfPlan, wholeTopology } from "../../../src/gate/refutedFlows";
import { findings, Status } from "../../../src/gate/rule";
import { Proof } from "../../../src/reachability/proof/prove";
import { EndpointAccess } from "../../../src/requirements/vocabulary";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { flowRules } from "../../../src/rules/conclusion";
import { hostedCluster, resource } from "../../rules/builders";

type Properties = Record<string, PropertyValue>;

const NAMESPACE = "clusters-tenant-a";
const HERE = { matchLabels: { "kubernetes.io/metadata.name": NAMESPACE } };
const app = fc.constantFrom(
  "kube-apiserver",
  "konnectivity-server",
  "ignition-server-proxy",
  "oauth-openshift",
  "private-router",
  "router",
  "etcd",
);
const port = fc.constantFrom(53, 443, 2379, 6443, 8091, 8443, 9090, 31_000);
const selector: fc.Arbitrary<Properties> = fc.oneof(
  fc.constant({}),
  app.map((one) => ({ matchLabels: { app: one } })),
  app.map((one) => ({ matchExpressions: [{ key: "app", operator: "NotIn", values: [one] }] })),
);
const block = fc.constantFrom("0.0.0.0/0", "10.0.0.0/8", "172.31.0.0/16");
const operators = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "hypershift" } } };

const networkPolicy = fc
  .record({
    podSelector: selector,
    direction: fc.constantFrom("Ingress", "Egress"),
    rules: fc.array(
      fc.record({
        peers: fc.oneof(
          fc.constantFrom([], [{ podSelector: {} }], [{ namespaceSelector: {} }], [operators]),
          block.map((cidr) => [{ ipBlock: { cidr } }]),
        ),
        ports: fc.oneof(
          fc.constant([]),
          port.map((one) => [{ protocol: one === 53 ? "UDP" : "TCP", port: one }]),
        ),
      }),
      { maxLength: 2 },
    ),
  })
  .map(({ podSelector, direction, rules }): Properties => ({
    podSelector,
    policyTypes: [direction],
    [direction.toLowerCase()]: rules.map(({ peers, ports }) => ({
      [direction === "Ingress" ? "from" : "to"]: peers,
      ports,
    })),
  }));

const KINDS = {
  older: { allow: "Allow", peers: (podSelector: Properties) => ({ namespaceSelector: {}, podSelector }) },
  newer: { allow: "Accept", peers: (podSelector: Properties) => ({ podSelector }) },
} as const;

const adminPolicy = fc
  .record({
    kind: fc.constantFrom<keyof typeof KINDS>("older", "newer"),
    tier: fc.constantFrom("Admin", "Baseline"),
    priority: fc.integer({ min: 1, max: 9 }),
    pods: fc.option(selector),
    direction: fc.constantFrom("ingress", "egress"),
    rules: fc.array(
      fc.record({
        action: fc.constantFrom("allow", "Deny", "Pass"),
        peer: fc.oneof(selector, block),
        port: fc.option(port),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ kind, tier, priority, pods, direction, rules }) => {
    const { allow, peers } = KINDS[kind];
    const services = (one: number): Properties =>
      kind === "newer"
        ? { protocols: [{ tcp: { destinationPort: { number: one } } }] }
        : { ports: [{ portNumber: { protocol: "TCP", port: one } }] };
    const spec: Properties = {
      ...(kind === "newer" && { tier }),
      priority,
      subject: pods ? { pods: { namespaceSelector: HERE, podSelector: pods } } : { namespaces: HERE },
      [direction]: rules.map(({ action, peer, port: one }) => ({
        action: action === "allow" ? allow : action,
        [direction === "ingress" ? "from" : "to"]: [
          typeof peer === "string"
            ? direction === "egress"
              ? { networks: [peer] }
              : { namespaces: {} }
            : { pods: peers(peer) },
        ],
        ...(one !== null && services(one)),
      })),
    };
    return { kind, spec };
  });

const platform: fc.Arbitrary<Properties> = fc.oneof(
  fc.constantFrom<Properties>({ type: "None" }, { type: "Agent", agent: { agentNamespace: "agents" } }),
  fc
    .constantFrom(...Object.values(EndpointAccess))
    .map((endpointAccess): Properties => ({ type: "AWS", aws: { region: "eu-west-1", endpointAccess } })),
);

const plan = fc
  .record({
    platform,
    policies: fc.array(networkPolicy, { maxLength: 2 }),
    admin: fc.array(adminPolicy, { maxLength: 2 }),
  })
  .map((made): Resource[] => [
    hostedCluster({ platform: made.platform }),
    ...made.policies.map((spec, place) =>
      resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", `policy-${place}`, {
        metadata: { name: `policy-${place}`, namespace: NAMESPACE },
        spec,
      }),
    ),
    ...made.admin.map(({ kind, spec }, place) =>
      resource(
        `kubernetes:policy.networking.k8s.io/${kind === "newer" ? "v1alpha2:ClusterNetworkPolicy" : "v1alpha1:AdminNetworkPolicy"}`,
        `admin-${place}`,
        { metadata: { name: `admin-${place}` }, spec },
      ),
    ),
  ]);

test("findings name exactly the flows that policies refute", () => {
  fc.assert(
    fc.property(plan, (resources) => {
      const judged = new JudgedResources(resources);
      const flows = flowsOfPlan(judged, wholeTopology(judged.clusters[0]!)!);
      const refuted = flows.filter(({ proof }) => proof === Proof.Refuted).map(({ journey }) => journey.key);
      const named = flowRules
        .flatMap((rule) => findings(rule, judged))
        .flatMap(({ status, flow = [] }) => (status === Status.Violated ? flow : []));
      expect([...new Set(named)].sort()).toEqual([...refuted].sort());
    }),
    { numRuns: 200 },
  );
});
