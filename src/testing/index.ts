// What `hypershift-network/testing` exports: the rules of the gate in tests of programs and of configurations.
import "../supportedNode";

import * as pulumi from "@pulumi/pulumi";
import type {
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
} from "@pulumi/pulumi/proto/resource_pb";
import { getMonitor } from "@pulumi/pulumi/runtime/settings";
import { kubernetesObjects, manifestResource } from "../plan/manifests";
import type { PropertyValue, Resource } from "../resources/resource";
import type { ConfigurationDocument } from "../cli/configurationCommands";
import { describeFaults } from "../fault";
import { JudgedResources } from "../gate/judgedResources";
import { rules } from "../rules";
import { type Finding, Status } from "../gate/rule";
import { type ExemptedFinding, type Exemption, verdictOf } from "../gate/verdict";
import { readConfiguration } from "../gate/readConfiguration";
import { visibleLines } from "../text";
import { describeInputFaults } from "../plan/inputs";
import { readConfigurationFile } from "../plan/configurationFile";
import type { Configuration } from "../gate/configuration";
import { stackResource, type EngineState } from "../plan/stackResource";

export type { ConfigurationDocument } from "../cli/configurationCommands";
export { UNKNOWN, type Origin, type PropertyValue, type Resource } from "../resources/resource";
export type { ExemptedFinding, Exemption } from "../gate/verdict";
export { Level, Status, type Finding } from "../gate/rule";

/**
 * A resource of a stack, as a preview shows it.
 *
 * @param type Pulumi type token: `aws:ec2/securityGroup:SecurityGroup`
 * @param name its name in the program
 * @param properties its properties; `UNKNOWN` stands for what the preview does not know, at any depth
 * @param from for properties that are made from other resources those resources: rules join by them, because ids are not
 *   known before the first update
 */
export function resource(
  type: string,
  name: string,
  properties: Readonly<Record<string, PropertyValue>>,
  from: Readonly<Record<string, Resource | readonly Resource[]>> = {},
): Resource {
  const sources = Object.entries(from).map(([property, given]) => [property, urnsOf(given)] as const);
  return {
    origin: { urn: `urn:pulumi:stack::project::${type}::${name}` },
    type,
    name,
    properties,
    propertyDependencies: Object.fromEntries(sources),
  };
}

const urnsOf = (given: Resource | readonly Resource[]): string[] =>
  (Array.isArray(given) ? (given as readonly Resource[]) : [given as Resource]).flatMap(
    ({ origin: { urn } }) => urn ?? [],
  );

/**
 * An object of Kubernetes, as a manifest has it. `UNKNOWN` stands for what is not known, at any depth.
 *
 * @throws Error where `apiVersion` or `kind` is missing
 */
export function manifest(object: Readonly<Record<string, PropertyValue>>): Resource {
  const [found] = kubernetesObjects(object);
  if (!found) throw new Error("manifest: apiVersion or kind is missing: write both");
  return manifestResource(found, { file: "manifest" });
}

/** What the rules say about some resources. */
export interface Judged {
  /** What is wrong, or hangs on a secret, at the levels of the configuration, in the order of the rules. */
  violated: Finding[];
  /** What no rule could judge, because values are not known. */
  unknown: Finding[];
  /** What exemptions took out. */
  exempted: ExemptedFinding[];
  /** Exemptions that took nothing out. */
  stale: Exemption[];
  /** The hosted clusters that resources and configuration speak of, as `namespace/name`. */
  hostedClusters: string[];
}

const ids = rules.map(({ id }) => id);

/**
 * Judges resources by the rules of the gate, as `hypershift-network check` does.
 *
 * @param resources what {@link previewOf}, `resource` and `manifest` give
 * @param configuration path of `hypershift-network.yaml`, or what stands in it. Defaults to no configuration
 * @throws Error with every fault of the configuration
 */
export function judge(
  resources: readonly Resource[],
  configuration: string | ConfigurationDocument = {},
): Judged {
  const judged = new JudgedResources(resources, read(configuration));
  const { findings, exempted, stale } = verdictOf(judged, rules);
  return {
    violated: findings.filter(({ status }) => status !== Status.Unknown),
    unknown: findings.filter(({ status }) => status === Status.Unknown),
    exempted,
    stale,
    hostedClusters: judged.clusters.map(({ key }) => key),
  };
}

function read(given: string | ConfigurationDocument): Configuration {
  if (typeof given === "string") {
    const { configuration, faults } = readConfigurationFile(given, ids);
    if (faults.length > 0) throw new Error(visibleLines(describeInputFaults(faults)));
    return configuration;
  }
  const { configuration, faults } = readConfiguration(given, "configuration", ids);
  if (faults.length > 0) throw new Error(describeFaults("configuration", faults));
  return configuration;
}

/** How a program runs. */
export interface PreviewOptions {
  /** Name of the project, before whose colon its configuration stands. Defaults to `project`. */
  project?: string;
  /** Name of the stack. Defaults to `stack`. */
  stack?: string;
  /** Its configuration, with the project's name before each key: `{ "project:region": "us-east-1" }`. */
  config?: Readonly<Record<string, string>>;
  /** Ids of resources that are there already, by name. What is not named does not exist yet: its id is unknown. */
  ids?: Readonly<Record<string, string>>;
  /** Answers calls of provider functions, such as `aws:ec2/getVpc:getVpc`. Defaults to an empty answer. */
  call?: (token: string, args: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/**
 * Runs a program as a preview of a stack that was never deployed, against mocks: without an engine, a provider or an account.
 * What the cloud decides, such as ids, is unknown, and secrets are unknown to the rules.
 *
 * It replaces the mocks of the test by its own (`pulumi.runtime.setMocks`), so previews run one after the other.
 *
 * @param program makes resources; where they are made by a module when it is loaded, it imports that module
 * @returns what the program registered, components and their outputs among it
 * @throws what the program throws, wrong arguments of components among it
 */
export async function previewOf(program: () => unknown, options: PreviewOptions = {}): Promise<Resource[]> {
  const { project = "project", stack = "stack", config = {}, ids = {}, call = () => ({}) } = options;
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs, id }) => ({
        id: id || ids[name],
        state: inputs as Record<string, unknown>,
      }),
      call: ({ token, inputs }) => call(token, inputs as Record<string, unknown>),
    },
    project,
    stack,
    true,
  );
  pulumi.runtime.setAllConfig(config);
  const states = recorded();
  try {
    await program();
  } finally {
    // Also of a program that has thrown: what it registered before would meet the mocks of the next preview.
    await pulumi.runtime.disconnect();
  }
  return [...states.values()].map((state) => stackResource(state, "", { count: 0 })).map(withoutFile);
}

type Done = (error: unknown, response: { getUrn(): string; getId(): string }) => void;

interface Monitor {
  registerResource(request: RegisterResourceRequest, done: Done): unknown;
  registerResourceOutputs(request: RegisterResourceOutputsRequest, done: unknown): unknown;
}

/** The states of everything that is registered from now on, as a preview would print them, by URN. */
function recorded(): Map<string, EngineState> {
  const states = new Map<string, EngineState>();
  // The mocks see type, name and inputs; parents and what properties were made from are in the request.
  const monitor = getMonitor() as unknown as Monitor;
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, done) =>
    register(request, (error, response) => {
      if (response) states.set(response.getUrn(), stateOf(request, response.getUrn(), response.getId()));
      done(error, response);
    });
  const registerOutputs = monitor.registerResourceOutputs.bind(monitor);
  monitor.registerResourceOutputs = (request, done) => {
    const state = states.get(request.getUrn());
    if (state) state.outputs = request.getOutputs()?.toJavaScript();
    return registerOutputs(request, done);
  };
  return states;
}

function stateOf(request: RegisterResourceRequest, urn: string, id: string): EngineState {
  const dependencies = request.getPropertydependenciesMap();
  return {
    urn,
    type: request.getType(),
    id,
    parent: request.getParent(),
    inputs: request.getObject()?.toJavaScript(),
    propertyDependencies: Object.fromEntries(
      [...dependencies.entries()].map(([property, sources]) => [property, sources.getUrnsList()]),
    ),
  };
}

/** A program has no file. */
const withoutFile = ({ origin: { urn }, ...rest }: Resource): Resource => ({
  ...rest,
  origin: { ...(urn !== undefined && { urn }) },
});
