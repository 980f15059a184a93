import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Analyzer, type AnalyzeResult } from "@pulumi/pulumi/provider/experimental/analyzer";
import { generateSchema, type PackageSpec } from "@pulumi/pulumi/provider/experimental/schema";
import { componentNames } from "../components/minimalArgs";

const root = join(__dirname, "../..");

interface PackageJson {
  name: string;
  version: string;
  description: string;
}

export const packageJson = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as PackageJson;

/** What Pulumi's own analyzer reads from the entry, as it does for users of other languages. */
export function analyze(): { analysis: AnalyzeResult; schema: PackageSpec } {
  const { name, version, description } = packageJson;
  const analyzer = new Analyzer(root, name, packageJson as never, new Set<string>(componentNames()));
  const analysis = analyzer.analyze();
  const { components, typeDefinitions, dependencies } = analysis;
  return {
    analysis,
    schema: generateSchema(name, version, description, components, typeDefinitions, dependencies),
  };
}
