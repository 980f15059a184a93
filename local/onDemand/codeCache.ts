import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import Module from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

import { repositoryRoot } from "../repository";

/**
 * Loaded before programs, policy packs and plugins: stores V8's compiled code of each module next to the compiled
 * TypeScript until the next build, so that the next process reuses it. Node.js 22 has this built in; the code below does
 * the same for Node.js 20.
 */
const FOLDER = join(repositoryRoot, "dist", ".code-cache", process.version);

interface Loaded {
  script: Script;
  file: string;
}

type Compile = (this: NodeModule, content: string, filename: string, format?: string) => unknown;
type Require = NodeJS.Require & { resolve: NodeJS.RequireResolve };

const internals = Module as unknown as {
  prototype: { _compile: Compile };
  _resolveFilename: (request: string, module: NodeModule, isMain: boolean, options?: object) => string;
  _resolveLookupPaths: (request: string, module: NodeModule) => string[] | null;
  _extensions: NodeJS.RequireExtensions;
  _cache: NodeJS.Dict<NodeModule>;
  /** Node.js 22 and later. */
  enableCompileCache?: (folder: string) => unknown;
};
/** ES modules, and modules that import one at run time, are left to Node.js. */
const IMPORTS = /\bimport\s*\(|^\s*(?:import|export)\b/m;

const compile = internals.prototype._compile;
const notKept: Loaded[] = [];

if (internals.enableCompileCache) {
  internals.enableCompileCache(FOLDER);
} else {
  internals.prototype._compile = compileOrTake;
  process.on("exit", keep);
}

function compileOrTake(this: NodeModule, content: string, filename: string, format?: string): unknown {
  if (format === "module" || IMPORTS.test(content)) return compile.call(this, content, filename, format);
  const file = join(FOLDER, createHash("sha256").update(content).digest("base64url"));
  const cachedData = kept(file);
  const script = new Script(Module.wrap(content.replace(/^#!.*/, "")), {
    filename,
    cachedData,
  });
  if (cachedData === undefined || script.cachedDataRejected) notKept.push({ script, file });
  const run = script.runInThisContext() as (...args: unknown[]) => unknown;
  return run.call(this.exports, this.exports, requireOf(this), this, filename, dirname(filename));
}

/** Runs at exit: by then the functions that ran are compiled and are stored too. */
function keep(): void {
  try {
    mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
    for (const { script, file } of notKept) {
      const own = `${file}.${process.pid}`;
      writeFileSync(own, script.createCachedData(), { mode: 0o600 });
      renameSync(own, file);
    }
  } catch {
    // The next process compiles again.
  }
}

function kept(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** The `require` function of a module, as Node.js creates it. */
function requireOf(module: NodeModule): Require {
  const { _resolveFilename: resolveFilename, _resolveLookupPaths: lookupPaths } = internals;
  const resolve = (request: string, options?: object) => resolveFilename(request, module, false, options);
  const own = (request: string): unknown => module.require(request);
  return Object.assign(own, {
    resolve: Object.assign(resolve, { paths: (request: string) => lookupPaths(request, module) }),
    main: process.mainModule,
    extensions: internals._extensions,
    cache: internals._cache,
  });
}
