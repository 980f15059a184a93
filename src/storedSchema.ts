import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

import type { PackageSpec } from "@pulumi/pulumi/provider/experimental/schema";

type Definitions = Record<string, { outputs: Record<string, unknown> }>;

/** What Pulumi's host of component providers keeps of a package; it is not part of the SDK's public types. */
interface ComponentProvider {
  path: string;
  cachedSchema?: string;
  componentDefinitions?: Definitions;
  getSchema: (this: ComponentProvider) => Promise<string>;
}

interface Host {
  ComponentProvider?: { prototype?: ComponentProvider };
}

const HOST = /[\\/]@pulumi[\\/]pulumi[\\/]provider[\\/]experimental[\\/]provider\.js$/;

/**
 * Programs in other languages reach the components through a host of Pulumi's, which compiles the package's sources and the types of
 * all providers to know the schema: ten seconds each time that an engine starts it. A built package has the schema in a file, and
 * the host is given that. Where the host does not have the form that is known here, it does its own work as before.
 *
 * @param built Folder of the compiled package, with `schema.json` in it.
 */
function giveStoredSchema(built: string): void {
  const file = join(built, "schema.json");
  // The host loads the package after itself; no other program has loaded it.
  const hosts = Object.values(require.cache).flatMap((module) =>
    module && HOST.test(module.filename) ? [module.exports as Host] : [],
  );
  if (hosts.length === 0 || !existsSync(file)) return;
  const root = realpathSync(dirname(built));
  for (const { ComponentProvider: { prototype } = {} } of hosts) {
    if (typeof prototype?.getSchema !== "function") continue;
    const { getSchema } = prototype;
    prototype.getSchema = async function () {
      if (this.cachedSchema !== undefined || realpathSync(this.path) !== root) return getSchema.call(this);
      this.cachedSchema = readFileSync(file, "utf8");
      this.componentDefinitions = outputsOf(JSON.parse(this.cachedSchema) as PackageSpec);
      return this.cachedSchema;
    };
  }
}

/** Names of the outputs of each component: all that the host asks of its definition. */
function outputsOf({ resources }: PackageSpec): Definitions {
  return Object.fromEntries(
    Object.entries(resources).map(([token, { properties = {} }]) => [
      token.split(":").at(-1) ?? "",
      { outputs: properties },
    ]),
  );
}

// From the sources there is no such file.
giveStoredSchema(dirname(__dirname));
