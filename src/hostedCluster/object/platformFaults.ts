import { reachedPrivately } from "../../requirements/platforms";
import { EndpointAccess, Platform, Service } from "../../requirements/vocabulary";
import { readText, readValue } from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { entriesOf, isGiven, propertyOf } from "../../objects/places";
import type { ObjectFault } from "./fieldFaults";

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
        problem: `missing: topology ${String(access)} needs it`,
        remedy: "write its type, PrivateLink or Swift, with the settings of that type",
        rule,
      },
    ];
  if (!isPrivate && isGiven(settings))
    return [
      { path, problem: "goes with private access alone", remedy: "take it out, or write topology", rule },
    ];
  return KINDS.flatMap(([type, key]) => {
    const given = isGiven(propertyOf(settings, key));
    const stated = propertyOf(settings, "type");
    if (typeof stated !== "string" || given === (stated === type)) return [];
    const problem = given ? `goes with the type ${type} alone` : `missing: type ${type} needs it`;
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
