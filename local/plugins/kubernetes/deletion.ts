import type { DeleteRequest } from "../provider";
import { Annotation } from "./annotations";
import { Objects } from "./apply";
import { fromState } from "./checkpoint";
import type { Cluster } from "./config";
import { annotation, inWords, type KubeObject } from "./object";
import { ApiError } from "./server";
import { untilGone } from "./waiting";

/** Kinds for which skipAwait also applies to deletion; for all other kinds it applies only to creation. */
const mayGoUnwatched = new Set([
  "v1/Namespace",
  "v1/Pod",
  "v1/ReplicationController",
  "apps/v1/DaemonSet",
  "apps/v1/Deployment",
  "apps/v1/StatefulSet",
  "batch/v1/Job",
]);

/** Deletes an object, or ends a patch of one. */
export class Deletion {
  private readonly objects: Objects;

  constructor(cluster: Cluster) {
    this.objects = new Objects(cluster);
  }

  async run(request: DeleteRequest, patch: boolean): Promise<void> {
    const { live: old, manager } = fromState(request.state);
    const { inputs, signal } = request;
    const live = await this.objects.find(old, signal);
    if (!live) return;
    if (patch)
      return this.relinquish(live, annotation(inputs, Annotation.PatchFieldManager) ?? manager, signal);
    if (!(await this.objects.delete(old, inputs, signal))) return;
    const unwatched = mayGoUnwatched.has(`${old.apiVersion}/${old.kind}`);
    if (unwatched && annotation(inputs, Annotation.SkipAwait) === "true") return;
    await untilGone(this.objects, live, request);
  }

  private async relinquish(
    live: KubeObject,
    manager: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (manager === undefined) return;
    try {
      await this.objects.relinquish(live, manager, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "Invalid" || !/Required value/.test(error.message))
        throw error;
      throw new Error(
        `the patch of ${inWords(live)} manages a required field, so it cannot be deleted: set the resource option ` +
          `retainOnDelete, or let another manager own the field first. ${error.message}`,
      );
    }
  }
}
