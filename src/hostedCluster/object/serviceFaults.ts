import { LIMIT } from "../../requirements/limits";
import { Platform, Service } from "../../requirements/vocabulary";
import { entriesOf, isGiven, isList, isMap, propertyOf, readText, readValue } from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import type { ObjectFault } from "./fieldFaults";

const PATH = "spec.services";
const rule = "publishing-unsupported";
const fault = (path: string, problem: string, remedy: string): ObjectFault => ({
  path,
  problem,
  remedy,
  rule,
});

/** What the list of published services demands as a whole, and what each strategy holds beside its type. */
export function serviceListFaults(object: PropertyValue): ObjectFault[] {
  const services = readValue(object, PATH);
  if (services === UNKNOWN || readValue(object, "spec") === UNKNOWN) return [];
  const platform = readText(object, "spec.platform.type");
  return [
    ...numberFaults(services, platform),
    ...missingServices(services, platform),
    ...entriesOf(services).flatMap((entry, position) => strategyFaults(`${PATH}[${position}]`, entry)),
    ...certificateFaults(object, services),
  ];
}

type Read = string | typeof UNKNOWN | undefined;

function numberFaults(services: PropertyValue | undefined, platform: Read): ObjectFault[] {
  const { min, minOnIbmCloud, max } = LIMIT.services;
  const least = platform === Platform.IBMCloud || platform === UNKNOWN ? minOnIbmCloud : min;
  const remedy = `write ${Object.values(Service).join(", ")}, each with its strategy`;
  if (!isGiven(services)) return [fault(PATH, "missing", remedy)];
  if (!isList(services)) return [fault(PATH, "is no list", remedy)];
  const { length } = services;
  if (length > max) return [fault(PATH, `has ${length} entries, and the API takes ${max} at most`, remedy)];
  if (length >= least) return [];
  return [fault(PATH, `has ${length} entries, and the API demands ${least} at least`, remedy)];
}

/** HyperShift publishes these four on every platform, and looks for them in the list; on IBM Cloud others do it. */
function missingServices(services: PropertyValue | undefined, platform: Read): ObjectFault[] {
  if (!isList(services) || platform === Platform.IBMCloud || platform === UNKNOWN) return [];
  const named = services.map((entry) => (entry === UNKNOWN ? UNKNOWN : propertyOf(entry, "service")));
  if (named.includes(UNKNOWN)) return [];
  return Object.values(Service)
    .filter((service) => !named.includes(service))
    .map((service) => fault(PATH, `nothing says how ${service} is published`, `add an entry for ${service}`));
}

/** The part of a strategy that goes with each type. */
const PARTS: Readonly<Record<string, string>> = {
  nodePort: "NodePort",
  route: "Route",
  loadBalancer: "LoadBalancer",
};

/** A strategy holds the part of its own type and of no other; NodePort cannot do without. */
function strategyFaults(at: string, entry: PropertyValue): ObjectFault[] {
  const strategy = propertyOf(entry, "servicePublishingStrategy");
  const type = propertyOf(strategy, "type");
  if (!isMap(strategy) || typeof type !== "string") return [];
  const path = `${at}.servicePublishingStrategy`;
  const foreign = Object.entries(PARTS).filter(([part, own]) => own !== type && isGiven(strategy[part]));
  const missing = type === "NodePort" && !isGiven(strategy.nodePort);
  return [
    ...foreign.map(([part, own]) =>
      fault(`${path}.${part}`, `is only valid with the type ${own}`, `take it out, or write type: ${own}`),
    ),
    ...(missing
      ? [
          fault(
            `${path}.nodePort`,
            "missing: NodePort needs it",
            "write nodePort with the address of the nodes",
          ),
        ]
      : []),
  ];
}

const CERTIFICATES = "spec.configuration.apiServer.servingCerts.namedCertificates";

/** The API server's load balancer has a certificate of HyperShift's own, which no named certificate may replace. */
function certificateFaults(object: PropertyValue, services: PropertyValue | undefined): ObjectFault[] {
  const names = entriesOf(services)
    .filter((entry) => propertyOf(entry, "service") === Service.APIServer)
    .map((entry) => readValue(entry, "servicePublishingStrategy.loadBalancer.hostname"))
    .filter((name) => typeof name === "string" && name !== "");
  return entriesOf(readValue(object, CERTIFICATES)).flatMap((certificate, position) =>
    entriesOf(propertyOf(certificate, "names")).some((name) => names.includes(name))
      ? [
          fault(
            `${CERTIFICATES}[${position}].names`,
            "holds the host name of the API server's load balancer, whose certificate is HyperShift's own",
            "leave it out there, or name the API server otherwise",
          ),
        ]
      : [],
  );
}
