import { analyzerServices } from "./analyzerService";

/**
 * Reports the names in the policy configuration. The engine also passes on names that no policy has, but the policy library
 * shows each policy only its own settings, so a misspelt name would silently have no effect. Therefore the engine's request
 * is inspected when it is read.
 */
export function onConfiguration(tell: (names: readonly string[]) => void): void {
  for (const { configure } of analyzerServices()) {
    const { requestDeserialize } = configure;
    configure.requestDeserialize = (bytes) => {
      const request = requestDeserialize(bytes);
      tell([...request.getPolicyconfigMap().keys()]);
      return request;
    };
  }
}
