import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

import { Platform } from "../../src/requirements/vocabulary";
import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, preview, state, step } from "../plan/plans";
import { validCluster } from "../rules/refusals/objects";
import { tags } from "../rules/builders";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const CONFIG = `hostedClusters:
  - name: tenant-a
    platform: AWS
    release: "4.16"
    machineNetwork: [{ cidr: 10.0.0.0/16 }]
    infrastructureCidrs:
      - { name: corporate, cidr: 100.64.0.0/24 }
      - { name: "<b>lab</b> | \`x\`", cidr: 192.168.7.0/24 }
`;
const config = () => folder.write("hypershift-network.yaml", CONFIG);

function golden(name: string, text: string): void {
  const file = join(__dirname, "../golden/cli", name);
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, "utf8"));
}

describe("hypershift-network plan", () => {
  it.each(["text", "markdown", "json"])("prints the ranges of a topology as %s", async (format) => {
    const { status, out, error } = await call(["plan", "--config", config(), "--format", format]);
    expect([status, error]).toEqual([0, ""]);
    golden(`plan.${format === "json" ? "json" : format === "text" ? "txt" : "md"}`, out);
  });

  it("reads HostedClusters of every platform, and VPCs of a plan", async () => {
    for (const platform of Object.values(Platform)) {
      const file = folder.write("cluster.yaml", stringify(validCluster(platform)));
      const { status, out } = await call(["plan", file]);
      expect([platform, status]).toEqual([platform, 0]);
      expect(out).toContain("512 nodes, /23 each with 509 pods");
    }
    const vpc = state(TYPE.vpc, "workers", { cidrBlock: "10.0.0.0/16" });
    const { out } = await call([
      "plan",
      folder.write("p.json", preview([step("create", vpc)])),
      "-c",
      config(),
    ]);
    expect(out).toMatch(/10\.0\.0\.0\/16 .*VPC workers/);
  });

  it.each([
    [[], "name a configuration with --config"],
    [["--cluster", "b"], "no hosted cluster b"],
  ])("exits with status 2 for %j", async (args, message) => {
    const more = args.length > 0 ? ["--config", config()] : [];
    const { status, out, error } = await call(["plan", ...args, ...more]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(message);
  });
});

describe("hypershift-network report", () => {
  const hostile = `hosts<script>alert(1)</script>`;
  const group = state(TYPE.securityGroup, hostile, {
    tags: tags(),
    ingress: [{ protocol: "tcp", fromPort: 8091, toPort: 8091, cidrBlocks: ["0.0.0.0/0"] }],
    egress: [],
  });
  const secret = state("kubernetes:hypershift.openshift.io/v1beta1:HostedCluster", "b", {
    ...validCluster(Platform.KubeVirt),
    metadata: { name: "b", namespace: "clusters" },
    spec: {
      ...(validCluster(Platform.KubeVirt).spec as object),
      configuration: { proxy: { httpProxy: "https://user:hunter2@proxy.example.com:3128" } },
    },
  });
  const page = async (...steps: Parameters<typeof step>[1][]) => {
    const plan = folder.write("plan.json", preview(steps.map((one) => step("create", one))));
    const file = join(folder.path, "report.html");
    const { status, out, error } = await call(["report", plan, "-c", config(), "--out", file]);
    expect([status, error]).toEqual([0, ""]);
    expect(out).toContain("report.html is written");
    return readFileSync(file, "utf8");
  };

  it("writes one page with findings, flows, excess and addresses", async () => {
    const html = await page(group);
    for (const part of [
      "<h2>Findings</h2>",
      `<code class="rule">port-public</code>`,
      "<h2>Flows of clusters/tenant-a</h2>",
      "documented flows proved",
      "open without need",
      "Outside the model",
      "<h2>Addresses of clusters/tenant-a</h2>",
      "100.88.0.0/16",
      "prefers-color-scheme: dark",
    ])
      expect(html).toContain(part);
    const opened = [...html.matchAll(/<(section|table|details|ul|pre|tr|td)\b/g)].map(([, name]) => name);
    const closed = [...html.matchAll(/<\/(section|table|details|ul|pre|tr|td)>/g)].map(([, name]) => name);
    expect(opened.sort()).toEqual(closed.sort());
  });

  it("loads nothing from a server, runs no script, and escapes markup in names", async () => {
    const html = await page(group);
    expect(html).not.toContain("<script");
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).not.toContain("<b>lab");
    expect(html).not.toMatch(/\b(src|href)=|url\(|@import|https?:\/\/(?!.*proxy)/);
    expect(html).toContain("default-src 'none'");
  });

  it("contains no secret", async () => {
    const html = await page(group, secret);
    expect(html).toContain("proxy-invalid");
    expect(html).not.toContain("hunter2");
  });

  it("has no flows if no hosted cluster is known", async () => {
    const file = join(folder.path, "report.html");
    const plan = folder.write("plan.json", preview([step("create", group)]));
    expect((await call(["report", plan, "--out", file])).status).toBe(0);
    const html = readFileSync(file, "utf8");
    expect(html).toContain("<h2>Findings</h2>");
    expect(html).not.toContain("<h2>Flows");
  });

  it.each([
    ["without --out", ["cluster.yaml"], "name the file to write with --out"],
    [
      "into a missing folder",
      ["cluster.yaml", "--out", "/nowhere/at/all/report.html"],
      "is in a folder that does not exist: create the folder",
    ],
    ["for a missing file", ["missing.yaml", "--out", "report.html"], "missing.yaml"],
    ["for an input with nothing to judge", ["empty.yaml", "--out", "report.html"], "nothing to judge"],
  ])("exits with status 2 %s", async (_, [input, ...args], message) => {
    folder.write("cluster.yaml", stringify(validCluster(Platform.AWS)));
    folder.write("empty.yaml", "a: 1\n");
    const { status, out, error } = await call(["report", join(folder.path, input!), ...args]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(message);
  });
});
