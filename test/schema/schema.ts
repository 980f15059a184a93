import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PackageSpec } from "@pulumi/pulumi/provider/experimental/schema";

const root = join(__dirname, "../..");

interface PackageJson {
  name: string;
  version: string;
  description: string;
}

export const packageJson = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as PackageJson;

/** The schema that the build writes, as users of other languages see it. */
export const builtSchema = JSON.parse(readFileSync(join(root, "dist/schema.json"), "utf8")) as PackageSpec;
