import type { Fault } from "../fault";
import { UNKNOWN } from "../resources/resource";
import { isGiven, type Place } from "../objects/places";

const SCHEMES = { httpProxy: ["http:"], httpsProxy: ["http:", "https:"] } as const;

/**
 * What is wrong with the URL of a proxy. URLs may hold credentials, so no fault shows any part of one. Ports and schemes
 * are read from the text itself: parsers drop a port that is the scheme's own.
 */
export function proxyUrlFaults(setting: keyof typeof SCHEMES, { path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const schemes: readonly string[] = SCHEMES[setting];
  const example = `write ${schemes[0]}//proxy.example.com:3128`;
  const fault = (problem: string, remedy = example): Fault[] => [{ path, problem, remedy }];
  if (typeof value !== "string") return fault("is no text");
  if (value === "") return fault("is empty", "leave it out, or " + example);
  if (/\s/.test(value)) return fault("has spaces or line breaks", "take them out");
  const scheme = /^([a-z][a-z\d+.-]*:)\/\//i.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined) return fault("has no scheme", `begin it with ${schemes[0]}//`);
  if (!schemes.includes(scheme)) {
    const allowed = schemes.map((one) => `${one}//`).join(" or ");
    return fault(`has a scheme that ${setting} does not take`, `begin it with ${allowed}`);
  }
  if (!URL.canParse(value)) return fault("is no URL with a host and a port from 1 to 65535");
  const url = new URL(value);
  return [...hostFaults(path, url.hostname), ...restFaults(path, value, url)];
}

function hostFaults(path: string, hostname: string): Fault[] {
  const isAddress = /^\[[\da-f:.]+\]$/i.test(hostname);
  if (isHostName(hostname) || isAddress) return [];
  return [{ path, problem: "has no valid host name or address", remedy: "write the proxy's host name" }];
}

/** Whether a text has the form of a host name; IPv4 addresses have it too. */
export const isHostName = (text: string): boolean =>
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?\.)*[a-z0-9]([-a-z0-9]*[a-z0-9])?\.?$/i.test(text);

function restFaults(path: string, text: string, url: URL): Fault[] {
  const faults: Fault[] = [];
  if (/:0*$/.test(authorityOf(text)))
    faults.push({
      path,
      problem: "has no port behind the colon, or port 0",
      remedy: "write a port from 1 to 65535",
    });
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "")
    faults.push({
      path,
      problem: "has something behind host and port",
      remedy: "end it after the port; credentials with / ? # or @ in them are written with %2F %3F %23 %40",
    });
  return faults;
}

/** What stands between scheme and path, without credentials: host and port. */
function authorityOf(url: string): string {
  const authority = /^[^/]*\/\/([^/?#]*)/.exec(url)?.[1] ?? "";
  return authority.slice(authority.lastIndexOf("@") + 1);
}

/** Whether a URL holds a user name or a password. */
export function hasCredentials(url: unknown): boolean {
  return typeof url === "string" && url.includes("@");
}

/** Whether a URL names no port, so that HyperShift and clients take that of the scheme. */
export function hasNoPort(url: unknown): boolean {
  return typeof url === "string" && URL.canParse(url) && !/:\d+$/.test(authorityOf(url));
}
