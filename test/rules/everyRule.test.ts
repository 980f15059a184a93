import fc from "fast-check";

import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { JudgedResources } from "../../src/gate/judgedResources";
import { rules } from "../../src/rules";
import { describeFinding, findings, Status } from "../../src/gate/rule";
import {
  COMPONENT,
  group,
  HOSTED_CLUSTER,
  hostedCluster,
  judge,
  resource,
  tcp,
  type Properties,
} from "./builders";
import { judgedPolicy, policyKinds, policyWith } from "./refusals/policies";

/** Puts UNKNOWN or an invalid value at one place of a value, chosen by number. */
function spoil(value: PropertyValue, place: { left: number }, by: PropertyValue): PropertyValue {
  if (place.left-- === 0) return by;
  if (Array.isArray(value)) return (value as PropertyValue[]).map((entry) => spoil(entry, place, by));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, spoil(entry, place, by)]));
}

const vpc = resource(TYPE.vpc, "workers", { cidrBlock: "10.0.0.0/16", id: "vpc-1" });
const stack: Resource[] = [
  hostedCluster(),
  group("hosts", [
    tcp(6443, "10.0.0.0/16"),
    { ...tcp(443), securityGroups: ["sg-1"], prefixListIds: ["pl-1"] },
  ]),
  resource(TYPE.ingressRule, "rule", {
    securityGroupId: "sg-1",
    ipProtocol: "tcp",
    fromPort: 1,
    toPort: 2,
    cidrIpv4: "10.0.0.0/8",
  }),
  resource(TYPE.securityGroupRule, "legacy", {
    type: "ingress",
    securityGroupId: "sg-1",
    ...tcp(1, "10.0.0.0/8"),
  }),
  resource(TYPE.prefixList, "list", { id: "pl-1", entries: [{ cidr: "10.0.0.0/8" }] }),
  vpc,
  resource(TYPE.subnet, "subnet", { vpcId: "vpc-1", cidrBlock: "10.0.0.0/20" }),
  resource(TYPE.routeTable, "table", {
    id: "rtb-1",
    vpcId: "vpc-1",
    routes: [{ cidrBlock: "10.9.0.0/16", transitGatewayId: "tgw-1" }],
  }),
  resource(TYPE.route, "route", {
    routeTableId: "rtb-1",
    destinationCidrBlock: "10.8.0.0/16",
    vpcPeeringConnectionId: "pcx-1",
  }),
  resource(TYPE.peering, "peering", { vpcId: "vpc-1", peerVpcId: "vpc-2" }),
  resource(COMPONENT, "net", {
    topology: { name: "tenant-b", platform: "Agent", machineNetwork: [{ cidr: "10.2.0.0/16" }] },
  }),
  resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
    spec: { clusterNetwork: [{ cidr: "10.3.0.0/16", hostPrefix: 23 }], serviceNetwork: ["10.4.0.0/16"] },
  }),
  resource("kubernetes:operator.openshift.io/v1:NetworkPatch", "migrating", {
    metadata: { annotations: { "networkoperator.openshift.io/network-migration": "" } },
    spec: {
      migration: { mtu: { network: { from: 1400, to: 1300 }, machine: { to: 1500 } } },
      defaultNetwork: {
        ovnKubernetesConfig: {
          mtu: 1400,
          genevePort: 6081,
          ipsecConfig: {},
          hybridOverlayConfig: {
            hybridClusterNetwork: [{ cidr: "10.192.0.0/14", hostPrefix: 24 }],
            hybridOverlayVXLANPort: 9898,
          },
        },
        openshiftSDNConfig: { mtu: 1450, vxlanPort: 4789 },
      },
    },
  }),
  resource("kubernetes:machineconfiguration.openshift.io/v1:MachineConfigPool", "worker", {
    spec: { paused: true },
  }),
  resource("kubernetes:core/v1:Node", "node-1", {
    metadata: { labels: { "hypershift.openshift.io/cluster": "clusters-tenant-a" } },
    spec: {
      taints: [{ key: "hypershift.openshift.io/cluster", value: "clusters-tenant-a", effect: "NoSchedule" }],
    },
  }),
  resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", "default", {
    spec: { egress: [{ type: "Deny", to: { cidrSelector: "0.0.0.0/0" } }] },
  }),
  resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", "of pods", {
    metadata: { name: "default", namespace: "shop" },
    spec: {
      egress: [
        { type: "Allow", to: { cidrSelector: "10.9.0.0/16" }, ports: [{ port: 443, protocol: "TCP" }] },
        { type: "Allow", to: { dnsName: "registry.example.com" } },
        { type: "Deny", to: { nodeSelector: { matchLabels: { zone: "a" } } } },
      ],
    },
  }),
  resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", "web", {
    metadata: { name: "web", namespace: "clusters-tenant-a" },
    spec: {
      podSelector: {
        matchLabels: { app: "web" },
        matchExpressions: [{ key: "tier", operator: "In", values: ["front"] }],
      },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          from: [
            { podSelector: { matchLabels: { app: "a" } }, namespaceSelector: {} },
            { ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } },
          ],
          ports: [{ protocol: "TCP", port: 8080, endPort: 8090 }, { port: "metrics" }],
        },
      ],
      egress: [{ to: [{ namespaceSelector: { matchLabels: { team: "shop" } } }] }],
    },
  }),
  ...policyKinds.slice(1).map((kind) => judgedPolicy(policyWith(kind, {}))),
  resource("kubernetes:k8s.ovn.org/v1:EgressIP", "shop", {
    metadata: { name: "shop" },
    spec: { egressIPs: ["10.0.0.7"], namespaceSelector: { matchLabels: { team: "shop" } } },
  }),
  resource("kubernetes:network.operator.openshift.io/v1:EgressRouter", "legacy", {
    metadata: { name: "legacy", namespace: "shop" },
    spec: {
      mode: "Redirect",
      addresses: [{ ip: "10.0.0.9/16", gateway: "10.0.0.1" }],
      redirect: { redirectRules: [{ port: 80, protocol: "TCP", destinationIP: "10.9.0.1" }] },
    },
  }),
  resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", "pool", {
    metadata: { name: "pool", namespace: "clusters" },
    spec: { clusterName: "tenant-a", replicas: 2, nodeLabels: { "k8s.ovn.org/egress-assignable": "" } },
  }),
  resource("kubernetes:core/v1:Namespace", "control-plane", {
    metadata: { name: "clusters-tenant-a", annotations: { "openshift.io/sa.scc.uid-range": "1000/10" } },
  }),
  resource("kubernetes:core/v1:Pod", "probe", {
    metadata: { name: "probe", namespace: "clusters-tenant-a" },
    spec: {
      hostNetwork: true,
      securityContext: { runAsUser: 5, seLinuxOptions: { level: "s0" } },
      volumes: [{ hostPath: { path: "/etc" } }],
      containers: [{ ports: [{ hostPort: 80 }], securityContext: { capabilities: { add: ["KILL"] } } }],
    },
  }),
  resource("kubernetes:core/v1:Service", "web", {
    spec: { type: "NodePort", externalTrafficPolicy: "Local", internalTrafficPolicy: "Local" },
  }),
];

describe("every rule", () => {
  it("has a place in the fixed order, a title, a description, documents and a remediation", () => {
    expect(rules.map(({ id }) => id)).toEqual([
      "object-invalid",
      "object-twice",
      "hosted-cluster-name",
      "service-published-twice",
      "node-port-range",
      "publishing-unsupported",
      "service-traffic-policy",
      "immutable-field",
      "cidr-invalid",
      "cidr-overlap",
      "cidr-reserved-overlap",
      "cidr-unconnected-overlap",
      "cidr-public",
      "machine-network",
      "network-capacity",
      "primary-network-namespace",
      "address-plan-conflict",
      "ovn-subnet-invalid",
      "ovn-subnet-capacity",
      "ovn-subnet-release",
      "port-missing",
      "port-excess",
      "port-public",
      "port-localhost-only",
      "bootstrap-port-open",
      "security-group-mixed-rules",
      "security-group-quota",
      "port-range-reversed",
      "network-acl-number",
      "proxy-invalid",
      "proxy-no-proxy-missing",
      "proxy-trusted-ca",
      "proxy-dns-blocked",
      "proxy-api-bypass",
      "proxy-no-compute-nodes",
      "egress-firewall-name",
      "egress-firewall-duplicate",
      "egress-firewall-limit",
      "egress-firewall-rule-invalid",
      "egress-firewall-shadowed",
      "egress-firewall-api-blocked",
      "egress-firewall-dns",
      "egress-ip-invalid",
      "egress-ip-platform",
      "egress-ip-nodes",
      "egress-router-invalid",
      "egress-router-platform",
      "multicast-annotation",
      "hybrid-overlay-overlap",
      "hybrid-overlay-port",
      "hybrid-overlay-platform",
      "ipsec-day-two",
      "migration-mtu",
      "migration-ports",
      "migration-isolation-mode",
      "migration-order",
      "network-policy-invalid",
      "policy-order-undefined",
      "isolation-default-deny",
      "isolation-flow-blocked",
      "isolation-flow-excess",
      "pod-privileged",
      "pod-host-path",
      "pod-host-network",
      "pod-host-pid",
      "pod-host-port",
      "pod-capabilities",
      "pod-user",
      "pod-selinux",
      "dedicated-nodes",
    ]);
    for (const rule of rules) {
      expect(rule.title).not.toBe("");
      expect(rule.description.length).toBeGreaterThan(40);
      expect(rule.documents.length).toBeGreaterThan(0);
      // One sentence, which findings append to their own text.
      expect(rule.remediation).toMatch(/^[A-Z](?:(?!\. ).)*\.$/);
    }
  });

  it("does not throw if any single value is unknown or invalid", () => {
    const bad = fc.constantFrom<PropertyValue>(
      UNKNOWN,
      null,
      3,
      -1,
      "nonsense",
      true,
      [],
      {},
      [UNKNOWN],
      [null],
    );
    fc.assert(
      fc.property(fc.nat(stack.length - 1), fc.nat(60), bad, (which, left, by) => {
        const spoiled = stack.map((one, position) => {
          const properties =
            position === which ? spoil(one.properties, { left: left + 1 }, by) : one.properties;
          return { ...one, properties: properties as Properties };
        });
        // The rules share one reading of the resources, as in commands and in the pack.
        const read = new JudgedResources(spoiled);
        for (const rule of rules) expect(Array.isArray(findings(rule, read))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("does not lose the violation of a resource because of an unknown value in another one", () => {
    const wrong = group("wrong", [tcp(8091, "0.0.0.0/0")]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: stack.length - 1 }), fc.nat(20), (which, left) => {
        const spoiled = stack.map((one, position) => ({
          ...one,
          properties: (position === which
            ? spoil(one.properties, { left: left + 1 }, UNKNOWN)
            : one.properties) as Properties,
        }));
        const open = judge(
          rules.find(({ id }) => id === "port-public")!,
          [...spoiled, wrong],
        );
        expect(
          open.filter(
            ({ status, resource: { urn } }) => status === Status.Violated && urn === wrong.origin.urn,
          ),
        ).toHaveLength(1);
      }),
      { numRuns: 60 },
    );
  });

  it("does not print a secret that is in the wrong place", () => {
    const secret = "hunter2-is-a-secret";
    const spec = {
      platform: { type: secret },
      release: { image: secret },
      networking: { machineNetwork: [{ cidr: secret }] },
      configuration: { proxy: { httpProxy: `http://user:${secret}@proxy:3128` } },
    };
    const resources = [
      hostedCluster(),
      resource(HOSTED_CLUSTER, "other", { kind: "HostedCluster", metadata: { name: "other" }, spec }),
      group("hosts", [
        {
          protocol: secret,
          fromPort: secret,
          toPort: secret,
          cidrBlocks: [secret],
          prefixListIds: [secret],
          securityGroups: [secret],
        },
      ]),
      resource(TYPE.route, "route", {
        destinationCidrBlock: secret,
        vpcPeeringConnectionId: secret,
        routeTableId: secret,
      }),
      resource(TYPE.vpc, "vpc", { cidrBlock: secret }),
    ];
    const texts = rules.flatMap((rule) => judge(rule, resources).flatMap(describeFinding));
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.join("\n")).not.toContain(secret);
  });
});
