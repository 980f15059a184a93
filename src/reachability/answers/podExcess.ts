import { Direction } from "../../requirements/vocabulary";
import type { Resource } from "../../resources/resource";
import type { Clause } from "../filters";
import { excessText, ingressExcess } from "../isolation";
import type { ExcessPlace, UnknownAnswer } from "./answer";
import { writtenAt } from "./written";

/** The network policies of a hosted control plane's namespace. */
export interface Isolation {
  /** Those that are asked about. */
  policies: readonly Resource[];
  /** Policies that let in what is documented. */
  documented: readonly Resource[];
}

/** One place at which a rule opens more than has to be open. */
export interface OpenedPlace {
  clause: Clause | undefined;
  place: ExcessPlace;
}

/** What policies let into pods of a hosted control plane beyond the documents: one example of pod and sender for each rule. */
export function podExcess(
  { policies, documented }: Isolation,
  namespace: string,
): { found: OpenedPlace[]; undecided?: UnknownAnswer } {
  const [first] = policies;
  if (!first) return { found: [] };
  const excess = ingressExcess(policies, documented, namespace);
  if (!excess)
    return { found: [], undecided: { resource: writtenAt(first), path: "spec", reason: TOO_MANY } };
  const guard = `network policies of ${namespace}`;
  const found = excess.map((one) => {
    const { who, pod, services } = excessText(one);
    const packets = [`${services} from ${who}`];
    const place = { place: `pods with ${pod}`, direction: Direction.Ingress, guard, packets };
    return { clause: one.clause, place };
  });
  return { found };
}

const TOO_MANY = "policies tell more pods apart than can be gone through";
