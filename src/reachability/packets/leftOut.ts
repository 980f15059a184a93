import { subtract, type Prefix } from "../../address";

/** The blocks of `whole` that are not among `prefixes`, where `whole` without these is fewer words. */
export function leftOut(
  prefixes: readonly Prefix[],
  whole: readonly Prefix[],
): readonly Prefix[] | undefined {
  const rest = subtract(whole, prefixes);
  return rest.length > 0 && whole.length + rest.length < prefixes.length ? rest : undefined;
}
