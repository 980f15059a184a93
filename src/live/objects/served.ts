import { read, readText } from "../../resources/read";
import type { KubernetesKind } from "../../resources/kubernetesKinds";
import type { LiveCluster } from "../../cluster/liveCluster";

/** Finds where an API server has its kinds: each group and version is asked once. */
export class ServedKinds {
  readonly #groups = new Map<string, Promise<string[]>>();
  readonly #versions = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(private readonly cluster: LiveCluster) {}

  /** The path of a kind in the version that the API server prefers; undefined where it does not know the kind. */
  async pathOf({ group, resource }: KubernetesKind): Promise<string | undefined> {
    for (const version of await once(this.#groups, group, () => this.#versionsOf(group)))
      if ((await once(this.#versions, version, () => this.#resourcesOf(version))).has(resource))
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

function once<T>(known: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const answer = known.get(key) ?? ask();
  known.set(key, answer);
  return answer;
}
