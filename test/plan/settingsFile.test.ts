import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { NO_CONFIGURATION } from "../../src/gate/configuration";
import { readConfigurationFile, readOneDocument, trust } from "../../src/plan/configurationFile";
import { readFleetFiles, readLedgerFile } from "../../src/plan/fleetFiles";
import { describeInputFault, type InputFault } from "../../src/plan/inputs";

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "settings-"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = join(top, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const linesOf = (faults: readonly InputFault[] | undefined) =>
  faults?.map((fault) => describeInputFault(fault).replaceAll(`${top}/`, ""));

describe("a settings file", () => {
  const document = (text: string) => readOneDocument(write("a.yaml", text), "write one list", "settings");

  test.each<[string, string, unknown]>([
    ["YAML", "levels: { a: error }\n", { levels: { a: "error" } }],
    ["JSON", '{"levels":\n {}}', { levels: {} }],
    ["YAML between empty documents", "# nothing\n---\n\ufefflevels: {}\n---\n", { levels: {} }],
  ])("may be %s", (_, text, value) => {
    expect(document(text)).toMatchObject({ document: { value } });
  });

  test("may be empty", () => {
    expect(document("# nothing\n").document?.value ?? null).toBeNull();
    expect(document("").faults).toBeUndefined();
  });

  test.each<[string, string, string]>([
    [
      "if it has two documents",
      "a: 1\n---\nb: 2\n",
      "settings  holds more than one document: write one list",
    ],
    [
      "if it has an alias without an anchor",
      "a: *b\n",
      "settings:1:4  has an alias without an anchor: define the anchor before it",
    ],
    [
      "if a later document is broken",
      "a: 1\n...\nb: *c\n",
      "settings:3:4  has an alias without an anchor: define the anchor before it",
    ],
  ])("is rejected %s", (_, text, line) => {
    expect(linesOf(document(text).faults)).toEqual([line]);
  });

  test("is reported by its given name if it does not exist", () => {
    const { faults } = readOneDocument(join(top, "absent.yaml"), "", "absent");
    expect(linesOf(faults)).toEqual([expect.stringMatching(/^absent {2}no such file/)]);
  });
});

describe("the configuration", () => {
  const read = (text: string, tolerated: string[] = []) =>
    readConfigurationFile(write("config.yaml", text), ["cidr-overlap"], tolerated, "config.yaml");

  test("is read with the lines of its properties", () => {
    const { configuration, faults, lineOf } = read(
      "\nhostedClusters: []\nrules:\n  cidr-overlap: advisory\n",
    );
    expect([configuration, faults]).toMatchObject([
      { file: "config.yaml", levels: { "cidr-overlap": expect.anything() as unknown } },
      [],
    ]);
    expect([lineOf("hostedClusters"), lineOf("rules.cidr-overlap")]).toEqual([2, 4]);
  });

  test("is rejected at the line of a repeated or wrong key", () => {
    expect(linesOf(read("rules: {}\nhostedClusters: []\nrules: {}\n").faults)).toEqual([
      "config.yaml:3  rules has the same key twice: leave one of them out",
    ]);
    expect(linesOf(read("\nlevel: {}\n").faults)).toEqual([
      expect.stringMatching(/^config\.yaml:2 {2}level /),
    ]);
    expect(linesOf(read("7\n").faults)).toEqual([expect.stringMatching(/^config\.yaml:1 {2}\S/)]);
  });

  test("is empty if its file cannot be read", () => {
    const { configuration, faults, lineOf } = read("a: *b\n");
    expect(configuration).toEqual({ ...NO_CONFIGURATION, file: "config.yaml" });
    expect(linesOf(faults)).toEqual([
      "config.yaml:1:4  has an alias without an anchor: define the anchor before it",
    ]);
    expect(lineOf("a")).toBeUndefined();
    expect(linesOf(read("{}\n---\n{}\n").faults)).toEqual([
      "config.yaml  holds more than one document: write all hosted clusters into one list",
    ]);
  });

  test("has faults of rules that its reader checks, unless they are tolerated", () => {
    const cluster = "hostedClusters:\n  - name: a\n    platform: AWS\n    machineNetwork: []\n";
    const { faults } = read(cluster);
    expect(faults).toMatchObject([
      { line: 4, problem: expect.stringContaining("machineNetwork has 0 entries") as string },
    ]);
    expect(read(cluster, ["cidr-invalid"]).faults).toEqual([]);
    expect(read(cluster, ["cidr-overlap"]).faults).toEqual(faults);
  });
});

test("trusted files are those of the user, of root, and as root those of the user who ran sudo", () => {
  const { geteuid } = process;
  const { SUDO_UID } = process.env;
  const trusted = (own: number, sudo?: string) => {
    process.geteuid = () => own;
    if (sudo === undefined) delete process.env.SUDO_UID;
    else process.env.SUDO_UID = sudo;
    return [0, 1000, 1001].filter(trust());
  };
  try {
    expect(trusted(1000)).toEqual([0, 1000]);
    expect(trusted(1000, "1001")).toEqual([0, 1000]);
    expect(trusted(0)).toEqual([0]);
    expect(trusted(0, "1001")).toEqual([0, 1001]);
  } finally {
    if (geteuid) process.geteuid = geteuid;
    if (SUDO_UID === undefined) delete process.env.SUDO_UID;
    else process.env.SUDO_UID = SUDO_UID;
  }
});

describe("the files of a fleet", () => {
  const fleet = (ledger = "ledger") => `apiVersion: hypershift-network/v1
kind: Fleet
spec:
  ledger: ${ledger}
  pools: { machineNetwork: [10.16.0.0/12] }
  clusters: [{ name: tenant-a, platform: AWS, nodes: 10 }]
`;
  const entry = (name: string, more = "") => `apiVersion: hypershift-network/v1
kind: AddressPlan
metadata: { name: ${name}, namespace: clusters }
spec:
  platform: AWS
  origin: planned
  machineNetwork: [{ cidr: 10.17.0.0/24 }]
${more}`;

  test("are a description and its ledger, which may be absent", () => {
    const file = write("fleet.yaml", fleet());
    expect(readFleetFiles(file)).toMatchObject({ folder: join(top, "ledger"), ledger: [], faults: [] });
    write("ledger/b.yaml", entry("tenant-b"));
    write("ledger/deep/a.yaml", entry("tenant-a"));
    const { ledger, faults, fleet: read } = readFleetFiles(file);
    expect(ledger.map(({ name }) => name)).toEqual(["tenant-b", "tenant-a"]);
    expect([faults, read?.ledger]).toEqual([[], "ledger"]);
    const elsewhere = write("elsewhere/fleet.yaml", fleet(join(top, "ledger")));
    expect(readFleetFiles(elsewhere)).toMatchObject({ folder: join(top, "ledger"), ledger: [{}, {}] });
  });

  test("are rejected if the description is invalid", () => {
    const faultsOf = (text: string) => {
      const { fleet: read, folder, ledger, faults } = readFleetFiles(write("fleet.yaml", text));
      expect([read, folder, ledger]).toEqual([undefined, "", []]);
      return linesOf(faults);
    };
    expect(faultsOf("")).toEqual([
      "fleet.yaml  is not an object: begin with apiVersion: hypershift-network/v1",
      expect.stringMatching(/^fleet\.yaml {2}spec\.pools missing: /),
    ]);
    expect(faultsOf(`${fleet()}---\n{}\n`)).toEqual([
      "fleet.yaml  holds more than one document: write one file for each",
    ]);
    expect(faultsOf(fleet().replace("kind: Fleet", "kind: Fleet\nkind: Fleet"))).toEqual([
      "fleet.yaml:3  kind has the same key twice: leave one of them out",
    ]);
    expect(faultsOf(fleet().replace("Fleet", "Flight"))).toEqual([
      'fleet.yaml:2  kind "Flight" is not Fleet: write Fleet',
    ]);
  });

  test("state the ranges of a cluster once, and all faults are reported at once", () => {
    write("ledger/a.yaml", entry("tenant-a"));
    write("ledger/b.yaml", entry("tenant-a"));
    write("ledger/c.yaml", entry("tenant-c", "  ranges: []\n"));
    const { ledger, faults } = readFleetFiles(write("fleet.yaml", fleet()));
    expect(ledger.map(({ name }) => name)).toEqual(["tenant-a"]);
    expect(linesOf(faults)).toEqual([
      "ledger/b.yaml  states the ranges of clusters/tenant-a, as ledger/a.yaml does: delete one of them",
      expect.stringMatching(/^ledger\/c\.yaml:8 {2}spec\.ranges no such property/),
    ]);
  });

  test("have one ledger entry each, or the reason why there is none", () => {
    expect(readLedgerFile(write("a.yaml", entry("tenant-a")))).toMatchObject({
      entry: { name: "tenant-a", namespace: "clusters" },
      faults: [],
    });
    const broken = readLedgerFile(write("b.yaml", entry("A")));
    expect([broken.entry, linesOf(broken.faults)]).toEqual([
      undefined,
      [expect.stringMatching(/^b\.yaml:3 {2}metadata\.name /)],
    ]);
  });
});
