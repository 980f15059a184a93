import type { PolicyResource, ResourceValidationArgs } from "@pulumi/policy";
import { plain } from "../../policy/fromEngine";
import { policies } from "../../policy/policies";
import { Session } from "../../policy/session";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { hostedCluster, resource, splitRule, tags, tcp } from "../rules/builders";
import { type Policy, type Settings, run, argsOf, configuration, complete, egress, hosts } from "./packs";

describe("the policy pack", () => {
  it("M22 has every rule with its default level, and reports nothing about an empty stack", async () => {
    const { levels, reports } = await run([]);
    expect(reports).toEqual([]);
    expect(levels).toEqual({
      topology: "mandatory",
      "hosted-cluster-name": "mandatory",
      "cidr-invalid": "mandatory",
      "cidr-overlap": "mandatory",
      "cidr-reserved-overlap": "mandatory",
      "cidr-unconnected-overlap": "advisory",
      "cidr-public": "advisory",
      "machine-network": "mandatory",
      "service-published-twice": "mandatory",
      "network-capacity": "advisory",
      "primary-network-namespace": "mandatory",
      "address-plan-conflict": "mandatory",
      "network-policy-invalid": "mandatory",
      "policy-order-undefined": "advisory",
      "ovn-subnet-invalid": "mandatory",
      "ovn-subnet-capacity": "mandatory",
      "ovn-subnet-release": "mandatory",
      "port-missing": "mandatory",
      "port-excess": "advisory",
      "port-public": "mandatory",
      "port-localhost-only": "mandatory",
      "bootstrap-port-open": "advisory",
      "node-port-range": "mandatory",
      "object-invalid": "mandatory",
      "object-twice": "mandatory",
      "publishing-unsupported": "mandatory",
      "security-group-mixed-rules": "mandatory",
      "security-group-quota": "advisory",
      "port-range-reversed": "mandatory",
      "network-acl-number": "mandatory",
      "proxy-invalid": "mandatory",
      "proxy-no-proxy-missing": "mandatory",
      "proxy-trusted-ca": "mandatory",
      "proxy-dns-blocked": "mandatory",
      "proxy-api-bypass": "advisory",
      "proxy-no-compute-nodes": "advisory",
      "egress-firewall-name": "mandatory",
      "egress-firewall-duplicate": "mandatory",
      "egress-firewall-limit": "mandatory",
      "egress-firewall-rule-invalid": "mandatory",
      "egress-firewall-shadowed": "advisory",
      "egress-firewall-api-blocked": "mandatory",
      "egress-firewall-dns": "advisory",
      "egress-ip-invalid": "mandatory",
      "egress-ip-platform": "mandatory",
      "egress-ip-nodes": "mandatory",
      "egress-router-invalid": "mandatory",
      "egress-router-platform": "mandatory",
      "multicast-annotation": "advisory",
      "hybrid-overlay-overlap": "mandatory",
      "hybrid-overlay-port": "mandatory",
      "hybrid-overlay-platform": "mandatory",
      "ipsec-day-two": "mandatory",
      "service-traffic-policy": "advisory",
      "migration-mtu": "mandatory",
      "migration-ports": "mandatory",
      "migration-isolation-mode": "mandatory",
      "migration-order": "mandatory",
      "immutable-field": "mandatory",
      "isolation-default-deny": "advisory",
      "isolation-flow-blocked": "mandatory",
      "isolation-flow-excess": "advisory",
      "pod-privileged": "mandatory",
      "pod-host-path": "mandatory",
      "pod-host-network": "mandatory",
      "pod-host-pid": "mandatory",
      "pod-host-port": "mandatory",
      "pod-capabilities": "mandatory",
      "pod-user": "advisory",
      "pod-selinux": "advisory",
      "dedicated-nodes": "mandatory",
      flows: "advisory",
      exemptions: "advisory",
      "not-judged": "advisory",
      "unknown-values": "advisory",
    });
  });

  it.each([
    ["two providers, which are two management clusters", "east", "west", []],
    ["one provider", "east", "east", ["first", "second"]],
    [
      "the default providers of two SDKs, which are one",
      "default_4_23_0",
      "default_4_10_0",
      ["first", "second"],
    ],
  ])(
    "finds HostedClusters of the same name only in one management cluster: %s",
    async (_, one, other, named) => {
      const by = (name: string, provider: string) => ({
        ...hostedCluster(),
        name,
        origin: { urn: `urn:pulumi:dev::net::HostedCluster::${name}` },
        provider: `urn:pulumi:dev::net::pulumi:providers:kubernetes::${provider}`,
      });
      const { reports } = await run([by("first", one), by("second", other)]);
      const found = reports.filter(({ policy }) => policy === "hosted-cluster-name");
      expect(found.map(({ urn }) => urn?.split("::").at(-1)).sort()).toEqual(named);
    },
  );

  it.each<[string, string[], string[], Settings["config"]?]>([
    ["creates", [], ["mixed-rules"]],
    ["only reads", ["hosts"], []],
    // If resources are not passed one by one, what is read and what is created look alike.
    [
      "reads, if the policy topology is disabled",
      ["hosts"],
      ["mixed-rules"],
      { topology: { enforcementLevel: "disabled" } },
    ],
  ])(
    "finds separate rules next to inline rules as expected for a group that the program %s",
    async (_, read, found, config = {}) => {
      const shown = hosts(tcp(6443, "10.0.0.0/16"));
      const rule = splitRule("https", shown, { fromPort: 443, toPort: 443, cidrIpv4: "10.9.0.0/16" });
      const { reports } = await run([shown, rule], { read, config });
      const policies = reports.map(({ policy }) => policy);
      expect(policies.filter((policy) => policy.endsWith("mixed-rules"))).toEqual(
        found.map((name) => `security-group-${name}`),
      );
    },
  );

  it("reports the summary sentence of check and prove first if flows are dropped", async () => {
    const file = configuration(`hostedClusters:
  - name: tenant-a
    platform: None
    release: "4.20"
    machineNetwork: [{ cidr: 10.0.0.0/16 }]
    managementClusterCidrs: [10.1.0.0/16]
    workerNatCidrs: [198.51.100.7/32]
    services: { konnectivity: { type: NodePort, nodePort: 31091 } }
`);
    const environment = { HYPERSHIFT_NETWORK_CONFIG: file };
    const { reports, of } = await run([hosts(tcp(6443, "10.0.0.0/16"))], { environment });
    expect(of("flows")).toEqual([
      expect.stringMatching(
        /^clusters\/tenant-a: \d+ of \d+ documented flows proved, \d+ assumed, \d+ unknown, [1-9]\d* refuted/,
      ),
    ]);
    expect(reports[0]?.policy).toBe("flows");
  });

  it("reports nothing about a correct stack", async () => {
    expect((await run([hostedCluster(), hosts(...complete)])).reports).toEqual([]);
  });

  it("reports a fault of a single resource before it is created, and only once", async () => {
    const wrong = hosts(...complete, tcp(8091, "0.0.0.0/0"), tcp(1, "10.0.0.1/8"));
    const { atCreate, reports } = await run([hostedCluster(), wrong]);
    expect(atCreate.map(({ policy }) => policy).sort()).toEqual(["cidr-invalid", "port-public"]);
    const found = reports.filter(({ policy }) => policy !== "not-judged");
    expect(found.filter(({ policy }) => policy !== "port-excess")).toEqual(atCreate);
    expect(found.every(({ urn }) => urn === wrong.origin.urn)).toBe(true);
  });

  it("reports a fault with an example packet, the document and the fix", async () => {
    const [message] = (await run([hostedCluster(), hosts(tcp(6443, "10.0.0.0/16"))])).of("port-missing");
    expect(message).toMatch(/no rule lets workers 10\.0\.0\.0\/16 reach .* TCP 443/);
    expect(message).toContain("for example  10.0.0.1 -> control-plane hosts, TCP 443");
    expect(message).toContain("documented   OKD networking, ");
    expect(message).toContain("fix          allow TCP 443 from 10.0.0.0/16");
  });

  it("reports a port for the whole stack if only the stack shows the role of its group", async () => {
    const own = resource(TYPE.securityGroup, "hosts", { id: UNKNOWN, tags: tags() });
    const rule = splitRule("open", own, { fromPort: 8091, toPort: 8091, cidrIpv4: "0.0.0.0/0" });
    const { atCreate, of } = await run([hostedCluster(), own, rule]);
    expect(atCreate).toEqual([]);
    expect(of("port-public")).toHaveLength(1);
  });

  it("does not count outputs as unknown if the program does not set them", async () => {
    const own = resource(TYPE.securityGroup, "hosts", {
      id: UNKNOWN,
      ingress: UNKNOWN,
      egress: UNKNOWN,
      tags: tags(),
    });
    const vpc = resource(TYPE.vpc, "workers", {
      cidrBlock: "10.0.0.0/16",
      ipv6CidrBlock: UNKNOWN,
      id: UNKNOWN,
    });
    const rules = [6443, 443].map((port) =>
      splitRule(`in-${port}`, own, {
        fromPort: port,
        toPort: port,
        cidrIpv4: "10.0.0.0/16",
        cidrIpv6: UNKNOWN,
      }),
    );
    const outward = egress.map(({ protocol, fromPort, toPort }, position) =>
      resource(
        TYPE.egressRule,
        `out-${position}`,
        {
          securityGroupId: UNKNOWN,
          ipProtocol: protocol!,
          fromPort: fromPort!,
          toPort: toPort!,
          cidrIpv4: "0.0.0.0/0",
        },
        { securityGroupId: [own] },
      ),
    );
    const inputs: Settings["inputs"] = {
      hosts: { tags: tags() },
      workers: { cidrBlock: "10.0.0.0/16" },
      "in-6443": {
        securityGroupId: UNKNOWN,
        ipProtocol: "tcp",
        fromPort: 6443,
        toPort: 6443,
        cidrIpv4: "10.0.0.0/16",
      },
      "in-443": {
        securityGroupId: UNKNOWN,
        ipProtocol: "tcp",
        fromPort: 443,
        toPort: 443,
        cidrIpv4: "10.0.0.0/16",
      },
    };
    expect((await run([hostedCluster(), own, vpc, ...rules, ...outward], { inputs })).reports).toEqual([]);
  });

  it("attributes reports without a resource to the stack, because the engine requires one", async () => {
    const stack = resource("pulumi:pulumi:Stack", "test-dev", {});
    const file = configuration(
      "exemptions: [{ rule: port-public, resource: gone, reason: none }]\nrule: {}\n",
    );
    const unsure = hosts(...complete, { ...tcp(8091), cidrBlocks: UNKNOWN });
    const settings = {
      config: Object.fromEntries(
        ["topology", "port-missing", "exemptions", "unknown-values"].map((name) => [name, { levle: 1 }]),
      ),
      environment: { HYPERSHIFT_NETWORK_CONFIG: file },
    };
    const { reports } = await run([hostedCluster(), stack, unsure], settings);
    expect(reports.map(({ policy, urn }) => [policy, urn])).toEqual(
      [
        "topology",
        "topology",
        "port-missing",
        "exemptions",
        "exemptions",
        "unknown-values",
        "unknown-values",
      ].map((policy) => [policy, stack.origin.urn]),
    );
    const [first] = (await run([unsure], settings)).reports;
    expect(first?.urn).toBe(unsure.origin.urn);
  });

  it("counts unknown values in one line, and still reports other violations", async () => {
    const cluster = hostedCluster();
    const unsure = hosts(
      tcp(443, "10.0.0.0/16"),
      { ...tcp(6443), cidrBlocks: UNKNOWN },
      tcp(8091, "0.0.0.0/0"),
    );
    const { of } = await run([cluster, unsure]);
    expect(of("port-public")).toHaveLength(1);
    expect(of("port-missing")).toEqual([]);
    expect(of("unknown-values")).toEqual([
      "1 value was unknown and not judged: SecurityGroup hosts: ingress[1].cidrBlocks",
    ]);
  });
});

describe("a configuration that is not named", () => {
  const missing = (why: string) =>
    `without hypershift-network.yaml ${why}: name the file by HYPERSHIFT_NETWORK_CONFIG, or as configFile of the policy topology`;
  const stray = resource(TYPE.securityGroup, "stray", { ingress: [] });
  const wrong = [hostedCluster(), hosts(...complete, tcp(1, "10.0.0.1/8"))];
  const noCluster = "no hosted cluster is known that 1 security group could belong to";

  it("is asked for if security groups have no hosted cluster, and if it could exempt findings", async () => {
    expect((await run([stray])).of("not-judged")).toEqual([missing(noCluster)]);
    expect((await run(wrong)).of("not-judged")).toEqual([missing("no exemption applies")]);
    const both = [stray, resource(TYPE.subnet, "a", { cidrBlock: "10.0.0/24" })];
    expect((await run(both)).of("not-judged")).toEqual([missing(`${noCluster}, and no exemption applies`)]);
  });

  it("is not asked for if the stack is correct or has nothing to judge, or if a file is named in either way", async () => {
    for (const resources of [[hostedCluster(), hosts(...complete)], [], [resource(TYPE.vpc, "main", {})]])
      expect((await run(resources)).reports).toEqual([]);
    const file = configuration("hostedClusters: []");
    for (const settings of [
      { environment: { HYPERSHIFT_NETWORK_CONFIG: file } },
      { config: { topology: { configFile: file } } },
    ])
      for (const resources of [[stray], wrong])
        expect((await run(resources, settings)).of("not-judged")).toEqual([]);
  });

  it("is asked for once in a run", () => {
    const session = new Session("");
    const shown = [argsOf(stray) as unknown as PolicyResource];
    expect(session.coverageGaps(shown)).toEqual([missing(noCluster)]);
    expect(session.coverageGaps(shown)).toEqual([]);
  });
});

describe("M5 a rule that opens more than the documented flows", () => {
  const wide = hosts(...complete, { ...tcp(443, "10.0.0.0/16"), toPort: 446 });

  it("is advisory, with the flow to which the rule can be narrowed", async () => {
    const { levels, reports, of } = await run([hostedCluster(), wide]);
    expect(levels["port-excess"]).toBe("advisory");
    expect(reports.map(({ policy }) => policy)).toEqual(["port-excess", "not-judged"]);
    const [message] = of("port-excess");
    expect(message).toMatch(/^ingress\[2\]: lets TCP 444-446 from 10\.0\.0\.0\/16 reach control-plane hosts/);
    expect(message).toContain("for example  10.0.0.1 -> control-plane hosts, TCP 444");
    expect(message).toContain("fix          narrow it to TCP 443 from 10.0.0.0/16; ");
  });

  it("is not reported if port-excess is disabled, and is mandatory if so configured", async () => {
    const at = (enforcementLevel: string) => ({ config: { "port-excess": { enforcementLevel } } });
    expect((await run([hostedCluster(), wide], at("disabled"))).reports).toEqual([]);
    expect((await run([hostedCluster(), wide], at("mandatory"))).levels["port-excess"]).toBe("mandatory");
  });
});

describe("M24 a Service with a traffic policy that its cluster ignores", () => {
  const spec = { type: "NodePort", externalTrafficPolicy: "Local" };
  const service = resource("kubernetes:core/v1:Service", "web", { spec });
  const old = hostedCluster({ release: { image: "quay.io/openshift-release-dev/ocp-release:4.9.3-x86_64" } });
  const policy = "service-traffic-policy";

  it("is advisory, and reported once, before it is created", async () => {
    const { atCreate, levels, of } = await run([old, service]);
    expect(levels[policy]).toBe("advisory");
    expect(atCreate.filter((report) => report.policy === policy)).toHaveLength(1);
    expect(of(policy)).toEqual([expect.stringMatching(/^spec.externalTrafficPolicy: Local has no effect/)]);
  });

  it("is not reported if the rule is disabled", async () => {
    const config = { [policy]: { enforcementLevel: "disabled" } };
    expect((await run([old, service], { config })).of(policy)).toEqual([]);
    const file = configuration("rules: { service-traffic-policy: disabled }");
    const environment = { HYPERSHIFT_NETWORK_CONFIG: file };
    expect((await run([old, service], { environment })).of(policy)).toEqual([]);
  });
});

describe("the safe remediation of cidr-invalid", () => {
  const { remediateResource } = (policies(new Session("")) as Policy[]).find(
    ({ name }) => name === "cidr-invalid",
  )!;
  const mended = async (type: string, properties: Record<string, PropertyValue>) => {
    const one = resource(type, "one", properties);
    const result = await remediateResource!(argsOf(one) as unknown as ResourceValidationArgs);
    return result === undefined ? undefined : plain(result);
  };
  const FIREWALL = "kubernetes:k8s.ovn.org/v1:EgressFirewall";

  it("clears host bits, and writes the mask of a single address", async () => {
    expect(await mended(TYPE.vpc, { cidrBlock: "10.0.0.1/16" })).toEqual({ cidrBlock: "10.0.0.0/16" });
    expect(
      await mended(TYPE.securityGroup, {
        name: "hosts",
        ingress: [
          { ...tcp(443, "10.1.2.3/8", "192.0.2.1", "10.0.0.0/8") },
          { ipv6CidrBlocks: ["2001:db8::7/64", "2001:db8::1"] },
        ],
      }),
    ).toEqual({
      name: "hosts",
      ingress: [
        { ...tcp(443, "10.0.0.0/8", "192.0.2.1/32", "10.0.0.0/8") },
        { ipv6CidrBlocks: ["2001:db8::/64", "2001:db8::1/128"] },
      ],
    });
    const spec = { egress: [{ type: "Deny", to: { cidrSelector: "172.16.1.1" } }] };
    expect(await mended(FIREWALL, { spec })).toEqual({
      spec: { egress: [{ type: "Deny", to: { cidrSelector: "172.16.1.1/32" } }] },
    });
  });

  it("does not change blocks that are correct, ambiguous or unknown", async () => {
    expect(await mended(TYPE.vpc, { cidrBlock: "10.0.0.0/16" })).toBeUndefined();
    expect(await mended(TYPE.vpc, { cidrBlock: "10.0.0.0/40" })).toBeUndefined();
    expect(await mended(TYPE.vpc, { cidrBlock: "10.0.0/16" })).toBeUndefined();
    expect(await mended(TYPE.vpc, { cidrBlock: "2001:db8::1/64" })).toBeUndefined();
    expect(await mended(TYPE.vpc, { cidrBlock: UNKNOWN })).toBeUndefined();
    const some = await mended(TYPE.securityGroup, { ingress: [tcp(443, "10.0.0.1/8"), UNKNOWN] });
    expect(some).toEqual({ ingress: [tcp(443, "10.0.0.0/8"), UNKNOWN] });
  });

  it("never changes a HostedCluster or a Network, whose immutable ranges are compared as strings", async () => {
    const networks = { machineNetwork: [{ cidr: "10.0.0.1/16" }] };
    const cluster = hostedCluster({ networking: networks });
    expect(await mended(cluster.type, cluster.properties)).toBeUndefined();
    const network = { spec: { clusterNetwork: [{ cidr: "10.0.0.1/14" }] } };
    expect(await mended("kubernetes:operator.openshift.io/v1:Network", network)).toBeUndefined();
  });
});
