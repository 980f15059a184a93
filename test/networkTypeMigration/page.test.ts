import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { pageWithPhases } from "./page";

test("docs/network-type-migration.md matches the phases", () => {
  const file = join(__dirname, "../../docs/network-type-migration.md");
  const text = readFileSync(file, "utf8");
  const page = pageWithPhases(text);
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, page);
  expect(readFileSync(file, "utf8")).toBe(page);
});
