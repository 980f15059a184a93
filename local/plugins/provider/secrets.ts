import { isMap, type Props, Secret, type Value } from "./values";

/** Where secrets were: `true` for a secret value or a list that contains one, else the entries of a map that contain some. */
export type SecretPlaces = true | { [name: string]: SecretPlaces };

/**
 * Marks values as secret at the places where the inputs had secrets. A list is secret as a whole if one of its items is, because
 * items move: the engine does the same for providers that do not support secrets.
 */
export function keepSecrets(props: Props, places: SecretPlaces | undefined): Props {
  if (places === undefined || places === true) return props;
  const kept = Object.entries(props).map(([name, value]): [string, Value] => {
    const place = places[name];
    if (place === undefined || value === undefined || value instanceof Secret) return [name, value];
    if (isMap(value) && place !== true) return [name, keepSecrets(value, place)];
    return [name, new Secret(value)];
  });
  return Object.fromEntries(kept);
}

/** The union of the places. */
export function mergePlaces(
  left: SecretPlaces | undefined,
  right: SecretPlaces | undefined,
): SecretPlaces | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  if (left === true || right === true) return true;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries(
    [...names].map((name) => [name, mergePlaces(left[name], right[name]) as SecretPlaces]),
  );
}
