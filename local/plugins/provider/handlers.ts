import type { Empty as EmptyMessage } from "google-protobuf/google/protobuf/empty_pb";
import {
  type CheckRequest as CheckMessage,
  type ConfigureRequest as ConfigureMessage,
  ConfigureResponse,
  type CreateRequest as CreateMessage,
  CreateResponse,
  type DeleteRequest as DeleteMessage,
  type DiffRequest as DiffMessage,
  type InvokeRequest as InvokeMessage,
  InvokeResponse,
  type ReadRequest as ReadMessage,
  ReadResponse,
  type UpdateRequest as UpdateMessage,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";

import type { Engine } from "./engine";
import { UnknownName } from "./errors";
import type { Call, CheckRequest, ProviderDefinition, ResourceKind } from "./kind";
import { checkReply, diffReply } from "./replies";
import { Empty } from "../../protobuf";
import { keepSecrets, mergePlaces } from "./secrets";
import type { Props } from "./values";
import { fromWire, toWire } from "./wire";

interface ResourceMessage {
  getUrn(): string;
  getType(): string;
  getName(): string;
}

/** The engine's calls, each translated to the interface of provider authors and back. */
export class Handlers {
  constructor(
    private readonly provider: ProviderDefinition,
    private readonly engine: Engine,
  ) {}

  async checkConfig(message: CheckMessage) {
    const { props, secrets } = fromWire(message.getNews());
    return checkReply((await this.provider.checkConfig?.(props)) ?? { inputs: props }, secrets);
  }

  async diffConfig(message: DiffMessage) {
    const oldInputs = fromWire(message.getOldInputs() ?? message.getOlds()).props;
    const [oldState, news] = [fromWire(message.getOlds()).props, fromWire(message.getNews()).props];
    const diff = await this.provider.diffConfig?.({ oldInputs, oldState, news });
    return diffReply(diff ?? { changes: JSON.stringify(oldInputs) !== JSON.stringify(news) });
  }

  async configure(message: ConfigureMessage): Promise<ConfigureResponse> {
    await this.provider.configure?.(configOf(message), {
      log: (severity, text) => this.engine.log(severity, text),
    });
    const reply = new ConfigureResponse();
    reply.setAcceptsecrets(true);
    reply.setSupportspreview(true);
    reply.setSupportsAutonamingConfiguration(true);
    return reply;
  }

  async invoke(message: InvokeMessage): Promise<InvokeResponse> {
    const { props, secrets } = fromWire(message.getArgs());
    const answer = await this.provider.invoke?.(message.getTok(), props, this.engine.signal);
    if (answer === undefined) throw this.unknown("function", message.getTok());
    const reply = new InvokeResponse();
    reply.setReturn(toWire(keepSecrets(answer, secrets)));
    return reply;
  }

  async check(message: CheckMessage) {
    const { kind, call } = this.about(message);
    const { props: news, secrets } = fromWire(message.getNews());
    const olds = fromWire(message.getOlds()).props;
    const result = await kind.check({
      ...call,
      news,
      olds: Object.keys(olds).length === 0 ? undefined : olds,
      randomSeed: message.getRandomseed_asU8(),
      autonaming: autonamingOf(message),
    });
    return checkReply(result, secrets);
  }

  async diff(message: DiffMessage) {
    const { kind, call } = this.about(message);
    const result = await kind.diff({
      ...call,
      id: message.getId(),
      oldState: fromWire(message.getOlds()).props,
      oldInputs: fromWire(message.getOldInputs()).props,
      news: fromWire(message.getNews()).props,
      ignoreChanges: message.getIgnorechangesList(),
    });
    return diffReply(result);
  }

  async create(message: CreateMessage): Promise<CreateResponse> {
    const { kind, call } = this.about(message);
    const { props: inputs, secrets } = fromWire(message.getProperties());
    const preview = message.getPreview();
    const { id, state } = await kind.create({
      ...call,
      inputs,
      preview,
      timeout: message.getTimeout() || undefined,
    });
    const reply = new CreateResponse();
    reply.setId(id);
    reply.setProperties(toWire(keepSecrets(state, secrets)));
    return reply;
  }

  async read(message: ReadMessage): Promise<ReadResponse> {
    const { kind, call } = this.about(message);
    const state = fromWire(message.getProperties());
    const inputs = fromWire(message.getInputs());
    const timeout = readTimeout(message) || undefined;
    const found = await kind.read({
      ...call,
      id: message.getId(),
      state: state.props,
      inputs: inputs.props,
      timeout,
    });
    const reply = new ReadResponse();
    if (found === undefined) return reply;
    reply.setId(found.id);
    reply.setProperties(toWire(keepSecrets(found.state, mergePlaces(state.secrets, inputs.secrets))));
    reply.setInputs(toWire(keepSecrets(found.inputs, inputs.secrets)));
    return reply;
  }

  async update(message: UpdateMessage): Promise<UpdateResponse> {
    const { kind, call } = this.about(message);
    const { props: news, secrets } = fromWire(message.getNews());
    const state = await kind.update({
      ...call,
      id: message.getId(),
      oldState: fromWire(message.getOlds()).props,
      oldInputs: fromWire(message.getOldInputs()).props,
      news,
      ignoreChanges: message.getIgnorechangesList(),
      preview: message.getPreview(),
      timeout: message.getTimeout() || undefined,
    });
    const reply = new UpdateResponse();
    reply.setProperties(toWire(keepSecrets(state, secrets)));
    return reply;
  }

  async delete(message: DeleteMessage): Promise<EmptyMessage> {
    const { kind, call } = this.about(message);
    await kind.delete({
      ...call,
      id: message.getId(),
      state: fromWire(message.getProperties()).props,
      inputs: fromWire(message.getOldInputs()).props,
      timeout: message.getTimeout() || undefined,
    });
    return new Empty();
  }

  private about(message: ResourceMessage): { kind: ResourceKind; call: Call } {
    const urn = message.getUrn();
    const { type, name } = partsOf(urn);
    const { kinds } = this.provider;
    const kind = typeof kinds === "function" ? kinds(type) : kinds.get(type);
    if (kind === undefined) throw this.unknown("resource type", type);
    const log: Call["log"] = (severity, text) => this.engine.log(severity, text, urn);
    return { kind, call: { urn, name, type, signal: this.engine.signal, log } };
  }

  private unknown(what: string, token: string): UnknownName {
    const { name } = this.provider;
    return new UnknownName(
      `the local stand-in for the ${name} provider has no ${what} ${token}: install the official provider (pulumi plugin install resource ${name})`,
    );
  }
}

/** The type token and the name in a URN: `urn:pulumi:stack::project::parentType$type::name`. */
export function partsOf(urn: string): { type: string; name: string } {
  const [, , types = "", ...name] = urn.split("::");
  return { type: types.split("$").at(-1) ?? "", name: name.join("::") };
}

function configOf(message: ConfigureMessage): Props {
  if (message.hasArgs()) return fromWire(message.getArgs()).props;
  const variables = [...message.getVariablesMap().entries()] as [string, string][];
  return Object.fromEntries(variables.map(([key, value]) => [key.split(":").at(-1) ?? key, value]));
}

function autonamingOf(message: CheckMessage): CheckRequest["autonaming"] {
  const options = message.getAutonaming();
  if (!options) return undefined;
  const modes = ["propose", "enforce", "disabled"] as const;
  return { proposedName: options.getProposedName(), mode: modes[options.getMode()] ?? "propose" };
}

/** Older SDKs have no timeout for reads. */
function readTimeout(message: object): number | undefined {
  return (message as { getTimeout?: () => number }).getTimeout?.();
}
