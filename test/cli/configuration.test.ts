import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";

import { Folder } from "../plan/plans";
import { call } from "./terminal";

const NAME = "hypershift-network.yaml";
const VARIABLE = "HYPERSHIFT_NETWORK_CONFIG";
const firewall =
  "apiVersion: k8s.ovn.org/v1\nkind: EgressFirewall\nmetadata: { name: default, namespace: team }\nspec:\n  egress:\n    - type: Deny\n      to: { cidrSelector: 10.0.0.1/8 }\n";
const exempted = `hostedClusters:
  - { name: tenant-a, platform: None, release: "4.20", machineNetwork: [{ cidr: 10.0.0.0/16 }] }
rules: { all: disabled, cidr-invalid: mandatory }
exemptions:
  - { rule: cidr-invalid, resource: EgressFirewall/default, reason: an old one }
`;
const FOUND = `${NAME} is the configuration, found in the working folder: 1 hosted cluster, 2 levels of rules, 1 exemption; --no-config ignores it`;

let folder: Folder;
const cwd = process.cwd();
const named = process.env[VARIABLE];
beforeEach(() => {
  folder = new Folder();
  delete process.env[VARIABLE];
  folder.write("a.yaml", firewall);
  process.chdir(folder.path);
});
afterEach(() => {
  process.chdir(cwd);
  if (named === undefined) delete process.env[VARIABLE];
  else process.env[VARIABLE] = named;
  folder.remove();
});

test("the working folder of the tests has no configuration", async () => {
  process.chdir(cwd);
  const { error } = await call(["flows"]);
  expect(error).toContain("name a configuration with --config");
});

describe("a configuration that does not fit a HostedCluster", () => {
  const cluster = (
    platform: string,
    ignition = "{ type: Route }",
  ) => `apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: tenant-a, namespace: clusters }
spec:
  platform: ${platform}
  networking: { machineNetwork: [{ cidr: 10.1.0.0/16 }] }
  services: [{ service: Ignition, servicePublishingStrategy: ${ignition} }]
`;
  const aws = "{ type: AWS, aws: { region: r, endpointAccess: Private } }";
  const agent = "{ type: Agent, agent: { agentNamespace: x } }";
  const nodePort = "{ type: NodePort, nodePort: { address: 10.1.0.9 } }";
  const entry = (said: string) => `hostedClusters:\n  - name: tenant-a\n    ${said}\n`;
  const everybody = "externalClientCidrs: [0.0.0.0/0]";
  const configured = (object: string, said: string) => {
    folder.write("hc.yaml", object);
    folder.write("settings.yaml", entry(said));
  };
  const refusal = /^settings\.yaml:3 {2}hostedClusters\[0\]\.(\w+) of clusters\/tenant-a: (.*)/m;

  it.each([
    [cluster(aws), everybody, "externalClientCidrs", "0.0.0.0/0 includes every address"],
    [cluster(aws), "bootstrap: false", "bootstrap", "false closes nothing"],
    [
      cluster(agent),
      "defaultWorkerRules: true",
      "defaultWorkerRules",
      "HyperShift creates no security group",
    ],
  ])("%s with %s is unusable input", async (object, said, property, problem) => {
    configured(object, said);
    for (const args of [
      ["check"],
      ["prove"],
      ["flows"],
      ["plan"],
      ["diff", "hc.yaml"],
      ["report", "--out", "-"],
    ]) {
      const { status, out, error } = await call([...args, "hc.yaml", "--config", "settings.yaml"]);
      expect([args[0], status, out, refusal.exec(error)?.[1]]).toEqual([args[0], 2, "", property]);
      expect(error).toContain(problem);
    }
  });

  it.each([
    [cluster(aws.replace("Private", "PublicAndPrivate")), everybody],
    [cluster(aws), "externalClientCidrs: [10.0.0.0/8]"],
    [cluster(agent, nodePort), "bootstrap: false"],
    [cluster(aws), "defaultWorkerRules: true"],
    // Rules report these ranges, together with the networks around the cluster.
    [cluster(aws), "infrastructureCidrs: [{ name: lan, cidr: 10.1.0.0/20 }]"],
  ])("%s with %s is judged", async (object, said) => {
    configured(object, said);
    const { status, out, error } = await call(["check", "hc.yaml", "--config", "settings.yaml"]);
    expect([status === 2, error]).toEqual([false, ""]);
    expect(out).not.toBe("");
  });

  it("only the new plan of a diff has to fit", async () => {
    configured(cluster(aws), everybody);
    folder.write("new.yaml", cluster(aws.replace("Private", "PublicAndPrivate")));
    const { status } = await call(["diff", "hc.yaml", "new.yaml", "--config", "settings.yaml"]);
    expect(status).toBe(0);
  });
});

describe("check with a configuration in the working folder", () => {
  beforeEach(() => void folder.write(NAME, exempted));

  it("reads the configuration, and names it with a summary of its content", async () => {
    const { status, out, error } = await call(["check", "a.yaml"]);
    expect([status, error]).toEqual([0, ""]);
    expect(out).toContain(`note  ${FOUND}`);
    expect(out).toContain("1 exempted");
    expect(out).toContain("1 hosted cluster");
  });

  it("names it in the report, or on standard error if the format has no place for notes", async () => {
    for (const format of ["json", "sarif", "markdown"]) {
      const { out, error } = await call(["check", "a.yaml", "--format", format]);
      expect([format, error]).toEqual([format, ""]);
      expect(out).toContain("found in the working folder: 1 hosted cluster, 2 levels of rules, 1 exemption");
    }
    for (const format of ["github", "junit"]) {
      const { error } = await call(["check", "a.yaml", "--format", format]);
      expect(error).toContain(`note  ${FOUND}`);
    }
  });

  it("finds it from a subfolder of the repository", async () => {
    mkdirSync(".git");
    mkdirSync("stacks");
    process.chdir("stacks");
    const { status, out } = await call(["check", "../a.yaml"]);
    expect(status).toBe(0);
    expect(out).toContain(`note  ../${NAME} is the configuration, found in the repository`);
  });

  it.each([
    ["--config", "hypershift-network.yaml", "--no-config"],
    ["--no-config", "-c", "hypershift-network.yaml"],
    ["-c", "missing.yaml", "-c", "hypershift-network.yaml"],
  ])("refuses two choices of a configuration: %s %s %s %s", async (...choices) => {
    for (const command of ["check", "prove", "flows"]) {
      const { status, out, error } = await call([command, "a.yaml", ...choices]);
      expect([status, out]).toEqual([2, ""]);
      expect(error).toContain(`hypershift-network ${command}: --config or --no-config is given 2 times`);
    }
  });

  it.each([
    ["verify", "clusters/tenant-a", "--hosted-kubeconfig"],
    ["verify", "clusters/tenant-a", "--management-kubeconfig"],
    ["verify", "clusters/tenant-a", "--management-context"],
    ["check", "--live", "--kubeconfig"],
    ["check", "--live", "--context"],
    ["check", "--ec2", "--region"],
    ["check", "a.yaml", "-c"],
    ["plan", "a.yaml", "--change"],
    ["prove", "a.yaml", "--cluster"],
    ["report", "a.yaml", "--out"],
  ])("refuses an empty value, which a variable of a script leaves: %s %s %s", async (...args) => {
    for (const empty of ["", " "]) {
      const { status, out, error } = await call([...args, empty]);
      expect([status, out]).toEqual([2, ""]);
      expect(error).toMatch(
        /^hypershift-network [a-z]+: --[a-z-]+ is empty: write its value, or leave it out$/m,
      );
    }
  });

  it("lets one choice on the command line replace that of the environment", async () => {
    process.env[VARIABLE] = "missing.yaml";
    for (const choice of [["--no-config"], ["-c", NAME]])
      expect((await call(["check", "a.yaml", ...choice])).error).not.toContain("missing.yaml");
  });

  it("ignores it with --no-config, even if the environment names it", async () => {
    process.env[VARIABLE] = join(folder.path, NAME);
    const { status, out, error } = await call(["check", "a.yaml", "--no-config"]);
    expect([status, error]).toEqual([1, ""]);
    expect(out).not.toContain(NAME);
  });

  it("reads the file that --config or the environment names instead, without a note", async () => {
    folder.write("other.yaml", "rules: { all: disabled }\n");
    const { status, out } = await call(["check", "a.yaml", "--config", "other.yaml"]);
    expect(status).toBe(0);
    expect(out).toMatch(
      /^note {2}every rule is disabled: nothing was judged\n\n1 resource in 1 file, 0 hosted/,
    );
    process.env[VARIABLE] = "other.yaml";
    expect(await call(["check", "a.yaml"])).toMatchObject({ status: 0, out });
    expect((await call(["check", "a.yaml", "--config", NAME])).out).toContain("1 exempted");
  });

  it("finds it if the environment variable is empty", async () => {
    process.env[VARIABLE] = "";
    expect((await call(["check", "a.yaml"])).out).toContain(FOUND);
  });

  it("judges the hosted cluster only once if the folder is also an input", async () => {
    const { out } = await call(["check", ".", "--format", "json"]);
    const { summary, notes } = JSON.parse(out) as { summary: object; notes: string[] };
    expect(summary).toMatchObject({ resources: 1, hostedClusters: 1, exempted: 1 });
    expect(notes.filter((note) => note.includes(NAME))).toEqual([FOUND]);
  });

  it("exits with status 2 and the fix if the configuration is wrong or ambiguous", async () => {
    folder.write(NAME, "exemption: []\n");
    expect(await call(["check", "a.yaml"])).toMatchObject({
      status: 2,
      error: `${NAME}:1  exemption no such property: did you mean exemptions?\n`,
    });
    folder.write("hypershift-network.yml", exempted);
    const { status, error } = await call(["check", "a.yaml"]);
    expect(status).toBe(2);
    expect(error).toContain("keep one, or name one with --config");
  });
});

it("a configuration that is next to an input but outside the working folder is named and not read", async () => {
  folder.write("elsewhere/a.yaml", firewall);
  folder.write(`elsewhere/${NAME}`, exempted);
  const note = `note  elsewhere/${NAME} is next to an input and is not read: name it with --config`;
  for (const path of ["elsewhere", "elsewhere/a.yaml", join(realpathSync("."), "elsewhere/a.yaml")]) {
    const { status, out } = await call(["check", path]);
    expect([path, status]).toEqual([path, 1]);
    expect(out).toContain(note);
  }
  expect((await call(["check", "elsewhere", "--no-config"])).out).not.toContain(NAME);
});

describe("every command that accepts a configuration finds it", () => {
  const note = `note  ${FOUND}\n`;
  beforeEach(() => void folder.write(NAME, exempted));

  test.each([
    [["flows"], "tenant-a"],
    [["plan"], "tenant-a"],
    [["policy-config"], '"cidr-invalid": "mandatory"'],
    [["prove", "a.yaml"], "tenant-a"],
    [["diff", "a.yaml", "a.yaml"], "clusters/tenant-a"],
    [["explain", "6443"], "6443"],
    [["report", "a.yaml", "--out", "report.html"], "report.html is written"],
    // None of its flows is proved, so the cluster is named in the error.
    [["certificate", "certificate.json", "a.yaml"], "clusters/tenant-a"],
  ] as const)("%j", async (args, said) => {
    const { out, error } = await call(args);
    expect(error).toContain(note);
    expect(out + error).toContain(said);
    expect((await call([...args, "--no-config"])).error).not.toContain(FOUND);
  });

  it("as the wanted state of plan --change, and never as the current state", async () => {
    folder.write(
      "wanted.yaml",
      "hostedClusters:\n  - { name: tenant-a, platform: None, release: '4.20', machineNetwork: [{ cidr: 10.0.0.0/16 }], internalJoinSubnet: 100.99.0.0/16 }\n",
    );
    const back = await call(["plan", "--change", "wanted.yaml"]);
    expect(back.out).toContain("internalJoinSubnet: 100.99.0.0/16 -> 100.64.0.0/16");
    const forth = await call(["plan", "--config", "wanted.yaml", "--change", NAME]);
    expect(forth.out).toContain("internalJoinSubnet: 100.64.0.0/16 -> 100.99.0.0/16");
    expect(await call(["plan", "--change", `./${NAME}`])).toMatchObject({ status: 2, out: "" });
  });
});

test("the error for a missing configuration file states whether the environment names it", async () => {
  process.env[VARIABLE] = "missing.yaml";
  const inherited = await call(["check", "a.yaml"]);
  expect(inherited.status).toBe(2);
  expect(inherited.error).toContain(`missing.yaml  no such file or folder, and ${VARIABLE} names it: `);
  const named = await call(["check", "a.yaml", "-c", "other.yaml"]);
  expect(named.error).toContain("other.yaml  no such file or folder: ");
});

test("a note names a configured hosted cluster that is not judged without a platform, with its line", async () => {
  folder.write(NAME, "hostedClusters:\n  - name: tenant-a\n");
  const { out } = await call(["check", "a.yaml"]);
  expect(out).toContain(
    `hosted clusters that are not judged: clusters/tenant-a (${NAME}:2): no platform is known`,
  );
});
