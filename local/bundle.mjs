// Puts what people wait for every day into one file each: the command line's help, `check`, and the policy pack. Hundreds
// of small modules take longer to find than to run. What is compiled stays beside it for everything else, and for types.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Other commands are loaded when they are called, from what is compiled. */
const commandsStayOutside = {
  name: "commands-stay-outside",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/(\w+Commands?|package)$/ }, ({ path, resolveDir }) =>
      resolveDir === join(root, "src", "cli") ? { path, external: true } : undefined,
    ),
};

/** What is copied of a package goes with its licence. */
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
  // Numbers that have names stand in loops as numbers.
  minifySyntax: true,
  sourcemap: true,
  logLevel: "warning",
};

// What V8 compiled of the last build is of no use to this one.
rmSync(join(root, "dist", ".code-cache"), { recursive: true, force: true });

// What was compiled from sources that are gone would be packed with the rest.
for (const name of readdirSync(join(root, "dist"), { recursive: true })) {
  const [, source, kind] = /^(.*?)(\.d\.ts|\.js(?:\.map)?)$/.exec(name) ?? [];
  const sources = kind?.startsWith(".js") ? [`${source}.ts`, `${source}.js`] : [`${source}.ts`];
  if (source !== undefined && !sources.some((file) => existsSync(join(root, file))))
    rmSync(join(root, "dist", name));
}

await Promise.all([
  // With the parser of the command line, which help needs and nothing else does.
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
  // Its process lives as long as one program, and shows no stack but of errors that nobody foresaw.
  build({
    ...common,
    entryPoints: ["src/provider.ts"],
    packages: "external",
    sourcemap: false,
  }),
]);

// The policy pack is a folder of its own, which `pulumi policy publish` takes: what it loads beside its libraries is in it.
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
// The other documents do not lie beside it.
const readme = readFileSync(join(root, "docs", "policy-pack.md"), "utf8");
const elsewhere = (_, text, file) =>
  text === file ? `docs/${file} of hypershift-network` : `${text} (docs/${file} of hypershift-network)`;
intoPack("README.md", readme.replace(/\[([^\]]+)\]\((?!\w+:|#)([^)#]+)[^)]*\)/g, elsewhere));
cpSync(join(root, "src", "supportedNode.js"), join(root, "dist", "policy", "supportedNode.js"));

/** What old versions of Node.js have to read stays as it is written. */
for (const file of ["main.js", "src/supportedNode.js", "src/cli/main.js"])
  cpSync(join(root, file), join(root, "dist", file));
intoPack("index.js", readFileSync(join(root, "policy", "index.js"), "utf8").replace("../src/", "./"));
