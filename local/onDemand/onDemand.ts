/**
 * A module that is loaded when something of it is asked for: Pulumi loads a compiler and a package manager for the functions that it
 * writes into states, and few programs have such functions.
 *
 * @param load Loads it.
 * @param known What can be said of it without.
 */
export function onDemand(load: () => object, known: Readonly<Record<string, unknown>> = {}): object {
  let loaded: object | undefined;
  const module = () => (loaded ??= load());
  return new Proxy(known, {
    get: (_, name) => Reflect.get(Object.hasOwn(known, name) ? known : module(), name) as unknown,
    has: (_, name) => name in module(),
  });
}

/** A module that says so is imported as it is, without a look at what is in it. */
export const ES_MODULE = { __esModule: true };
