import type { Fault } from "../fault";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import type { RawTopology } from "../topology/mergeTopology";
import { isGiven, isMap, propertyOf, type Place, type PropertyMap } from "../resources/read";
import { shownText } from "../objects/places";
import { noProxyEntries, noProxyFaults } from "../proxy/noProxy";
import { PROXY_SETTINGS, proxyUrlFaults } from "../proxy/settings";
import { valueAt } from "./additionalSpec";

const SUBNETS = ["internalJoinSubnet", "internalTransitSwitchSubnet"] as const;
const IPV4 = "operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig.ipv4";

/** What an OvnSubnetConfig says of a topology: UNKNOWN where its fragment is not known yet. */
export function subnetsOfFragment(fragment: PropertyValue | undefined): RawTopology {
  if (!isGiven(fragment)) return {};
  if (fragment === UNKNOWN) return Object.fromEntries(SUBNETS.map((name) => [name, UNKNOWN]));
  const ipv4 = valueAt(fragment, IPV4);
  return Object.fromEntries(
    SUBNETS.flatMap((name) => {
      const subnet = ipv4 === UNKNOWN ? UNKNOWN : propertyOf(ipv4, name);
      return isGiven(subnet) ? [[name, subnet] as const] : [];
    }),
  );
}

/** The faults of a fragment of subnets: another shape, and other subnets than the topology's own. */
export function subnetFragmentFaults(
  fragment: PropertyValue | undefined,
  topology: PropertyValue | undefined,
): Fault[] {
  if (!isGiven(fragment) || fragment === UNKNOWN) return [];
  const path = `ovnSubnets.${IPV4}`;
  if (!isMap(fragment) || !isGiven(valueAt(fragment, IPV4)))
    return [
      { path: "ovnSubnets", problem: "is no fragment", remedy: "give the fragment of an OvnSubnetConfig" },
    ];
  return SUBNETS.flatMap((name) => {
    const theirs = valueAt(fragment, `${IPV4}.${name}`);
    const own = propertyOf(topology, name);
    if (!isGiven(theirs) || !isGiven(own) || theirs === UNKNOWN || own === UNKNOWN || theirs === own)
      return [];
    const problem = `${shownText(theirs)} is not topology.${name}, which is ${shownText(own)}`;
    return [{ path: `${path}.${name}`, problem, remedy: "say it in one place, or the same in both" }];
  });
}

/** A fault of a topology at the place where its value was written. */
export function atFragment(
  fault: Fault,
  fragment: PropertyValue | undefined,
  topology: PropertyValue | undefined,
) {
  const moved = SUBNETS.find(
    (name) =>
      fault.path === `topology.${name}` &&
      !isGiven(propertyOf(topology, name)) &&
      isGiven(subnetsOfFragment(fragment)[name]),
  );
  return moved ? { ...fault, path: `ovnSubnets.${IPV4}.${moved}` } : fault;
}

const PROXY = "configuration.proxy";

/**
 * The faults of a ProxyConfig's fragment: another shape, wrong settings, and other settings than the topology's own. No
 * URL is ever shown.
 */
export function proxyFragmentFaults(
  fragment: PropertyValue | undefined,
  topology: PropertyValue | undefined,
): Fault[] {
  if (!isGiven(fragment) || fragment === UNKNOWN) return [];
  const proxy = valueAt(fragment, PROXY);
  if (!isMap(fragment) || !isGiven(proxy))
    return [{ path: "proxy", problem: "is no fragment", remedy: "give the fragment of a ProxyConfig" }];
  return [
    ...settingFaults(proxy, `proxy.${PROXY}`),
    ...otherSettingFaults(proxy, propertyOf(topology, "proxy")),
  ];
}

/** The faults of a topology's own proxy that only show where it becomes part of an object. */
export function ownProxyFaults(topology: PropertyValue | undefined): Fault[] {
  const proxy = propertyOf(topology, "proxy");
  if (!isMap(proxy)) return [];
  const none = ["httpProxy", "httpsProxy"].every((name) => !isGiven(proxy[name]));
  const path = "topology.proxy";
  return none
    ? [{ path, problem: "names neither httpProxy nor httpsProxy", remedy: "write at least one of the two" }]
    : settingFaults(proxy, path);
}

function settingFaults(proxy: PropertyValue, path: string): Fault[] {
  const place = (name: string): Place => ({ path: `${path}.${name}`, value: propertyOf(proxy, name) });
  return [
    ...proxyUrlFaults("httpProxy", place("httpProxy")),
    ...proxyUrlFaults("httpsProxy", place("httpsProxy")),
    ...noProxyFaults(place("noProxy")),
  ];
}

function otherSettingFaults(theirs: PropertyValue, own: PropertyValue | undefined): Fault[] {
  return PROXY_SETTINGS.flatMap((name) => {
    const given = propertyOf(theirs, name);
    const stated = propertyOf(own, name);
    if (!isGiven(stated) || stated === UNKNOWN || given === UNKNOWN || same(name, given, stated)) return [];
    return [
      {
        path: `proxy.${PROXY}.${name}`,
        problem: `is not topology.proxy.${name}`,
        remedy: "say it in one place, or the same in both",
      },
    ];
  });
}

/** Spaces between entries mean nothing. */
function same(name: string, a: PropertyValue | undefined, b: PropertyValue): boolean {
  if (name !== "noProxy") return a === b;
  const entries = (value: PropertyValue | undefined) => noProxyEntries({ path: "", value }).join();
  return entries(a) === entries(b);
}

/** What a topology's own proxy becomes in a spec. */
export function proxyOfTopology(topology: PropertyMap): {
  httpProxy?: string;
  httpsProxy?: string;
  noProxy?: string;
} {
  const proxy = propertyOf(topology, "proxy");
  return Object.fromEntries(
    PROXY_SETTINGS.flatMap((name) => {
      const value = propertyOf(proxy, name);
      return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
    }),
  );
}
