import {
  type CheckRequest,
  type CheckResult,
  compareProps,
  type Created,
  type CreateRequest,
  type DeleteRequest,
  type DiffRequest,
  type DiffResult,
  type Found,
  hasUnknown,
  type Props,
  type ReadRequest,
  type ResourceKind,
  type UpdateRequest,
} from "../provider";
import { Annotation } from "./annotations";
import { Objects } from "./apply";
import { fromState, toState, withSecretData } from "./checkpoint";
import type { Cluster } from "./config";
import { Creation } from "./creation";
import { Deletion } from "./deletion";
import { drifted } from "./drift";
import { forceNewPaths, IDENTITY } from "./forceNew";
import { inputsOf, normalized, placed, typeOf } from "./inputs";
import type { LostCreates } from "./lostCreates";
import { named, newFieldManager } from "./naming";
import { annotation, idOf, type KubeObject, metadataOf, parseId } from "./object";
import { hasCompleted } from "./readiness";
import { Updating } from "./updating";

/** Handles every kind of the API server, and patches of each, by what the server reports about the kind. */
export class KubernetesKind implements ResourceKind {
  constructor(
    private readonly cluster: () => Cluster,
    private readonly creates: LostCreates,
  ) {}

  async check(request: CheckRequest): Promise<CheckResult> {
    const { news, olds, type: token } = request;
    const type = typeOf(token, news.kind);
    const inputs = normalized(news, type);
    const failures = [];
    if (metadataOf(inputs).generateName) {
      failures.push({
        property: "metadata.generateName",
        reason: "not supported with server-side apply: use name",
      });
    }
    if (
      type.patch &&
      inputs.metadata !== undefined &&
      !metadataOf(inputs).name &&
      !hasUnknown(inputs.metadata)
    ) {
      failures.push({
        property: "metadata.name",
        reason: "a patch needs the name of the object that it changes",
      });
    }
    const whole = type.patch ? inputs : named(inputs, olds, request);
    return { inputs: withSecretData(await placed(whole, this.cluster())), failures };
  }

  async diff({ urn, type: token, oldState, oldInputs, news, log }: DiffRequest): Promise<DiffResult> {
    this.creates.settled(urn);
    const { apiVersion, kind, patch } = typeOf(token, news.kind);
    const immutable = news.immutable === true;
    const paths = patch ? IDENTITY : forceNewPaths(apiVersion, kind, immutable, this.cluster().mutable);
    const diff = compareProps(oldInputs, news, { replaceOn: new Set(paths) });
    const replaces = [...(diff.replaces ?? [])];
    if (annotation(news, Annotation.ReplaceUnready) === "true") {
      if (kind !== "Job") log("warning", `${Annotation.ReplaceUnready} has a meaning for Jobs only`);
      else if (await this.isUnready(oldState))
        replaces.push(`metadata.annotations["${Annotation.ReplaceUnready}"]`);
    }
    return {
      ...diff,
      changes: diff.changes || replaces.length > 0,
      replaces,
      deleteBeforeReplace: replaces.length > 0 && staysInPlace(fromState(oldState).live, news),
    };
  }

  create(request: CreateRequest): Promise<Created> {
    const { patch } = typeOf(request.type, request.inputs.kind);
    return new Creation(this.cluster(), this.creates).run(request, patch);
  }

  async read({ urn, id, type: token, state, inputs, signal }: ReadRequest): Promise<Found | undefined> {
    this.creates.settled(urn);
    const imported = inputs.kind === undefined;
    const type = typeOf(token, inputs.kind);
    const { apiVersion, kind } = type;
    const identity: KubeObject = { apiVersion, kind, metadata: { ...parseId(id) } };
    const live = await new Objects(this.cluster()).find(identity, signal);
    if (live === undefined) return undefined;
    const { live: before, manager } = fromState(state);
    const known = imported ? importedInputs(live, type.patch) : drifted(inputs, before, live);
    return {
      id: id || idOf(live),
      state: toState(live, annotation(inputs, Annotation.PatchFieldManager) ?? manager ?? newFieldManager()),
      inputs: withSecretData(known),
    };
  }

  update(request: UpdateRequest): Promise<Props> {
    const { patch } = typeOf(request.type, request.news.kind);
    return new Updating(this.cluster()).run(request, patch);
  }

  delete(request: DeleteRequest): Promise<void> {
    this.creates.settled(request.urn);
    const { patch } = typeOf(request.type, request.state.kind);
    return new Deletion(this.cluster()).run(request, patch);
  }

  private async isUnready(state: Props): Promise<boolean> {
    const live = await new Objects(this.cluster()).find(fromState(state).live);
    return live !== undefined && !hasCompleted(live);
  }
}

/** Whether the replacement would have the same name and namespace as the old object. */
function staysInPlace(old: KubeObject, news: Props): boolean {
  const { name, namespace } = metadataOf(news);
  const fixed = annotation(news, Annotation.Autonamed) !== "true";
  return fixed && name === old.metadata.name && namespace === old.metadata.namespace;
}

/** An imported patch owns no fields yet. */
function importedInputs(live: KubeObject, patch: boolean): Props {
  if (!patch) return inputsOf(live);
  const { apiVersion, kind, metadata } = live;
  const { name, namespace } = metadata;
  return { apiVersion, kind, metadata: namespace === undefined ? { name } : { name, namespace } };
}
