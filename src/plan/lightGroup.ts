import { Direction } from "../requirements/vocabulary";
import type { PropertyValue, Resource } from "../resources/resource";
import { inlineFacts } from "../rules/inlineFacts";
import type { Secrets } from "./engineValue";
import { stackResource, type EngineState } from "./stackResource";

/** Shorter lists stay: what leads back to them takes as much memory. */
const SHORT = 8;

/**
 * A security group without its lists of rules, which are read once more when somebody looks at them. Most bytes of large plans
 * are rules of groups that have to do with no hosted cluster: what every group is asked is answered while they are there.
 */
export function lightGroup(state: EngineState, file: string, again: () => EngineState): EngineState {
  const secrets: Secrets = { count: 0 };
  const resource = stackResource(state, file, secrets);
  for (const direction of Object.values(Direction)) {
    const list = resource.properties[direction];
    if (!Array.isArray(list) || list.length < SHORT) continue;
    inlineFacts(resource, direction);
    readWhenAsked(resource.properties, direction, () => stackResource(again(), file, { count: 0 }));
  }
  const { urn, type, delete: isReplaced } = state;
  return { urn, type, delete: isReplaced, made: { resource, secrets } };
}

function readWhenAsked(
  properties: Resource["properties"],
  direction: Direction,
  again: () => Resource,
): void {
  const shape = { configurable: true, enumerable: true };
  Object.defineProperty(properties, direction, {
    ...shape,
    get: (): PropertyValue | undefined => {
      const value = again().properties[direction];
      Object.defineProperty(properties, direction, { ...shape, value });
      return value;
    },
  });
}
