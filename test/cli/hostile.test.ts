import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

import { Cluster } from "../../src/cluster/cluster";
import { LiveFault } from "../../src/cluster/liveCluster";
import { Platform } from "../../src/requirements/vocabulary";
import { TYPE } from "../../src/resources/resourceTypes";
import { jsonDocument } from "../../src/text";
import { HOSTILE, WRITABLE, expectSafe } from "../hostile";
import { Folder, preview, stackExport, state, step } from "../plan/plans";
import { validCluster } from "../rules/refusals/objects";
import { plantedSecrets, withSecrets } from "../rules/plantedSecrets";
import { call, type Call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const CHECK = ["text", "json", "sarif", "junit", "markdown", "github"];
const TEXT = ["text", "markdown", "json"];

/** Checks that what a command prints and writes is safe for a terminal and a CI system. */
function expectSafeCall({ out, error }: Call, format = "text", more = ""): void {
  const shown = format === "markdown" ? out.replaceAll("@\u200b", "@") : out;
  // This format consists of our own commands; no other text may begin one.
  const lines = format === "github" ? shown.replace(/^::(error|warning|notice) /gm, "ours ") : shown;
  for (const text of [
    format === "json" || format === "sarif" ? lines.replaceAll("<{%", "") : lines,
    error,
    more,
  ])
    expectSafe(text);
}

/** The resources of all rule examples, with a hostile text appended to every text, name and key. */
function hostileExport(suffix = HOSTILE): string {
  const { resources, values } = plantedSecrets();
  const planted = resources.map(({ type, name, properties }) => {
    const inputs = withSecrets(properties, (at) => {
      const value = values[at];
      return typeof value === "string" ? value + suffix : value;
    }) as object;
    const keyed = { ...inputs, [`key${suffix}`]: suffix, tags: { [`tag${suffix}`]: suffix } };
    return state(type, `${name}${suffix}`, keyed, { outputs: keyed, id: `id-${name}${suffix}` });
  });
  return stackExport(planted);
}

const named = (name: string) => ({
  ...validCluster(Platform.AWS),
  metadata: { name, namespace: `clusters${HOSTILE}` },
});

describe("no command prints unsafe text for a plan with hostile properties, keys and names", () => {
  test.each([
    ...CHECK.map((format) => ["check", "-f", format]),
    ["check", "--group-by", "resource", "--fail-on", "unknown", "-f", "text"],
    ["report", "-o", "PAGE"],
    ["report", "-o", "-"],
    ...TEXT.flatMap((format) => [
      ["prove", "-f", format],
      ["plan", "-f", format],
      ["plan", "--change", "OLD", "-f", format],
      ["flows", "-f", format],
      ["diff", "OLD", "-f", format],
    ]),
    ["explain", "443", "FILE"],
    ["explain", "RESOURCE", "FILE", "-f", "json"],
    ["explain", "RESOURCE", "FILE"],
  ])("%s %s %s %s %s", async (command, ...options) => {
    const file = folder.write(`a${WRITABLE}.json`, hostileExport());
    const old = folder.write("old.json", hostileExport("x"));
    const config = folder.write(
      `c${WRITABLE}.yaml`,
      jsonDocument({
        hostedClusters: [
          { name: "tenant-a", infrastructureCidrs: [{ name: `lab${WRITABLE}`, cidr: "10.132.0.0/16" }] },
        ],
        exemptions: [
          { rule: "cidr-overlap", resource: `*${WRITABLE}`, reason: `because${WRITABLE}` },
          { rule: "port-public", resource: "*port*", reason: `because${WRITABLE}` },
        ],
      }),
    );
    const page = join(folder.path, `page${WRITABLE}.html`);
    const places: Record<string, string> = {
      FILE: file,
      OLD: old,
      PAGE: page,
      RESOURCE: `${plantedSecrets().resources.find(({ type }) => type === TYPE.securityGroup)!.name}${HOSTILE}`,
    };
    const args = options.map((one) => places[one] ?? one);
    const inputs = command === "explain" ? [] : [file];
    // The other clusters have too few readable properties.
    if (command !== "check" && command !== "report") args.push("--cluster", "clusters/tenant-a");
    const called = await call([
      command,
      ...(command === "diff" ? args.slice(0, 1) : []),
      ...inputs,
      ...(command === "diff" ? args.slice(1) : args),
      "-c",
      config,
    ]);
    expect(called.status < 2 ? "" : called.error).toBe("");
    expect(called.out.length).toBeGreaterThan(20);
    expectSafeCall(called, options.at(-1), existsSync(page) ? readFileSync(page, "utf8") : "");
  });
});

describe("standard error", () => {
  test.each([
    ["a missing file", ["check", `/nowhere/${WRITABLE}`]],
    ["a missing configuration", ["check", "x", "-c", `/nowhere/${WRITABLE}`]],
    ["an unknown option", ["check", `--x${WRITABLE}`]],
    ["an unknown choice", ["check", "x", "-f", `text${WRITABLE}`]],
    ["an unknown command", [`chek${WRITABLE}`]],
    ["a word to explain", ["explain", WRITABLE]],
    ["a hosted cluster", ["flows", "PLAN", "--cluster", WRITABLE]],
    ["a name to verify", ["verify", `a/b${WRITABLE}`, "--namespace", WRITABLE, "--since", WRITABLE]],
    ["a file to write", ["report", "PLAN", "-o", `/nowhere/${WRITABLE}`]],
    ["a certificate to write", ["certificate", `/nowhere/${WRITABLE}`, "PLAN"]],
    ["a broken certificate", ["check", "PLAN", "--certificate", "BROKEN"]],
    ["keys of a configuration", ["policy-config", "-c", "CONFIG"]],
    ["a broken manifest", ["check", "BROKEN"]],
    ["a broken manifest as annotations", ["check", "BROKEN", "-f", "github"]],
    [
      "a cluster that cannot be reached",
      ["check", "--live", "--kubeconfig", `/nowhere/${WRITABLE}`, "--context", WRITABLE],
    ],
  ])("escapes the hostile text of %s", async (_, args) => {
    const places: Record<string, string> = {
      PLAN: folder.write("plan.yaml", stringify(validCluster(Platform.AWS))),
      BROKEN: folder.write(
        `::error::P${WRITABLE}.yaml`,
        `{"version":1,"apiVersion": [${JSON.stringify(WRITABLE)}`,
      ),
      CONFIG: folder.write(
        "c.yaml",
        jsonDocument({ [`x${WRITABLE}`]: 1, rules: { [`r${WRITABLE}`]: WRITABLE } }),
      ),
    };
    const called = await call(args.map((one) => places[one] ?? one));
    expect(called.status).toBe(2);
    expect(called.error.length).toBeGreaterThan(10);
    expectSafeCall(called, args.at(-1));
  });

  test("escapes the answers of a server and the name of its cluster", async () => {
    jest.spyOn(Cluster, "open").mockRejectedValue(new LiveFault(`the cluster said ${HOSTILE}`, HOSTILE));
    for (const format of ["text", "github"])
      expectSafeCall(await call(["check", "--live", "-f", format]), format);
    const message = `forbidden ${HOSTILE}`;
    jest.spyOn(Cluster, "open").mockResolvedValue({
      host: `api${HOSTILE}:6443`,
      send: () => Promise.resolve({ status: 403, body: { kind: "Status", message } }),
    } as unknown as Cluster);
    for (const args of [
      ["check", "--live"],
      ["verify", "clusters/tenant-a"],
    ]) {
      const called = await call(args);
      expect(called.status).toBe(2);
      expectSafeCall(called);
    }
    jest.restoreAllMocks();
  });

  test("begins no line with the name of a file that is a CI command", async () => {
    const step1 = step("create", state(TYPE.securityGroup, HOSTILE, {}));
    const folderName = `::error::P`;
    folder.write(`${folderName}/plan.json`, preview([step1]));
    folder.write(`${folderName}/b.json`, "{ apiVersion");
    const cwd = process.cwd();
    process.chdir(folder.path);
    try {
      for (const format of CHECK) expectSafeCall(await call(["check", folderName, "-f", format]), format);
    } finally {
      process.chdir(cwd);
    }
  });
});

test("hosted clusters with hostile names are named safely in every format", async () => {
  const file = folder.write("clusters.json", JSON.stringify(named(`tenant${HOSTILE}`)));
  for (const format of CHECK) {
    const called = await call(["check", file, "-f", format]);
    expectSafeCall(called, format);
    expect(called.out).toContain("tenant\\");
  }
  for (const command of ["flows", "plan", "prove"])
    for (const format of TEXT) expectSafeCall(await call([command, file, "-f", format]), format);
  for (const format of TEXT) await safely(["plan", file, "--change", file, "-f", format], format);
});

async function safely(args: string[], format: string): Promise<void> {
  const called = await call(args);
  expect(called.status < 2 ? "" : called.error).toBe("");
  expectSafeCall(called, format);
}
