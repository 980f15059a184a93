import { additionalPolicy } from "../../src/isolation/additional";
import { networkPolicySpec, policyResource } from "../../src/isolation/networkPolicy";
import { hyperShiftPolicies } from "../../src/requirements/networkPolicies";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { extra, faultsOf, type Inputs, purpose, warningsOf } from "./judged";

describe("M12 additional policies", () => {
  it("become NetworkPolicies with exactly the given content", () => {
    const app = (name: string) => ({ matchLabels: { app: name } });
    const some = additionalPolicy("mine", {
      purpose,
      pods: app("etcd"),
      ingress: [
        { peers: [{ pods: app("backup"), namespaces: { matchLabels: { team: "a" } } }, { pods: {} }] },
        { peers: [{ cidr: "10.9.0.0/16", except: ["10.9.1.0/24"] }, { cidr: "10.8.0.0/16" }], ports: [] },
        { ports: [{ protocol: "TCP", port: 2379, endPort: 2380 }, { protocol: "UDP" }] },
      ],
    });
    expect(policyResource(some, "clusters-tenant-a")).toMatchObject({
      name: "mine",
      properties: { metadata: { name: "mine", namespace: "clusters-tenant-a" } },
    });
    expect(some).toMatchObject({ name: "mine", purpose, requirements: [], documents: [], notes: [] });
    expect(networkPolicySpec(some)).toEqual({
      podSelector: app("etcd"),
      policyTypes: ["Ingress"],
      ingress: [
        {
          from: [
            { podSelector: app("backup"), namespaceSelector: { matchLabels: { team: "a" } } },
            { podSelector: {} },
          ],
        },
        {
          from: [
            { ipBlock: { cidr: "10.9.0.0/16", except: ["10.9.1.0/24"] } },
            { ipBlock: { cidr: "10.8.0.0/16" } },
          ],
          ports: [],
        },
        { ports: [{ protocol: "TCP", port: 2379, endPort: 2380 }, { protocol: "UDP" }] },
      ],
    });
    const out = additionalPolicy("out", { purpose, egress: [{ peers: [{ namespaces: {} }] }, {}] });
    expect(networkPolicySpec(out)).toEqual({
      podSelector: {},
      policyTypes: ["Egress"],
      egress: [{ to: [{ namespaceSelector: {} }] }, {}],
    });
  });

  it("may isolate the egress of some pods only if this blocks no required flow", () => {
    const etcd = { purpose, pods: { matchLabels: { app: "etcd" } }, egress: [{ peers: [{ pods: {} }] }] };
    const cut = (what: string) =>
      `additionalPolicies.extra.egress  would block this flow of pods with app=etcd: ${what}: set denyEgress, whose policies allow every required flow, or allow it here`;
    expect(faultsOf(extra(etcd))).toEqual([
      cut(
        "Control-plane pods resolve names at the DNS pods of an OpenShift management cluster (up-openshift-dns-tcp, up-openshift-dns-udp port 5353)",
      ),
      cut(
        "Control-plane components pull images and call routes and HTTPS services outside (cp-out-443 port 443)",
      ),
      cut(
        "Control-plane components call the API of the management cluster (cp-out-6443 port 6443 to 10.1.0.1)",
      ),
      cut("The control-plane-operator asks the published API server for its health (port 6443 to 192.0.2.1)"),
    ]);
    expect(faultsOf(extra({ ...etcd, egress: [] }))[0]).toBe(
      cut("Pods of a hosted control plane namespace talk to each other (iso-same-ns)"),
    );
    const member = { matchLabels: { app: "etcd", tier: "a" } };
    expect(faultsOf(extra({ ...etcd, pods: member, egress: [] }))[0]).toContain(
      " of pods with app=etcd, tier=a: ",
    );
    expect(faultsOf({ ...extra(etcd), denyEgress: true })).toEqual([]);
  });

  it("are checked for every kind of pod that their selectors distinguish", () => {
    const others = { key: "app", operator: "NotIn", values: ["etcd"] };
    const rest = { purpose, pods: { matchExpressions: [others] }, egress: [{}] };
    const all = { purpose, egress: [] };
    expect(faultsOf({ additionalPolicies: { all, rest } })[0]).toMatch(
      /^additionalPolicies\.all\.egress {2}would block this flow of pods with app=etcd/,
    );
  });

  it("cause no fault while their values are not known", () => {
    const egress: PropertyValue = [{ peers: [{ cidr: UNKNOWN }] }];
    expect(faultsOf(extra({ purpose, egress }))).toEqual([]);
    expect(faultsOf(extra({ purpose, egress: UNKNOWN }))).toEqual([]);
    expect(faultsOf(extra({ purpose, pods: UNKNOWN, ingress: [UNKNOWN] }))).toEqual([]);
  });

  it.each(hyperShiftPolicies.map(({ name }) => name))("may not have the name of HyperShift's %s", (name) => {
    expect(faultsOf(extra({ purpose, ingress: [] }, name))).toEqual([
      expect.stringContaining(`${name} is a policy of HyperShift, which restores it after every change`),
    ]);
  });

  it("may not have the name of a policy of the component", () => {
    expect(faultsOf(extra({ purpose, ingress: [] }, "isolation-kube-apiserver"))).toEqual([
      "additionalPolicies.isolation-kube-apiserver  isolation-kube-apiserver is a policy of this component, which restores it after every change: give it another name: policies are additive, so yours need not replace it",
    ]);
    expect(faultsOf(extra({ purpose, ingress: [] }, "my-isolation-policy"))).toEqual([]);
  });

  it.each<[string, PropertyValue, string[]]>([
    [
      "an empty object",
      {},
      [
        "additionalPolicies.extra.purpose  missing: state who may connect to whom, and why",
        "additionalPolicies.extra  has neither ingress nor egress: write ingress, egress or both",
      ],
    ],
    [
      "a string",
      "open",
      ['additionalPolicies.extra  "open" is not an object: write purpose and ingress, egress or both'],
    ],
    [
      "a misspelt property",
      { purpose, ingres: [], ingress: [] },
      ["additionalPolicies.extra.ingres  no such property: did you mean ingress?"],
    ],
    [
      "an empty list of peers",
      { purpose, ingress: [{ peers: [] }] },
      [
        "additionalPolicies.extra.ingress[0].peers  is empty: write peers, or leave the list out to mean all peers",
      ],
    ],
    [
      "an empty list of ports",
      { purpose, ingress: [{ ports: [] }] },
      [
        "additionalPolicies.extra.ingress[0].ports  is empty: write ports, or leave the list out to mean all ports",
      ],
    ],
    [
      "pods and addresses at once",
      { purpose, ingress: [{ peers: [{ pods: {}, cidr: "10.0.0.0/8" }] }] },
      [
        "additionalPolicies.extra.ingress[0].peers[0]  selects both pods and addresses: write cidr, or pods and namespaces",
      ],
    ],
    [
      "a peer that selects nothing",
      { purpose, ingress: [{ peers: [{}] }] },
      ["additionalPolicies.extra.ingress[0].peers[0]  selects no peer: write cidr, or pods and namespaces"],
    ],
    [
      "a block with host bits",
      { purpose, ingress: [{ peers: [{ cidr: "10.0.0.1/8" }] }] },
      ["additionalPolicies.extra.ingress[0].peers[0].cidr  10.0.0.1/8 has host bits: write 10.0.0.0/8"],
    ],
    [
      "an exception outside the block",
      {
        purpose,
        ingress: [{ peers: [{ cidr: "10.0.0.0/8", except: ["11.0.0.0/16", "10.0.0.0/8", "fd00::/64"] }] }],
      },
      [
        "additionalPolicies.extra.ingress[0].peers[0].except[0]  11.0.0.0/16 is not part of 10.0.0.0/8: write a smaller block inside 10.0.0.0/8, or leave it out",
        "additionalPolicies.extra.ingress[0].peers[0].except[1]  10.0.0.0/8 is the whole block: write a smaller block inside 10.0.0.0/8, or leave it out",
        "additionalPolicies.extra.ingress[0].peers[0].except[2]  fd00::/64 is not part of 10.0.0.0/8: write a smaller block inside 10.0.0.0/8, or leave it out",
      ],
    ],
    [
      "an exception without a block",
      { purpose, ingress: [{ peers: [{ pods: {}, except: ["10.0.0.0/16"] }] }] },
      ["additionalPolicies.extra.ingress[0].peers[0].except  is set without cidr: add cidr"],
    ],
    [
      "wrong ports",
      {
        purpose,
        ingress: [
          {
            ports: [
              { protocol: "ICMP", port: 0 },
              { protocol: "TCP", endPort: 70000 },
              { protocol: "TCP", port: 9, endPort: 8 },
              { port: 1 },
            ],
          },
        ],
      },
      [
        'additionalPolicies.extra.ingress[0].ports[0].protocol  "ICMP" is not TCP, UDP or SCTP: write TCP, UDP or SCTP',
        "additionalPolicies.extra.ingress[0].ports[0].port  0 is not a port: write a whole number from 1 to 65535",
        "additionalPolicies.extra.ingress[0].ports[1].endPort  70000 is not a port: write a whole number from 1 to 65535",
        "additionalPolicies.extra.ingress[0].ports[1].endPort  is set without port: add port",
        "additionalPolicies.extra.ingress[0].ports[2].endPort  8 is before port 9: swap the two",
        "additionalPolicies.extra.ingress[0].ports[3].protocol  missing: write TCP, UDP or SCTP",
      ],
    ],
    [
      "a selector that selects nothing",
      {
        purpose,
        pods: {
          matchLabels: { app: "a" },
          matchExpressions: [{ key: "app", operator: "NotIn", values: ["a"] }],
        },
        ingress: [],
      },
      [
        "additionalPolicies.extra.pods  app=a, app notin (a) contradicts itself and matches nothing: remove one of the contradicting requirements",
      ],
    ],
  ])("are refused if they have faults: %s", (_, policy, faults) => {
    expect(faultsOf(extra(policy))).toEqual(faults);
  });

  it.each(["Upper", "under_score", "a".repeat(254), "-a"])("may not be called %s", (name) => {
    expect(faultsOf(extra({ purpose, ingress: [] }, name))[0]).toContain("is not a Kubernetes name");
  });

  it("are refused if they distinguish pods by more labels than can be proved", () => {
    const values = Array.from({ length: 30 }, (_, number) => `v${number}`);
    const policies = ["a", "b", "c"].map((key) => {
      const matchExpressions = [{ key, operator: "In", values }];
      return [key, { purpose, pods: { matchExpressions }, egress: [{}] }] as const;
    });
    expect(faultsOf({ additionalPolicies: Object.fromEntries(policies) })).toEqual([
      "additionalPolicies  select pods by so many labels that the required flows cannot be proved: select pods by fewer labels",
    ]);
  });
});

describe("M14 a direct path from the control plane to workers", () => {
  const open = (rule: PropertyValue) => ({ ...extra({ purpose, egress: [rule] }), denyEgress: true });

  it("causes a warning if an additional policy opens it, such as port 10250", () => {
    const kubelets: Inputs = { ports: [{ protocol: "TCP", port: 10000, endPort: 10250 }] };
    const opened = (where: string) => [
      `additionalPolicies.extra.egress[0]  allows traffic to ${where}, which no flow needs: workers open the konnectivity tunnel: remove it`,
    ];
    expect(warningsOf(open(kubelets))).toEqual(opened("kubelets at port 10250"));
    const worker: Inputs = { peers: [{ pods: {} }, { cidr: "10.9.0.0/24" }, { cidr: "10.0.5.0/24" }] };
    expect(warningsOf(open(worker))).toEqual(opened("the workers in 10.0.0.0/16"));
    expect(warningsOf(open({ ...kubelets, ...worker }))).toEqual(opened("the workers in 10.0.0.0/16"));
    for (const endPort of [undefined, null, 10300]) {
      const last: Inputs = endPort === undefined ? {} : { endPort };
      expect(warningsOf(open({ ports: [{ protocol: "TCP", port: 10250, ...last }] }))).toEqual(
        opened("kubelets at port 10250"),
      );
    }
  });

  it.each<[string, PropertyValue]>([
    ["another network", { peers: [{ cidr: "10.9.0.0/24" }], ports: [{ protocol: "TCP", port: 636 }] }],
    ["a network that contains the network of the workers", { peers: [{ cidr: "10.0.0.0/8" }] }],
    ["another protocol", { ports: [{ protocol: "UDP", port: 10250 }] }],
    ["every port of a protocol", { ports: [{ protocol: "TCP" }] }],
    ["the port before", { ports: [{ protocol: "TCP", port: 10000, endPort: 10249 }] }],
    ["the port after", { ports: [{ protocol: "TCP", port: 10251, endPort: 10300 }] }],
    ["a port that is not known", { ports: [{ protocol: "TCP", port: UNKNOWN, endPort: 10300 }] }],
    ["a last port that is not known", { ports: [{ protocol: "TCP", port: 10250, endPort: UNKNOWN }] }],
  ])("is not reported for %s", (_, rule) => {
    expect(warningsOf(open(rule))).toEqual([]);
  });

  it("is not reported for ingress rules", () => {
    expect(warningsOf(extra({ purpose, ingress: [{ ports: [{ protocol: "TCP", port: 10250 }] }] }))).toEqual(
      [],
    );
  });
});
