import { check, type CheckRequest, FILLED_IN } from "./check";
import { type Difference, differences, namesFilledIn, sameIdentity } from "./diff";
import { UnfinishedError } from "../provider/errors";
import { describeError, errorCode } from "./awsError";
import type { Call, CheckFault, Kind, Props, Tags, Value } from "./kind";
import type { Session } from "./session";
import { ownTags, syncTags, visibleTags } from "./tags";
import { hasUnknown, isUnknown, UNKNOWN_VALUE } from "../provider/values";

export interface CreateRequest {
  urn: string;
  inputs: Props;
  preview: boolean;
}
export interface ObjectRequest {
  urn: string;
  id: string;
  /** The outputs in the engine's state. Empty while a resource is imported. */
  state: Props;
  /** In milliseconds, if the resource sets `customTimeouts`. */
  deleteLimit?: number;
}
export interface UpdateRequest extends ObjectRequest {
  inputs: Props;
  preview: boolean;
}
export interface Created {
  id: string;
  state: Props;
}

/** The lifecycle of a kind of resource: everything that all kinds share. */
export class Lifecycle<State = Props> {
  constructor(
    readonly kind: Kind<State>,
    private readonly session: () => Session,
  ) {}

  check(request: CheckRequest): { inputs: Props; faults: CheckFault[] } {
    return check(this.kind, request);
  }

  diff(
    urn: string,
    id: string,
    state: Props,
    oldInputs: Props,
    inputs: Props,
  ): { differences: Difference[]; deleteBeforeReplace: boolean } {
    const region = this.regionOf(state);
    if (region !== undefined) this.session().ownership(region).names(id, urn);
    const found = differences(this.kind, inputs, state, oldInputs);
    const wantedTags = this.tagsAll(inputs);
    const tagsChange =
      this.kind.tagged &&
      !found.some(({ property }) => property === "tags") &&
      wantedTags !== UNKNOWN_VALUE &&
      JSON.stringify(sorted(wantedTags)) !== JSON.stringify(sorted((state.tagsAll ?? {}) as Tags));
    const all = tagsChange
      ? [...found, { property: "tagsAll", replaces: false, change: "update" as const }]
      : found;
    const replaced = all.some(({ replaces }) => replaces);
    return {
      differences: all,
      deleteBeforeReplace:
        replaced &&
        !hasUnknown(inputs) &&
        (this.kind.deleteBeforeReplace?.(inputs as State, state as State) ?? false),
    };
  }

  async create({ urn, inputs, preview }: CreateRequest): Promise<Created> {
    if (preview) return { id: "", state: this.foreseen(inputs) };
    const { call, region } = this.callFor(urn, inputs, inputs);
    const id = (await this.adoptable(call, region, inputs)) ?? (await this.make(call, region, inputs));
    this.session().ownership(region).names(id, urn);
    if (this.kind.tagged) this.session().ownership(region).replies(id);
    try {
      const state = await this.finish({ ...call, fresh: true }, region, id, inputs);
      return { id, state };
    } catch (reason) {
      throw new UnfinishedError(id, { ...this.echo(inputs), region }, [describeError(reason)], inputs);
    }
  }

  /** Undefined if the object is gone. `inputs` are those of the program; undefined while a resource is imported. */
  async read(
    { urn, id, state }: ObjectRequest,
    inputs?: Props,
  ): Promise<(Created & { inputs: Props }) | undefined> {
    const imported = Object.keys(state).length === 0;
    const asked: ReturnType<NonNullable<typeof this.kind.importId>> =
      imported && this.kind.importId ? this.kind.importId(id) : { known: {} };
    const known: Props = { ...(asked.known as Props), ...(imported ? inputs : state) };
    const { call, region } = this.callFor(urn, known, known);
    const realId = asked.id ?? id;
    this.session().ownership(region).names(realId, urn);
    const found = await this.observe(call, region, realId, known);
    if (found === undefined) return undefined;
    return {
      id: found.id,
      state: found.state,
      inputs: this.inputsOf(found.state, imported ? undefined : inputs),
    };
  }

  async update({ urn, id, state, inputs, preview }: UpdateRequest): Promise<Props> {
    if (preview) return { ...state, ...this.foreseenChange(inputs, state) };
    const { call, region } = this.callFor(urn, inputs, state);
    this.session().ownership(region).names(id, urn);
    try {
      return await this.finish(call, region, id, inputs, state);
    } catch (reason) {
      // Part of the change may have taken effect: the next update starts from the server's current state.
      const now = await this.observe(call, region, id, state).catch(() => undefined);
      throw new UnfinishedError(id, now?.state ?? state, [describeError(reason)], inputs);
    }
  }

  async remove({ urn, id, state, deleteLimit }: ObjectRequest): Promise<void> {
    const { call, region } = this.callFor(urn, state, state, deleteLimit);
    await this.kind.remove(call, id, state as State);
    this.session().ownership(region).forgets(id);
  }

  /** Finds the object of an earlier create with the same URN and identity whose reply was lost. */
  private async adoptable(call: Call, region: string, inputs: Props): Promise<string | undefined> {
    if (this.kind.markedParent) return undefined;
    for (const id of await this.session().ownership(region).lostBy(call.urn)) {
      const found = await this.observe(call, region, id, {});
      if (found && sameIdentity(this.kind, inputs, this.withGeneratedNames(inputs, found.state))) return id;
    }
    return undefined;
  }

  /** The suffix in an adopted object's name differs from the one generated now; it is still the same object. */
  private withGeneratedNames(inputs: Props, state: Props): Props {
    const generated = namesFilledIn(inputs).filter((name) => this.kind.properties[name]?.autonamed);
    return { ...state, ...Object.fromEntries(generated.map((name) => [name, inputs[name]])) };
  }

  private async make(call: Call, region: string, inputs: Props): Promise<string> {
    const wanted = inputs as State;
    const parent = this.kind.markedParent?.(wanted);
    if (parent === undefined) return this.kind.create(call, wanted);
    const ownership = this.session().ownership(region);
    if (await ownership.beginChild(parent, call.urn)) {
      const lost = await this.kind.findLost?.(call, wanted);
      if (lost !== undefined) return lost;
    }
    try {
      return await this.kind.create(call, wanted);
    } catch (error) {
      // Rejected, so nothing was created. After a timeout (no EC2 error code) the mark stays.
      if (errorCode(error) !== "TimeoutError") await ownership.abandonChild(parent, call.urn);
      throw error;
    }
  }

  /** After a create and for an update: brings the object to the wanted state and reads it back. */
  private async finish(
    call: Call,
    region: string,
    id: string,
    inputs: Props,
    old: Props = {},
  ): Promise<Props> {
    const before = await this.observe(call, region, id, { ...old, ...this.echo(inputs) });
    if (before === undefined) throw new Error(`${id} does not exist (any more)`);
    const settled = (await this.kind.settle?.(call, id, inputs as State, before.state as State)) ?? false;
    const tagged =
      this.kind.tagged === true &&
      (await syncTags(call.ec2, id, this.tagsAll(inputs) as Tags, before.state.tagsAll as Tags));
    const changed = settled || tagged;
    const after =
      (changed && (await this.observe(call, region, id, { ...old, ...this.echo(inputs) }))) || before;
    this.refuseIgnored(inputs, after.state);
    return after.state;
  }

  /** Fails if the server accepted the change but did not apply it. */
  private refuseIgnored(inputs: Props, state: Props): void {
    const ignored = differences(this.kind, inputs, state).filter(
      ({ property }) => !this.kind.properties[property]?.autonamed && !this.kind.properties[property]?.local,
    );
    if (ignored.length === 0) return;
    const names = ignored.map(
      ({ property }) => `${property} (still ${JSON.stringify(state[property] ?? null)})`,
    );
    throw new Error(`the server accepted the change, but did not carry it out: ${names.join(", ")}`);
  }

  private async observe(call: Call, region: string, id: string, known: Props): Promise<Created | undefined> {
    const found = await this.kind.read(call, id, known as Partial<State>);
    if (found === undefined) return undefined;
    const local = Object.entries(this.kind.properties)
      .filter(([name, { local }]) => local && known[name] !== undefined)
      .map(([name]): [string, Value] => [name, known[name]]);
    const all = visibleTags(found.tags);
    const tags = this.kind.tagged && {
      tags: ownTags(all, this.session().config.defaultTags, (known.tags ?? {}) as Tags),
      tagsAll: all,
    };
    const state = { ...(found.state as Props), ...Object.fromEntries(local), ...tags, region };
    return { id, state: withoutUndefined(state) };
  }

  /** The inputs for a state: the properties that the program set, or for an import all that have a value. */
  private inputsOf(state: Props, inputs?: Props): Props {
    const names = Object.entries(this.kind.properties)
      .filter(([name, property]) =>
        inputs === undefined
          ? state[name] !== undefined && state[name] !== "" && state[name] !== false && !property.local
          : name in inputs,
      )
      .map(([name]) => name);
    const values = names.map((name): [string, Value] => [
      name,
      // If another user changed a name that the program chose, that is a change; a generated name stays as it is.
      namesFilledIn(inputs ?? {}).includes(name) ? inputs?.[name] : state[name],
    ]);
    return withoutUndefined({
      ...Object.fromEntries(values),
      ...(inputs?.[FILLED_IN] !== undefined && { [FILLED_IN]: inputs[FILLED_IN] }),
    });
  }

  private foreseen(inputs: Props): Props {
    const unknown = [...this.kind.outputs, ...this.computed().filter((name) => inputs[name] === undefined)];
    return {
      ...Object.fromEntries(unknown.map((name) => [name, UNKNOWN_VALUE])),
      ...this.echo(inputs),
      ...(this.kind.tagged && { tagsAll: this.tagsAll(inputs) }),
      ...this.foreseenRegion(inputs),
    };
  }

  private foreseenChange(inputs: Props, state: Props): Props {
    const gone = Object.entries(this.kind.properties)
      .filter(
        ([name, property]) =>
          inputs[name] === undefined &&
          !property.computed &&
          !property.autonamed &&
          state[name] !== undefined,
      )
      .map(([name]): [string, Value] => [name, undefined]);
    return {
      ...Object.fromEntries(gone),
      ...this.echo(inputs),
      ...(this.kind.tagged && { tagsAll: this.tagsAll(inputs) }),
    };
  }

  private foreseenRegion(inputs: Props): Props {
    return inputs.region === undefined ? { region: this.session().region() } : {};
  }

  private computed(): string[] {
    return Object.entries(this.kind.properties)
      .filter(([, { computed }]) => computed)
      .map(([name]) => name);
  }

  private echo(inputs: Props): Props {
    const { [FILLED_IN]: _, ...rest } = inputs;
    return rest;
  }

  /** The tags of the resource, and the provider's default tags that it does not override. */
  private tagsAll(inputs: Props): Tags | typeof UNKNOWN_VALUE {
    if (hasUnknown(inputs.tags)) return UNKNOWN_VALUE;
    return sorted({ ...this.session().config.defaultTags, ...((inputs.tags ?? {}) as Tags) });
  }

  private callFor(urn: string, inputs: Props, place: Props, deleteLimit?: number) {
    const region = this.session().region(this.regionOf(place));
    const tags = this.tagsAll(inputs);
    return {
      region,
      call: this.session().call(urn, region, tags === UNKNOWN_VALUE ? {} : tags, deleteLimit),
    };
  }

  private regionOf(place: Props): string | undefined {
    return typeof place.region === "string" && !isUnknown(place.region) ? place.region : undefined;
  }
}

const sorted = (tags: Tags): Tags =>
  Object.fromEntries(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)));

const withoutUndefined = (props: Props): Props =>
  Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined && value !== null));
