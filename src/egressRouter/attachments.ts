import type { Fault } from "../fault";
import { violated, violatedBy, unknown, describeResource, type Judgement } from "../gate/rule";
import type { JudgedResources } from "../gate/judgedResources";
import { namesIn } from "../gate/clusterFaults";
import { guestInputs, guestScope } from "../gate/guestCluster";
import { BITS } from "../address";
import { parseAddress } from "../address/parse";
import { type ClusterInputs, egressCluster, isOlder } from "../objects/egressCluster";
import { shownText } from "../objects/places";
import type { NameOf } from "../objects/shape";
import { EGRESS_SINCE } from "../requirements/egressSupport";
import { formatRelease, type Release } from "../requirements/release";
import { annotationOf, isPod, makesPods, podSpecOf, textAt } from "../resources/kubernetesObject";
import { entriesOf, isGiven, readNumber, readText, readValue, stepTo, type Place } from "../resources/read";
import { areOneObject } from "../resources/oneObject";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { isNetworkAttachment } from "../resources/resourceTypes";
import { EgressRouterForm, MacvlanMode, OPERATOR_NAMES } from "./egressRouter";
import { judgeEgressRouter } from "./judge";
import { attachmentsIn, isBrokenRouterConfig, NETWORKS_ANNOTATION, routerPluginIn } from "./surroundings";

/** The path of the plug-in configuration in a network attachment, as a text. */
const CONFIG = "spec.config";
const DESTINATIONS = "ip.destinations";

/** A network attachment that turns pods which request it into egress routers. */
export interface RouterAttachment {
  resource: Resource;
  /** The part of its configuration that is for the plug-in. */
  plugin: PropertyValue;
}

/** The egress routers of a stack that consist of a network attachment and a pod. */
export const routerAttachments = (judged: JudgedResources): RouterAttachment[] =>
  judged.ofKind(isNetworkAttachment).flatMap((resource) => {
    // The network operator creates this one from an EgressRouter object, which is judged itself.
    if (textAt(resource.properties, "metadata.name") === OPERATOR_NAMES.networkAttachment) return [];
    const plugin = routerPluginIn(textAt(resource.properties, CONFIG));
    return plugin === undefined ? [] : [{ resource, plugin }];
  });

/** Findings of network attachments that make no working router, and of pods that share one. */
export function judgeAttachments(judged: JudgedResources): Judgement[] {
  const routers = routerAttachments(judged);
  return [
    ...judged.ofKind(isNetworkAttachment).flatMap(judgeText),
    ...routers.flatMap((router) => judgeAttachment(judged, router)),
    ...judgeUsers(judged, routers),
  ];
}

/** Findings of the configuration's text. If it is unknown or unreadable, nothing else is judged. */
function judgeText(resource: Resource): Judgement[] {
  if (readText(resource.properties, CONFIG) === UNKNOWN) return [unknown({ resource, path: CONFIG })];
  if (!isBrokenRouterConfig(textAt(resource.properties, CONFIG))) return [];
  const problem = "is not JSON, and no pod with this network starts";
  const remedy = "write the configuration as JSON, without comments";
  return [violatedBy(resource, { path: CONFIG, problem, remedy })];
}

function judgeAttachment(judged: JudgedResources, { resource, plugin }: RouterAttachment): Judgement[] {
  const at = (path: string) => readValue(plugin, path);
  const addresses = entriesOf(at("ip.addresses"));
  const destinations = entriesOf(at(DESTINATIONS));
  const { redirectRules, fallbackIp } = destinationsAsInputs(destinations);
  const master = at("interfaceArgs.master");
  const cluster = clusterInputs(judged, resource);
  const { release } = egressCluster(cluster);
  const { faults } = judgeEgressRouter(
    {
      ...cluster,
      form: EgressRouterForm.NetworkAttachment,
      // The API server judges names, and the names in these objects are not Service names.
      namespace: UNKNOWN,
      objectName: UNKNOWN,
      address: addresses[0],
      gateway: at("ip.gateway"),
      redirectRules,
      fallbackIp,
      servicePorts: UNKNOWN,
      ...(isGiven(master) && { macvlan: { master } }),
    },
    namesOf(destinations),
  );
  const written = [
    ...faults.flatMap((fault) => inConfig(fault, destinations)),
    ...addressCountFaults(addresses),
    ...destinationFaults(destinations, release),
    ...modeFaults({ path: "interfaceArgs.mode", value: at("interfaceArgs.mode") }),
  ];
  return written.map((fault) =>
    violatedBy(resource, fault, { path: CONFIG, message: `${fault.path}: ${fault.problem}` }),
  );
}

/** The cluster of a router as inputs of the component. The release that its component states comes before that of the stack. */
export function clusterInputs(judged: JudgedResources, { parent }: Resource): ClusterInputs {
  const stated = judged.index.at(parent)?.properties.release;
  return { ...guestInputs(judged), ...(typeof stated === "string" && { release: stated }) };
}

/** Converts destinations of the plug-in to inputs of the component. Unreadable destinations become unknown. */
function destinationsAsInputs(destinations: readonly PropertyValue[]) {
  const read = destinations.map(wordsOf);
  const rules = read.map((words) => {
    if (!hasPorts(words)) return UNKNOWN;
    const [port, protocol, destinationIp, targetPort] = words as [string, string, string, string?];
    return {
      port: Number(port),
      protocol: protocol.toUpperCase(),
      destinationIp,
      ...(targetPort !== undefined && { targetPort: Number(targetPort) }),
    };
  });
  const fallback = read.find((words) => words.length === 1)?.[0];
  return {
    redirectRules: rules as readonly PropertyValue[],
    // The plug-in of 4.7 requires a mask after the address, and later ones none; destinationFaults judges that by release.
    fallbackIp: fallback?.replace(MASK, ""),
  };
}

const wordsOf = (destination: PropertyValue): string[] =>
  typeof destination === "string" ? destination.split(" ") : [];

const MASK = /\/\d+$/;

/** Whether a destination is a port, a protocol and an address, with or without the port there. */
const hasPorts = ([port = "", _protocol, address, ...there]: readonly string[]): boolean =>
  address !== undefined && there.length <= 1 && [port, ...there].every((word) => /^\d+$/.test(word));

/** Maps the inputs of the component to their names in the configuration of the plug-in. */
function namesOf(destinations: readonly PropertyValue[]): NameOf {
  const alone = destinations.findIndex((destination) => wordsOf(destination).length === 1);
  return namesIn({
    address: "ip.addresses[0]",
    gateway: "ip.gateway",
    macvlan: "interfaceArgs",
    fallbackIp: `${DESTINATIONS}[${alone}]`,
    redirectRules: DESTINATIONS,
  });
}

/** Adapts faults to paths of the configuration, in which a destination is one text. Leaves out faults of inputs that it does not have. */
function inConfig({ path, problem, remedy }: Fault, destinations: readonly PropertyValue[]): Fault[] {
  if (path !== DESTINATIONS)
    return /^(ip|interfaceArgs)\b/.test(path)
      ? [{ path: path.replace(/(\[\d+\])\.\w+$/, "$1"), problem, remedy }]
      : [];
  // How the release reads ports is reported for each destination.
  return destinations.length > 0 ? [] : [{ path, problem: "missing: nothing is redirected", remedy }];
}

/** The plug-in uses the first address, and the documents require exactly one. */
function addressCountFaults(addresses: readonly PropertyValue[]): Fault[] {
  if (addresses.length <= 1) return [];
  const problem = `${addresses.length} addresses, of which the plug-in uses only the first`;
  return [{ path: "ip.addresses[1]", problem, remedy: "remove it" }];
}

/** Faults of destinations such as `192.168.12.91` or `80 TCP 192.168.12.91 8080`, which releases read differently. */
function destinationFaults(destinations: readonly PropertyValue[], release: Release | undefined): Fault[] {
  const isOld = isOlder(release, EGRESS_SINCE.egressRouterDestinations);
  return destinations.flatMap((destination, position): Fault[] => {
    const path = `${DESTINATIONS}[${position}]`;
    const words = wordsOf(destination);
    if (words.length === 1) return aloneFaults(path, words[0]!, release, isOld);
    if (hasPorts(words))
      return isOld
        ? [
            {
              path,
              problem: `the plug-in of release ${formatRelease(release!)} reads one address and no ports`,
              remedy: "write the address with its mask, as in 192.168.12.91/32",
            },
          ]
        : [];
    const problem = `${shownText(destination)} is not a destination, and no pod with this network starts`;
    return [{ path, problem, remedy: "write an address, or PORT PROTOCOL ADDRESS and the port there" }];
  });
}

function aloneFaults(path: string, word: string, release: Release | undefined, isOld: boolean): Fault[] {
  const host = word.replace(MASK, "");
  const { address } = parseAddress(host);
  if (!address) return [];
  const masked = `${host}/${BITS[address.family]}`;
  if (word !== host && word !== masked)
    return [
      {
        path,
        problem: `${word} has another mask than /${BITS[address.family]}, and a destination is one address`,
        remedy: `write one address${isOld ? " with its mask" : ""}, such as ${isOld ? masked : host}`,
      },
    ];
  const isMasked = word === masked;
  if (release === undefined || isOld === isMasked) return [];
  return [
    {
      path,
      problem: `${word} has ${isMasked ? "a" : "no"} mask, and the plug-in of release ${formatRelease(release)} ${isMasked ? "reads addresses without a mask" : "requires one"}`,
      remedy: `write ${isMasked ? host : masked}`,
    },
  ];
}

const MODES = Object.values(MacvlanMode).map((mode) => mode.toLowerCase());

/** The plug-in accepts the modes only in lowercase. */
function modeFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === "" || MODES.some((mode) => mode === value)) return [];
  return [
    {
      path,
      problem: `${JSON.stringify(value)} is not a mode of macvlan`,
      remedy: `write ${MODES.join(", ")}`,
    },
  ];
}

/** A workload that requests a router's network. */
interface User {
  resource: Resource;
  /** The path of the request. */
  path: string;
}

/** Findings of several pods with one address: only one pod can have it, so they take it from each other. */
function judgeUsers(judged: JudgedResources, routers: readonly RouterAttachment[]): Judgement[] {
  if (routers.length === 0) return [];
  const scoped = (resource: Resource, name: string) => `${guestScope(judged, resource).key} ${name}`;
  const known = new Map(routers.map(({ resource }) => [scoped(resource, keyOf(resource)), resource]));
  const first = new Map<string, User>();
  return judged.ofKind(makesPods).flatMap((resource): Judgement[] => {
    const asked = askedBy(resource);
    const names = asked.names.map((name) => scoped(resource, name)).filter((name) => known.has(name));
    return names.flatMap((name) => {
      const attachment = known.get(name)!;
      const user = first.get(name);
      const before = user && areOneObject(user.resource, resource) ? undefined : user;
      if (!user) first.set(name, { resource, path: asked.path });
      return [
        ...judgeCount(resource, attachment),
        ...(before
          ? [
              violated({
                resource: resource.origin,
                path: asked.path,
                message: `${describeResource(before.resource)} also has the network of ${describeResource(attachment)}, and two pods with one source address take it from each other`,
                fix: "give it a network attachment with its own address",
              }),
            ]
          : []),
      ];
    });
  });
}

const keyOf = ({ properties }: Resource): string =>
  `${textAt(properties, "metadata.namespace")}/${textAt(properties, "metadata.name")}`;

function askedBy(resource: Resource): { path: string; names: string[] } {
  const spec = podSpecOf(resource)?.path ?? "spec";
  const template = spec.slice(0, spec.length - "spec".length);
  const metadata =
    template === "" ? resource.properties : readValue(resource.properties, template.slice(0, -1));
  const annotation = annotationOf(metadata, NETWORKS_ANNOTATION);
  const namespace = textAt(resource.properties, "metadata.namespace");
  return {
    path: `${template}metadata.annotations${stepTo(NETWORKS_ANNOTATION)}`,
    names: annotation === undefined ? [] : [...new Set(attachmentsIn(annotation, namespace))],
  };
}

const DAEMON_SET = /:DaemonSet(Patch)?$/;
const REPLICAS = "spec.replicas";

function judgeCount(resource: Resource, attachment: Resource): Judgement[] {
  const shared = `would share the source address of ${describeResource(attachment)}, and only one pod can have it at a time`;
  if (isPod(resource.type)) return [];
  if (DAEMON_SET.test(resource.type)) {
    const problem = `the pods of all nodes ${shared}`;
    return [violatedBy(resource, { path: "spec", problem, remedy: "use a Deployment with one replica" })];
  }
  const replicas = readNumber(resource.properties, REPLICAS);
  if (replicas === UNKNOWN) return [unknown({ resource, path: REPLICAS })];
  if (replicas === undefined || replicas <= 1) return [];
  return [violatedBy(resource, { path: REPLICAS, problem: `${replicas} pods ${shared}`, remedy: "write 1" })];
}
