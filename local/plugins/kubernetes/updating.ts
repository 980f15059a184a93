import {
  describe,
  hasUnknown,
  type Props,
  UnfinishedError,
  type UpdateRequest,
  type Value,
} from "../provider";
import { Annotation } from "./annotations";
import { Objects, type Write } from "./apply";
import { fromState, toState } from "./checkpoint";
import type { Cluster } from "./config";
import { FieldConflict } from "./conflict";
import { isManaged, type ManagedFields, takenOver } from "./managedFields";
import { newFieldManager } from "./naming";
import { annotation, inWords, type KubeObject } from "./object";
import { untilReady } from "./waiting";

/** Updates an object, or a patch of one. */
export class Updating {
  private readonly objects: Objects;

  constructor(private readonly cluster: Cluster) {
    this.objects = new Objects(cluster);
  }

  async run(request: UpdateRequest, patch: boolean): Promise<Props> {
    const { news, oldState, preview, signal } = request;
    const wanted = news as KubeObject;
    const served = async () => this.cluster.discovery.endpointIfKnown(wanted.apiVersion, wanted.kind);
    if (preview && (hasUnknown(news) || !(await served()))) return news;
    const { live: old, manager: before } = fromState(oldState);
    const manager = annotation(news, Annotation.PatchFieldManager) ?? before ?? newFieldManager();
    try {
      const live = await this.objects.find(old, signal);
      if (!live) throw new Error("it does not exist any more; pulumi refresh takes note of that");
      const updated = await this.write(request, wanted, live, manager, patch);
      if (preview) return toState(updated, manager);
      const ready = await untilReady(this.objects, updated, manager, { ...request, inputs: news });
      if (before !== undefined && before !== manager) await this.objects.relinquish(ready, before, signal);
      return toState(ready, manager);
    } catch (error) {
      if (error instanceof UnfinishedError) throw error;
      throw new Error(`update of ${inWords(old)} failed: ${describe(error)}`, { cause: error });
    }
  }

  private write(
    request: UpdateRequest,
    wanted: KubeObject,
    live: KubeObject,
    manager: string,
    patch: boolean,
  ) {
    const { preview, signal, ignoreChanges } = request;
    const forced = this.cluster.patchForce || annotation(wanted, Annotation.PatchForce) === "true";
    const write: Write = { manager, preview, force: forced, signal };
    if (wanted.kind === "CustomResourceDefinition" && !patch) {
      const { resourceVersion } = live.metadata;
      return this.objects.replace({ ...wanted, metadata: { ...wanted.metadata, resourceVersion } }, write);
    }
    const object = ignoreChanges.reduce((left, path) => ignoring(left, path, live, manager), wanted);
    return patch ? this.objects.apply(object, write) : this.applyOverClientSide(object, live, write);
  }

  /** Applies after taking over the fields that client-side tools or this provider's own create manage. */
  private async applyOverClientSide(object: KubeObject, live: KubeObject, write: Write): Promise<KubeObject> {
    const entries = (live.metadata.managedFields ?? []) as ManagedFields[];
    const managers = takenOver(entries, write.manager);
    if (!managers) return this.objects.apply(object, write);
    if (!write.preview) {
      await this.objects.rewriteManagers(live, managers, write.signal);
      return this.objects.apply(object, write);
    }
    try {
      return await this.objects.apply(object, write);
    } catch (error) {
      // A preview takes over nothing, so it ignores conflicts with managers whose fields the update will take over.
      const staying = new Set(
        managers.filter(({ manager }) => manager !== write.manager).map(({ manager }) => manager),
      );
      if (!(error instanceof FieldConflict) || error.managers.some((manager) => staying.has(manager)))
        throw error;
      return this.objects.apply(object, { ...write, force: true });
    }
  }
}

/** Leaves an ignored field to its manager, or sets it to its live value. */
function ignoring(object: KubeObject, path: string, live: KubeObject, manager: string): KubeObject {
  const names = path.split(".");
  const entries = (live.metadata.managedFields ?? []) as ManagedFields[];
  const others = isManaged(entries, names, (name) => name !== manager);
  const own = isManaged(entries, names, (name) => name === manager);
  const value = others && !own ? undefined : at(live, names);
  return value === undefined && !others ? object : (replaced(object, names, value) as KubeObject);
}

function at(value: Value, [first, ...rest]: string[]): Value {
  if (first === undefined) return value;
  return typeof value === "object" && value !== null ? at((value as Props)[first], rest) : undefined;
}

function replaced(value: Value, [first, ...rest]: string[], by: Value): Value {
  if (first === undefined) return by;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const map = value as Props;
  return { ...map, [first]: replaced(map[first], rest, by) };
}
