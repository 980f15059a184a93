import { serviceProperty } from "../../requirements/publishedServices";
import { parseAddress } from "../../address/parse";
import { HOSTNAME, isNodePortName } from "../../requirements/hostedCluster";
import { LIMIT } from "../../requirements/limits";
import { defaultPublishing } from "../../requirements/platforms";
import { NODE_PORTS } from "../../requirements/ports";
import { certainRefusal, needsHostname, supportedPublishing } from "../../requirements/publishing";
import { Platform, PublishingType, Service } from "../../requirements/vocabulary";
import type { EndpointAccess } from "../../requirements/vocabulary";
import { UNKNOWN } from "../../resources/resource";
import type { NormalizedService } from "../normalizedTopology";
import { type Findings, readObject, readText, readWhole, readWord, refuse, shortValue, warn } from "./values";

/** Rules on published services that are also checked in plans. */
export enum ServiceRule {
  Publishing = "publishing-unsupported",
  NodePort = "node-port-range",
}

/** Code of the fault of an API server port outside the node-port range that clusters have by default. */
export const API_SERVER_OUTSIDE = "api-server-outside-node-ports";

type Services = Record<Service, NormalizedService>;

/**
 * Reads how each service is published, with the defaults of the platform; refused combinations are faults. If
 * platform or access is wrong or unknown, combinations that are refused with every value are still refused.
 */
export function readServices(
  findings: Findings,
  value: unknown,
  platform: Platform | undefined,
  access: EndpointAccess | undefined,
): Services {
  const raw = readObject(findings, "services", value, Object.values(serviceProperty)) ?? {};
  const services = Object.fromEntries(
    Object.values(Service).map((service) => [
      service,
      value === UNKNOWN ? {} : readService(findings, service, raw[serviceProperty[service]], platform),
    ]),
  ) as Services;
  for (const service of Object.values(Service)) judge(findings, service, services[service], platform, access);
  refuseTwice(findings, services, "nodePort");
  refuseTwice(findings, services, "hostname");
  return services;
}

function readService(
  findings: Findings,
  service: Service,
  value: unknown,
  platform: Platform | undefined,
): NormalizedService {
  const property = `services.${serviceProperty[service]}`;
  const raw = readObject(findings, property, value, ["type", "nodePort", "address", "hostname"]);
  if (value === UNKNOWN) return {};
  if (!raw) findings.defaulted.push(property);
  const host = readText(findings, `${property}.hostname`, raw?.hostname);
  const type = readWord(findings, `${property}.type`, raw?.type, Object.values(PublishingType));
  const nodePort = readNodePort(findings, service, `${property}.nodePort`, raw?.nodePort);
  const address = readAddress(findings, `${property}.address`, raw?.address);
  const isApiServer = service === Service.APIServer;
  const isUnstated = raw?.type === undefined || raw.type === null;
  // With a host name, the default type is Route: while the host name is unknown, so is the type.
  const isHidden = isApiServer && isUnstated && raw?.hostname === UNKNOWN;
  if (isHidden) findings.unknown.push(`${property}.type`);
  const ofPlatform = platform && defaultPublishing(platform, isApiServer);
  const byDefault = isApiServer && host ? PublishingType.Route : ofPlatform;
  const stated = type ?? (isUnstated && !isHidden ? byDefault : undefined);
  return {
    ...(stated && { type: stated }),
    ...(nodePort !== undefined && { nodePort }),
    ...(address !== undefined && { address }),
    ...(host !== undefined && { hostname: host }),
  };
}

/** Where a node port is reached: the API accepts a host name with a dot in it, `localhost` or an IP address. */
function readAddress(findings: Findings, property: string, value: unknown): string | undefined {
  const text = readText(findings, property, value);
  if (text === undefined) return undefined;
  const { address } = parseAddress(text);
  if (address) return address.text;
  if (isNodePortName(text)) return text;
  return refuse(
    findings,
    property,
    `${shortValue(text)} is neither a host name nor an IP address`,
    "write a name with a dot in it, or an address without port and mask",
  );
}

function readNodePort(
  findings: Findings,
  service: Service,
  property: string,
  value: unknown,
): number | undefined {
  const isOutside = service === Service.APIServer && Number.isInteger(value);
  const limits = { min: NODE_PORTS.from, max: NODE_PORTS.to };
  const code = isOutside ? API_SERVER_OUTSIDE : undefined;
  return readWhole(findings, property, value, limits, "node port", ServiceRule.NodePort, code);
}

function judge(
  findings: Findings,
  service: Service,
  { type, nodePort, address, hostname: host }: NormalizedService,
  platform: Platform | undefined,
  access: EndpointAccess | undefined,
): void {
  const property = `services.${serviceProperty[service]}`;
  if (type === undefined) return;
  const ofNodePort = { nodePort: [nodePort, "node port"], address: [address, "node-port address"] };
  for (const [key, [value, what]] of Object.entries(ofNodePort))
    if (value !== undefined && type !== PublishingType.NodePort)
      refuse(
        findings,
        `${property}.${key}`,
        `${type} has no ${what}`,
        `leave ${key} out, or publish by NodePort`,
      );
  if (host !== undefined) judgeHostname(findings, `${property}.hostname`, host, type);
  const refusal = certainRefusal(platform, access, service, type);
  if (refusal) {
    const possible = supportedPublishing(platform, access, service).join(" or ");
    const where = platform ?? "every platform";
    refuse(
      findings,
      `${property}.type`,
      `${type} is refused on ${where}: ${refusal.reason}`,
      `write ${possible}`,
      ServiceRule.Publishing,
    );
  } else if (platform === undefined || access === undefined || host !== undefined) return;
  // A host name that is not known yet is one.
  else if (findings.unknown.includes(`${property}.hostname`)) return;
  else if (needsHostname(platform, access, service, type))
    refuse(
      findings,
      `${property}.hostname`,
      `missing: on ${platform} a Route of the API server needs a host name`,
      "write a host name, or publish by LoadBalancer",
      ServiceRule.Publishing,
    );
  else if (service === Service.APIServer && type === PublishingType.Route && platform !== Platform.AWS)
    warn(
      findings,
      `${property}.hostname`,
      "the API server's Route has no host name",
      "HyperShift's API requires one: write it",
    );
}

function judgeHostname(findings: Findings, property: string, host: string, type: PublishingType): void {
  const { max } = LIMIT.hostnameLength;
  if (type === PublishingType.NodePort)
    refuse(
      findings,
      property,
      "NodePort has no host name",
      "leave hostname out, or publish by Route or LoadBalancer",
    );
  else if (host.length > max || !HOSTNAME.test(host))
    refuse(
      findings,
      property,
      `${shortValue(host)} is not a host name`,
      `write labels of letters, digits and hyphens joined by dots, at most ${max} characters`,
    );
}

function refuseTwice(findings: Findings, services: Services, key: "nodePort" | "hostname"): void {
  const owners = new Map<unknown, Service>();
  for (const service of Object.values(Service)) {
    const value = services[service][key];
    if (value === undefined) continue;
    // DNS ignores case.
    const same = typeof value === "string" ? value.toLowerCase() : value;
    const owner = owners.get(same);
    if (owner)
      refuse(
        findings,
        `services.${serviceProperty[service]}.${key}`,
        `${value} is already used by ${owner}`,
        "give each service its own",
        key === "nodePort" ? ServiceRule.NodePort : ServiceRule.Publishing,
      );
    else owners.set(same, service);
  }
}
