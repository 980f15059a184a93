import type { IncomingHttpHeaders } from "node:http";

/** A request that changed something, with the random seed that its identifiers were generated from. */
export interface JournalEntry {
  readonly seed: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Base64. */
  readonly body: string;
}

/** Whether an AWS API request only reads: query requests name their action in the form that they send. */
export function isReading(method: string, path: string, body: string): boolean {
  const query = path.includes("?") ? path.slice(path.indexOf("?") + 1) : "";
  const action = new URLSearchParams(body).get("Action") ?? new URLSearchParams(query).get("Action");
  return action === null ? method === "GET" || method === "HEAD" : /^(Describe|Get|List|Search)/.test(action);
}

/** The headers that moto reads. Of the signature only region and service remain, so that the journal holds no credentials. */
export function journalHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const { authorization } = headers;
  return {
    ...pick(headers, "content-type"),
    ...pick(headers, "x-amz-target"),
    ...(authorization === undefined ? {} : { authorization: withoutSignature(authorization) }),
  };
}

/** The access key of a signed request. */
export function keyOf(authorization: string | undefined): string | undefined {
  return /Credential=([^/,\s]+)\//.exec(authorization ?? "")?.[1];
}

function pick(headers: IncomingHttpHeaders, name: string): Record<string, string> {
  const value = headers[name];
  return typeof value === "string" ? { [name]: value } : {};
}

function withoutSignature(authorization: string): string {
  const scope = /Credential=[^/,\s]+\/([^,\s]+)/.exec(authorization)?.[1] ?? "";
  return `AWS4-HMAC-SHA256 Credential=journal/${scope}, SignedHeaders=host, Signature=none`;
}
