import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { choosePlugins, type ProviderPlugin } from "../engine/plugins";
import type { PulumiTool } from "../toolchain/pulumi";

/** Set by `npm run test:official`: end-to-end tests run on Pulumi's own parts where there are some. */
const VARIABLE = "HYPERSHIFT_NETWORK_OFFICIAL";

/** Which providers tests run on that do not name them. */
export const preferredPlugins = (env: NodeJS.ProcessEnv = process.env): "official" | "stand-in" =>
  env[VARIABLE] === "true" ? "official" : "stand-in";

/** What the tests run on: Pulumi's own parts with their versions, and the stand-ins of local/ for the others. */
export function officialParts(
  { version, ownLanguageHost }: PulumiTool,
  plugins: readonly ProviderPlugin[] = choosePlugins("official"),
): string[] {
  const languageHost = ownLanguageHost ? "Pulumi's own" : "the stand-in of local/engine";
  return [
    `engine: Pulumi's own, ${version}`,
    `language host of Node.js: ${languageHost}`,
    ...plugins.map(
      ({ name, kind, from }) =>
        `${name} provider: ${kind === "official" ? `Pulumi's own, ${versionOf(name, from)}` : `the stand-in of local/plugins/${name}`}`,
    ),
  ];
}

/** What a provider says of itself. One that is installed in Pulumi's home is a folder. */
function versionOf(name: string, from: string): string {
  const inside = join(from, `pulumi-resource-${name}`);
  try {
    return execFileSync(existsSync(inside) ? inside : from, ["--version"], { encoding: "utf8" }).trim();
  } catch {
    return `version unknown, in ${from}`;
  }
}
