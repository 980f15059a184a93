import * as fs from "node:fs";
import * as path from "node:path";
import { describeFaults } from "../../../src/fault";
import { ruleRow, securityGroupRules } from "../../../src/securityGroups/component/securityGroupRules";
import { goldenCases, type GoldenCase } from "./goldenCases";

const folder = path.join(__dirname, "../../golden/securityGroups");
const fileOf = ({ name }: GoldenCase): string => path.join(folder, `${name}.json`);

/** One line per rule, or one per fault. */
function golden({ topology }: GoldenCase): string {
  const { rules, faults, warnings } = securityGroupRules(topology);
  const lines = rules.map(ruleRow).map((row) => {
    const what = `${row.role} ${row.direction} ${row.protocol} ${row.ports}`;
    const keys = row.flows.map((flow) => flow.replace(`${row.role}/${row.direction}/`, ""));
    return `${what}  ${row.peer}  ${keys.join(" + ")} (${row.requirements.join(", ")}): ${row.purpose}`;
  });
  const content: Readonly<Record<string, object>> =
    faults.length > 0
      ? { faults: describeFaults("topology", faults).split("\n") }
      : { rules: lines, warnings };
  return `${oneLinePerEntry({ topology, ...content })}\n`;
}

/** JSON in which each entry of the outer lists and objects has a line of its own. */
function oneLinePerEntry(content: Readonly<Record<string, object>>): string {
  const sections = Object.entries(content).map(([name, section]) => {
    const entries = Array.isArray(section)
      ? section.map((entry) => JSON.stringify(entry))
      : Object.entries(section).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    const [open, close] = Array.isArray(section) ? "[]" : "{}";
    const lines = entries.length > 0 ? `\n    ${entries.join(",\n    ")}\n  ` : "";
    return `  ${JSON.stringify(name)}: ${open}${lines}${close}`;
  });
  return `{\n${sections.join(",\n")}\n}`;
}

if (process.env.UPDATE_GOLDEN) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  for (const each of goldenCases) fs.writeFileSync(fileOf(each), golden(each));
}

describe("M1-M5 the rules of every platform, strategy and access match the golden files", () => {
  it.each(goldenCases.map((each) => [each.name, each] as const))("%s", (_, each) => {
    expect(golden(each)).toBe(fs.readFileSync(fileOf(each), "utf8"));
  });

  it("every golden file belongs to a case", () => {
    const files = fs.readdirSync(folder).sort();
    expect(files).toEqual(goldenCases.map(({ name }) => `${name}.json`).sort());
  });
});
