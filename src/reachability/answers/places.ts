import { Direction } from "../../requirements/vocabulary";
import type { Hop } from "../../flows/model";

/** `ingress of control-plane`, `pods kube-apiserver`. */
export function placeOf(hop: Hop): string {
  switch (hop.kind) {
    case "hosts":
      return `${hop.direction} of ${hop.role}`;
    case "pods":
      return `pods ${hop.app}`;
    case "senders":
      return `egress of pods of the control plane to ${hop.to === "addresses" ? "addresses" : "pods elsewhere"}`;
    case "namespace":
      return `egress of namespace ${hop.namespace}`;
    case "balancer":
      return "public load balancer";
    case "node":
      return `${hop.listener} on each node`;
  }
}

/** The direction in which rules at a place look at a flow. */
export function directionAt(hop: Hop): Direction {
  if (hop.kind === "hosts") return hop.direction;
  return hop.kind === "namespace" || hop.kind === "senders" ? Direction.Egress : Direction.Ingress;
}
