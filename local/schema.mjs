// Writes the schema that users of other languages see, as Pulumi's own analyzer reads it from the sources, into dist: the host of
// component providers would read it anew at every start (see src/storedSchema.ts).
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const load = createRequire(import.meta.url);
const [file, stamp] = [join(dist, "schema.json"), join(dist, ".schema-from")];

const from = hashOf(["package.json", "package-lock.json", ...declarations("dist/src")]);
if (!existsSync(file) || !existsSync(stamp) || readFileSync(stamp, "utf8") !== from) {
  const { Analyzer } = load("@pulumi/pulumi/provider/experimental/analyzer");
  const { getPulumiComponents } = load("@pulumi/pulumi/provider/experimental/provider");
  const { generateSchema } = load("@pulumi/pulumi/provider/experimental/schema");
  const manifest = load("../package.json");
  const names = getPulumiComponents(load("../dist/index.js")).map(({ name }) => name);
  const analyzer = new Analyzer(root, manifest.name, manifest, new Set(names));
  const { components, typeDefinitions, dependencies } = analyzer.analyze();
  const { name, version, description } = manifest;
  const schema = generateSchema(name, version, description, components, typeDefinitions, dependencies);
  writeFileSync(file, JSON.stringify(schema));
  writeFileSync(stamp, from);
}

/** Types and their descriptions are in the declarations, as they are in the sources. */
function declarations(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(".d.ts"))
    .map((name) => join(folder, name))
    .sort();
}

function hashOf(files) {
  const hash = createHash("sha256");
  files.forEach((name) => hash.update(name).update(readFileSync(join(root, name))));
  return hash.digest("hex");
}
