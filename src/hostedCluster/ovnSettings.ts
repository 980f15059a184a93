import type { Fault } from "../fault";
import { internalSubnet, internalSubnetProperties } from "../requirements/internalSubnets";
import { LIMIT } from "../requirements/limits";
import { NetworkType } from "../requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { isGiven } from "../resources/read";
import { shownText } from "../objects/places";

/** `ovnKubernetesConfig` of a HostedCluster. */
export interface OvnKubernetesConfig {
  ipv4?: Record<string, string>;
  ipv6?: Record<string, string>;
  v4InternalSubnet?: string;
  v6InternalSubnet?: string;
  mtu?: number;
}

/** The settings of OVN-Kubernetes that a topology says; undefined where it says none, because an empty object is refused. */
export function ovnKubernetesConfig(
  topology: NormalizedTopology,
  mtu: number | undefined,
): OvnKubernetesConfig | undefined {
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

/** What an MTU is that stands beside the topology, for itself. */
export function mtuFaults(mtu: PropertyValue | undefined, networkType: NetworkType): Fault[] {
  if (!isGiven(mtu)) return [];
  const { min, max } = LIMIT.mtu;
  if (networkType !== NetworkType.OVNKubernetes)
    return [
      {
        path: "mtu",
        problem: `a network of type ${networkType} has no such setting`,
        remedy: "leave it out",
      },
    ];
  return wholeNumberFaults("mtu", mtu, min, max);
}

function wholeNumberFaults(path: string, value: PropertyValue, min: number, max: number): Fault[] {
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return [];
  const shown = value === UNKNOWN ? "an Output" : shownText(value);
  const plain = value === UNKNOWN ? ", not as an Output" : "";
  return [
    {
      path,
      problem: `${shown} is no such number`,
      remedy: `write a whole number from ${min} to ${max}${plain}`,
    },
  ];
}
