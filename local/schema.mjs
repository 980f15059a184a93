// Writes the schema that users of other languages see into dist, as Pulumi's own analyzer reads it from the sources: the
// provider (src/provider.ts) serves it, so that users need not compile the package. Adds what the analyzer does not read:
// descriptions of types and enum values, that every number is an integer, and what registries show about a package.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const load = createRequire(import.meta.url);
const [file, stamp] = [join(dist, "schema.json"), join(dist, ".schema-from")];

// Set by `npm run test:lowest`: the schema is generated once, at release, whichever SDK the package then runs with.
const released = process.env.HYPERSHIFT_NETWORK_SCHEMA;
if (released !== undefined) {
  rmSync(stamp, { force: true });
  copyFileSync(released, file);
}

const from = hashOf(["package.json", "package-lock.json", "local/schema.mjs", ...declarations("dist/src")]);
if (
  released === undefined &&
  (!existsSync(file) || !existsSync(stamp) || readFileSync(stamp, "utf8") !== from)
) {
  const { Analyzer } = load("@pulumi/pulumi/provider/experimental/analyzer");
  const { getPulumiComponents } = load("@pulumi/pulumi/provider/experimental/provider");
  const { generateSchema } = load("@pulumi/pulumi/provider/experimental/schema");
  const manifest = load("../package.json");
  const names = getPulumiComponents(load("../dist/index.js")).map(({ name }) => name);
  const analyzer = new Analyzer(root, manifest.name, manifest, new Set(names));
  const { components, typeDefinitions, dependencies } = analyzer.analyze();
  const { name, version, description } = manifest;
  const schema = generateSchema(name, version, description, components, typeDefinitions, dependencies);
  writeFileSync(file, JSON.stringify(finished(schema, manifest)));
  writeFileSync(stamp, from);
}

function finished(schema, { keywords, license }) {
  const ts = load("typescript");
  const docs = docsIn(ts, declarations("dist/src"));
  for (const [token, type] of Object.entries(schema.types)) {
    const name = token.split(":").at(-1);
    const members = sorted(Object.keys(type.properties ?? {}));
    // Two files may define the same name: this selects the type with the same properties.
    const [found, ...others] = docs.filter(
      (one) => one.name === name && (type.enum || one.members === members),
    );
    if (!found?.text || others.length > 0)
      throw new Error(`${name} has no docstring, or several: users of other languages read it`);
    type.description = found.text;
    for (const word of type.enum ?? [])
      if (found.words.has(word.value)) word.description = found.words.get(word.value);
  }
  return { displayName: "HyperShift network", ...wholeNumbers(schema), keywords, license };
}

/** The docstrings of the types and enums in files. */
function docsIn(ts, files) {
  const textOf = (node) =>
    ts
      .getJSDocCommentsAndTags(node)
      .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
      .join("\n");
  return files.flatMap((name) => {
    const parsed = ts.createSourceFile(
      name,
      readFileSync(join(root, name), "utf8"),
      ts.ScriptTarget.ESNext,
      true,
    );
    return parsed.statements.flatMap((node) => {
      const [name, members] = ts.isInterfaceDeclaration(node)
        ? [node.name.text, node.members]
        : (wordsIn(ts, node) ?? []);
      if (!name) return [];
      const documented = members.map((member) => [member.type?.literal?.text ?? "", textOf(member)]);
      return {
        name,
        text: textOf(node),
        members: sorted(members.map((member) => member.name?.getText(parsed) ?? "")),
        words: new Map(documented.filter(([, text]) => text)),
      };
    });
  });
}

/** The values of an enum, which is a constant object in the sources: `export declare const Role: { readonly Workers: "workers" }`. */
function wordsIn(ts, node) {
  const [declared] = ts.isVariableStatement(node) ? node.declarationList.declarations : [];
  return declared?.type && ts.isTypeLiteralNode(declared.type)
    ? [declared.name.text, declared.type.members]
    : undefined;
}

function sorted(names) {
  return [...names].sort().join();
}

/** Marks all numbers as integers: ports, counts and prefix lengths have no fractions. */
function wholeNumbers(value) {
  if (Array.isArray(value)) return value.map(wholeNumbers);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inside]) => [key, wholeNumbers(inside)]);
  return { ...Object.fromEntries(entries), ...(value.type === "number" && { type: "integer" }) };
}

/** The declaration files, which hold the types with the descriptions from the sources. */
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
