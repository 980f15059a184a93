import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");
const page = readFileSync(join(root, "docs", "roles.md"), "utf8");

test("docs/roles.md has every role in rbac/ in its table, and no other", () => {
  const listed = [...page.matchAll(/^\| `([a-z-]+\.yaml)` /gm)].map(([, file]) => file);
  expect(listed.sort()).toEqual(readdirSync(join(root, "rbac")).sort());
});
