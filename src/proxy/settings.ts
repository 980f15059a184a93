import type { PropertyValue } from "../resources/resource";
import { isGiven, isMap, propertyOf, type Place } from "../objects/places";

/** What is known of the inputs of a ProxyConfig that the rules on proxies read. */
export interface ProxyInputs {
  /** The topology, whose `proxy` counts where the inputs beside it say nothing. */
  topology: PropertyValue | undefined;
  httpProxy?: PropertyValue | undefined;
  httpsProxy?: PropertyValue | undefined;
  /** A list of entries. */
  noProxy?: PropertyValue | undefined;
  trustedCa?: PropertyValue | undefined;
  trustedCaConfigMap?: PropertyValue | undefined;
}

/** The settings of a proxy, each where it was written. */
export interface ProxyPlaces {
  httpProxy: Place;
  httpsProxy: Place;
  /** A list, or a text with commas between entries. */
  noProxy: Place;
}

export const PROXY_SETTINGS = ["httpProxy", "httpsProxy", "noProxy"] as const;

/** Where each setting stands: beside the topology, or in it. */
export function proxyPlaces(inputs: ProxyInputs): ProxyPlaces {
  const stated = propertyOf(inputs.topology, "proxy");
  const place = (name: (typeof PROXY_SETTINGS)[number]): Place =>
    isGiven(inputs[name]) || !isGiven(propertyOf(stated, name))
      ? { path: name, value: inputs[name] }
      : { path: `topology.proxy.${name}`, value: propertyOf(stated, name) };
  return { httpProxy: place("httpProxy"), httpsProxy: place("httpsProxy"), noProxy: place("noProxy") };
}

/** The settings that are given twice. */
export function settingsGivenTwice(inputs: ProxyInputs): string[] {
  const stated = propertyOf(inputs.topology, "proxy");
  return PROXY_SETTINGS.filter((name) => isGiven(inputs[name]) && isGiven(propertyOf(stated, name)));
}

/** The topology without its proxy, whose rules are here: normalizing it would judge it a second time. */
export function withoutProxy(topology: PropertyValue | undefined): PropertyValue | undefined {
  if (!isMap(topology)) return topology;
  return Object.fromEntries(Object.entries(topology).filter(([key]) => key !== "proxy"));
}
