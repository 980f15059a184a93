import { firstStated, networksByCluster, networksOfGuest } from "../addressRanges/inventory";
import { DefaultJoin, defaultJoin } from "../addressRanges/userNetworks";
import { onceForEach } from "../collections";
import type { Fault } from "../fault";
import { hybridObjectFaults, vxlanPortNumberFaults, vxlanPortPlatformFaults } from "./hybridOverlay";
import { unsupportedEncapsulationFaults, unsupportedModeFaults } from "./ipsec";
import {
  atInstallationFaults,
  configuredCluster,
  isInstallManifest,
  type OperatedCluster,
  type SurroundingInputs,
  surroundingRanges,
} from "./network";
import { OCP_4_7_OVN, OCP_OVN, OVN_KUBERNETES, at } from "../requirements/documents";
import { isList, type Place, read, readValue } from "../resources/read";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { isNetwork, isNetworkOperator } from "../resources/resourceTypes";
import type { JudgedResources } from "../gate/judgedResources";
import { objectFaults } from "../gate/clusterFaults";
import { Level, unknown, violated, type Judgement, type Rule } from "../gate/rule";
import {
  customVxlanPort,
  HYBRID_OVERLAY_SINCE,
  IPSEC_SINCE,
  IpsecMode,
} from "../requirements/networkOperator";
import { operatorSubnets } from "../requirements/internalSubnets";
import { PORT } from "../requirements/ports";
import { mayRunOn } from "../requirements/platforms";
import { formatRelease, type Since } from "../requirements/release";
import { placesOf, type JudgedCluster } from "../gate/clusters";
import { guestCluster, guestInputs } from "../gate/guestCluster";

/** The path of the settings of OVN-Kubernetes in the Network operator's object. */
export const OVN_CONFIG = "spec.defaultNetwork.ovnKubernetesConfig";

/** The path of the port of Geneve, which has a default. */
export const GENEVE_PORT = `${OVN_CONFIG}.genevePort`;

const HYBRID_CONFIG = `${OVN_CONFIG}.hybridOverlayConfig`;
const HYBRID_NETWORK = `${HYBRID_CONFIG}.hybridClusterNetwork`;
const HYBRID_SINCE = HYBRID_OVERLAY_SINCE.runningCluster;

/** Reports additional overlay networks that are invalid or overlap another network. */
export const hybridOverlayOverlap: Rule = {
  id: "hybrid-overlay-overlap",
  title: "Hybrid overlay network is invalid or overlaps another network",
  level: Level.Error,
  description:
    "Reports hybridClusterNetwork of Network operators if it is not a range, or more than one, or if it overlaps the cluster, service or machine network or a range that OVN-Kubernetes uses internally: the subnets that the object states, and the defaults of the others. The default join subnet of user-defined networks counts if the input has a primary network that uses it.",
  details: [
    "The networks are those of the Network objects of its cluster, or those of the only hosted cluster of the stack. The network operator accepts any range; OVN-Kubernetes then fails to start, or packets are lost, and the range is immutable.",
    `Also reports hybridOverlayConfig if the release of the only hosted cluster of the stack is older than ${formatRelease(HYBRID_SINCE.release)}: such a release accepts it at installation, and refuses it on a running cluster. A manifest with the file name that openshift-install expects is not judged for that.`,
    "If a cluster is not hosted, nothing states the release: it is counted as unknown.",
  ],
  documents: [...HYBRID_SINCE.documents, at(OVN_KUBERNETES, "go-controller/pkg/config/config.go")],
  remediation: "Choose a range that nothing else uses; it can never change.",
  single: isNetworkOperator,
  judge: (judged) =>
    networkOperators(judged, HYBRID_CONFIG).flatMap((operator) => {
      const guest = operatorCluster(judged, operator.resource);
      return [
        ...judgeDayTwo(operator, guest, HYBRID_CONFIG, "hybrid networking", HYBRID_SINCE),
        ...judgeRanges(judged, operator, guest),
      ];
    }),
};

function judgeRanges(
  judged: JudgedResources,
  { resource, value }: WrittenOperator,
  { hosted, cluster }: OperatorCluster,
): Judgement[] {
  const hybrid = value(HYBRID_NETWORK);
  if (hybrid === undefined || (isList(hybrid) && hybrid.length === 0)) return [];
  const blocks = (path: string): PropertyValue => statedBlocks(judged, resource, path);
  const stated: SurroundingInputs = {
    clusterNetwork: blocks("spec.clusterNetwork[].cidr"),
    serviceNetwork: blocks("spec.serviceNetwork[]"),
    // A cluster whose object does not state its machine network need not have the installer's.
    machineNetwork: UNKNOWN,
  };
  const { use, unknown: undecided } = defaultJoin(judged);
  const ovnConfig = value(OVN_CONFIG);
  const faults = (withFeatures: boolean) => {
    const { ranges } = surroundingRanges(cluster, hosted ? {} : stated, { ovnConfig, withFeatures });
    return hybridObjectFaults({ path: HYBRID_NETWORK, value: hybrid }, ranges);
  };
  const found = faults(use === DefaultJoin.Taken);
  const mayOverlap = use === DefaultJoin.Unknown && faults(true).length > found.length;
  const pending = read(resource.properties, `${HYBRID_NETWORK}[].cidr`).find(
    (each) => each.value === UNKNOWN,
  );
  const isBlind = !hosted && stated.clusterNetwork === UNKNOWN;
  const reason = "the networks of the cluster that contains it";
  return [
    ...objectFaults(resource, found),
    ...(mayOverlap ? undecided.map((place) => unknown({ ...place, reason: JOINS })) : []),
    ...(pending
      ? [unknown({ resource, path: pending.path })]
      : isBlind
        ? [unknown({ resource, path: HYBRID_NETWORK, reason })]
        : hiddenSubnets(resource)),
  ];
}

const JOINS =
  "whether a user-defined network uses addresses of the hybrid overlay network for its join subnet";

/** The internal subnets of an object that are not known yet: the hybrid overlay network may overlap them. */
function hiddenSubnets(resource: Resource): Judgement[] {
  const paths = operatorSubnets
    .flatMap(({ field }) => read(resource.properties, `${OVN_CONFIG}.${field}`))
    .flatMap(({ path, value }) => (value === UNKNOWN ? path : []));
  return [...new Set(paths)].map((path) => unknown({ resource, path }));
}

/** The blocks of a network as the Network objects of the operator's cluster state them; UNKNOWN if none does. */
function statedBlocks(judged: JudgedResources, operator: Resource, path: string): PropertyValue {
  const objects = objectsOf(judged).get(operator) ?? [operator];
  const found = firstStated(objects, path).map(({ value }) => value);
  return found.length === 0 ? UNKNOWN : found;
}

/** The Network objects of the cluster of each Network object. */
const objectsOf = onceForEach(
  (judged: JudgedResources) =>
    new Map(
      networksByCluster(judged.ofKind(isNetwork)).flatMap((objects) => objects.map((one) => [one, objects])),
    ),
);

/** The path of the port in a Network operator's object. */
const HYBRID_PORT = `${HYBRID_CONFIG}.hybridOverlayVXLANPort`;

/** Reports custom VXLAN ports that nodes use for something else. */
export const hybridOverlayPort: Rule = {
  id: "hybrid-overlay-port",
  title: "Hybrid overlay VXLAN port is already in use",
  level: Level.Error,
  description: `Reports hybridOverlayVXLANPort of Network operators if it is not a UDP port, or is the default port of VXLAN or the port of Geneve (genevePort, ${PORT.geneve} if unset), which nodes already use. Also reports a genevePort that is the default port of VXLAN, if the overlay network has no custom port. The network operator checks none of them.`,
  documents: [
    at(OCP_4_7_OVN, "15.15.1. Configuring hybrid networking with OVN-Kubernetes"),
    at(OCP_OVN, "Configuring hybrid networking"),
  ],
  remediation: "Choose a free UDP port, such as 9898.",
  single: isNetworkOperator,
  judge: (judged) => [
    ...networkOperators(judged, HYBRID_PORT).flatMap(judgePort),
    ...networkOperators(judged, HYBRID_CONFIG).flatMap(judgeUsualPort),
  ],
};

function judgePort({ resource, value }: WrittenOperator): Judgement[] {
  const port = value(HYBRID_PORT);
  if (port === UNKNOWN) return [unknown({ resource, path: HYBRID_PORT })];
  const faults = vxlanPortNumberFaults({ path: HYBRID_PORT, value: port }, value(OVN_CONFIG));
  if (faults.length === 0 && value(GENEVE_PORT) === UNKNOWN)
    return [unknown({ resource, path: GENEVE_PORT })];
  return objectFaults(resource, faults);
}

/** Judges a port of Geneve that is the usual one of VXLAN, which an overlay network without its own port uses. */
function judgeUsualPort({ resource, value }: WrittenOperator): Judgement[] {
  if (value(HYBRID_PORT) !== undefined) return [];
  if (value(GENEVE_PORT) === UNKNOWN) return [unknown({ resource, path: GENEVE_PORT })];
  if (value(GENEVE_PORT) !== PORT.vxlan) return [];
  const message = `${PORT.vxlan} is also the port of VXLAN in the hybrid overlay network, which states no other`;
  return [
    violated({
      resource: resource.origin,
      path: GENEVE_PORT,
      message,
      fix: `leave it out, or choose another UDP port than ${PORT.vxlan}`,
    }),
  ];
}

const { platforms: WITH_PORT, documents } = customVxlanPort;

/** Reports custom VXLAN ports on a platform that does not support them. */
export const hybridOverlayPlatform: Rule = {
  id: "hybrid-overlay-platform",
  title: "Custom VXLAN port is not supported on the platform",
  level: Level.Error,
  description: `Reports hybridOverlayVXLANPort of Network operators if the only hosted cluster of the stack runs on a platform other than ${WITH_PORT.join(", ")}. It is for Windows nodes of versions other than Windows Server 2019; no object states the version. If a cluster is not hosted, or its machines are created elsewhere, nothing states the platform: it is counted as unknown.`,
  documents,
  remediation: `Leave hybridOverlayVXLANPort out if nodes do not run on ${WITH_PORT.join(", ")}.`,
  judge: (judged) =>
    networkOperators(judged, HYBRID_PORT).flatMap((operator) => judgePlatform(judged, operator)),
};

function judgePlatform(judged: JudgedResources, { resource, value }: WrittenOperator): Judgement[] {
  // Any port is refused. If the object around it is unknown, there may be none.
  if (value(HYBRID_CONFIG) === UNKNOWN) return [unknown({ resource, path: HYBRID_CONFIG })];
  const { cluster } = operatorCluster(judged, resource);
  const { topology, platform } = cluster;
  const reason = "the platform of the nodes of the cluster that contains it";
  if (!topology || WITH_PORT.some((one) => mayRunOn(topology.platform, one)))
    return [unknown({ resource, path: HYBRID_PORT, reason })];
  const faults = vxlanPortPlatformFaults(HYBRID_PORT, platform);
  return objectFaults(
    resource,
    faults.map((fault) => ({ ...fault, remedy: "leave it out" })),
  );
}

const IPSEC_CONFIG = `${OVN_CONFIG}.ipsecConfig`;
const [MODES, RUNNING, ENCAPSULATION] = (["mode", "runningCluster", "encapsulation"] as const).map((part) =>
  formatRelease(IPSEC_SINCE[part].release),
);

/** Reports IPsec in a form that the cluster does not accept, or does not have. */
export const ipsecDayTwo: Rule = {
  id: "ipsec-day-two",
  title: "IPsec setting is not supported by the cluster",
  level: Level.Error,
  description: `Reports ipsecConfig of Network operators if the release of the only hosted cluster of the stack is older than ${RUNNING}. Such a release accepts it at installation, and refuses it on a running cluster.`,
  details: [
    `Also reports what that cluster does not have: a mode other than Full before release ${MODES}, which drops the mode and turns IPsec on; the encapsulation before release ${ENCAPSULATION}; and the mode External in any release.`,
    "A manifest with the file name that openshift-install expects is not judged. If a cluster is not hosted, nothing states the release: it is counted as unknown.",
  ],
  documents: [
    ...IPSEC_SINCE.runningCluster.documents,
    ...IPSEC_SINCE.mode.documents,
    ...IPSEC_SINCE.encapsulation.documents,
  ],
  remediation:
    "Write it into the installation's manifests, leave out what the cluster does not have, or upgrade first.",
  judge: (judged) =>
    networkOperators(judged, IPSEC_CONFIG).flatMap((operator) => judgeIpsec(judged, operator)),
};

function judgeIpsec(judged: JudgedResources, operator: WrittenOperator): Judgement[] {
  const { resource, value } = operator;
  const guest = operatorCluster(judged, resource);
  const { cluster } = guest;
  if (!cluster.running) return [];
  const placeOf = (path: string): Place => ({ path, value: value(path) });
  const mode = placeOf(`${IPSEC_CONFIG}.mode`);
  // Every cluster that was installed with modes states that it is off.
  const isOff = !cluster.release && mode.value === IpsecMode.Disabled;
  return [
    ...(isOff ? [] : judgeDayTwo(operator, guest, IPSEC_CONFIG, "IPsec", IPSEC_SINCE.runningCluster)),
    ...settingFaults(operator, [
      ...unsupportedModeFaults(mode, "ipsecConfig", cluster),
      ...unsupportedEncapsulationFaults(placeOf(`${IPSEC_CONFIG}.full.encapsulation`), cluster),
    ]),
    ...(cluster.hosted && mode.value === UNKNOWN ? [unknown({ resource, path: mode.path })] : []),
  ];
}

/** Judges a setting that older releases accept only at installation. */
function judgeDayTwo(
  operator: WrittenOperator,
  { cluster, hosted }: OperatorCluster,
  path: string,
  what: string,
  since: Since,
): Judgement[] {
  if (!cluster.running) return [];
  const reason = `whether the release of its cluster is ${formatRelease(since.release)} or newer`;
  const because = hosted ? placesOf(hosted, "release") : [];
  if (!cluster.release) return [unknown({ resource: operator.resource, path, reason, because })];
  return settingFaults(operator, atInstallationFaults(cluster, path, what, since));
}

/** Judgements for faults of settings that are refused, whatever they say. If the object around one is unknown, there may be none. */
const settingFaults = ({ resource, value }: WrittenOperator, faults: readonly Fault[]): Judgement[] =>
  faults.flatMap((fault) => {
    const around = fault.path.slice(0, fault.path.lastIndexOf("."));
    return value(around) === UNKNOWN ? unknown({ resource, path: around }) : objectFaults(resource, [fault]);
  });

/** The settings of a Network operator, or a patch on them. */
export interface WrittenOperator {
  resource: Resource;
  /** The value at a path. */
  value: (path: string) => PropertyValue | undefined;
}

/** The settings of Network operators. With a path, only those that have a value there. */
export const networkOperators = (judged: JudgedResources, path?: string): WrittenOperator[] =>
  judged.ofKind(isNetworkOperator).flatMap((resource) => {
    const value = (at: string) => readValue(resource.properties, at);
    return path !== undefined && value(path) === undefined ? [] : [{ resource, value }];
  });

/** The cluster in which a Network operator runs: the only hosted cluster that the stack names. */
export interface OperatorCluster {
  hosted: JudgedCluster | undefined;
  cluster: OperatedCluster;
}

/**
 * Returns what is known about that cluster: nothing if a Network object beside this one is not inside it. A manifest with the
 * installer's file name configures a cluster that does not run yet, and a setting in a running cluster may be there since its
 * installation.
 */
function operatorCluster(judged: JudgedResources, resource: Resource): OperatorCluster {
  const isOld = isInstallManifest(resource) || resource.origin.live !== undefined;
  const objects = objectsOf(judged).get(resource);
  const isInside = objects !== undefined && networksOfGuest(judged).has(objects);
  const inputs = isInside ? guestInputs(judged) : {};
  const hosted = isInside ? guestCluster(judged) : undefined;
  return { hosted, cluster: configuredCluster({ ...inputs, ...(isOld && { fragmentOnly: true }) }) };
}
