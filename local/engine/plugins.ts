import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

import { repositoryRoot } from "../repository";
import { onPath } from "../toolchain/command";

/** A provider that programs of this repository use. */
export interface ProviderPlugin {
  /** Name in Pulumi: `aws`. */
  readonly name: "aws" | "kubernetes";
  /** Whether it is Pulumi's own provider or the stand-in from local/plugins. */
  readonly kind: "official" | "stand-in";
  /** Its location. */
  readonly from: string;
}

/** The providers to use: the official ones on PATH or in Pulumi's home, else the stand-ins. */
export function choosePlugins(preferred: "official" | "stand-in"): ProviderPlugin[] {
  return (["aws", "kubernetes"] as const).map((name) => {
    const official = preferred === "official" ? officialPlugin(name) : undefined;
    return official
      ? { name, kind: "official", from: official }
      : { name, kind: "stand-in", from: join(repositoryRoot, "dist", "local", "plugins", name, "main.js") };
  });
}

/** The user's Pulumi home. */
export function userPulumiHome(): string {
  return process.env.PULUMI_HOME ?? join(homedir(), ".pulumi");
}

function officialPlugin(name: string): string | undefined {
  return onPath(`pulumi-resource-${name}`) ?? installedPlugin(name);
}

function installedPlugin(name: string): string | undefined {
  const folder = join(userPulumiHome(), "plugins");
  const prefix = `resource-${name}-v`;
  const wanted = sdkVersion(name);
  const installed = existsSync(folder) ? readdirSync(folder) : [];
  const fitting = installed.find(
    (entry) =>
      entry.startsWith(prefix) && !entry.endsWith(".lock") && serves(entry.slice(prefix.length), wanted),
  );
  return fitting && join(folder, fitting);
}

/** The engine accepts a plugin that has the SDK's major version and is not older than the SDK. */
function serves(version: string, wanted: string): boolean {
  const [have, want] = [version, wanted].map((text) =>
    text.split(".").map((part) => Number.parseInt(part, 10)),
  );
  if (!have || !want || have[0] !== want[0]) {
    return false;
  }
  const different = [1, 2].find((place) => have[place] !== want[place]);
  return different === undefined || (have[different] ?? 0) > (want[different] ?? 0);
}

function sdkVersion(name: string): string {
  const file = join(repositoryRoot, "node_modules", "@pulumi", name, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
