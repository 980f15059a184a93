import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Pulumi and Jest keep the data of a test file in an AsyncLocalStorage, and each test file loads both anew. Node.js visits every store
 * that was used in the process at every promise, so the hundredth file of a process would take twice as long as the
 * first. Therefore the stores of files that have ended are disabled.
 */
const USED = Symbol.for("hypershift-network.used-stores");

type Storage = AsyncLocalStorage<unknown>;
const kind = AsyncLocalStorage.prototype as Storage & { [USED]?: Set<Storage> };

if (kind[USED] === undefined) {
  kind[USED] = new Set();
  for (const method of ["run", "enterWith"] as const) {
    const original = kind[method] as (this: Storage, ...args: unknown[]) => unknown;
    Object.assign(kind, {
      [method](this: Storage, ...args: unknown[]) {
        kind[USED]!.add(this);
        return original.apply(this, args);
      },
    });
  }
}
kind[USED].forEach((storage) => storage.disable());
kind[USED].clear();
