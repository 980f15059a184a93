import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

import { repositoryRoot } from "../../local/repository";
import { TYPE } from "../../src/resources/resourceTypes";
import { PlayedCluster } from "../cli/playedCluster";
import { call } from "../cli/terminal";
import { hostedClusterObject } from "../e2e/hostedCluster";
import { NOT_KNOWN, preview, stackExport, state, step } from "../plan/plans";

/** A command on a page, and the output that the page shows. */
interface Shown {
  page: string;
  command: string;
  lines: readonly string[];
}

/** The exit status of a command whose input cannot be read: only the errors are printed. */
const INVALID = 2;

const PROMPT = "$ hypershift-network ";

/** The commands of a page with their outputs: `...` stands for omitted lines, or for the rest of a line. */
function shownOn(page: string): Shown[] {
  const text = readFileSync(join(repositoryRoot, "docs", page), "utf8");
  const blocks = [...text.matchAll(/^```\n(\$ hypershift-network [^]*?)\n```$/gm)];
  return blocks.flatMap(([, block]) =>
    block!
      .split(PROMPT)
      .slice(1)
      .map((part) => {
        const [command = "", ...lines] = part.trimEnd().split("\n");
        return { page, command, lines };
      }),
  );
}

const pages = readdirSync(join(repositoryRoot, "docs")).filter((name) => name.endsWith(".md"));
const shown = pages.flatMap(shownOn);

const tags = (role: string) => ({
  "hypershift-network/cluster": "tenant-a",
  "hypershift-network/role": role,
});
const group = (role: string) =>
  state(TYPE.securityGroup, `tenant-a-${role}`, { tags: tags(role) }, { id: `sg-${role}` });
const rule = (name: string, port: number | undefined, cidrIpv4: string, role = "control-plane") =>
  state(name.startsWith("out") ? TYPE.egressRule : TYPE.ingressRule, name, {
    securityGroupId: `sg-${role}`,
    ipProtocol: port === undefined ? "-1" : "tcp",
    ...(port !== undefined && { fromPort: port, toPort: port }),
    cidrIpv4,
  });
const planned = (resources: ReturnType<typeof state>[]) =>
  preview(resources.map((one) => step("create", one)));
const hosts = group("control-plane");

const configured = (topology: object): string =>
  stringify({ hostedClusters: [{ name: "tenant-a", release: "4.20", ...topology }] });
const onAws = configured({ platform: "AWS", machineNetwork: [{ cidr: "10.0.0.0/16" }] });
const byNodePorts = configured({
  platform: "None",
  machineNetwork: [{ cidr: "10.20.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  services: Object.fromEntries(
    Object.entries({ apiServer: 31_443, oauthServer: 31_444, konnectivity: 31_091, ignition: 31_090 }).map(
      ([name, nodePort]) => [name, { type: "NodePort", nodePort }],
    ),
  ),
});

const MANIFEST = `apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata:
  name: tenant-a
  namespace: clusters
spec:
  platform:
    type: None
  release:
    image: quay.io/openshift-release-dev/ocp-release:4.20.0-x86_64
  networking:
    machineNetwork:
      - cidr: 100.64.8.0/24
  services:
${["APIServer", "OAuthServer", "Konnectivity", "Ignition"]
  .map(
    (service) =>
      `    - { service: ${service}, servicePublishingStrategy: { type: NodePort, nodePort: { address: 203.0.113.7 } } }\n`,
  )
  .join("")}`;
const EXEMPTION = `exemptions:
  - { rule: cidr-overlap, resource: HostedCluster/clusters/tenant-z, reason: moves with its next release }
`;
const MISSPELLED = `hostedClusters:
  - name: tenant-a
    machineNetwork: [{ cidr: 10.0.0.1/16 }]
exemption: []
`;
const proxied = (noProxy: string) => {
  const { spec, ...rest } = hostedClusterObject();
  const proxy = { httpProxy: "http://proxy.example.com:3128", noProxy };
  return {
    ...rest,
    metadata: { name: "tenant-a", namespace: "clusters" },
    spec: { ...spec, configuration: { proxy } },
  };
};
const openWorkers = [
  group("workers"),
  rule("in-workers", undefined, "0.0.0.0/0", "workers"),
  rule("out-workers", undefined, "0.0.0.0/0", "workers"),
];
const changedTo = (cidrIpv4: string) => [hosts, rule("in-443", 443, cidrIpv4)];

/** The input files of a command, by the first words that distinguish it from others on its page. */
const FILES: readonly (readonly [command: string, files: Readonly<Record<string, string>>])[] = [
  [
    "check manifests -c hypershift",
    { "manifests/tenant-a.yaml": MANIFEST, "hypershift-network.yaml": EXEMPTION },
  ],
  ["check same.json", { "same.json": preview([], { changeSummary: { same: 20 } }) }],
  ["check manifests -c bad", { "manifests/tenant-a.yaml": MANIFEST, "bad.yaml": MISSPELLED }],
  [
    "diff manifests/ --live",
    {
      "manifests/tenant-a.yaml": stringify(proxied("10.0.0.0/16")),
      "hypershift-network.yaml": configured({}),
    },
  ],
  ["flows manifests", { "manifests/tenant-a.yaml": MANIFEST }],
  [
    "prove plan.json",
    {
      "plan.json": stackExport([
        hosts,
        ...[31_443, 31_444, 31_090].map((port) => rule(`in-${port}`, port, "10.20.0.0/16")),
        rule("out", undefined, "0.0.0.0/0"),
        ...openWorkers,
      ]),
      "hypershift-network.yaml": byNodePorts,
    },
  ],
  [
    "diff state.json plan.json",
    {
      "state.json": stackExport([...changedTo("10.0.0.0/16"), rule("in-6443", 6443, "10.0.0.0/16")]),
      "plan.json": planned([...changedTo("0.0.0.0/0"), rule("in-6443", 6443, NOT_KNOWN)]),
      "hypershift-network.yaml": onAws,
    },
  ],
  [
    "explain in-443 plan.json",
    { "plan.json": planned(changedTo("0.0.0.0/0")), "hypershift-network.yaml": onAws },
  ],
  [
    "certificate certificate.json",
    { "plan.json": stackExport(openWorkers), "hypershift-network.yaml": onAws },
  ],
  // Reads the certificate that the previous command writes.
  ["check plan.json --certificate", {}],
  ["check plan.json", { "plan.json": planned([rule("in-443", 443, "10.0.0.1/8")]) }],
];

/** The lines as a pattern, in which omitted parts match anything. */
const pattern = (lines: readonly string[]): RegExp => {
  const parts = lines.map((line) => {
    if (line === "...") return "(?:.*\n)*?";
    const text = line.endsWith("...") ? line.slice(0, -3) : line;
    const escaped = text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
    return text === line ? `${escaped}\n` : `${escaped}.*\n`;
  });
  return new RegExp(`^${parts.join("")}$`);
};

describe("the output that a page shows", () => {
  const played = new PlayedCluster();
  const home = process.cwd();
  afterEach(() => process.chdir(home));

  /** The output of a command in the folder of the test. */
  async function outputOf({ command }: Shown): Promise<string> {
    const [, files] = FILES.find(([start]) => command.startsWith(start)) ?? [];
    if (!files) throw new Error(`no folder is prepared for: ${command}`);
    for (const [name, text] of Object.entries(files)) played.folder.write(name, text);
    const hostedClusters = "/apis/hypershift.openshift.io/v1beta1/hostedclusters";
    played.served = { lists: { [hostedClusters]: [proxied("10.0.0.0/8")] } };
    process.chdir(played.folder.path);
    const { status, out, error } = await call(command.split(" "));
    return `${(status === INVALID ? error : out).trimEnd()}\n`;
  }

  test.each(shown.filter(({ command }) => !command.includes("certificate.json")))(
    "$page: $command",
    async (one) => {
      expect(await outputOf(one)).toMatch(pattern(one.lines));
    },
  );

  test("is correct for a certificate and its check", async () => {
    const both = shown.filter(({ command }) => command.includes("certificate.json"));
    expect(both.map(({ command }) => command.split(" ")[0])).toEqual(["certificate", "check"]);
    for (const one of both) expect(await outputOf(one)).toMatch(pattern(one.lines));
  });

  test("exists for each of the prepared commands", () => {
    const started = (start: string) => shown.some(({ command }) => command.startsWith(start));
    expect(FILES.filter(([start]) => !started(start))).toEqual([]);
  });
});
