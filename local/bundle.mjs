// Puts what people wait for every day into one file each: the command line's help, `check`, and the policy pack. Hundreds
// of small modules take longer to find than to run. What is compiled stays beside it for everything else, and for types.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

/** Other commands are loaded when they are called, from what is compiled. */
const commandsStayOutside = {
  name: "commands-stay-outside",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/(\w+Command|package)$/ }, ({ path }) => ({ path, external: true })),
};

const common = {
  absWorkingDir: dirname(dirname(fileURLToPath(import.meta.url))),
  outdir: "dist",
  outbase: ".",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  // Numbers that have names stand in loops as numbers.
  minifySyntax: true,
  logLevel: "warning",
};

await Promise.all([
  // With the parser of the command line, which help needs and nothing else does.
  build({ ...common, entryPoints: ["src/cli/main.ts"], plugins: [commandsStayOutside] }),
  build({
    ...common,
    entryPoints: ["src/cli/checkCommand.ts", "policy/index.ts"],
    packages: "external",
  }),
]);
