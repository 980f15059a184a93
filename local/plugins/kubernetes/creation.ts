import { type Created, type CreateRequest, describe, hasUnknown, UnfinishedError } from "../provider";
import { Annotation } from "./annotations";
import { isAlreadyExists, Objects } from "./apply";
import { toState } from "./checkpoint";
import type { Cluster } from "./config";
import { FieldConflict } from "./conflict";
import { placed } from "./inputs";
import { isMadeBy, type LostCreates } from "./lostCreates";
import { type ManagedFields, takenOver } from "./managedFields";
import { newFieldManager } from "./naming";
import { annotation, idOf, inWords, type KubeObject } from "./object";
import { ApiError, isNotFound } from "./server";
import { untilReady } from "./waiting";

/** Creates an object, or a patch of one. */
export class Creation {
  private readonly objects: Objects;

  constructor(
    private readonly cluster: Cluster,
    private readonly creates: LostCreates,
  ) {
    this.objects = new Objects(cluster);
  }

  async run(request: CreateRequest, patch: boolean): Promise<Created> {
    const { inputs, preview } = request;
    if (preview && (patch || hasUnknown(inputs) || !(await this.isServed(inputs as KubeObject)))) {
      return { id: "", state: inputs };
    }
    const wanted = (await placed(inputs, this.cluster)) as KubeObject;
    if (preview) return this.foresee(request, wanted);
    try {
      return await this.make(request, wanted, patch || this.cluster.upsert);
    } catch (error) {
      throw error instanceof UnfinishedError ? error : new Error(refusal(wanted, error), { cause: error });
    }
  }

  /** Requests a dry run from the server, so that a rejection is known before anything changes. */
  private async foresee({ inputs, signal }: CreateRequest, wanted: KubeObject): Promise<Created> {
    const manager = annotation(inputs, Annotation.PatchFieldManager) ?? newFieldManager();
    const write = { manager, preview: true, force: true, signal };
    try {
      const made = await (this.cluster.upsert
        ? this.objects.apply(wanted, write)
        : this.objects.create(wanted, write));
      const { status: _status, ...live } = made;
      return { id: "", state: toState(live, manager) };
    } catch (error) {
      if (cannotBeForeseen(error)) return { id: "", state: inputs };
      throw new Error(refusal(wanted, error), { cause: error });
    }
  }

  private async make(request: CreateRequest, wanted: KubeObject, upsert: boolean): Promise<Created> {
    const { urn, inputs } = request;
    const lost = this.creates.of(urn);
    const manager = annotation(inputs, Annotation.PatchFieldManager) ?? lost?.manager ?? newFieldManager();
    this.creates.begin(urn, manager, lost?.at);
    let live: KubeObject;
    try {
      live = await (upsert
        ? this.apply(request, wanted, manager)
        : this.createOrAdopt(request, wanted, manager));
    } catch (error) {
      if (error instanceof ApiError || error instanceof FieldConflict) this.creates.settled(urn);
      else this.creates.uncertain(urn);
      throw error;
    }
    const ready = await untilReady(this.objects, live, manager, request);
    return { id: idOf(ready), state: toState(ready, manager) };
  }

  private apply({ inputs, signal }: CreateRequest, wanted: KubeObject, manager: string): Promise<KubeObject> {
    const force = this.cluster.patchForce || annotation(inputs, Annotation.PatchForce) === "true";
    return this.objects.apply(wanted, { manager, preview: false, force, signal });
  }

  private async createOrAdopt(
    request: CreateRequest,
    wanted: KubeObject,
    manager: string,
  ): Promise<KubeObject> {
    const { urn, signal } = request;
    const begun = this.creates.of(urn);
    try {
      return await this.objects.create(wanted, { manager, preview: false, signal });
    } catch (error) {
      const live = isAlreadyExists(error) ? await this.objects.find(wanted, signal) : undefined;
      if (live === undefined || begun === undefined || !isMadeBy(live, begun)) throw error;
      const managers = takenOver((live.metadata.managedFields ?? []) as ManagedFields[], manager);
      if (managers) await this.objects.rewriteManagers(live, managers, signal);
      return this.apply(request, wanted, manager);
    }
  }

  private async isServed({ apiVersion, kind }: KubeObject): Promise<boolean> {
    return (await this.cluster.discovery.endpointIfKnown(apiVersion, kind)) !== undefined;
  }
}

/** Whether the update may succeed although the preview was rejected: a conflicting object may be gone, a missing one may exist. */
function cannotBeForeseen(error: unknown): boolean {
  if (isNotFound(error)) return error.status.details?.kind === "namespaces";
  return isAlreadyExists(error) || (error instanceof ApiError && error.reason === "Forbidden");
}

function refusal(wanted: KubeObject, error: unknown): string {
  const text = `${inWords(wanted)} was not successfully created by the Kubernetes API server: ${describe(error)}`;
  if (!isAlreadyExists(error)) return text;
  return (
    `${text}. Import it (pulumi import), change some of its fields with a patch resource, ` +
    "or set kubernetes:upsertExistingObjects to take objects over."
  );
}
