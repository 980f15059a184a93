import { isMap, type Props, Secret } from "../provider";
import { fromApi, type KubeObject, toApi } from "./object";

/** Keys that the provider adds to an object in Pulumi's state, as the official provider does. */
const FIELD_MANAGER = "__fieldManager";
const INITIAL_API_VERSION = "__initialApiVersion";

/** The object as Pulumi's state holds it. */
export function toState(live: KubeObject, manager: string): Props {
  return {
    ...withSecretData(fromApi(live)),
    [INITIAL_API_VERSION]: live.apiVersion,
    [FIELD_MANAGER]: manager,
  };
}

/** The object in Pulumi's state, and its field manager. */
export function fromState(state: Props): { live: KubeObject; manager: string | undefined } {
  const { [FIELD_MANAGER]: manager, [INITIAL_API_VERSION]: _initial, __inputs: _inputs, ...live } = state;
  return { live: toApi(live) as KubeObject, manager: typeof manager === "string" ? manager : undefined };
}

/** Marks the data of a Secret as secret, even if the program did not. */
export function withSecretData(object: Props): Props {
  if (object.kind !== "Secret" || object.apiVersion !== "v1") return object;
  const hidden = ["data", "stringData"].filter((name) => object[name] !== undefined);
  return {
    ...object,
    ...withoutLastApplied(object),
    ...Object.fromEntries(hidden.map((name) => [name, new Secret(object[name])])),
  };
}

/** kubectl stores the whole Secret in plain text in an annotation. */
function withoutLastApplied(object: Props): Props {
  if (!isMap(object.metadata) || !isMap(object.metadata.annotations)) return {};
  const { "kubectl.kubernetes.io/last-applied-configuration": _copy, ...annotations } =
    object.metadata.annotations;
  return { metadata: { ...object.metadata, annotations } };
}
