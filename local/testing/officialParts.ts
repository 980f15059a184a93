import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { choosePlugins, type ProviderPlugin } from "../engine/plugins";
import type { PulumiTool } from "../toolchain/pulumi";

/** Set by `npm run test:official`: end-to-end tests then use Pulumi's own parts where they are available. */
const VARIABLE = "HYPERSHIFT_NETWORK_OFFICIAL";

/** The providers for tests that do not choose any. */
export const preferredPlugins = (env: NodeJS.ProcessEnv = process.env): "official" | "stand-in" =>
  env[VARIABLE] === "true" ? "official" : "stand-in";

/** The parts that the tests run on: Pulumi's own with their versions, and the stand-ins of local/ for the others. */
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

/** The version that a provider reports. A provider that is installed in Pulumi's home is a folder. */
function versionOf(name: string, from: string): string {
  const inside = join(from, `pulumi-resource-${name}`);
  try {
    return execFileSync(existsSync(inside) ? inside : from, ["--version"], { encoding: "utf8" }).trim();
  } catch {
    return `version unknown, in ${from}`;
  }
}
