import { hostedCluster, tcp } from "../rules/builders";
import { run, configuration, complete, hosts } from "./packs";

describe("configuration of the pack", () => {
  it("reads clusters and levels from the file that the environment names", async () => {
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

  it("lists exempted findings with their reason instead of violations, and names stale exemptions", async () => {
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

  it("reports a level of the file as not in force unless the policy configuration has it too", async () => {
    const configFile = configuration("rules: { port-missing: mandatory }\n");
    const topology = (levels: Record<string, string>) => ({ config: { topology: { configFile, levels } } });
    expect((await run([], topology({ "port-missing": "mandatory" }))).of("topology")).toEqual([]);
    const [message] = (await run([], topology({ "port-missing": "advisory" }))).of("topology");
    expect(message).toContain("rules.port-missing  is not in force");
  });

  it("reports a conflict with a later release as unknown, and not as a violation", async () => {
    const release = { image: "quay.io/openshift-release-dev/ocp-release:4.16.4-x86_64" };
    const file = configuration(
      "hostedClusters: [{ name: tenant-a, infrastructureCidrs: [{ name: c, cidr: 100.65.0.0/16 }] }]",
    );
    const environment = { HYPERSHIFT_NETWORK_CONFIG: file };
    const outcome = await run([hostedCluster({ release })], { environment });
    expect(outcome.of("cidr-reserved-overlap")).toEqual([]);
    expect(outcome.of("unknown-values").join()).toContain("with the upgrade from 4.16 to 4.17");
  });

  it("reads the file that the policy topology names, and reports its levels as not in force", async () => {
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

  it("accepts the content of such a file in the policy configuration", async () => {
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

  it("reports where the configuration does not fit the stack", async () => {
    const said = { name: "tenant-a", namespace: "clusters", externalClientCidrs: ["0.0.0.0/0"] };
    const of = async (endpointAccess: string) => {
      const cluster = hostedCluster({ platform: { type: "AWS", aws: { endpointAccess } } });
      const config = { topology: { configuration: { hostedClusters: [said] } } };
      return (await run([cluster], { config })).of("topology");
    };
    expect(await of("PublicAndPrivate")).toEqual([]);
    expect((await of("Private")).join()).toContain(
      "hostedClusters[0].externalClientCidrs of clusters/tenant-a: ",
    );
  });

  it("rejects a policy configuration with both a file and its content", async () => {
    const configFile = configuration("hostedClusters: []");
    const both = { config: { topology: { configFile, configuration: { hostedClusters: [] } } } };
    expect((await run([], both)).of("topology").join()).toContain(
      "configuration  is set together with configFile",
    );
  });

  it.each([
    ["an unknown rule", "rules: { port-mising: advisory }", "did you mean port-missing?"],
    ["an unknown key", "hostedCluster: []", "did you mean hostedClusters?"],
    [
      "an unknown level",
      "rules: { port-missing: warn }",
      "write mandatory (errors), advisory (warnings) or disabled",
    ],
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
    ["invalid YAML", "hostedClusters: [", ".yaml:1:18  is not YAML"],
    ["a duplicate key", "rules: {}\nrules: { all: advisory }", ".yaml:2  rules has the same key twice"],
    [
      "hundreds of nested lists",
      `hostedClusters: ${"[".repeat(900)}${"]".repeat(900)}`,
      "is nested more than 500 levels deep",
    ],
    [
      "thousands of nested lists",
      `hostedClusters: ${"[".repeat(9_000)}${"]".repeat(9_000)}`,
      "is nested more than 500",
    ],
  ])("reports %s with the fix", async (_, text, remedy) => {
    const [message] = (await run([], { environment: { HYPERSHIFT_NETWORK_CONFIG: configuration(text) } })).of(
      "topology",
    );
    expect(message).toContain(remedy);
  });

  it("reports a missing file and unknown settings", async () => {
    const missing = { HYPERSHIFT_NETWORK_CONFIG: "/nowhere/hypershift-network.yaml" };
    expect((await run([], { environment: missing })).of("topology")[0]).toContain("no such file");
    const config = { topology: { file: "x" }, "port-missing": { enforcmentLevel: "advisory" } };
    const { of } = await run([], { config });
    expect(of("topology")[0]).toContain("topology.file");
    expect(of("port-missing")[0]).toContain("port-missing.enforcmentLevel");
  });

  it("reports an unknown rule in the policy configuration, and accepts all", async () => {
    const levels = { all: {}, topology: {}, "unknown-values": {}, "port-public": {}, "port-publik": {} };
    const { of, reports } = await run([], { config: levels });
    expect(reports).toHaveLength(1);
    expect(of("topology")[0]).toMatch(/port-publik +no such rule: did you mean port-public\?/);
  });
});
