import type { Fault } from "../fault";
import { internalSubnet, internalSubnetProperties } from "../requirements/internalSubnets";
import { LIMIT } from "../requirements/limits";
import { NetworkType } from "../requirements/vocabulary";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import type { HostedClusterTopology, ProxySettings } from "../topology/hostedClusterTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { isGiven, isMap, type Place, propertyOf } from "../resources/read";
import { shownText } from "../objects/places";
import { inputFaults, number, plain } from "../objects/shape";
import type { RawTopology } from "../topology/topologyOfHostedCluster";
import { noProxyEntries, noProxyFaults } from "../proxy/noProxy";
import { PROXY_SETTINGS, proxyUrlFaults } from "../proxy/settings";
import { valueAt } from "./additionalSpec";
import { PROXY_URLS } from "../topology/proxy/apiProxy";

/** `ovnKubernetesConfig` of a HostedCluster. */
export interface HostedClusterOvnConfig {
  ipv4?: Record<string, string>;
  ipv6?: Record<string, string>;
  v4InternalSubnet?: string;
  v6InternalSubnet?: string;
  mtu?: number;
}

/** The OVN-Kubernetes settings of a topology; undefined if it has none, because an empty object is refused. */
export function ovnKubernetesConfig(
  topology: NormalizedTopology,
  mtu: number | undefined,
): HostedClusterOvnConfig | undefined {
  const config: Record<string, unknown> = {};
  for (const property of internalSubnetProperties) {
    const prefix = topology[property];
    if (prefix) put(config, internalSubnet(property).field, prefix.text);
  }
  if (mtu !== undefined) config.mtu = mtu;
  return Object.keys(config).length > 0 ? config : undefined;
}

function put(into: Record<string, unknown>, [first, ...rest]: readonly string[], value: unknown): void {
  if (first === undefined) return;
  if (rest.length === 0) into[first] = value;
  else put((into[first] ??= {}) as Record<string, unknown>, rest, value);
}

const { min, max } = LIMIT.mtu;
const mtuShape = plain(
  number({ range: { min, max } }),
  `write a whole number from ${min} to ${max}, not as an Output`,
);

/** Faults of an MTU from the inputs, judged by itself. */
export function mtuFaults(mtu: PropertyValue | undefined, networkType: NetworkType): Fault[] {
  if (!isGiven(mtu) || networkType === NetworkType.OVNKubernetes)
    return inputFaults({ mtu: mtuShape }, { mtu });
  const problem = `a network of type ${networkType} has no such setting`;
  return [{ path: "mtu", problem, remedy: "leave it out" }];
}

const SUBNETS = ["internalJoinSubnet", "internalTransitSwitchSubnet"] as const;
const IPV4 = "operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig.ipv4";

/** The topology properties that an OvnSubnetConfig sets; UNKNOWN for those that its fragment does not state yet. */
export function subnetsOfFragment(fragment: PropertyValue | undefined): RawTopology {
  return Object.fromEntries(
    SUBNETS.flatMap((name) => {
      const subnet = valueAt(fragment, `${IPV4}.${name}`);
      return isGiven(subnet) ? [[name, subnet] as const] : [];
    }),
  );
}

/** Faults of a subnet fragment: a wrong shape, or subnets that differ from the topology's own. */
export function subnetFragmentFaults(
  fragment: PropertyValue | undefined,
  topology: PropertyValue | undefined,
): Fault[] {
  const ipv4 = valueAt(fragment, IPV4);
  if (!isGiven(fragment) || ipv4 === UNKNOWN) return [];
  const path = `ovnSubnets.${IPV4}`;
  if (!isMap(ipv4))
    return [
      { path: "ovnSubnets", problem: "is not a fragment", remedy: "use the fragment of an OvnSubnetConfig" },
    ];
  return SUBNETS.flatMap((name) => {
    const theirs = ipv4[name];
    const own = propertyOf(topology, name);
    if (!isGiven(theirs) || !isGiven(own) || theirs === UNKNOWN || own === UNKNOWN || theirs === own)
      return [];
    const problem = `${shownText(theirs)} is not topology.${name}, which is ${shownText(own)}`;
    return [{ path: `${path}.${name}`, problem, remedy: "state it in one place, or the same value in both" }];
  });
}

/** Moves a fault of the topology to the input in which its value was written. */
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
 * Faults of a ProxyConfig's fragment: a wrong shape, wrong settings, or settings that differ from the topology's own. No URL is ever shown.
 */
export function proxyFragmentFaults(
  fragment: PropertyValue | undefined,
  topology: PropertyValue | undefined,
): Fault[] {
  const proxy = valueAt(fragment, PROXY);
  if (!isGiven(fragment) || proxy === UNKNOWN) return [];
  if (!isMap(proxy))
    return [{ path: "proxy", problem: "is not a fragment", remedy: "use the fragment of a ProxyConfig" }];
  return [
    ...settingFaults(proxy, `proxy.${PROXY}`),
    ...otherSettingFaults(proxy, propertyOf(topology, "proxy")),
  ];
}

/** Faults of a topology's own proxy that only show when it becomes part of an object. */
export function ownProxyFaults(topology: PropertyValue | undefined): Fault[] {
  const proxy = propertyOf(topology, "proxy");
  if (!isMap(proxy)) return [];
  const none = PROXY_URLS.every((name) => !isGiven(proxy[name]));
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
        remedy: "state it in one place, or the same value in both",
      },
    ];
  });
}

/** Whether two settings are the same; spaces between the entries of `noProxy` have no meaning. */
function same(name: string, a: PropertyValue | undefined, b: PropertyValue): boolean {
  if (name !== "noProxy") return a === b;
  const entries = (value: PropertyValue | undefined) => noProxyEntries({ path: "", value }).join();
  return entries(a) === entries(b);
}

/** The proxy settings of a spec, from the topology's own proxy: values as they are, known or not. */
export const proxyOfTopology = ({ proxy = {} }: Pick<HostedClusterTopology, "proxy">): ProxySettings =>
  Object.fromEntries(
    PROXY_SETTINGS.flatMap((name) => {
      const value = proxy[name];
      return isGiven(value) && value !== "" ? [[name, value] as const] : [];
    }),
  );
