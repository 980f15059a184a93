import { readPrefix, withoutHostBits, type Prefix } from "../../address";
import { LIMIT } from "../../requirements/limits";
import { NetworkType } from "../../requirements/vocabulary";
import {
  entriesOf,
  holdsUnknown,
  isGiven,
  isList,
  propertyOf,
  readText,
  readValue,
} from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { NETWORK_RULE, readNetworks } from "../../topology/normalize/networks";
import { noFindings } from "../../topology/normalize/findings";
import type { ObjectFault } from "./fieldFaults";
import { ipv6MtuFaults } from "./networkFaults";

const OVN = "spec.defaultNetwork.ovnKubernetesConfig";

/** What settings of a Network object, the operator's or that of the cluster's configuration, demand of each other. */
export const networkObjectFaults = (object: PropertyValue): ObjectFault[] => [
  ...partFaults(object),
  ...familyFaults(object),
  ...ipv6MtuFaults(object, `${OVN}.mtu`, "spec.clusterNetwork", LIMIT.operatorMtu),
  ...ipsecFaults(object),
  ...advertisementFaults(object),
];

/** Each range of pods by the rules that a HostedCluster's has: a part for each node. */
function partFaults(object: PropertyValue): ObjectFault[] {
  const types = ["spec.defaultNetwork.type", "spec.networkType"].map((path) => readText(object, path));
  if (types.includes(UNKNOWN)) return [];
  const networkType = types.find((type) => type !== undefined) ?? NetworkType.OVNKubernetes;
  return entriesOf(readValue(object, "spec.clusterNetwork")).flatMap((entry, position) => {
    const hostPrefix = propertyOf(entry, "hostPrefix");
    if (typeof hostPrefix !== "number" || hostPrefix === 0) return [];
    const findings = noFindings("");
    readNetworks(findings, { networkType, clusterNetwork: [entry], serviceNetwork: UNKNOWN });
    return findings.faults
      .filter(({ path }) => path.endsWith(".hostPrefix"))
      .map(({ problem, remedy }) => ({
        path: `spec.clusterNetwork[${position}].hostPrefix`,
        problem,
        remedy,
        rule: NETWORK_RULE,
      }));
  });
}

/** Services have one range of a family at most, and the families of the pods. */
function familyFaults(object: PropertyValue): ObjectFault[] {
  const path = "spec.serviceNetwork";
  const services = prefixesOf(readValue(object, path), (entry) => entry);
  const pods = prefixesOf(readValue(object, "spec.clusterNetwork"), (entry) => propertyOf(entry, "cidr"));
  if (!services) return [];
  const families = familiesOf(services);
  if (families.size < services.length)
    return [
      {
        path,
        problem: `has ${services.length} entries of ${families.size === 1 ? "one family" : "two families"}`,
        remedy: "write at most one entry of each family",
        rule: NETWORK_RULE,
      },
    ];
  if (!pods || isSame(familiesOf(pods), families)) return [];
  return [
    {
      path,
      problem: "the cluster network and the service network are not of the same families",
      remedy: "write both families in both lists, or one in both",
      rule: NETWORK_RULE,
    },
  ];
}

/** The blocks of a list that is there and known as a whole. */
function prefixesOf(
  list: PropertyValue | undefined,
  blockOf: (entry: PropertyValue) => PropertyValue | undefined,
): Prefix[] | undefined {
  if (!isList(list) || list.length === 0 || holdsUnknown(list)) return undefined;
  const prefixes = list.map((entry) => {
    const text = withoutHostBits(blockOf(entry));
    return typeof text === "string" ? readPrefix(text) : undefined;
  });
  return prefixes.every(isGiven) ? prefixes : undefined;
}

const familiesOf = (prefixes: readonly Prefix[]): Set<number> =>
  new Set(prefixes.map(({ family }) => family));
const isSame = (one: Set<number>, other: Set<number>): boolean =>
  one.size === other.size && [...one].every((family) => other.has(family));

/** How IPsec packs its packets is a setting of the mode that encrypts everything. */
function ipsecFaults(object: PropertyValue): ObjectFault[] {
  const path = `${OVN}.ipsecConfig.full`;
  const mode = readValue(object, `${OVN}.ipsecConfig.mode`);
  if (!isGiven(readValue(object, path)) || mode === UNKNOWN || mode === "Full") return [];
  return [
    { path, problem: "is only valid with the mode Full", remedy: "write mode: Full, or leave it out", rule },
  ];
}

const rule = "ovn-subnet-invalid";

/** Routes are advertised by FRR, which has to be there. */
function advertisementFaults(object: PropertyValue): ObjectFault[] {
  const path = `${OVN}.routeAdvertisements`;
  const capabilities = readValue(object, "spec.additionalRoutingCapabilities");
  if (readText(object, path) !== "Enabled" || holdsUnknown(capabilities)) return [];
  if (entriesOf(propertyOf(capabilities, "providers")).includes("FRR")) return [];
  return [
    {
      path,
      problem: "is refused without FRR in spec.additionalRoutingCapabilities.providers",
      remedy: "write providers: [FRR] there, or leave it out",
      rule,
    },
  ];
}
