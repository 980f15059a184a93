import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ALL_PLATFORMS, type Requirement } from "../../src/requirements/requirement";
import { OKD_NETWORKING, OCP_NETWORKING, HYPERSHIFT_PORTS } from "../../src/requirements/documents";
import { Direction, Perspective } from "../../src/requirements/vocabulary";
import { PORT } from "../../src/requirements/ports";
import { requirementOf, requirements } from "../../src/requirements/requirements";

const root = join(__dirname, "../..");
const golden = readFileSync(join(__dirname, "requirements.golden.txt"), "utf8").trim().split("\n");

const joined = (words: readonly string[]) => [...words].sort().join("+").replaceAll(" ", "_");
const platformsOf = (platforms: readonly string[]) =>
  platforms.length === ALL_PLATFORMS.length ? "everywhere" : joined(platforms);

/** A row in one line, so that two lists of rows can be compared and read. */
function describeRow(row: Requirement): string {
  const { from, to } = row.ports ?? {};
  const ports = from === undefined ? "every-port" : from === to ? `${from}` : `${from}-${to}`;
  const ingress = row.direction === Direction.Ingress;
  return [
    ...[row.id, row.direction, row.perspective, `${ports}/${row.protocol}`, row.phase],
    platformsOf(row.platforms),
    joined(row.publishing),
    `${ingress ? "from" : "to"} ${joined(ingress ? row.sources : row.destinations)}`,
    ...(row.publicAllowed ? ["public"] : []),
    ...(row.privateOnly ? ["private-only"] : []),
    ...(row.openInFirewall ? [] : ["never-opened"]),
    ...(row.portSeenAt ? [`seen-at-${row.portSeenAt}`] : []),
    ...(row.tls === undefined ? [] : [row.tls ? "tls" : "no-tls"]),
    ...row.replacedOn.map(({ port, platform, publishing }) =>
      [port, "on", platform, ...(publishing ? [publishing] : [])].join("-"),
    ),
    ...row.upstreamRejects.map((platform) => `not-on-${platform}`),
  ].join(" ");
}

describe("the requirement rows", () => {
  test("are the reviewed list, row for row", () => {
    expect(requirements.map(describeRow).sort()).toEqual(golden);
  });

  test("are 71 with ports, and one without", () => {
    expect(golden.filter((line) => !line.startsWith("up-aws-worker-any "))).toHaveLength(71);
    expect(golden).toHaveLength(72);
  });

  test("have unique ids by which they are found", () => {
    expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
    for (const row of requirements) expect(requirementOf(row.id)).toBe(row);
    expect(() => requirementOf("cp-in-nothing")).toThrow("cp-in-nothing");
  });

  test.each(requirements.map((row) => [row.id, row] as const))("%s is complete", (_, row) => {
    expect(row.purpose.length).toBeGreaterThan(8);
    expect(row.documents.length).toBeGreaterThan(0);
    for (const { document, heading } of row.documents) {
      expect(document.title).not.toBe("");
      expect(heading).not.toBe("");
    }
    const ends = row.direction === Direction.Ingress ? row.sources : row.destinations;
    expect(ends.length).toBeGreaterThan(0);
    expect(row.publicAllowed === undefined).toBe(row.direction === Direction.Egress);
    if (row.ports) {
      expect(row.ports.from).toBeGreaterThan(0);
      expect(row.ports.to).toBeGreaterThanOrEqual(row.ports.from);
      expect(row.ports.to).toBeLessThanOrEqual(65535);
    }
  });

  test.each([4789, 6081, 500, 4500])("cite the documents that name UDP %i among nodes", (number) => {
    const { documents } = requirementOf(`up-aws-worker-udp-${number}`);
    expect(documents.some(({ document }) => document.repository === undefined)).toBe(true);
  });

  test("do not contain internal abbreviations of documents", () => {
    const texts = requirements.flatMap(({ purpose, note, upstream }) => [purpose, note, upstream]);
    expect(texts.filter((text) => /\bD\d\b/.test(text ?? ""))).toEqual([]);
  });

  test("that name no requirement document cite upstream source code at a commit", () => {
    const documents = new Set([OKD_NETWORKING, OCP_NETWORKING, HYPERSHIFT_PORTS]);
    const upstreamOnly = requirements.filter((row) =>
      row.documents.every(({ document }) => !documents.has(document)),
    );
    expect(upstreamOnly.length).toBe(37);
    for (const { id, documents: references } of upstreamOnly) {
      expect(id).toMatch(/^up-/);
      const sources = references.filter(({ document }) => document.repository !== undefined);
      expect(sources).not.toEqual([]);
      for (const { document } of sources) expect(document.commit).toMatch(/^[0-9a-f]{40}$/);
    }
  });
});

describe("M1 conflicts of the documents are noted on the rows:", () => {
  test("9090: NodePort or Route in one place, only NodePort in another", () => {
    expect(requirementOf("cp-in-ign-9090").note).toMatch(/contradict/);
  });
  test("8080: Agent's metrics, which listen on localhost, so that no firewall opens them", () => {
    expect(requirementOf("cp-in-agent-capi-metrics")).toMatchObject({
      ports: { from: 8080, to: 8080 },
      sources: ["localhost"],
      openInFirewall: false,
    });
  });
  test("OAuth is in no port table", () => {
    expect(requirementOf("up-oauth-pod").note).toMatch(/No port table/);
  });
  test("DNS: 53 in the documents, 5353 in policies for OpenShift's DNS pods", () => {
    expect(requirementOf("cp-out-dns-udp").upstream).toMatch(/5353/);
  });
});

test("M14 no row allows the control plane to call nodes, which dial the konnectivity tunnel", () => {
  const towardsNodes = requirements.filter(
    (row) =>
      row.perspective === Perspective.ControlPlane && row.destinations.some((zone) => /worker/.test(zone)),
  );
  expect(towardsNodes).toEqual([]);
});

test("no row, topology module or flow contains a literal port number", () => {
  const files = [
    "src/requirements/rows",
    "src/topology",
    "src/topology/normalize",
    "src/flows",
    "src/flows/required",
  ].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(root, folder, name)),
  );
  expect(files.length).toBeGreaterThan(25);
  const ports = new Set<number>([...Object.values(PORT), 30000, 32767, 9999]);
  const found = files.flatMap((file) => {
    const code = readFileSync(file, "utf8")
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
      .replace(/"[^"]*"|`[^`]*`/g, "");
    return [...code.matchAll(/(?<![\w.])\d{2,5}(?![\w.])/g)]
      .map(([digits]) => Number(digits))
      .filter((number) => ports.has(number))
      .map((number) => `${file}: ${number}`);
  });
  expect(found).toEqual([]);
});
