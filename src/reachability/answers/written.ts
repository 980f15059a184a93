import type { Clause } from "../filters";
import { idOf, type Origin, type Resource } from "../../resources/resource";

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

const placeOf = ({ file, line, type, name, ...origin }: Written): unknown =>
  idOf(origin) ?? [file, line, type, name];

/** What makes two rules the same. */
export const identityOf = (rule: WrittenRule): string => JSON.stringify([placeOf(rule), rule.path]);

/** Whether something is written there. */
export const isWrittenAt = (written: Written | undefined, resource: Resource | undefined): boolean =>
  JSON.stringify(written && placeOf(written)) === JSON.stringify(resource && placeOf(writtenAt(resource)));
