import { onceForEach } from "../collections";
import type { JudgedResources } from "../gate/judgedResources";
import { isList, read } from "../resources/read";
import { type Resource, UNKNOWN, type UnknownValue } from "../resources/resource";
import { isUserDefinedNetwork } from "../resources/resourceTypes";

/** Whether primary user-defined networks, which pods have instead of the cluster's, take the default join subnet. */
export enum DefaultJoin {
  /** One of them does. */
  Taken,
  /** None of them is here, as far as the input says of which cluster they are. */
  Absent,
  /** Every one that is here has its own. */
  Replaced,
  /** It hangs on values that are not known. */
  Unknown,
}

/** What a network says of its join subnet: whether it takes the default, or which value would tell; undefined where it is no primary one. */
type Said = DefaultJoin.Taken | DefaultJoin.Replaced | UnknownValue | undefined;

const PLACES = ["spec", "spec.network"].flatMap((spec) =>
  ["layer2", "layer3"].map((layer) => `${spec}.${layer}`),
);

function saidBy(resource: Resource): Said[] {
  const said = PLACES.map((place): Said => {
    const [role] = read(resource.properties, `${place}.role`);
    const [own] = read(resource.properties, `${place}.joinSubnets`);
    if (role?.value !== "Primary" && role?.value !== UNKNOWN) return undefined;
    const isEmpty = own === undefined || (isList(own.value) && own.value.length === 0);
    if (!isEmpty && own.value !== UNKNOWN) return DefaultJoin.Replaced;
    if (role.value === UNKNOWN) return { resource, path: role.path };
    return isEmpty ? DefaultJoin.Taken : { resource, path: own.path };
  });
  // A spec that is not known as a whole is one value.
  const byPlace = new Map(said.map((one) => [typeof one === "object" ? one.path : one, one]));
  return [...byPlace.values()];
}

/** What the primary networks of the input make of the default join subnet, and the values that would tell. */
export const defaultJoin = onceForEach(
  (judged: JudgedResources): { use: DefaultJoin; unknown: readonly UnknownValue[] } => {
    const said = judged.ofKind(isUserDefinedNetwork).flatMap(saidBy);
    const unknown = said.flatMap((one) => (typeof one === "object" ? one : []));
    return { use: useOf(judged, said, unknown.length > 0), unknown };
  },
);

function useOf({ clusters }: JudgedResources, said: readonly Said[], isUnknown: boolean): DefaultJoin {
  if (said.includes(DefaultJoin.Taken)) return DefaultJoin.Taken;
  if (isUnknown) return DefaultJoin.Unknown;
  // Among several hosted clusters nothing says whose they are: another one may get networks without any.
  const areReplaced = said.includes(DefaultJoin.Replaced) && clusters.length <= 1;
  return areReplaced ? DefaultJoin.Replaced : DefaultJoin.Absent;
}
