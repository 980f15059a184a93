import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Compares a text with the golden file of that name; `UPDATE_GOLDEN=1` writes it instead. */
export function expectGolden(name: string, text: string): void {
  const file = join(__dirname, "../golden", name);
  if (process.env.UPDATE_GOLDEN === "1") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(existsSync(file) ? readFileSync(file, "utf8") : `no file ${name}`).toBe(text);
}
