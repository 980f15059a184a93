import { readFileSync } from "node:fs";

import type { Session } from "../../../local/session";
import type { Right } from "./rights";

/** A request, as the right that allows only it. */
export interface Asked extends Right {
  isAllowed: boolean;
}

/** An event in the API server's audit log, as far as it is looked at. */
interface AuditEvent {
  verb: string;
  user: { username: string };
  /** Absent where no object is asked for, but what the server is. */
  objectRef?: {
    apiGroup?: string;
    resource: string;
    subresource?: string;
    name?: string;
    namespace?: string;
  };
  annotations?: Record<string, string>;
}

/** What a service account in namespace `default` has asked of the API server, in the server's own words. */
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

/** Those of the rights without which everything would have been allowed just the same. */
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
