import { Direction } from "../../requirements/vocabulary";
import type { Hop } from "../../flows/model";
import type { Clause } from "../filters/filter";
import { idOf, type Origin, type Resource } from "../../resources/resource";

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

/** Where something is written, as plain data. */
export interface Written extends Origin {
  /** Type token. */
  type: string;
  /** Name in the program, or of the object. */
  name: string;
}

/** A rule where it is written. */
export interface WrittenRule extends Written {
  /** Place in the resource: `ingress[2]`; empty where the resource is the rule. */
  path: string;
}

export const writtenAt = ({ origin, type, name }: Resource): Written => ({ ...origin, type, name });

export const ruleOf = ({ resource, path }: Pick<Clause, "resource" | "path">): WrittenRule => ({
  ...writtenAt(resource),
  path,
});

/** `SecurityGroup workers`. */
export const describeWritten = ({ type, name }: Written): string =>
  `${type.slice(type.lastIndexOf(":") + 1)} ${name}`;

/** `ingress[2] of SecurityGroup workers`, `SecurityGroupIngressRule ssh`. */
export const describeRule = ({ path, ...written }: WrittenRule): string =>
  path === "" ? describeWritten(written) : `${path} of ${describeWritten(written)}`;

const keyOf = ({ file, line, type, name, ...origin }: Written): unknown =>
  idOf(origin) ?? [file, line, type, name];

/** What makes two rules the same. */
export const identityOf = (rule: WrittenRule): string => JSON.stringify([keyOf(rule), rule.path]);

/** Whether something is written there. */
export const isWrittenAt = (written: Written | undefined, resource: Resource | undefined): boolean =>
  JSON.stringify(written && keyOf(written)) === JSON.stringify(resource && keyOf(writtenAt(resource)));
