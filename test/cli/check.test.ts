import { Folder, NOT_KNOWN, preview, state, step } from "../plan/plans";
import { TYPE } from "../../src/resources/resourceTypes";
import { call, typed } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const service = "apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: {}\n";
const firewall = (cidr: string) =>
  `apiVersion: k8s.ovn.org/v1\nkind: EgressFirewall\nmetadata: { name: default, namespace: team }\nspec:\n  egress:\n    - type: Deny\n      to: { cidrSelector: ${cidr} }\n`;
const only = "rules: { all: disabled, cidr-invalid: mandatory }\n";
const config = (more = "") => folder.write("hypershift-network.yaml", only + more);

describe("hypershift-network check", () => {
  it("exits with status 0 without findings", async () => {
    const { status, out, error } = await call(["check", folder.write("a.yaml", service)]);
    expect([status, error]).toEqual([0, ""]);
    expect(out).toBe("1 resource in 1 file, 0 hosted clusters: no findings\n");
  });

  it("exits with status 1 for an error, and for a warning only with --fail-on warning", async () => {
    const file = folder.write("a.yaml", firewall("10.0.0.1/8"));
    const run = (text: string, ...more: string[]) =>
      call(["check", file, "--config", folder.write("c.yaml", text), ...more]);
    expect(await run(only)).toMatchObject({ status: 1, error: "" });
    const advisory = "rules: { all: disabled, cidr-invalid: advisory }";
    expect((await run(advisory)).status).toBe(0);
    expect((await run(advisory, "--fail-on", "warning")).status).toBe(1);
  });

  it("reports the line of a wrongly published service, whatever the key order and notation", async () => {
    const head = "apiVersion: hypershift.openshift.io/v1beta1\nkind: HostedCluster\n";
    const named = "metadata: { name: a, namespace: clusters }\n";
    const block = `${head}spec:
  services:
    - service: APIServer
      servicePublishingStrategy: { type: LoadBalancer }
    - servicePublishingStrategy:
        loadBalancer: {}
        type: LoadBalancer
      service: Ignition
  platform: { type: None }
${named}`;
    const flow = `{ kind: HostedCluster, apiVersion: hypershift.openshift.io/v1beta1, spec: { services: [
  { servicePublishingStrategy: { type: LoadBalancer }, service: APIServer },
  { service: Ignition,
    servicePublishingStrategy: { loadBalancer: {},
      type: LoadBalancer } }], platform: { type: None } },
  metadata: { name: a, namespace: clusters } }
`;
    const json = JSON.stringify(
      {
        kind: "HostedCluster",
        apiVersion: "hypershift.openshift.io/v1beta1",
        metadata: { name: "a", namespace: "clusters" },
        spec: {
          services: [{ servicePublishingStrategy: { type: "LoadBalancer" }, service: "Ignition" }],
          platform: { type: "None" },
        },
      },
      undefined,
      2,
    );
    const rules = "rules: { all: disabled, publishing-unsupported: mandatory }\n";
    const settings = folder.write("c.yaml", rules);
    const lineOf = async (name: string, text: string) => {
      const { out } = await call(["check", folder.write(name, text), "--config", settings]);
      return /:(\d+)\n +spec\.services\[\d\]\.servicePublishingStrategy\.type: Ignition type/.exec(out)?.[1];
    };
    expect(await lineOf("a.yaml", block)).toBe("9");
    expect(await lineOf("b.yaml", flow)).toBe("5");
    expect(await lineOf("c.json", json)).toBe("12");
  });

  it("exits with status 1 for unknown values only with --fail-on unknown", async () => {
    const rule = state(TYPE.ingressRule, "in", { cidrIpv4: NOT_KNOWN });
    const args = ["check", folder.write("plan.json", preview([step("create", rule)])), "-c", config()];
    expect((await call(args)).status).toBe(0);
    const { status, out } = await call([...args, "--fail-on", "unknown"]);
    expect(status).toBe(1);
    expect(out).toContain("SecurityGroupIngressRule in: cidrIpv4");
  });

  it("exits with status 2, all faults of configuration and inputs, and nothing on standard output", async () => {
    const bad = folder.write("c.yaml", "rules:\n  port-publik: advisory\nexemption: []\n");
    const file = folder.write("a.yaml", "kind: Service\napiVersion: v1\nspec: *a\n");
    const { status, out, error } = await call(["check", file, "--config", bad]);
    expect([status, out]).toEqual([2, ""]);
    expect(error.replaceAll(`${folder.path}/`, "").split("\n")).toEqual([
      "c.yaml:3  exemption no such property: did you mean exemptions?",
      "c.yaml:2  rules.port-publik no such rule: did you mean port-public?",
      "a.yaml:3:7  has an alias without an anchor: define the anchor before it",
      "",
    ]);
  });

  it("rejects two configuration entries that may describe the same hosted cluster", async () => {
    const file = folder.write("a.yaml", service);
    const entry = (more: string) => `  - { name: a, platform: None${more} }\n`;
    const faultsOf = async (...entries: string[]) => {
      const bad = folder.write("c.yaml", `hostedClusters:\n${entries.map(entry).join("")}`);
      const { error } = await call(["check", file, "--config", bad]);
      return error.replaceAll(`${folder.path}/`, "");
    };
    const twice =
      "c.yaml:3  hostedClusters[1].name is the same as that of hostedClusters[0]: write one entry for each cluster, or state the namespaces or management clusters of both\n";
    expect(await faultsOf("", ', release: "4.18"')).toBe(twice);
    expect(await faultsOf(", namespace: one", "")).toBe(twice);
    expect(await faultsOf(", namespace: one", ", namespace: two")).toBe("");
  });

  it("exits with status 2 if no input has anything to judge", async () => {
    const { status, error } = await call(["check", folder.write("a.yaml", "")]);
    expect(status).toBe(2);
    expect(error).toContain("a.yaml contains nothing to judge: it is empty");
    expect((await call(["check", folder.path])).status).toBe(2);
  });

  it.each([
    ["check"],
    ["report", "--out", "-"],
    ["prove"],
    ["plan"],
    ["flows"],
    ["explain", "6443"],
    ["explain", "port-missing"],
    ["certificate", "-"],
  ])("exits with status 2 if %s is given an empty file and a configuration", async (command, ...args) => {
    const cluster = "hostedClusters: [{ name: a, platform: AWS }]\n";
    const settings = folder.write("c.yaml", cluster);
    const { status, out, error } = await call([
      command,
      ...args,
      folder.write("a.yaml", ""),
      "--config",
      settings,
    ]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(
      "hypershift-network  found nothing to judge in any input: name a preview, a stack export or Kubernetes manifests\n",
    );
  });

  it.each(["flows", "plan"])(
    "an empty stack is an answer, and %s needs only the configuration",
    async (command) => {
      const settings = folder.write("c.yaml", "hostedClusters: [{ name: a, platform: AWS }]\n");
      const { status } = await call([command, folder.write("plan.json", preview([])), "--config", settings]);
      expect(status).toBe(0);
    },
  );

  it("names a file without anything to judge next to one that is judged", async () => {
    const paths = [folder.write("a.yaml", service), folder.write("values.yaml", "a: 1\n")];
    const { status, out } = await call(["check", ...paths]);
    expect(status).toBe(0);
    expect(out).toContain("values.yaml contains nothing to judge");
  });

  it("names the file and line of a property", async () => {
    const file = folder.write("a.yaml", `${service}---\n${firewall("10.0.0.1/8")}`);
    const { out } = await call(["check", file, "-c", config(), "--format", "json"]);
    expect((JSON.parse(out) as { findings: unknown }).findings).toMatchObject([
      { rule: "cidr-invalid", resource: { file, line: 12 }, path: "spec.egress[0].to.cidrSelector" },
    ]);
  });

  it("ignores an empty HYPERSHIFT_NETWORK_CONFIG, and rejects an empty --config", async () => {
    const before = process.env.HYPERSHIFT_NETWORK_CONFIG;
    process.env.HYPERSHIFT_NETWORK_CONFIG = "";
    try {
      const file = folder.write("a.yaml", service);
      expect((await call(["check", file])).status).toBe(0);
      expect((await call(["check", file, "--config", ""])).status).toBe(2);
    } finally {
      if (before === undefined) delete process.env.HYPERSHIFT_NETWORK_CONFIG;
      else process.env.HYPERSHIFT_NETWORK_CONFIG = before;
    }
  });

  it("reads standard input", async () => {
    const { status, out } = await call(["check", "-", "-c", config()], {
      stdin: typed(firewall("10.0.0.1/8")),
    });
    expect(status).toBe(1);
    expect(out).toContain("EgressFirewall default  stdin:7");
  });

  it("exempts findings with a reason, and reports stale exemptions", async () => {
    const exemptions = ["team/default", "team/other"].map(
      (name) => `  - { rule: cidr-invalid, resource: "EgressFirewall/${name}", reason: mended in May }\n`,
    );
    const file = config(`exemptions:\n${exemptions.join("")}`);
    const { status, out } = await call(["check", folder.write("a.yaml", firewall("10.0.0.1/8")), "-c", file]);
    expect(status).toBe(0);
    expect(out).toContain("cidr-invalid  EgressFirewall default: mended in May");
    expect(out).toContain("stale  exemptions[1]: cidr-invalid finds nothing at EgressFirewall/team/other");
    expect(out).toContain("1 exempted");
  });

  it.each(["json", "sarif", "junit", "markdown", "github", "text"])(
    "reports a stale exemption with %s, on standard error if the format has no place for it",
    async (format) => {
      const file = config(
        'exemptions: [{ rule: cidr-invalid, resource: "EgressFirewall/gone", reason: mended }]\n',
      );
      const plan = folder.write("a.yaml", firewall("10.0.0.0/8"));
      const { out, error } = await call(["check", plan, "-c", file, "--format", format]);
      const isBeside = ["junit", "github"].includes(format);
      expect(isBeside ? error : out).toContain("EgressFirewall/gone");
      expect(isBeside ? out : error).not.toContain("EgressFirewall/gone");
    },
  );

  it("reports that nothing was judged if every rule is disabled", async () => {
    const off = folder.write("c.yaml", "rules: { all: disabled }");
    const { out } = await call(["check", folder.write("a.yaml", service), "-c", off]);
    expect(out).toContain("every rule is disabled: nothing was judged");
  });

  it.each(["json", "sarif", "junit", "markdown", "github", "text"])(
    "writes %s, and nothing to standard error",
    async (format) => {
      const { status, out, error } = await call([
        "check",
        folder.write("a.yaml", service),
        "--format",
        format,
      ]);
      expect([status, error]).toEqual([0, ""]);
      expect(out.endsWith("\n")).toBe(true);
    },
  );

  it("writes faults as annotations with --format github", async () => {
    const { status, out } = await call(["check", folder.write("a.json", "{"), "--format", "github"]);
    expect(status).toBe(2);
    expect(out).toMatch(/^::error file=.*a\.json,line=1,title=hypershift-network::/);
  });

  it("shows the progress of slow steps on a terminal only", async () => {
    const file = folder.write("a.yaml", service);
    let time = 0;
    const slow = { now: () => (time += 1_001) };
    expect((await call(["check", file], { ...slow, isWatched: true })).error).toMatch(
      /^hypershift-network: reading .*a\.yaml \.\.\.\nhypershift-network: judging 1 resources \.\.\.\n$/,
    );
    expect((await call(["check", file], slow)).error).toBe("");
    expect((await call(["check", file], { isWatched: true })).error).toBe("");
  });
});

describe("the command line", () => {
  it.each([
    [["--help"]],
    [["check", "--help"]],
    [["flows", "--help"]],
    [["schema", "--help"]],
    [["diff", "--help"]],
    [["explain", "--help"]],
    [["certificate", "--help"]],
    [["policy-config", "-h"]],
  ])("%j prints examples", async (args) => {
    const { status, out, error } = await call(args);
    expect([status, error]).toEqual([0, ""]);
    expect(out).toMatch(/Examples:\n {2}\S/);
  });

  it("--version prints the version", async () => {
    expect((await call(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [[], "Usage: hypershift-network"],
    [["chekc"], "Did you mean check?"],
    [["help"], "error: unknown command 'help'\n(hypershift-network --help lists the commands)\n"],
    [
      ["check", "--foo"],
      "error: unknown option '--foo'\n(hypershift-network check --help lists its options)\n",
    ],
    [["check", "a.yaml", "--no-config", "--group-by"], "(hypershift-network check --help lists its options)"],
    [["check", "a.yaml", "-c", ""], "check: --config is empty: write its value, or leave it out\n"],
    [["check", ""], '""  is not a path: name a file or folder\n'],
    [["plan", "--no-config", "--fleet", ""], "plan: --fleet is empty: write its value, or leave it out\n"],
    [["check"], "name what to judge: files or folders, or what is running, with --live or --ec2"],
    [["check", "a.yaml", "--kubeconfig", "k"], "--kubeconfig: add --live"],
    [["check", "--live", "--certificate", "c"], "leave out --live and --ec2"],
    [["check", "a", "--formt", "json"], "Did you mean --format?"],
    [["check", "a", "--format", "xml"], "Allowed choices are text, json"],
    [
      ["check", "a", "--fail-on", "notes"],
      "Allowed choices are refuted, excess, unknown, assumed, note, error, warning",
    ],
    [["policy-config"], "name the file with --config"],
    [["flows"], "name a configuration"],
  ])("%j is a usage error", async (args, words) => {
    const { status, out, error } = await call(args);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(words);
  });
});

describe("hypershift-network check --map", () => {
  const cluster = (name: string, machines: string) =>
    [
      "apiVersion: hypershift.openshift.io/v1beta1",
      "kind: HostedCluster",
      `metadata: { name: ${name}, namespace: clusters }`,
      `spec: { platform: { type: None }, networking: { machineNetwork: [{ cidr: ${machines} }] } }`,
    ].join("\n");
  const clusters = () =>
    folder.write("clusters.yaml", [cluster("b", "10.1.2.0/24"), cluster("a", "10.1.0.0/16")].join("\n---\n"));

  it("prints the map of all clusters behind the findings, as text or Markdown", async () => {
    const text = await call(["check", clusters(), "-c", config(), "--map"]);
    expect(text.status).toBe(0);
    expect(text.out).toMatch(/no findings.*\n\n2 hosted clusters: 1 pair of ranges in conflict/);
    expect(text.out).toContain("10.0.0.0/8      |2...");
    const markdown = await call(["check", clusters(), "-c", config(), "--map", "--format", "markdown"]);
    expect(markdown.out).toContain("## All hosted clusters");
    expect((await call(["check", clusters(), "-c", config()])).out).not.toContain("in conflict");
  });

  it("is rejected with other formats and with --certificate", async () => {
    for (const more of [
      ["--format", "json"],
      ["--certificate", "c.json"],
    ]) {
      const { status, error } = await call(["check", clusters(), "-c", config(), "--map", ...more]);
      expect(status).toBe(2);
      expect(error).toContain(
        "--map works with --format text and markdown: leave out --map or change --format",
      );
    }
  });

  it("is part of the report page if there are several clusters", async () => {
    const page = async (file: string) => (await call(["report", file, "-c", config(), "--out", "-"])).out;
    expect(await page(clusters())).toContain("<h2>All hosted clusters</h2>");
    expect(await page(folder.write("one.yaml", cluster("a", "10.1.0.0/16")))).not.toContain(
      "All hosted clusters",
    );
  });
});
