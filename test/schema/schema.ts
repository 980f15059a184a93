import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Analyzer, type AnalyzeResult } from "@pulumi/pulumi/provider/experimental/analyzer";
import { generateSchema, type PackageSpec } from "@pulumi/pulumi/provider/experimental/schema";
import * as entry from "../../src";

const root = join(__dirname, "../..");

interface PackageJson {
  name: string;
  version: string;
  description: string;
}

export const packageJson = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as PackageJson;

/** The classes that the entry exports and that Pulumi takes for components. */
export function componentNames(): string[] {
  return Object.entries(entry)
    .filter(([, value]) => typeof value === "function" && "isInstance" in value)
    .map(([name]) => name)
    .sort();
}

/** What Pulumi's own analyzer reads from the entry, as it does for users of other languages. */
export function analyze(): { analysis: AnalyzeResult; schema: PackageSpec } {
  const { name, version, description } = packageJson;
  const analyzer = new Analyzer(root, name, packageJson as never, new Set(componentNames()));
  const analysis = analyzer.analyze();
  const { components, typeDefinitions, dependencies } = analysis;
  return {
    analysis,
    schema: generateSchema(name, version, description, components, typeDefinitions, dependencies),
  };
}
