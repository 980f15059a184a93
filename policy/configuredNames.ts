import { analyzerServices } from "./analyzerService";

/**
 * Tells which names stand in the policy configuration. The engine passes on those that no policy has, and the policy library
 * shows each policy only its own settings: a misspelt one would change nothing, without a word. So the engine's request
 * is looked at where it is read.
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
