import { type PropertyValue, UNKNOWN } from "../resources/resource";
import { isGiven, isMap, type Place, propertyOf } from "../resources/read";
import type { Fault } from "../fault";
import { normalizeTopology, type TopologyJudgement } from "../topology/normalizeTopology";
import { noProxyFaults } from "./noProxy";
import type { X509Certificate } from "node:crypto";
import { LIMIT } from "../requirements/limits";
import { labelNameFaults } from "../objects/places";

/** The inputs of a ProxyConfig that the rules on proxies read, to the extent known. */
export interface ProxyInputs {
  /** The topology, whose `proxy` applies if the other inputs do not set a value. */
  topology: PropertyValue | undefined;
  httpProxy?: PropertyValue | undefined;
  httpsProxy?: PropertyValue | undefined;
  /** A list of entries. */
  noProxy?: PropertyValue | undefined;
  trustedCa?: PropertyValue | undefined;
  trustedCaConfigMap?: PropertyValue | undefined;
}

/** The settings of a proxy, each with the path at which it was written. */
export interface ProxyPlaces {
  httpProxy: Place;
  httpsProxy: Place;
  /** A list or a comma-separated text. */
  noProxy: Place;
}

export const PROXY_SETTINGS = ["httpProxy", "httpsProxy", "noProxy"] as const;

/** Returns the place of each setting: an input of its own, or `proxy` of the topology. */
export function proxyPlaces(inputs: ProxyInputs): ProxyPlaces {
  const stated = propertyOf(inputs.topology, "proxy");
  const place = (name: (typeof PROXY_SETTINGS)[number]): Place =>
    isGiven(inputs[name]) || !isGiven(propertyOf(stated, name))
      ? { path: name, value: inputs[name] }
      : { path: `topology.proxy.${name}`, value: propertyOf(stated, name) };
  return { httpProxy: place("httpProxy"), httpsProxy: place("httpsProxy"), noProxy: place("noProxy") };
}

/** The settings that are given both ways. */
function settingsGivenTwice(inputs: ProxyInputs): string[] {
  const stated = propertyOf(inputs.topology, "proxy");
  return PROXY_SETTINGS.filter((name) => isGiven(inputs[name]) && isGiven(propertyOf(stated, name)));
}

/** Removes the proxy from the topology: its rules are in this file, and normalizing would judge it a second time. */
export function withoutProxy(topology: PropertyValue | undefined): PropertyValue | undefined {
  if (!isMap(topology)) return topology;
  return Object.fromEntries(Object.entries(topology).filter(([key]) => key !== "proxy"));
}

const SCHEMES = { httpProxy: ["http:"], httpsProxy: ["http:", "https:"] } as const;

/**
 * Faults of the URL of a proxy. Faults never show any part of a URL, because it may contain credentials. Ports and schemes are read
 * from the text itself, because parsers drop the default port of a scheme.
 */
export function proxyUrlFaults(setting: keyof typeof SCHEMES, { path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const schemes: readonly string[] = SCHEMES[setting];
  const example = `write ${schemes[0]}//proxy.example.com:3128`;
  const fault = (problem: string, remedy = example): Fault[] => [{ path, problem, remedy }];
  if (typeof value !== "string") return fault("is not a string");
  if (value === "") return fault("is empty", "leave it out, or " + example);
  if (/\s/.test(value)) return fault("has spaces or line breaks", "remove them");
  const scheme = /^([a-z][a-z\d+.-]*:)\/\//i.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined) return fault("has no scheme", `begin it with ${schemes[0]}//`);
  if (!schemes.includes(scheme)) {
    const allowed = schemes.map((one) => `${one}//`).join(" or ");
    return fault(`has a scheme that ${setting} does not accept`, `begin it with ${allowed}`);
  }
  if (!URL.canParse(value)) return fault("is not a URL with a host and a port from 1 to 65535");
  return [...hostFaults(path, value, "write the proxy's host name"), ...restFaults(setting, path, value)];
}

/** Faults of the host of a URL that can be parsed. */
function hostFaults(path: string, url: string, remedy: string): Fault[] {
  const { hostname } = new URL(url);
  const isAddress = /^\[[\da-f:.]+\]$/i.test(hostname);
  if (isHostName(hostname) || isAddress) return [];
  return [{ path, problem: "has no valid host name or address", remedy }];
}

/** Whether a text has the form of a host name, as IPv4 addresses do, too. */
export const isHostName = (text: string): boolean =>
  text.length <= LIMIT.subdomainLength &&
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?\.)*[a-z0-9]([-a-z0-9]*[a-z0-9])?\.?$/i.test(text);

function restFaults(setting: keyof typeof SCHEMES, path: string, text: string): Fault[] {
  const faults: Fault[] = [];
  const rest = afterPort(text);
  if (/:0*$/.test(authorityOf(text)))
    faults.push({
      path,
      problem: "has no port after the colon, or port 0",
      remedy: "write a port from 1 to 65535",
    });
  // Behind httpProxy, only the end of credentials shows that the host before it is none.
  if (rest.length > 1 && (setting === "httpsProxy" || rest.includes("@")))
    faults.push({
      path,
      problem: TEXT_AFTER_PORT,
      remedy: "end it after the port; credentials with / ? # or @ in them are written with %2F %3F %23 %40",
    });
  return faults;
}

const TEXT_AFTER_PORT = "has text after the host and port";

/** A warning for text behind the port of httpProxy: the network operator accepts it, and clients ignore it. */
export function ignoredTextWarnings({ path, value }: Place): Fault[] {
  const rest = typeof value === "string" && URL.canParse(value) ? afterPort(value) : "";
  if (rest.length <= 1 || rest.includes("@")) return [];
  return [{ path, problem: `${TEXT_AFTER_PORT}, which clients ignore`, remedy: "end it after the port" }];
}

/** The path, query and fragment of a URL. */
const afterPort = (url: string): string => /^[^/]*\/\/[^/?#]*(.*)$/s.exec(url)?.[1] ?? "";

/** Whether a URL ends with a slash after host and port. */
export const endsWithSlash = (url: unknown): boolean => typeof url === "string" && afterPort(url) === "/";

/** Returns the part between scheme and path without credentials: host and port. */
function authorityOf(url: string): string {
  const authority = /^[^/]*\/\/([^/?#]*)/.exec(url)?.[1] ?? "";
  return authority.slice(authority.lastIndexOf("@") + 1);
}

/**
 * Faults of a URL with which the network operator tests a proxy. (CNO, pkg/controller/proxyconfig/validation.go)
 *
 * @param hasBundle whether the proxy names certificates, or may name some
 */
export function readinessFaults({ path, value }: Place, hasBundle: boolean): Fault[] {
  if (typeof value !== "string") return [];
  const scheme = /^(https?):\/\//i.exec(value)?.[1]?.toLowerCase();
  const example = "write a URL such as http://www.example.com";
  if (scheme === undefined || !URL.canParse(value))
    return [{ path, problem: "is not an http:// or https:// URL", remedy: example }];
  const faults = hostFaults(path, value, example);
  if (scheme === "http" || hasBundle) return faults;
  const problem = "is an https:// URL, for which the network operator requires trustedCA";
  return [...faults, { path, problem, remedy: `name the certificates under trustedCA, or ${example}` }];
}

/** Whether a URL contains a user name or a password. */
export function hasCredentials(url: unknown): boolean {
  return typeof url === "string" && url.includes("@");
}

/** Whether a URL names no port, so that HyperShift and clients use the default port of its scheme. */
export function hasNoPort(url: unknown): boolean {
  return typeof url === "string" && URL.canParse(url) && !/:\d+$/.test(authorityOf(url));
}

/** Applies every rule to the proxy of a hosted cluster. Faults never show a URL. */
export function judgeProxy(inputs: ProxyInputs): TopologyJudgement {
  const places = proxyPlaces(inputs);
  const { topology, faults, warnings } = normalizeTopology(withoutProxy(inputs.topology));
  const certificates: Place = { path: "trustedCa", value: inputs.trustedCa };
  const reference: Place = { path: "trustedCaConfigMap", value: inputs.trustedCaConfigMap };
  const twice = settingsGivenTwice(inputs).map((name) => ({
    path: name,
    problem: `is also in topology.proxy.${name}`,
    remedy: "write it in one place",
  }));
  return {
    ...(topology && { topology }),
    faults: [
      ...faults,
      ...twice,
      ...noProxyAtAll(inputs),
      ...proxyUrlFaults("httpProxy", places.httpProxy),
      ...proxyUrlFaults("httpsProxy", places.httpsProxy),
      ...noProxyFaults(places.noProxy),
      ...trustBundleFaults(certificates),
      ...trustBundleReferenceFaults(reference, certificates),
    ],
    warnings,
  };
}

function noProxyAtAll(inputs: ProxyInputs): Fault[] {
  const { httpProxy, httpsProxy } = proxyPlaces(inputs);
  if (isGiven(httpProxy.value) || isGiven(httpsProxy.value)) return [];
  const problem = "missing, and so is httpsProxy: there is no proxy";
  return [{ path: "httpProxy", problem, remedy: "write at least one of the two" }];
}

/** The key under which OpenShift expects the certificates of a trust bundle. */
export const TRUST_BUNDLE_KEY = "ca-bundle.crt";

/** The name of the ConfigMap that is created for the trust bundle of a hosted cluster's proxy. */
export const trustBundleName = (cluster: string): string => `${cluster}-proxy-ca`;

const [BEGINNING, END] = ["-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"];

/** Splits a PEM bundle into its certificates and the text around them. */
function certificatesIn(text: string): { blocks: string[]; rest: string } {
  const blocks: string[] = [];
  let rest = "";
  for (let at = 0; ;) {
    const from = text.indexOf(BEGINNING, at);
    const to = from < 0 ? -1 : text.indexOf(END, from + BEGINNING.length);
    if (to < 0) return { blocks, rest: rest + text.slice(at) };
    rest += text.slice(at, from);
    at = to + END.length;
    blocks.push(text.slice(from, at));
  }
}

/** Faults of a trust bundle, which must be PEM with only certificates. Faults never show any of it. */
export function trustBundleFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const fault = (problem: string, remedy: string): Fault[] => [{ path, problem, remedy }];
  if (typeof value !== "string") return fault("is not a string", "write certificates in PEM form");
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(value))
    return fault(
      "contains a private key, which everyone who reads ConfigMaps would see",
      "write only certificates",
    );
  const { blocks, rest } = certificatesIn(value);
  if (blocks.length === 0)
    return fault("contains no certificate", "write PEM: -----BEGIN CERTIFICATE----- and its lines");
  if (/-----(BEGIN|END) /.test(rest))
    return fault("has an incomplete block or another PEM block", "write only complete CERTIFICATE blocks");
  return blocks.flatMap((block, position) =>
    readable(block)
      ? []
      : fault(`certificate ${position + 1} cannot be read`, "copy it again, with all its lines"),
  );
}

/** Warns about each certificate that is not valid at the given time. HyperShift refuses a cluster with such a certificate. */
export function trustBundleWarnings({ path, value }: Place, now: Date): Fault[] {
  if (typeof value !== "string") return [];
  return certificatesIn(value).blocks.flatMap((block, position) => {
    const certificate = readable(block);
    if (!certificate) return [];
    const [from, to] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
    if (from <= now && now <= to) return [];
    const state = now < from ? `is not valid before ${day(from)}` : `expired on ${day(to)}`;
    return [{ path, problem: `certificate ${position + 1} ${state}`, remedy: "remove it, or renew it" }];
  });
}

/** Faults of a ConfigMap's name, and of giving both a ConfigMap and certificates. */
export function trustBundleReferenceFaults(reference: Place, certificates: Place): Fault[] {
  const { path, value } = reference;
  if (!isGiven(value)) return [];
  if (isGiven(certificates.value))
    return [{ path, problem: `is set together with ${certificates.path}`, remedy: "write one of the two" }];
  const dotted = typeof value === "string" && value.length <= LIMIT.hostnameLength.max;
  const labels: PropertyValue[] = dotted ? value.split(".") : [value];
  return labels.flatMap((part) => labelNameFaults({ path, value: part })).slice(0, 1);
}

function readable(block: string): X509Certificate | undefined {
  // An import would load all of Node's cryptography for every check.
  const { X509Certificate } = process.getBuiltinModule("node:crypto");
  try {
    return new X509Certificate(block);
  } catch {
    return undefined;
  }
}

const day = (date: Date): string => date.toISOString().slice(0, 10);
