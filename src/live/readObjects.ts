import { onceIn, pushAll } from "../collections";
import { controllerOf, makesPods, nameOf, textAt } from "../resources/kubernetesObject";
import {
  HOSTED_CLUSTERS,
  isEgressFirewall,
  type KubernetesKind,
  kubernetesKinds,
} from "../resources/resourceTypes";
import type { Resource } from "../resources/resource";
import { isForbidden, type LiveCluster, LiveFault, type LiveObject } from "../cluster/liveCluster";
import { isFilled, isMap, read, readText } from "../resources/read";
import { controlPlaneNamespaceOf } from "../requirements/names";
import { kubernetesObjects, manifestResource } from "../plan/manifests";

/**
 * Reads the objects of a running cluster that rules judge. Secrets are not read. Pods and the objects that create them are skipped if a
 * controller wrote them: their source is judged, and HyperShift's own are not the user's decision.
 *
 * @throws LiveFault if the cluster does not answer; missing permissions are reported as faults
 */
export async function readObjects(cluster: LiveCluster, reading: ReadProgress): Promise<LiveReading> {
  const faults: LiveFault[] = [];
  const served = new ServedKinds(cluster);
  const missing: string[] = [];
  const written = new Map<string, number>();
  const resources: Resource[] = [];
  const kinds: KubernetesKind[] = [];
  let hosted: Resource[] = [];
  const ofGuests: string[] = [];
  for (const kind of kubernetesKinds) {
    const isManagement = hosted.length > 0;
    const isNotOfGuest = kind.isOfGuest === true && isManagement;
    if (isNotOfGuest && !kind.isOfManagement) {
      ofGuests.push(nameOfKind(kind));
      continue;
    }
    const path = await readIfGranted(faults, () => served.pathOf(kind));
    if (path === undefined) {
      missing.push(nameOfKind(kind));
      continue;
    }
    if (!isNotOfGuest) kinds.push(kind);
    reading(`${nameOfKind(kind)} of ${cluster.name}`);
    const found = (await readIfGranted(faults, () => everyObject(cluster, path, written))) ?? [];
    if (kind === HOSTED_CLUSTERS) hosted = found;
    for (const one of found) if (!isManagement || isOfManagement(one, hosted)) resources.push(one);
  }
  pushAll(resources, await namedConfigMaps(cluster, hosted, faults));
  const notes = notesOf(cluster, { missing, ofGuests, written });
  const runsIn = cluster.host === undefined ? undefined : `cluster/${cluster.host}`;
  return { name: cluster.name, runsIn, resources, kinds, notes, faults };
}

/** Every object of a kind, except those that create pods and have a controller; these are only counted. */
async function everyObject(
  cluster: LiveCluster,
  path: string,
  written: Map<string, number>,
): Promise<Resource[]> {
  const all: Resource[] = [];
  for await (const page of cluster.pages(path))
    for (const resource of liveResources(page)) {
      const controller = makesPods(resource.type) ? controllerOf(resource.properties) : undefined;
      if (controller === undefined) all.push(resource);
      else written.set(controller, (written.get(controller) ?? 0) + 1);
    }
  return all;
}

const nameOfKind = ({ kind, group }: KubernetesKind): string => (group === "" ? kind : `${kind}.${group}`);

interface LeftOut {
  missing: readonly string[];
  ofGuests: readonly string[];
  written: ReadonlyMap<string, number>;
}

/** Notes on what was not judged, and why. */
function notesOf({ name }: LiveCluster, { missing, ofGuests, written }: LeftOut): string[] {
  const counted = [...written].sort(([a], [b]) => a.localeCompare(b));
  return [
    ...(missing.length > 0 ? [`${name} has no ${missing.join(", ")}`] : []),
    ...(ofGuests.length > 0
      ? [
          `${name} has HostedClusters: its own ${ofGuests.join(", ")} and egress firewalls outside the namespaces of control planes were left out; judge a hosted cluster with its own kubeconfig and --config`,
        ]
      : []),
    ...(counted.length > 0
      ? [
          `pods and the objects that create them are left to their controllers: ${counted.map(([kind, count]) => `${count} of ${kind}`).join(", ")}`,
        ]
      : []),
  ];
}

/** The fields of HostedClusters that name ConfigMaps with certificates. */
const NAMES = ["spec.configuration.proxy.trustedCA.name", "spec.additionalTrustBundle.name"];

/** The ConfigMaps with certificates that HostedClusters name; no others are read. */
async function namedConfigMaps(
  cluster: LiveCluster,
  hosted: readonly Resource[],
  faults: LiveFault[],
): Promise<Resource[]> {
  const paths = new Set(
    hosted.flatMap(({ properties }) => {
      const namespace = readText(properties, "metadata.namespace");
      const names = NAMES.flatMap((path) => read(properties, path).map(({ value }) => value));
      return names.flatMap((name) =>
        isFilled(name) && typeof namespace === "string"
          ? [`/api/v1/namespaces/${namespace}/configmaps/${encodeURIComponent(name)}`]
          : [],
      );
    }),
  );
  const found: Resource[] = [];
  for (const path of paths) {
    const object = await readIfGranted(faults, () => cluster.get(path));
    if (object) pushAll(found, liveResources({ apiVersion: "v1", kind: "ConfigMap", ...object }));
  }
  return found;
}

/** Finds the paths of kinds at an API server; each group and version is requested once. */
class ServedKinds {
  readonly #groups = new Map<string, Promise<string[]>>();
  readonly #versions = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(private readonly cluster: LiveCluster) {}

  /** The path of a kind in the version that the API server prefers; undefined if the server does not know the kind. */
  async pathOf({ group, resource }: KubernetesKind): Promise<string | undefined> {
    for (const version of await onceIn(this.#groups, group, () => this.#versionsOf(group)))
      if ((await onceIn(this.#versions, version, () => this.#resourcesOf(version))).has(resource))
        return `${version}/${resource}`;
    return undefined;
  }

  async #versionsOf(group: string): Promise<string[]> {
    if (group === "") return ["/api/v1"];
    const found = await this.cluster.get(`/apis/${group}`);
    if (!found) return [];
    const preferred = readText(found, "preferredVersion.groupVersion");
    const all = read(found, "versions[].groupVersion").map(({ value }) => value);
    return [...new Set([preferred, ...all])].flatMap((version) =>
      typeof version === "string" ? [`/apis/${version}`] : [],
    );
  }

  async #resourcesOf(version: string): Promise<ReadonlySet<string>> {
    const found = await this.cluster.get(version);
    const names = read(found, "resources[].name").map(({ value }) => value);
    return new Set(names.filter((name) => typeof name === "string"));
  }
}

/**
 * Whether an object of a management cluster concerns its hosted clusters: egress firewalls of other namespaces govern the management
 * cluster's own pods, and rules would take them for firewalls of a hosted cluster.
 */
export function isOfManagement({ type, properties }: Resource, hosted: readonly Resource[]): boolean {
  if (!isEgressFirewall(type)) return true;
  const namespace = textAt(properties, "metadata.namespace");
  return hosted.some((cluster) => namespace === namespaceMadeFor(cluster));
}

const namespaceMadeFor = ({ properties }: Resource): string =>
  controlPlaneNamespaceOf(textAt(properties, "metadata.namespace"), nameOf(properties));

/** Converts an answer of an API server, an object or a list, to what `kubectl get -o yaml` would have exported. */
const liveResources = (answer: LiveObject): Resource[] =>
  kubernetesObjects(answer).map(({ object, path }) =>
    manifestResource({ object: exported(object), path }, { live: nameOfObject(object as LiveObject) }),
  );

/** `managedFields` is long, and no rule reads it. */
function exported(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { metadata } = object as LiveObject;
  if (!isMap(metadata)) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** `HostedCluster clusters/tenant-a`, `Node worker-0` */
function nameOfObject(object: LiveObject): string {
  const [kind, namespace, name] = ["kind", "metadata.namespace", "metadata.name"].map((path) =>
    readText(object, path),
  );
  return `${String(kind)} ${typeof namespace === "string" ? `${namespace}/` : ""}${String(name)}`;
}

/** What was read from a running cluster or an account. */
export interface LiveReading {
  /** Its name in messages: `the cluster`, `the EC2 API of eu-west-1`. */
  name: string;
  /** Identifies it independently of the user: `cluster/api.example.com:6443`, `ec2/eu-west-1`. */
  runsIn: string | undefined;
  resources: Resource[];
  /** The kinds of Kubernetes objects that were read completely, as far as they concern hosted clusters. */
  kinds?: readonly KubernetesKind[];
  /** What a reader should know although nothing is wrong. */
  notes: string[];
  /** Everything that prevents judging it. */
  faults: LiveFault[];
}

/** Reports what is being read. */
export type ReadProgress = (what: string) => void;

/** Reads something. A missing permission is added to the faults, each once, so that all are reported together. */
export async function readIfGranted<T>(faults: LiveFault[], read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isForbidden(error)) throw error;
    if (!faults.some(({ message }) => message === error.message)) faults.push(error);
    return undefined;
  }
}

/**
 * The kubeconfig of a hosted cluster's administrator that its HostedCluster names.
 *
 * @throws LiveFault if there is none yet
 */
export async function hostedKubeconfig(management: LiveCluster, hostedCluster: LiveObject): Promise<string> {
  const namespace = readText(hostedCluster, "metadata.namespace");
  const secret = readText(hostedCluster, "status.kubeconfig.name");
  if (typeof namespace !== "string" || typeof secret !== "string")
    throw new LiveFault(
      "the HostedCluster has no kubeconfig in its status: its API server is not up yet",
      "wait for it, or name a kubeconfig with --hosted-kubeconfig",
    );
  const object = await management.get(`/api/v1/namespaces/${namespace}/secrets/${secret}`);
  const content = object && readText(object, "data.kubeconfig");
  if (typeof content !== "string")
    throw new LiveFault(
      `${management.name} has no Secret ${namespace}/${secret} with a kubeconfig`,
      "name one with --hosted-kubeconfig",
    );
  return Buffer.from(content, "base64").toString("utf8");
}
