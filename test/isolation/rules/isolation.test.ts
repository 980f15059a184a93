import { isolationPolicies } from "../../../src/isolation/judge";
import { policyResource } from "../../../src/isolation/networkPolicy";
import { Proof } from "../../../src/reachability/proof/prove";
import { ALL_PLATFORMS } from "../../../src/requirements/requirement";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import {
  isolationDefaultDeny,
  isolationFlowExcess,
  networkPolicyInvalid,
} from "../../../src/isolation/rules/networkPolicies";
import { isolationFlowBlocked } from "../../../src/isolation/rules/isolationFlowBlocked";
import { JudgedResources } from "../../../src/gate/judgedResources";
import { flowsOfPlan } from "../../../src/gate/refutedFlows";
import { running } from "../../reachability/answers/plans";
import { faultsOf, machines, normal, published } from "../../topology/topologies";
import {
  hostedCluster,
  resource,
  stating,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";
import type { Configuration } from "../../../src/gate/configuration";
import {
  agent,
  app,
  denyEgress,
  denyIngress,
  found,
  HCP,
  kubevirt,
  NETWORK_POLICY,
  open,
  policy,
  tcp,
} from "./policies";

describe("a hosted cluster whose publishing is unknown in a preview", () => {
  const strategy: Properties = { service: "APIServer", servicePublishingStrategy: { type: UNKNOWN } };
  const unsaid: Record<string, PropertyValue> = {
    "its services": UNKNOWN,
    "one of them": [strategy, UNKNOWN],
  };

  it.each(Object.entries(unsaid))("is judged nevertheless: %s", (_, services) => {
    const cluster = hostedCluster({ services });
    const configuration = stating({});
    expect(found(isolationFlowBlocked, [cluster, denyEgress], configuration)).not.toEqual([]);
    expect(() => found(isolationFlowExcess, [cluster, denyEgress], configuration)).not.toThrow();
  });

  it.each<[string, PropertyValue, number, number]>([
    ["is a Route", "Route", 6443, 1],
    ["is a LoadBalancer", "LoadBalancer", 6443, 0],
    ["is unknown", UNKNOWN, 6443, 0],
    ["is unknown, for a port that the service never has", UNKNOWN, 2379, 1],
  ])("has excess that depends on no unknown value: OAuth %s", (_, type, port, count) => {
    const services: Properties[] = ["APIServer", "OAuthServer"].map((service) => ({
      service,
      servicePublishingStrategy: { type: service === "APIServer" ? "LoadBalancer" : type },
    }));
    const cluster = hostedCluster({ platform: { type: "Agent" }, services });
    const opening = policy({ podSelector: app("oauth-openshift"), ingress: [{ ports: tcp(port) }] });
    expect(found(isolationFlowExcess, [cluster, opening], stating({}))).toHaveLength(count);
  });
});

describe("a policy of an API version that is not known", () => {
  const rules = [isolationDefaultDeny, isolationFlowBlocked, isolationFlowExcess];
  const reasons = (...policies: Resource[]) => rules.flatMap((rule) => open(rule, policies));

  it("neither isolates nor opens anything for certain", () => {
    const opening = policy({ podSelector: {}, policyTypes: ["Ingress"], ingress: [{ ports: tcp(2379) }] });
    const later: Resource = { ...opening, type: opening.type.replace("/v1:", "/v2:") };
    expect(rules.map((rule) => found(rule, [opening]).length)).not.toEqual([0, 0, 0]);
    expect(rules.flatMap((rule) => found(rule, [later]))).toEqual([]);
    expect(reasons(later)).toContainEqual(
      "NetworkPolicy mine: apiVersion, this package does not know the fields of this version",
    );
  });

  it("neither denies nor allows anything for certain as an administrator's policy", () => {
    const anybody = { from: [{ namespaces: {} }] };
    const admin = (version: string, action: string, priority = 5) =>
      resource(`kubernetes:policy.networking.k8s.io/${version}:AdminNetworkPolicy`, "admin", {
        metadata: { name: "admin" },
        spec: { priority, subject: { namespaces: {} }, ingress: [{ action, ...anybody }] },
      });
    for (const [action, rule] of [
      ["Deny", isolationFlowBlocked],
      ["Allow", isolationFlowExcess],
    ] as const) {
      expect(found(rule, [admin("v1alpha1", action)])).not.toEqual([]);
      expect(found(rule, [admin("v1", action)])).toEqual([]);
    }
    expect(found(networkPolicyInvalid, [admin("v1alpha1", "Deny", 200)])).toHaveLength(1);
    expect(found(networkPolicyInvalid, [admin("v1", "Deny", 200)])).toEqual([]);
  });
});

describe("a patch of a policy", () => {
  const patch = resource(`${NETWORK_POLICY}Patch`, "patched", {
    metadata: { name: "theirs", namespace: HCP },
    spec: { ingress: [{}] },
  });
  const rules = [isolationDefaultDeny, isolationFlowBlocked, isolationFlowExcess];
  const notShown = "the plan does not show the policy that is patched";

  it("is unknown, and clears findings of other policies because it may allow their flows", () => {
    const selecting = policy({ podSelector: app("etcd"), policyTypes: ["Ingress"] });
    for (const rule of rules) {
      expect(open(rule, [patch])).toEqual([expect.stringContaining(notShown)]);
      expect(open(rule, [patch, denyIngress])).toContainEqual(expect.stringContaining(notShown));
    }
    for (const rule of [isolationDefaultDeny, isolationFlowBlocked]) {
      expect(found(rule, [denyEgress, selecting])).not.toEqual([]);
      expect(found(rule, [denyEgress, selecting, patch])).toEqual([]);
    }
  });

  it("does not hide what another policy opens", () => {
    const wide = policy({ podSelector: {}, ingress: [{ ports: tcp(2379) }] }, "wide");
    expect(found(isolationFlowExcess, [wide, patch])).toEqual(found(isolationFlowExcess, [wide]));
    expect(found(isolationFlowExcess, [wide])).toHaveLength(1);
  });

  it("is ignored in other namespaces, or if it changes only labels", () => {
    const elsewhere = { ...patch.properties, metadata: { name: "theirs", namespace: "shop" } };
    const labels = { metadata: { name: "theirs", namespace: HCP, labels: { a: "b" } } };
    for (const properties of [elsewhere, labels])
      for (const rule of rules)
        expect(open(rule, [resource(`${NETWORK_POLICY}Patch`, "patched", properties)])).toEqual([]);
  });
});

describe("M12 policies of ControlPlaneIsolation", () => {
  const clusters = ALL_PLATFORMS.flatMap((platform) =>
    Object.entries(published).map(([strategy, services]) => ({
      title: `${platform} ${strategy}`,
      raw: { ...machines, platform, services, managementClusterCidrs: ["10.1.0.0/16"] },
    })),
  ).filter(({ raw }) => faultsOf(raw).length === 0);

  it.each(clusters.map(({ title, raw }) => [title, raw] as const))(
    "%s: block no flow, open no excess, and isolate all pods",
    (_, raw) => {
      const { controlPlaneNamespace, ...topology } = normal(raw);
      const configuration = stating({ ...raw, name: topology.name });
      for (const denyEgressToo of [false, true]) {
        const made = isolationPolicies(normal(raw), { denyEgress: denyEgressToo }).map((one) => ({
          ...policyResource(one, controlPlaneNamespace),
          origin: { urn: `urn:${one.name}` },
        }));
        for (const rule of [isolationDefaultDeny, isolationFlowBlocked, isolationFlowExcess]) {
          expect(found(rule, made, configuration)).toEqual([]);
          expect(open(rule, made, configuration)).toEqual([]);
        }
      }
    },
  );

  it("are missed when left out only if HyperShift has no such policy of its own", () => {
    const topology = normal({ platform: "Agent", ...machines });
    const missed = isolationPolicies(topology).map(({ name }) => {
      const rest = isolationPolicies(topology)
        .filter((one) => one.name !== name)
        .map((one) => policyResource(one, HCP));
      return [
        name,
        [found(isolationFlowBlocked, rest).length, open(isolationFlowBlocked, rest).length],
      ] as const;
    });
    expect(Object.fromEntries(missed)).toEqual({
      "isolation-deny-ingress": [0, 0],
      "isolation-same-namespace": [0, 0],
      "isolation-kube-apiserver": [0, 0],
      "isolation-monitoring": [0, 0],
      "isolation-operators": [1, 0],
      "isolation-konnectivity": [0, 0],
      "isolation-ignition-proxy": [0, 0],
      "isolation-ignition-server": [0, 0],
      "isolation-oauth": [0, 0],
    });
  });
});

describe("M12 an address block that may contain the DNS pods", () => {
  const dns = (cidr: string) =>
    policy({
      podSelector: {},
      policyTypes: ["Egress"],
      egress: [
        {
          to: [{ ipBlock: { cidr } }],
          ports: [
            { protocol: "UDP", port: 5353 },
            { protocol: "TCP", port: 5353 },
          ],
        },
        { to: [{ podSelector: {} }] },
        { to: [{ ipBlock: { cidr: "0.0.0.0/0" } }], ports: [{ port: 443 }, { port: 6443 }] },
      ],
    });
  const ofDns = (texts: readonly string[]) => texts.filter((text) => text.includes("names"));

  it.each<[string, number]>([
    ["10.0.0.0/8", 0],
    ["10.128.0.0/14", 0],
    ["0.0.0.0/0", 0],
    ["10.128.3.0/24", 1],
  ])("yields for %s: %i errors", (cidr, errors) => {
    expect(ofDns(found(isolationFlowBlocked, [dns(cidr)]))).toHaveLength(errors);
  });

  it("is reported as unknown", () => {
    expect(open(isolationFlowBlocked, [dns("10.0.0.0/8")])).toContain(
      "NetworkPolicy mine: spec.egress[0].to[0].ipBlock, it is not known whether the pods at the other end have addresses in it",
    );
  });
});

describe("M14 isolation-flow-blocked", () => {
  it("reports a denial of ingress for operators and flows that HyperShift has no policy for, with packet and fix", () => {
    const all = violations(isolationFlowBlocked, [denyIngress], kubevirt);
    expect(all.map(({ witness, requirement }) => [requirement, witness])).toEqual([
      [
        "mg-to-hcp",
        "pod in namespace with kubernetes.io/metadata.name=hypershift -> pod without labels that a policy names in clusters-tenant-a, every protocol",
      ],
      ["cp-in-konn-lb", "203.0.113.1 -> pod with app=kube-apiserver in clusters-tenant-a, TCP 8091"],
    ]);
    expect(all[1]?.fix).toContain(
      '{"podSelector":{"matchExpressions":[{"key":"app","operator":"In","values":["kube-apiserver","konnectivity-server"]}]},"policyTypes":["Ingress"],"ingress":[{"ports":[{"protocol":"TCP","port":8091}]}]}; ControlPlaneIsolation creates it as isolation-konnectivity',
    );
  });

  it("names the blocked flows for every pod that the missing policy would select", () => {
    const judged = new JudgedResources([denyIngress], kubevirt);
    const refuted = flowsOfPlan(judged, judged.clusters[0]!.topology!)
      .filter(({ proof }) => proof === Proof.Refuted)
      .map(({ journey: { key } }) => key);
    const [, konnectivity] = violations(isolationFlowBlocked, [denyIngress], kubevirt);
    expect(konnectivity?.flow).toContain("workers-konnectivity");
    expect(refuted).toEqual(expect.arrayContaining([...(konnectivity?.flow ?? [])]));
  });

  it("counts flows that HyperShift's own policies allow as blocked only if a cluster or the files show otherwise", () => {
    const cut = (...policies: Resource[]) => found(isolationFlowBlocked, policies).join("\n");
    const monitoring = "Monitoring of the management cluster reads metrics of the hosted control plane";
    expect(cut(denyIngress)).not.toContain(monitoring);
    expect(cut(running(denyIngress))).toContain(monitoring);
    expect(cut(denyIngress, policy({ podSelector: {} }, "openshift-monitoring"))).toContain(monitoring);
    expect(cut(denyIngress, policy({ podSelector: {} }, "kas"))).not.toContain(monitoring);
  });

  it("reports nothing for a policy that only adds access", () => {
    const konnectivity = policy({ podSelector: app("kube-apiserver"), ingress: [{ ports: tcp(8091) }] });
    expect(found(isolationFlowBlocked, [konnectivity], kubevirt)).toEqual([]);
  });

  it("reports a denial of egress for DNS, the management cluster's API and the pods' own namespace", () => {
    const stated = stating({ platform: "Agent", ...machines, managementClusterCidrs: ["10.1.0.0/16"] });
    const all = violations(isolationFlowBlocked, [denyEgress], stated);
    expect(all.map(({ requirement, path }) => [requirement, path])).toEqual(
      expect.arrayContaining([
        ["iso-same-ns", "egress"],
        ["up-openshift-dns-tcp", "egress"],
        ["cp-out-6443", "egress"],
      ]),
    );
  });

  it("reports the management cluster's API as blocked if no rule allows its port, and unknown for some addresses", () => {
    const egress = (to?: string) =>
      policy({
        podSelector: {},
        egress: [{ ...(to && { to: [{ ipBlock: { cidr: to } }] }), ports: tcp(6443) }],
      });
    const api = (...policies: Resource[]) => {
      const judgements = [violations, unknowns].map((kind) => kind(isolationFlowBlocked, policies, agent));
      return judgements.map(
        (all) => all.filter(({ message }) => message.includes("the API of the management cluster")).length,
      );
    };
    expect(api(denyEgress)).toEqual([1, 0]);
    expect(api(egress())).toEqual([0, 0]);
    expect(api(egress("0.0.0.0/0"))).toEqual([0, 0]);
    expect(api(egress("10.0.0.0/8"))).toEqual([0, 1]);
  });

  it("accepts DNS at port 53 to any address as well as OpenShift's port 5353", () => {
    const dns = policy({
      podSelector: {},
      egress: [
        {
          ports: [
            { protocol: "TCP", port: 53 },
            { protocol: "UDP", port: 53 },
          ],
        },
      ],
    });
    expect(found(isolationFlowBlocked, [dns]).join()).not.toContain("DNS");
    expect(found(isolationFlowBlocked, [denyEgress]).join("\n")).toMatch(/TCP 5353/);
  });

  it("reports what depends on unknown values and addresses as unknown", () => {
    expect(open(isolationFlowBlocked, [policy({ podSelector: UNKNOWN })], kubevirt)).toContain(
      "NetworkPolicy mine: spec.podSelector",
    );
    const some = policy({
      podSelector: app("kube-apiserver"),
      ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8" } }], ports: tcp(8091) }],
    });
    expect(open(isolationFlowBlocked, [some], kubevirt).join("\n")).toContain("that are not stated");
  });

  it.each<[string, Resource[], Configuration | undefined]>([
    ["there are no policies", [], agent],
    ["the policies are in another namespace", [policy({ podSelector: {} }, "deny", "other")], agent],
    ["no cluster is described", [denyIngress], { ...agent, clusters: [] }],
  ])("reports nothing if %s", (_, resources, configuration) => {
    expect(found(isolationFlowBlocked, resources, configuration)).toEqual([]);
    expect(open(isolationFlowBlocked, resources, configuration)).toEqual([]);
  });

  it("reads the namespace from the HostedCluster", () => {
    const [first] = violations(isolationFlowBlocked, [hostedCluster(), denyIngress]);
    expect(first?.message).toContain("Operators of the management cluster");
  });
});

describe("M14 isolation-flow-excess", () => {
  const all = policy({ podSelector: {}, ingress: [{ from: [{ namespaceSelector: {} }] }] });
  it.each<[string, PropertyValue, RegExp]>([
    [
      "access to etcd from everywhere",
      { podSelector: app("etcd"), ingress: [{ ports: tcp(2379) }] },
      /^lets 0\.0\.0\.0\/0 reach pods with app=etcd in clusters-tenant-a on TCP 2379/,
    ],
    [
      "access from a block to another port",
      {
        podSelector: app("kube-apiserver"),
        ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8" } }], ports: tcp(10257) }],
      },
      /^lets 10\.0\.0\.0\/8 reach pods with app=kube-apiserver .* on TCP 10257/,
    ],
    [
      "access from another namespace",
      {
        podSelector: app("etcd"),
        ingress: [
          { from: [{ namespaceSelector: { matchLabels: { team: "a" } }, podSelector: app("backup") }] },
        ],
      },
      /^lets pods with app=backup of namespaces with team=a reach pods with app=etcd .* on every protocol/,
    ],
    [
      "ports in addition to the documented one",
      {
        podSelector: app("kube-apiserver"),
        ingress: [{ ports: [{ protocol: "TCP", port: 6443, endPort: 6500 }] }],
      },
      /on TCP 6444-6500/,
    ],
  ])("names %s", (_, spec, message) => {
    expect(violations(isolationFlowExcess, [policy(spec)], agent)).toMatchObject([
      { level: "warning", path: "spec.ingress[0]", message: expect.stringMatching(message) as unknown },
    ]);
  });

  it("reports a rule for all namespaces once", () => {
    expect(found(isolationFlowExcess, [all])).toHaveLength(1);
  });

  it.each<[string, PropertyValue]>([
    ["a documented flow", { podSelector: app("kube-apiserver"), ingress: [{ ports: tcp(6443) }] }],
    [
      "monitoring",
      {
        podSelector: {},
        ingress: [
          {
            from: [
              { namespaceSelector: { matchLabels: { "network.openshift.io/policy-group": "monitoring" } } },
            ],
          },
        ],
      },
    ],
    ["pods of the namespace", { podSelector: app("etcd"), ingress: [{ from: [{ podSelector: {} }] }] }],
    ["a deny", { podSelector: {}, policyTypes: ["Ingress"] }],
  ])("accepts %s", (_, spec) => {
    expect(found(isolationFlowExcess, [policy(spec)])).toEqual([]);
  });

  it("accepts a policy with the name of a HyperShift policy", () => {
    const everything = { podSelector: {}, ingress: [{}] };
    expect(found(isolationFlowExcess, [policy(everything, "virt-launcher"), denyIngress])).toEqual([]);
    expect(found(isolationFlowExcess, [policy(everything), denyIngress])).toHaveLength(1);
  });

  it("accepts a policy of ControlPlaneIsolation by its name and parent", () => {
    const component = resource("hypershift-network:index:ControlPlaneIsolation", "isolation", {});
    const wide = policy({ podSelector: {}, ingress: [{}] }, "isolation-mine");
    const made = { ...wide, parent: component.origin.urn! };
    const added = { ...policy({ podSelector: {}, ingress: [{}] }, "wide"), parent: component.origin.urn! };
    expect(found(isolationFlowExcess, [component, made])).toEqual([]);
    expect(found(isolationFlowExcess, [component, wide])).toHaveLength(1);
    expect(found(isolationFlowExcess, [component, added])).toHaveLength(1);
  });

  it("reports the ignition port of another pod", () => {
    const ignition = policy({ podSelector: app("etcd"), ingress: [{ ports: tcp(8443) }] });
    expect(found(isolationFlowExcess, [ignition])).toHaveLength(1);
  });

  it("reports nothing for unknown values", () => {
    expect(
      found(isolationFlowExcess, [
        policy({ podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: UNKNOWN } }] }] }),
      ]),
    ).toEqual([]);
    expect(found(isolationFlowExcess, [policy({ podSelector: UNKNOWN, ingress: [{}] })])).toEqual([]);
  });
});
