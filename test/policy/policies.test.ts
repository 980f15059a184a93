import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type {
  PolicyResource,
  ReportViolation,
  ResourceValidationArgs,
  ResourceValidationPolicy,
  StackValidationArgs,
  StackValidationPolicy,
} from "@pulumi/policy";

import { plain } from "../../policy/fromEngine";
import { policies } from "../../policy/policies";
import { Session } from "../../policy/session";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { rules } from "../../src/rules";
import { expectSafe, HOSTILE } from "../hostile";
import { group, hostedCluster, resource, splitRule, tags, tcp } from "../rules/builders";
import { plantedSecrets, withSecrets } from "../rules/plantedSecrets";

/** The engine's own; the package exports it without a type. */
const { unknownCheckingProxy } = jest.requireActual<{ unknownCheckingProxy: (props: unknown) => unknown }>(
  "@pulumi/policy",
);

/** How the engine writes a text that is not known yet. */
const SENTINEL = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

type Policy = ResourceValidationPolicy & StackValidationPolicy & { enforcementLevel: string };
interface Report {
  policy: string;
  message: string;
  urn: string | undefined;
}

/** As the engine hands properties over: unknown values are marks, and reading one throws. */
function onTheWire(value: PropertyValue): unknown {
  if (value === UNKNOWN) return SENTINEL;
  if (Array.isArray(value)) return (value as PropertyValue[]).map(onTheWire);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, onTheWire(entry)]));
}
const propsOf = ({ properties }: Resource) =>
  unknownCheckingProxy(onTheWire(properties)) as Record<string, unknown>;

interface Settings {
  config?: Record<string, Record<string, unknown>>;
  environment?: Record<string, string>;
  /** What resources look like before they are created, where that differs. */
  inputs?: Record<string, Record<string, PropertyValue>>;
}

/** One run of the engine: each resource is shown by itself, then the whole stack; to policies that have a function for it. */
async function run(resources: Resource[], { config = {}, environment = {}, inputs = {} }: Settings = {}) {
  const session = new Session(environment.HYPERSHIFT_NETWORK_CONFIG ?? "");
  session.configuredNames = Object.keys(config);
  const all = policies(session) as Policy[];
  const reports: Report[] = [];
  const reporting =
    (policy: string): ReportViolation =>
    (message, urn) =>
      reports.push({ policy, message: typeof message === "string" ? message : "", urn });
  const levelOf = ({ name, enforcementLevel }: Policy) => config[name]?.enforcementLevel ?? enforcementLevel;
  const active = all.filter((policy) => levelOf(policy) !== "disabled");
  const settingsOf = (name: string) => () => {
    const { enforcementLevel: _, ...settings } = config[name] ?? {};
    return settings;
  };
  const asked = { atCreate: [] as string[], ofStack: [] as string[] };
  for (const one of resources)
    for (const { name, validateResource } of active)
      for (const validate of [validateResource ?? []].flat()) {
        asked.atCreate.push(`${name} ${one.name}`);
        await validate(
          {
            ...argsOf({ ...one, properties: inputs[one.name] ?? one.properties }),
            getConfig: settingsOf(name),
          } as unknown as ResourceValidationArgs,
          reporting(name),
        );
      }
  const atCreate = reports.length;
  const shown = new Map<string, PolicyResource>();
  for (const one of resources) shown.set(one.origin.urn!, argsOf(one) as unknown as PolicyResource);
  for (const one of resources)
    shown.get(one.origin.urn!)!.propertyDependencies = Object.fromEntries(
      Object.entries(one.propertyDependencies ?? {}).map(([key, urns]) => [
        key,
        urns.map((urn) => shown.get(urn)!),
      ]),
    );
  for (const { name, validateStack } of active)
    if (typeof validateStack === "function") {
      asked.ofStack.push(name);
      await validateStack(
        { resources: [...shown.values()], getConfig: settingsOf(name) } as unknown as StackValidationArgs,
        reporting(name),
      );
    }
  return {
    levels: Object.fromEntries(all.map((policy) => [policy.name, levelOf(policy)])),
    atCreate: reports.slice(0, atCreate),
    reports,
    asked,
    of: (policy: string) =>
      reports.filter((report) => report.policy === policy).map(({ message }) => message),
  };
}

const argsOf = (one: Resource) => ({
  urn: one.origin.urn,
  type: one.type,
  name: one.name,
  props: propsOf(one),
  opts: { ...(one.parent && { parent: one.parent }) },
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "policies-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function configuration(text: string): string {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.yaml`);
  writeFileSync(file, text);
  return file;
}

const complete = [tcp(6443, "10.0.0.0/16"), tcp(443, "10.0.0.0/16")];
/** What the documents let control-plane hosts send. */
const egress = [
  tcp(443, "0.0.0.0/0"),
  tcp(6443, "0.0.0.0/0"),
  tcp(53, "0.0.0.0/0"),
  { ...tcp(53, "0.0.0.0/0"), protocol: "udp" },
];
const hosts = (...ingress: ReturnType<typeof tcp>[]) => group("hosts", ingress, { egress });

describe("the policy pack", () => {
  it("M22 has every rule, mandatory where a violation does harm, and one remark about what is unknown", async () => {
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

  it("leads with the sentence of check and prove where flows are dropped", async () => {
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

  it("a stack that is right passes without a word", async () => {
    expect((await run([hostedCluster(), hosts(...complete)])).reports).toEqual([]);
  });

  it("a fault that one resource shows stops its create, and is said once", async () => {
    const wrong = hosts(...complete, tcp(8091, "0.0.0.0/0"), tcp(1, "10.0.0.1/8"));
    const { atCreate, reports } = await run([hostedCluster(), wrong]);
    expect(atCreate.map(({ policy }) => policy).sort()).toEqual(["cidr-invalid", "port-public"]);
    const found = reports.filter(({ policy }) => policy !== "not-judged");
    expect(found.filter(({ policy }) => policy !== "port-excess")).toEqual(atCreate);
    expect(found.every(({ urn }) => urn === wrong.origin.urn)).toBe(true);
  });

  it("a message says what is wrong, with a packet, the document and the way out", async () => {
    const [message] = (await run([hostedCluster(), hosts(tcp(6443, "10.0.0.0/16"))])).of("port-missing");
    expect(message).toMatch(/no rule lets workers 10\.0\.0\.0\/16 reach .* TCP 443/);
    expect(message).toContain("for example  10.0.0.1 -> control-plane hosts, TCP 443");
    expect(message).toContain("documented   OKD networking, ");
    expect(message).toContain("fix          allow TCP 443 from 10.0.0.0/16");
  });

  it("a port for a group whose role only the stack tells is refused by the stack", async () => {
    const own = resource(TYPE.securityGroup, "hosts", { id: UNKNOWN, tags: tags() });
    const rule = splitRule("open", own, { fromPort: 8091, toPort: 8091, cidrIpv4: "0.0.0.0/0" });
    const { atCreate, of } = await run([hostedCluster(), own, rule]);
    expect(atCreate).toEqual([]);
    expect(of("port-public")).toHaveLength(1);
  });

  it("what a provider decides later is not unknown when it is not asked for", async () => {
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

  it("what is about no single resource is about the stack: the engine takes no report about nothing", async () => {
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

  it("unknown values are counted in one line, and nothing else is lost", async () => {
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

describe("what is read again for each policy that has a function", () => {
  const right = [hostedCluster(), hosts(...complete)];
  /** Those that judge every stack, whatever is in it. */
  const always = ["topology", "exemptions", "not-judged", "unknown-values"];

  it("is read by policies that have something to say, and by no other one", async () => {
    const { asked } = await run([...right, ...right.map((one) => ({ ...one, name: `${one.name} again` }))]);
    const again = asked.atCreate.filter((one) => one.endsWith("again"));
    expect(again.length).toBeGreaterThan(2);
    expect(again.length).toBeLessThan(35);
    expect(asked.ofStack).toEqual(always);
    const open = await run([hostedCluster(), hosts(...complete, tcp(8091, "0.0.0.0/0"))]);
    expect(open.asked.ofStack).toEqual([
      "topology",
      "port-excess",
      "exemptions",
      "not-judged",
      "unknown-values",
    ]);
  });

  it("a resource is shown to rules that can judge some kind met up to then, and once to each for its settings", async () => {
    const subnet = (name: string) => resource(TYPE.subnet, name, { cidrBlock: "10.0.0.0/24" });
    const service = resource("kubernetes:core/v1:Service", "web", { spec: { type: "ClusterIP" } });
    const { asked } = await run([subnet("a"), subnet("b"), service, subnet("c")]);
    const to = (name: string) =>
      asked.atCreate.filter((one) => one.endsWith(` ${name}`)).map((one) => one.split(" ")[0]);
    expect(to("a").length).toBeGreaterThan(50);
    expect(to("b")).toEqual(["topology", "cidr-invalid"]);
    expect(to("web")).toContain("service-traffic-policy");
    expect(to("c")).toEqual(to("web"));
  });

  it("settings that do not exist are refused in a stack where the rule finds nothing", async () => {
    const config = { "port-missing": { enforcmentLevel: "advisory" } };
    const { reports } = await run(right, { config });
    expect(reports.map(({ policy }) => policy)).toEqual(["port-missing"]);
    expect(reports[0]?.message).toContain("port-missing.enforcmentLevel");
  });

  it("a rule that fails does so in its function, where the library says which one it was", async () => {
    const rule = rules.find(({ id }) => id === "port-missing")!;
    const judge = jest.spyOn(rule, "judge").mockImplementation(() => {
      throw new Error("a fault of the rule");
    });
    try {
      const all = policies(new Session("")) as Policy[];
      const policy = (name: string) => all.find((one) => one.name === name)!;
      const args = { resources: [], getConfig: () => ({}) } as unknown as StackValidationArgs;
      await policy("topology").validateStack(args, () => undefined);
      const one = { ...argsOf(hosts()), getConfig: () => ({}) } as unknown as ResourceValidationArgs;
      for (const { validateResource } of [policy("topology"), policy("port-missing")])
        for (const validate of [validateResource ?? []].flat()) await validate(one, () => undefined);
      const { validateStack } = policy("port-missing");
      expect(() => validateStack(args, () => undefined)).toThrow("a fault of the rule");
    } finally {
      judge.mockRestore();
    }
  });

  it("every policy reads what it judges where the one that is asked first is configured off", async () => {
    const config = { topology: { enforcementLevel: "disabled" } };
    const { atCreate, of, asked } = await run(
      [hostedCluster(), hosts(complete[0]!, tcp(8091, "0.0.0.0/0"))],
      {
        config,
      },
    );
    expect(atCreate.length).toBeGreaterThan(0);
    expect(of("port-missing")).toHaveLength(1);
    expect(asked.ofStack.length).toBeGreaterThan(50);
  });
});

describe("filters that stand outside all rules", () => {
  const native = resource("aws-native:ec2:SecurityGroup", "native", {});

  it("are named beside a hosted cluster of the stack or of the configuration, and stop nothing", async () => {
    const { levels, of } = await run([
      hostedCluster(),
      native,
      resource(TYPE.securityGroup, "stray", { ingress: [] }),
    ]);
    expect(levels["not-judged"]).toBe("advisory");
    expect(of("not-judged")).toEqual([
      expect.stringMatching(/^filters that are not read: aws-native:ec2:SecurityGroup \(1\)/),
      expect.stringMatching(/^1 security group not checked against the documented ports: none has a role/),
    ]);
    const file = configuration("hostedClusters: [{ name: tenant-a, securityGroups: { workers: [nodes] } }]");
    const environment = { HYPERSHIFT_NETWORK_CONFIG: file };
    const { of: configured } = await run([hosts(...complete)], { environment });
    expect(configured("not-judged").join()).toContain("nodes as workers of tenant-a");
  });

  it("pass in silence where there is no hosted cluster, or where the policy is configured off", async () => {
    const environment = { HYPERSHIFT_NETWORK_CONFIG: configuration("hostedClusters: []") };
    const stray = resource(TYPE.securityGroup, "stray", { ingress: [] });
    expect((await run([native, stray], { environment })).reports).toEqual([]);
    const config = { "not-judged": { enforcementLevel: "disabled" } };
    expect((await run([hostedCluster(), native], { config })).of("not-judged")).toEqual([]);
  });
});

describe("a configuration that was not named", () => {
  const missing = (why: string) =>
    `without hypershift-network.yaml ${why}: name the file by HYPERSHIFT_NETWORK_CONFIG, or as configFile of the policy topology`;
  const stray = resource(TYPE.securityGroup, "stray", { ingress: [] });
  const wrong = [hostedCluster(), hosts(...complete, tcp(1, "10.0.0.1/8"))];
  const noCluster = "no hosted cluster is known that 1 security group could belong to";

  it("is missed by security groups of a stack without a hosted cluster, and by findings that it could exempt", async () => {
    expect((await run([stray])).of("not-judged")).toEqual([missing(noCluster)]);
    expect((await run(wrong)).of("not-judged")).toEqual([missing("no exemption counts")]);
    const both = [stray, resource(TYPE.subnet, "a", { cidrBlock: "10.0.0/24" })];
    expect((await run(both)).of("not-judged")).toEqual([missing(`${noCluster}, and no exemption counts`)]);
  });

  it("is not missed by a stack that is right, one without anything to judge, or where a file is named in either way", async () => {
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

  it("is missed once in a run", () => {
    const session = new Session("");
    const shown = [argsOf(stray) as unknown as PolicyResource];
    expect(session.coverageGaps(shown)).toEqual([missing(noCluster)]);
    expect(session.coverageGaps(shown)).toEqual([]);
  });
});

describe("M5 what is open beyond the documented flows", () => {
  const wide = hosts(...complete, { ...tcp(443, "10.0.0.0/16"), toPort: 446 });

  it("is a remark with what the rule is narrowed to, and stops nothing", async () => {
    const { levels, reports, of } = await run([hostedCluster(), wide]);
    expect(levels["port-excess"]).toBe("advisory");
    expect(reports.map(({ policy }) => policy)).toEqual(["port-excess", "not-judged"]);
    const [message] = of("port-excess");
    expect(message).toMatch(/^ingress\[2\]: lets TCP 444-446 from 10\.0\.0\.0\/16 reach control-plane hosts/);
    expect(message).toContain("for example  10.0.0.1 -> control-plane hosts, TCP 444");
    expect(message).toContain("fix          narrow it to TCP 443 from 10.0.0.0/16; ");
  });

  it("passes in silence where the rule is configured off, and refuses where it is mandatory", async () => {
    const at = (enforcementLevel: string) => ({ config: { "port-excess": { enforcementLevel } } });
    expect((await run([hostedCluster(), wide], at("disabled"))).reports).toEqual([]);
    expect((await run([hostedCluster(), wide], at("mandatory"))).levels["port-excess"]).toBe("mandatory");
  });
});

describe("M24 a Service with a traffic policy that its cluster does not heed", () => {
  const spec = { type: "NodePort", externalTrafficPolicy: "Local" };
  const service = resource("kubernetes:core/v1:Service", "web", { spec });
  const old = hostedCluster({ release: { image: "quay.io/openshift-release-dev/ocp-release:4.9.3-x86_64" } });
  const policy = "service-traffic-policy";

  it("is a remark, before it is created and once", async () => {
    const { atCreate, levels, of } = await run([old, service]);
    expect(levels[policy]).toBe("advisory");
    expect(atCreate.filter((report) => report.policy === policy)).toHaveLength(1);
    expect(of(policy)).toEqual([expect.stringMatching(/^spec.externalTrafficPolicy: Local has no effect/)]);
  });

  it("passes in silence where the rule is configured off", async () => {
    const config = { [policy]: { enforcementLevel: "disabled" } };
    expect((await run([old, service], { config })).of(policy)).toEqual([]);
    const file = configuration("rules: { service-traffic-policy: disabled }");
    const environment = { HYPERSHIFT_NETWORK_CONFIG: file };
    expect((await run([old, service], { environment })).of(policy)).toEqual([]);
  });
});

describe("configuration of the pack", () => {
  it("clusters and levels come from the file that the environment names", async () => {
    const file = configuration(`
hostedClusters:
  - name: tenant-a
    infrastructureCidrs: [{ name: corporate, cidr: 100.64.0.0/16 }]
rules: { all: advisory, port-missing: mandatory }
`);
    const { levels, of } = await run([hostedCluster()], { environment: { HYPERSHIFT_NETWORK_CONFIG: file } });
    expect(levels).toMatchObject({ "port-missing": "mandatory", "cidr-overlap": "advisory" });
    expect(of("topology")).toEqual([]);
    expect(of("cidr-reserved-overlap")).toHaveLength(1);
  });

  it("findings that are exempted are no violations, but counted with their reason; stale exemptions are named", async () => {
    const exemption = (resource: string) =>
      `  - { rule: port-public, resource: ${resource}, reason: goes in May }\n`;
    const file = configuration(`exemptions:\n${exemption("SecurityGroup/hosts")}${exemption("gone")}`);
    const { of } = await run([hostedCluster(), hosts(...complete, tcp(8091, "0.0.0.0/0"))], {
      environment: { HYPERSHIFT_NETWORK_CONFIG: file },
    });
    expect(of("port-public")).toEqual([]);
    expect(of("exemptions")).toEqual([
      expect.stringMatching(/^1 finding is accepted:\n {2}port-public urn:.*::hosts: goes in May$/),
      expect.stringMatching(/^stale:\n {2}exemptions\[1\]: port-public finds nothing at gone/),
    ]);
  });

  it("levels of a file that stand in the policy configuration, too, are in force", async () => {
    const configFile = configuration("rules: { port-missing: mandatory }\n");
    const topology = (levels: Record<string, string>) => ({ config: { topology: { configFile, levels } } });
    expect((await run([], topology({ "port-missing": "mandatory" }))).of("topology")).toEqual([]);
    const [message] = (await run([], topology({ "port-missing": "advisory" }))).of("topology");
    expect(message).toContain("rules.port-missing  is not in force");
  });

  it("what a later release will take violates nothing yet, and is said all the same", async () => {
    const release = { image: "quay.io/openshift-release-dev/ocp-release:4.16.4-x86_64" };
    const file = configuration(
      "hostedClusters: [{ name: tenant-a, infrastructureCidrs: [{ name: c, cidr: 100.65.0.0/16 }] }]",
    );
    const environment = { HYPERSHIFT_NETWORK_CONFIG: file };
    const outcome = await run([hostedCluster({ release })], { environment });
    expect(outcome.of("cidr-reserved-overlap")).toEqual([]);
    expect(outcome.of("unknown-values").join()).toContain("with the upgrade from 4.16 to 4.17");
  });

  it("the policy topology names a file, whose levels would come too late", async () => {
    const configFile = configuration(
      "hostedClusters: [{ name: tenant-a, infrastructureCidrs: [{ name: c, cidr: 100.64.0.0/16 }] }]",
    );
    expect(
      (await run([hostedCluster()], { config: { topology: { configFile } } })).of("cidr-reserved-overlap"),
    ).toHaveLength(1);
    const late = configuration("rules: { port-missing: advisory }");
    const [message] = (await run([hostedCluster()], { config: { topology: { configFile: late } } })).of(
      "topology",
    );
    expect(message).toContain("rules.port-missing  is not in force");
  });

  it("the policy configuration may hold all that stands in such a file, where there are no files", async () => {
    const clusters = [{ name: "tenant-a", infrastructureCidrs: [{ name: "c", cidr: "100.64.0.0/16" }] }];
    const topology = (held: object) => ({ config: { topology: { configuration: held } } });
    const judged = await run([hostedCluster()], topology({ hostedClusters: clusters }));
    expect(judged.of("topology")).toEqual([]);
    expect(judged.of("cidr-reserved-overlap")).toHaveLength(1);
    expect((await run([hostedCluster()], topology({}))).of("cidr-reserved-overlap")).toEqual([]);
    const exemptions = [{ rule: "cidr-reserved-overlap", resource: "configuration", reason: "goes in May" }];
    const accepted = await run([hostedCluster()], topology({ hostedClusters: clusters, exemptions }));
    expect(accepted.of("cidr-reserved-overlap")).toEqual([]);
    const wrong = await run([], topology({ hostedCluster: [] }));
    expect(wrong.of("topology").join()).toContain("did you mean hostedClusters?");
  });

  it("the policy configuration names a file or holds what stands in one, not both", async () => {
    const configFile = configuration("hostedClusters: []");
    const both = { config: { topology: { configFile, configuration: { hostedClusters: [] } } } };
    expect((await run([], both)).of("topology").join()).toContain(
      "configuration  is set together with configFile",
    );
  });

  it.each([
    ["an unknown rule", "rules: { port-mising: advisory }", "did you mean port-missing?"],
    ["an unknown key", "hostedCluster: []", "did you mean hostedClusters?"],
    ["an unknown level", "rules: { port-missing: warn }", "write mandatory, advisory, disabled"],
    [
      "an unknown property",
      "hostedClusters: [{ name: a, platform: AWS, machineNetworks: [] }]",
      "did you mean machineNetwork?",
    ],
    [
      "a release without quotes",
      "hostedClusters: [{ name: a, platform: AWS, release: 4.20 }]",
      'release: "4.20"',
    ],
    [
      "an unknown role",
      "hostedClusters: [{ name: a, securityGroups: { worker: [sg] } }]",
      "did you mean workers?",
    ],
    ["no YAML", "hostedClusters: [", ".yaml:1:18  is not YAML"],
    ["a key twice", "rules: {}\nrules: { all: advisory }", ".yaml:2  rules has the same key twice"],
    [
      "lists in lists",
      `hostedClusters: ${"[".repeat(900)}${"]".repeat(900)}`,
      "is nested more than 500 levels deep",
    ],
    [
      "thousands of them",
      `hostedClusters: ${"[".repeat(9_000)}${"]".repeat(9_000)}`,
      "is nested more than 500",
    ],
  ])("%s is an error with the way out", async (_, text, remedy) => {
    const [message] = (await run([], { environment: { HYPERSHIFT_NETWORK_CONFIG: configuration(text) } })).of(
      "topology",
    );
    expect(message).toContain(remedy);
  });

  it("a file that is not there, and settings that do not exist, are errors", async () => {
    const missing = { HYPERSHIFT_NETWORK_CONFIG: "/nowhere/hypershift-network.yaml" };
    expect((await run([], { environment: missing })).of("topology")[0]).toContain("no such file");
    const config = { topology: { file: "x" }, "port-missing": { enforcmentLevel: "advisory" } };
    const { of } = await run([], { config });
    expect(of("topology")[0]).toContain("topology.file");
    expect(of("port-missing")[0]).toContain("port-missing.enforcmentLevel");
  });

  it("a rule that does not exist is an error in the policy configuration, and all is not a rule", async () => {
    const levels = { all: {}, topology: {}, "unknown-values": {}, "port-public": {}, "port-publik": {} };
    const { of, reports } = await run([], { config: levels });
    expect(reports).toHaveLength(1);
    expect(of("topology")[0]).toMatch(/port-publik +no such rule: did you mean port-public\?/);
  });
});

describe("reading what the engine hands over", () => {
  it("copies everything and puts UNKNOWN where reading throws", () => {
    const wire = unknownCheckingProxy({
      a: SENTINEL,
      b: [1, SENTINEL, { c: SENTINEL, d: "x" }],
      e: null,
      f: true,
    });
    expect(plain(wire)).toEqual({ a: UNKNOWN, b: [1, UNKNOWN, { c: UNKNOWN, d: "x" }], e: null, f: true });
  });
});

describe("a property that is nested deeply", () => {
  const nested = (levels: number) => {
    let value: PropertyValue = "inside";
    for (let level = 0; level < levels; level++) value = { a: value };
    return value;
  };
  const remember = (levels: number) =>
    new Session("").remember("port-public", {
      urn: "urn:pulumi:dev::network::aws:ec2/vpc:Vpc::home",
      type: TYPE.vpc,
      name: "home",
      props: { tags: nested(levels) },
      opts: {},
    } as unknown as ResourceValidationArgs);

  it("is read up to the limit", () => {
    expect(remember(499).name).toBe("home");
  });

  it.each([500, 5_000])("of %s levels more ends the policy with resource, limit and way out", (levels) => {
    expect(() => remember(levels)).toThrow(
      "home: a property is nested more than 500 levels deep: write it flatter",
    );
  });
});

describe("what the engine is told of a policy", () => {
  const all = policies(new Session("")) as Policy[];
  const ofRules = all.filter(({ tags: words = [] }) => words.length > 0);

  it("severity, steps of the way out, tags and a link, each of every rule", () => {
    expect(ofRules.length).toBeGreaterThan(50);
    for (const {
      severity,
      enforcementLevel,
      remediationSteps,
      tags: words = [],
      description,
      url,
    } of ofRules) {
      expect(["high", "medium", "low"]).toContain(severity);
      expect(severity === "high").toBe(enforcementLevel === "mandatory");
      expect(remediationSteps).toMatch(/^[A-Z].*\. /);
      expect(words[0]).toBe("hypershift-network");
      expect(description).not.toBe("");
      if (url !== undefined)
        expect(url).toMatch(/^https:\/\/github\.com\/[\w-]+\/[\w-]+\/tree\/[0-9a-f]{40}/);
    }
    expect(ofRules.filter(({ url }) => url !== undefined).length).toBeGreaterThan(20);
  });

  it("no policy mends anything where nothing is configured", () => {
    expect(all.filter(({ enforcementLevel }) => enforcementLevel === "remediate")).toEqual([]);
    expect(all.filter(({ remediateResource }) => remediateResource).map(({ name }) => name)).toEqual([
      "cidr-invalid",
    ]);
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

  it("does not change what is right, what is uncertain, and what is not known", async () => {
    expect(await mended(TYPE.vpc, { cidrBlock: "10.0.0.0/16" })).toBeUndefined();
    expect(await mended(TYPE.vpc, { cidrBlock: "10.0.0.0/40" })).toBeUndefined();
    expect(await mended(TYPE.vpc, { cidrBlock: "10.0.0/16" })).toBeUndefined();
    expect(await mended(TYPE.vpc, { cidrBlock: "2001:db8::1/64" })).toBeUndefined();
    expect(await mended(TYPE.vpc, { cidrBlock: UNKNOWN })).toBeUndefined();
    const some = await mended(TYPE.securityGroup, { ingress: [tcp(443, "10.0.0.1/8"), UNKNOWN] });
    expect(some).toEqual({ ingress: [tcp(443, "10.0.0.0/8"), UNKNOWN] });
  });

  it("never touches a HostedCluster or a Network, whose ranges are compared as texts for life", async () => {
    const networks = { machineNetwork: [{ cidr: "10.0.0.1/16" }] };
    const cluster = hostedCluster({ networking: networks });
    expect(await mended(cluster.type, cluster.properties)).toBeUndefined();
    const network = { spec: { clusterNetwork: [{ cidr: "10.0.0.1/14" }] } };
    expect(await mended("kubernetes:operator.openshift.io/v1:Network", network)).toBeUndefined();
  });
});

test("what others wrote into names, keys and values begins no line, and nothing of it is unseen", async () => {
  const { resources, values } = plantedSecrets();
  const bad = (text: unknown) => (typeof text === "string" ? text + HOSTILE : text);
  const planted = resources.map(({ type, name, properties }) => {
    const written = withSecrets(properties, (at) => bad(values[at])) as Record<string, PropertyValue>;
    return resource(type, `${name}${HOSTILE}`, { ...written, [`key${HOSTILE}`]: HOSTILE });
  });
  const file = configuration(
    JSON.stringify({
      hostedClusters: [{ name: "tenant-a" }],
      exemptions: [
        { rule: "cidr-invalid", resource: "*cidr*", reason: `because${HOSTILE}` },
        { rule: "port-public", resource: `gone${HOSTILE}`, reason: `because${HOSTILE}` },
      ],
    }),
  );
  for (const environment of [{ HYPERSHIFT_NETWORK_CONFIG: file }, {}] as Record<string, string>[]) {
    const config = { [`x${HOSTILE}`]: {}, "port-public": { [`y${HOSTILE}`]: 1 } };
    const { reports } = await run([hostedCluster(), ...planted], { environment, config });
    expect(reports.length).toBeGreaterThan(100);
    for (const { message } of reports) expectSafe(message);
  }
});
