import { readFileSync } from "node:fs";

import type { Session } from "../../../local/session";
import type { Right } from "./rights";

/** A request, as the right that allows exactly it. */
export interface Asked extends Right {
  isAllowed: boolean;
}

/** The fields of an event in the API server's audit log that are read. */
interface AuditEvent {
  verb: string;
  user: { username: string };
  /** Absent if the request is for the server itself, not for an object. */
  objectRef?: {
    apiGroup?: string;
    resource: string;
    subresource?: string;
    name?: string;
    namespace?: string;
  };
  annotations?: Record<string, string>;
}

/** The requests of a service account in namespace `default`, from the API server's audit log. */
export const askedBy = ({ auditLog }: Pick<Session, "auditLog">, account: string): Asked[] =>
  readFileSync(auditLog, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ user }) => user.username === `system:serviceaccount:default:${account}`)
    .flatMap(({ verb, objectRef, annotations }) => {
      if (!objectRef) return [];
      const { apiGroup: group = "", resource, subresource, name, namespace } = objectRef;
      const isAllowed = annotations?.["authorization.k8s.io/decision"] === "allow";
      const whole = subresource === undefined ? resource : `${resource}/${subresource}`;
      return [{ verb, group, resource: whole, name, namespace, isAllowed }];
    });

/** The rights without which every request would still have been allowed. */
export const unneeded = (rights: readonly Right[], asked: readonly Asked[]): Right[] =>
  rights.filter((right) => {
    const others = rights.filter((one) => one !== right);
    return !asked.some(
      (request) =>
        request.isAllowed && covers(right, request) && !others.some((other) => covers(other, request)),
    );
  });

const covers = (right: Right, request: Right): boolean =>
  right.verb === request.verb &&
  right.group === request.group &&
  right.resource === request.resource &&
  [undefined, request.name].includes(right.name) &&
  [undefined, request.namespace].includes(right.namespace);
