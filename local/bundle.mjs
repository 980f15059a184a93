// Bundles what people wait for every day into one file each: help, `check`, and the policy pack. Finding hundreds of small modules
// takes longer than running them. The compiled modules stay next to the bundles for everything else, and for types.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The other commands stay compiled modules, loaded when they are called. */
const commandsStayOutside = {
  name: "commands-stay-outside",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/(\w+Commands?|package)$/ }, ({ path, resolveDir }) =>
      resolveDir === join(root, "src", "cli") ? { path, external: true } : undefined,
    ),
};

/** Code that is copied from a package keeps its licence. */
const licenceOf = (name) =>
  `/*\n${name}\n\n${readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8").trim()}\n*/`;

const common = {
  absWorkingDir: root,
  outdir: "dist",
  outbase: ".",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  // Inlines named numeric constants, which are read in loops.
  minifySyntax: true,
  sourcemap: true,
  logLevel: "warning",
};

// V8's code cache of the previous build is useless to this one.
rmSync(join(root, "dist", ".code-cache"), { recursive: true, force: true });

// Output of deleted sources would otherwise be packed too.
for (const name of readdirSync(join(root, "dist"), { recursive: true })) {
  const [, source, kind] = /^(.*?)(\.d\.ts|\.js(?:\.map)?)$/.exec(name) ?? [];
  const sources = kind?.startsWith(".js") ? [`${source}.ts`, `${source}.js`] : [`${source}.ts`];
  if (source !== undefined && !sources.some((file) => existsSync(join(root, file))))
    rmSync(join(root, "dist", name));
}

await Promise.all([
  // Includes the command line parser, which only the help needs.
  build({
    ...common,
    entryPoints: ["src/cli/commandLine.ts"],
    plugins: [commandsStayOutside],
    banner: { js: licenceOf("commander") },
  }),
  build({
    ...common,
    entryPoints: ["src/cli/checkCommand.ts", "policy/pack.ts"],
    packages: "external",
  }),
  // Without a source map: the process lives as long as one program, and shows stack traces only for unexpected errors.
  build({
    ...common,
    entryPoints: ["src/provider.ts"],
    packages: "external",
    sourcemap: false,
  }),
]);

// The policy pack is a self-contained folder for `pulumi policy publish`: it holds all that the pack loads except its libraries.
const { version, license, engines, dependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const libraries = ["@pulumi/policy", "ip-cidr", "js-yaml", "yaml"];
const pack = {
  ...JSON.parse(readFileSync(join(root, "policy", "package.json"), "utf8")),
  ...{ version, license, engines, main: "index.js" },
  files: ["index.js", "pack.js", "supportedNode.js", "PulumiPolicy.yaml", "README.md"],
  dependencies: Object.fromEntries(libraries.map((name) => [name, dependencies[name]])),
};
const intoPack = (name, text) => writeFileSync(join(root, "dist", "policy", name), text);
intoPack("package.json", `${JSON.stringify(pack, undefined, 2)}\n`);
const settings = readFileSync(join(root, "policy", "PulumiPolicy.yaml"), "utf8");
intoPack("PulumiPolicy.yaml", settings.replace(/^# .*\nmain: .*$/m, "main: index.js"));
// The other documents are not in the pack.
const readme = readFileSync(join(root, "docs", "policy-pack.md"), "utf8");
const elsewhere = (_, text, file) =>
  text === file ? `docs/${file} of hypershift-network` : `${text} (docs/${file} of hypershift-network)`;
intoPack("README.md", readme.replace(/\[([^\]]+)\]\((?!\w+:|#)([^)#]+)[^)]*\)/g, elsewhere));
cpSync(join(root, "src", "supportedNode.js"), join(root, "dist", "policy", "supportedNode.js"));

/** Files that old versions of Node.js have to parse stay as they are written. */
for (const file of ["main.js", "src/supportedNode.js", "src/cli/main.js"])
  cpSync(join(root, file), join(root, "dist", file));
intoPack("index.js", readFileSync(join(root, "policy", "index.js"), "utf8").replace("../src/", "./"));
