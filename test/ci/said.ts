import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** The errors that GitHub's parser reports for an action or a workflow. It is an ES module, which Jest cannot load. */
export function said(kind: "action" | "workflow", file: string): string[] {
  const { stdout, stderr } = spawnSync(process.execPath, [join(__dirname, "validate.mjs"), kind, file], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as string[];
}
