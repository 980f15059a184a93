import { reachedPrivately } from "../../requirements/platforms";
import { EndpointAccess, Platform, PublishingType, Service } from "../../requirements/vocabulary";
import {
  entriesOf,
  isFilled,
  isGiven,
  isList,
  isMap,
  propertyOf,
  read,
  readFlag,
  readText,
  readValue,
} from "../../resources/read";
import { type PropertyValue, UNKNOWN } from "../../resources/resource";
import { isNamespacedName, type ObjectRule } from "../../requirements/hostedCluster";
import { LIMIT } from "../../requirements/limits";
import { AWS_SUBNET } from "../../requirements/networkObjectFields";
import type { Fault } from "../../fault";
import { shownText } from "../../objects/places";
import { plural } from "../../text";
import { listedServices, readEntries } from "../../topology/topologyOfHostedCluster";

/** What the API server does with a field that it does not know. */
export const NO_SUCH_FIELD =
  "no such field: the API drops it, and refuses the object if fields are validated strictly";

/** A fault of an object, with the rule that reports it. */
export interface ObjectFault extends Fault {
  rule: ObjectRule;
  /** True if only some versions of the API refuse it, or if the entry has no effect. */
  isWarning?: boolean;
  /** True for the number or the repetition of entries, which is a fault of the list and not of an entry. */
  isOfList?: boolean;
}

const PATH = "spec.services";

const AZURE = "spec.platform.azure";

const fault = (
  path: string,
  problem: string,
  remedy: string,
  rule: ObjectRule = "publishing-unsupported",
): ObjectFault => ({ path, problem, remedy, rule });

/** Faults of what Azure requires for private access and OAuth. */
export function azureFaults(object: PropertyValue): ObjectFault[] {
  if (readText(object, "spec.platform.type") !== Platform.Azure) return [];
  return [...privateFaults(object), ...identityFaults(object), ...oauthFaults(object)];
}

const IDENTITIES = `${AZURE}.azureAuthenticationConfig`;
const IDENTITY_TYPE = `${IDENTITIES}.azureAuthenticationConfigType`;

/** The control plane operator creates the private link, and needs an identity for it if workload identities are used. */
function identityFaults(object: PropertyValue): ObjectFault[] {
  const path = `${IDENTITIES}.workloadIdentities.controlPlaneOperator`;
  const isLinked = readText(object, `${AZURE}.private.type`) === "PrivateLink";
  const isOfWorkloads = readText(object, IDENTITY_TYPE) === "WorkloadIdentities";
  if (!isLinked || !isOfWorkloads || isGiven(readValue(object, path))) return [];
  const problem = "missing: a private link with workload identities needs it";
  return [fault(path, problem, "write the clientID of an identity for it")];
}

/** The settings of private access require private access, and each type of it has its own settings. */
function privateFaults(object: PropertyValue): ObjectFault[] {
  const access = readText(object, `${AZURE}.topology`);
  const settings = readValue(object, `${AZURE}.private`);
  if (access === UNKNOWN || settings === UNKNOWN || readValue(object, AZURE) === UNKNOWN) return [];
  const path = `${AZURE}.private`;
  const isPrivate = Object.values(EndpointAccess).some((one) => one === access && reachedPrivately(one));
  if (isPrivate && !isGiven(settings)) {
    const remedy = "write its type, PrivateLink or Swift, with the settings of that type";
    return [fault(path, `missing: ${String(access)} access needs it`, remedy)];
  }
  if (!isPrivate && isGiven(settings))
    return [fault(path, "is only valid with private access", "remove it, or make the access private")];
  return KINDS.flatMap(([type, key]) => {
    const given = isGiven(propertyOf(settings, key));
    const stated = propertyOf(settings, "type");
    if (typeof stated !== "string" || given === (stated === type)) return [];
    const problem = given ? `is only valid with the type ${type}` : `missing: type ${type} needs it`;
    return [fault(`${path}.${key}`, problem, given ? "remove it" : "write it")];
  });
}

const KINDS = [
  ["PrivateLink", "privateLink"],
  ["Swift", "swift"],
] as const;

/** Azure's managed service publishes OAuth by Route; only clusters with self-managed identities can use a load balancer. */
function oauthFaults(object: PropertyValue): ObjectFault[] {
  const mode = readText(object, IDENTITY_TYPE);
  if (mode === UNKNOWN || mode === "WorkloadIdentities") return [];
  const problem = "LoadBalancer is refused on Azure without the authentication type WorkloadIdentities";
  return balancedOauth(object).map((path) => fault(path, problem, "write Route"));
}

/** The places at which OAuth is published by LoadBalancer. */
const balancedOauth = (object: PropertyValue): string[] =>
  readEntries(readValue(object, PATH)).flatMap(({ entry, position }) =>
    propertyOf(entry, "service") === Service.OAuthServer &&
    readText(entry, "servicePublishingStrategy.type") === PublishingType.LoadBalancer
      ? [`${PATH}[${position}].servicePublishingStrategy.type`]
      : [],
  );

/**
 * The places of unknown values that decide whether services may be published as stated: the type of identities on Azure, and
 * the names of certificates.
 */
export function undecidedServices(object: PropertyValue): string[] {
  const isAzure = readText(object, "spec.platform.type") === Platform.Azure;
  return [
    ...(isAzure && balancedOauth(object).length > 0 ? read(object, IDENTITY_TYPE) : []),
    ...(balancerNames(object).length > 0 ? read(object, `${CERTIFICATES}[].names[]`) : []),
  ].flatMap(({ path, value }) => (value === UNKNOWN ? path : []));
}

const KUBEVIRT = "spec.platform.kubevirt";

/** Faults of the networks of a NodePool's machines beyond single fields. */
export const nodePoolNetworkFaults = (object: PropertyValue): ObjectFault[] => [
  ...defaultNetworkFaults(object),
  ...nameFaults(object),
  ...repeatedNetworkFaults(object),
  ...awsSubnetFaults(object),
];

/** The machines' subnet on AWS is found by its ID or by filters. */
function awsSubnetFaults(object: PropertyValue): ObjectFault[] {
  const path = `spec.${AWS_SUBNET}`;
  const subnet = readValue(object, path);
  const id = propertyOf(subnet, "id");
  const filters = propertyOf(subnet, "filters");
  if (!isMap(subnet) || id === UNKNOWN || filters === UNKNOWN) return [];
  const isId = typeof id === "string" && id.startsWith("subnet-");
  const problems = [
    { place: "filters", holds: isId && isGiven(filters), problem: "is refused beside the ID of a subnet" },
    {
      place: isGiven(id) ? "id" : "filters",
      holds: !isId && entriesOf(filters).length === 0,
      problem: isGiven(id) ? "does not begin with subnet-" : "missing: there is no ID of a subnet either",
    },
  ];
  const remedy = "write an id such as subnet-0a1b2c3d, or filters, but not both";
  return problems
    .filter(({ holds }) => holds)
    .map(({ place, problem }) => fault(`${path}.${place}`, problem, remedy, "ovn-subnet-invalid"));
}

/** Later versions of the API accept each network once; earlier ones give the machines one interface for each entry. */
function repeatedNetworkFaults(object: PropertyValue): ObjectFault[] {
  const names = new Set<PropertyValue>();
  return read(object, `${KUBEVIRT}.additionalNetworks[].name`).flatMap(({ path, value }) => {
    if (typeof value !== "string" || !names.has(value)) {
      names.add(value);
      return [];
    }
    const problem = "is already in the list, and later versions of the API refuse it";
    return [{ ...fault(path, problem, "name each network once", "ovn-subnet-invalid"), isWarning: true }];
  });
}

/** Later versions of the API require a namespace for each network; without it KubeVirt looks in the machines' namespace. */
const nameFaults = (object: PropertyValue): ObjectFault[] =>
  read(object, `${KUBEVIRT}.additionalNetworks[].name`).flatMap(({ path, value }) => {
    if (typeof value !== "string" || isNamespacedName(value)) return [];
    const problem = "is not a namespace and name, and later versions of the API refuse it";
    const remedy = "write namespace/name of the network attachment definition";
    return [{ ...fault(path, problem, remedy, "ovn-subnet-invalid"), isWarning: true }];
  });

/** A virtual machine without the default pod network needs another network. */
function defaultNetworkFaults(object: PropertyValue): ObjectFault[] {
  const path = `${KUBEVIRT}.attachDefaultNetwork`;
  const networks = readValue(object, `${KUBEVIRT}.additionalNetworks`);
  if (readFlag(object, path) !== false || networks === UNKNOWN || entriesOf(networks).length > 0) return [];
  const problem = "false leaves the machines without a network: additionalNetworks names none";
  const remedy = "name a network in additionalNetworks, or leave attachDefaultNetwork out";
  return [fault(path, problem, remedy, "ovn-subnet-invalid")];
}

/** Faults of the list of published services as a whole, and of what each strategy holds besides its type. */
export function serviceListFaults(object: PropertyValue): ObjectFault[] {
  const services = readValue(object, PATH);
  if (services === UNKNOWN || readValue(object, "spec") === UNKNOWN) return [];
  const platform = readText(object, "spec.platform.type");
  return [
    ...numberFaults(services, platform),
    ...missingServices(services, platform),
    ...repeatedServices(services, platform),
    ...entriesOf(services).flatMap((entry, position) => strategyFaults(`${PATH}[${position}]`, entry)),
    ...unpublishedFaults(services, platform),
    ...certificateFaults(object),
  ];
}

type Read = string | typeof UNKNOWN | undefined;

function numberFaults(services: PropertyValue | undefined, platform: Read): ObjectFault[] {
  const { min, minOnIbmCloud, max } = LIMIT.services;
  const least = platform === Platform.IBMCloud || platform === UNKNOWN ? minOnIbmCloud : min;
  const remedy = `write ${Object.values(Service).join(", ")}, each with its strategy`;
  if (!isGiven(services)) return [fault(PATH, "missing", remedy)];
  if (!isList(services)) return [fault(PATH, "is not a list", remedy)];
  const { length } = services;
  const entries = plural(length, "entry", "entries");
  if (length > max) return [fault(PATH, `has ${entries}, and at most ${max} are allowed`, remedy)];
  if (length >= least) return [];
  return [fault(PATH, `has ${entries}, and the API requires at least ${least}`, remedy)];
}

/** HyperShift publishes these four on every platform and reads them from the list; on IBM Cloud it does not publish them. */
function missingServices(services: PropertyValue | undefined, platform: Read): ObjectFault[] {
  if (!isList(services) || platform === Platform.IBMCloud || platform === UNKNOWN) return [];
  const named = services.map((entry) => (entry === UNKNOWN ? UNKNOWN : propertyOf(entry, "service")));
  if (named.includes(UNKNOWN)) return [];
  return Object.values(Service)
    .filter((service) => !named.includes(service))
    .map((service) =>
      fault(PATH, `does not state how ${service} is published`, `add an entry for ${service}`),
    );
}

/** The API accepts a service twice. */
const repeatedServices = (services: PropertyValue | undefined, platform: Read): ObjectFault[] =>
  listedServices(services).flatMap(({ entry, position, repeats }) =>
    repeats === undefined
      ? []
      : [
          {
            ...fault(
              `${PATH}[${position}].service`,
              `${shownText(propertyOf(entry, "service"))} is also in ${PATH}[${repeats}], and HyperShift reads only the first entry of a service: this one has no effect`,
              platform === Platform.IBMCloud
                ? "remove it"
                : "remove it before the cluster is created: the list can never change",
            ),
            isWarning: true,
          },
        ],
  );

/** Strategies that the API has for older services and that do not publish anything. */
const UNPUBLISHED = ["None", "S3"] as const;

/** HyperShift stops at a service that it must publish and that has no usable strategy; on IBM Cloud it does not publish. */
function unpublishedFaults(services: PropertyValue | undefined, platform: Read): ObjectFault[] {
  if (platform === Platform.IBMCloud || platform === UNKNOWN) return [];
  return readEntries(services).flatMap(({ entry, position }) => {
    const service = Object.values(Service).find((one) => one === propertyOf(entry, "service"));
    const stated = propertyOf(propertyOf(entry, "servicePublishingStrategy"), "type");
    const type = UNPUBLISHED.find((one) => one === stated);
    if (!service || !type) return [];
    const remedy = `write ${Object.values(PublishingType).join(", ")}, whichever the platform supports`;
    return [
      fault(
        `${PATH}[${position}].servicePublishingStrategy.type`,
        `${type} publishes nothing, and HyperShift stops at ${service}`,
        remedy,
      ),
    ];
  });
}

/** The part of a strategy that belongs to each type. */
const PARTS: Readonly<Record<string, string>> = {
  nodePort: "NodePort",
  route: "Route",
  loadBalancer: "LoadBalancer",
};

/** A strategy holds only the part of its own type; NodePort requires its part. */
function strategyFaults(at: string, entry: PropertyValue): ObjectFault[] {
  const strategy = propertyOf(entry, "servicePublishingStrategy");
  const type = propertyOf(strategy, "type");
  if (!isMap(strategy) || typeof type !== "string") return [];
  const path = `${at}.servicePublishingStrategy`;
  const foreign = Object.entries(PARTS).filter(([part, own]) => own !== type && isGiven(strategy[part]));
  const missing = type === "NodePort" && !isGiven(strategy.nodePort);
  return [
    ...foreign.map(([part, own]) =>
      fault(`${path}.${part}`, `is only valid with the type ${own}`, `remove it, or write type: ${own}`),
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

/** The API server's load balancer has a certificate that HyperShift manages and that no named certificate may replace. */
function certificateFaults(object: PropertyValue): ObjectFault[] {
  const names = balancerNames(object);
  return entriesOf(readValue(object, CERTIFICATES)).flatMap((certificate, position) =>
    entriesOf(propertyOf(certificate, "names")).some((name) => names.includes(name))
      ? [
          fault(
            `${CERTIFICATES}[${position}].names`,
            "contains the host name of the API server's load balancer, whose certificate HyperShift manages",
            "remove it there, or give the API server another host name",
          ),
        ]
      : [],
  );
}

/** The host names of the API server's load balancer. */
const balancerNames = (object: PropertyValue): PropertyValue[] =>
  entriesOf(readValue(object, PATH))
    .filter((entry) => propertyOf(entry, "service") === Service.APIServer)
    .map((entry) => readValue(entry, "servicePublishingStrategy.loadBalancer.hostname"))
    .filter(isFilled);
