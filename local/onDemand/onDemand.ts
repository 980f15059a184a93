/**
 * Defers loading a module until one of its members is read: Pulumi loads a compiler and a package manager for the
 * functions that it serializes into states, and few programs have such functions.
 *
 * @param load Loads the module.
 * @param known Members that are known without loading it.
 */
export function onDemand(load: () => object, known: Readonly<Record<string, unknown>> = {}): object {
  let loaded: object | undefined;
  const module = () => (loaded ??= load());
  return new Proxy(known, {
    get: (_, name) => Reflect.get(Object.hasOwn(known, name) ? known : module(), name) as unknown,
    has: (_, name) => name in module(),
  });
}

/** Marks a module as an ES module, so that it is imported as it is, without reading its members. */
export const ES_MODULE = { __esModule: true };
