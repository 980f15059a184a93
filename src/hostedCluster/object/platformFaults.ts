import { reachedPrivately } from "../../requirements/platforms";
import { EndpointAccess, Platform, Service } from "../../requirements/vocabulary";
import { entriesOf, isGiven, propertyOf, read, readFlag, readText, readValue } from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import type { ObjectFault } from "./fieldFaults";
import { isNamespacedName } from "../../requirements/hostedCluster";

const AZURE = "spec.platform.azure";
const rule = "publishing-unsupported";

/** What Azure demands of private access and of OAuth. */
export function azureFaults(object: PropertyValue): ObjectFault[] {
  if (readText(object, "spec.platform.type") !== Platform.Azure) return [];
  return [...privateFaults(object), ...oauthFaults(object)];
}

/** The settings of private access go with private access, and each kind of it has its own. */
function privateFaults(object: PropertyValue): ObjectFault[] {
  const access = readText(object, `${AZURE}.topology`);
  const settings = readValue(object, `${AZURE}.private`);
  if (access === UNKNOWN || settings === UNKNOWN || readValue(object, AZURE) === UNKNOWN) return [];
  const path = `${AZURE}.private`;
  const isPrivate = Object.values(EndpointAccess).some((one) => one === access && reachedPrivately(one));
  if (isPrivate && !isGiven(settings))
    return [
      {
        path,
        problem: `missing: ${String(access)} access needs it`,
        remedy: "write its type, PrivateLink or Swift, with the settings of that type",
        rule,
      },
    ];
  if (!isPrivate && isGiven(settings))
    return [
      {
        path,
        problem: "is only valid with private access",
        remedy: "take it out, or make the access private",
        rule,
      },
    ];
  return KINDS.flatMap(([type, key]) => {
    const given = isGiven(propertyOf(settings, key));
    const stated = propertyOf(settings, "type");
    if (typeof stated !== "string" || given === (stated === type)) return [];
    const problem = given ? `is only valid with the type ${type}` : `missing: type ${type} needs it`;
    const remedy = given ? "take it out" : "write it";
    return [{ path: `${path}.${key}`, problem, remedy, rule } as const];
  });
}

const KINDS = [
  ["PrivateLink", "privateLink"],
  ["Swift", "swift"],
] as const;

/** Azure's managed service publishes OAuth by Route; only who manages the cluster's identities himself has a load balancer. */
function oauthFaults(object: PropertyValue): ObjectFault[] {
  const mode = readText(object, `${AZURE}.azureAuthenticationConfig.azureAuthenticationConfigType`);
  if (mode === UNKNOWN || mode === "WorkloadIdentities") return [];
  return entriesOf(readValue(object, "spec.services")).flatMap((entry, position) => {
    const isOauth = propertyOf(entry, "service") === Service.OAuthServer;
    if (!isOauth || readText(entry, "servicePublishingStrategy.type") !== "LoadBalancer") return [];
    return [
      {
        path: `spec.services[${position}].servicePublishingStrategy.type`,
        problem: "LoadBalancer is refused on Azure without the authentication type WorkloadIdentities",
        remedy: "write Route",
        rule,
      } as const,
    ];
  });
}

const KUBEVIRT = "spec.platform.kubevirt";

/** What the networks of a NodePool's machines demand beyond their fields. */
export const nodePoolNetworkFaults = (object: PropertyValue): ObjectFault[] => [
  ...defaultNetworkFaults(object),
  ...nameFaults(object),
];

/** Later versions of the API take no network without its namespace; KubeVirt looks for one in that of the machines. */
const nameFaults = (object: PropertyValue): ObjectFault[] =>
  read(object, `${KUBEVIRT}.additionalNetworks[].name`).flatMap(({ path, value }) =>
    typeof value !== "string" || isNamespacedName(value)
      ? []
      : [
          {
            path,
            problem: "is no namespace and name, and later versions of the API refuse it",
            remedy: "write namespace/name of the network attachment definition",
            rule: "ovn-subnet-invalid",
            isWarning: true,
          } as const,
        ],
  );

/** A virtual machine without the default pod network needs another one. */
function defaultNetworkFaults(object: PropertyValue): ObjectFault[] {
  const path = `${KUBEVIRT}.attachDefaultNetwork`;
  const networks = readValue(object, `${KUBEVIRT}.additionalNetworks`);
  if (readFlag(object, path) !== false || networks === UNKNOWN || entriesOf(networks).length > 0) return [];
  return [
    {
      path,
      problem: "false leaves the machines without a network: additionalNetworks names none",
      remedy: "name a network in additionalNetworks, or leave attachDefaultNetwork out",
      rule: "ovn-subnet-invalid",
    },
  ];
}
