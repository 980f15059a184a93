import { Direction } from "../../requirements/vocabulary";
import type { Hop } from "../path";

/** `ingress of control-plane`, `pods kube-apiserver`. */
export const placeOf = (hop: Hop): string =>
  hop.kind === "hosts" ? `${hop.direction} of ${hop.role}` : `pods ${hop.app}`;

/** The direction in which rules at a place look at a flow. */
export const directionAt = (hop: Hop): Direction =>
  hop.kind === "hosts" ? hop.direction : Direction.Ingress;
