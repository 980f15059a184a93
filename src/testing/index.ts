// What `hypershift-network/testing` exports: the rules of the gate in tests of programs and of configurations.
import "../supportedNode";

import { AsyncLocalStorage } from "node:async_hooks";

import * as pulumi from "@pulumi/pulumi";
import type {
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
} from "@pulumi/pulumi/proto/resource_pb";
import * as outputModule from "@pulumi/pulumi/output";
import * as debuggable from "@pulumi/pulumi/runtime/debuggable";
import { getMonitor } from "@pulumi/pulumi/runtime/settings";
import { onlyOnce } from "../collections";
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
import { contradictions, readConfigurationFile } from "../plan/configurationFile";
import type { Configuration } from "../gate/configuration";
import { stackResource, type EngineState } from "../plan/stackResource";

export type { ConfigurationDocument } from "../cli/configurationCommands";
export { UNKNOWN, type Origin, type PropertyValue, type Resource } from "../resources/resource";
export type { ExemptedFinding, Exemption } from "../gate/verdict";
export { Level, Status, type Finding } from "../gate/rule";

/**
 * Describes a resource of a stack as a preview shows it.
 *
 * @param type Pulumi type token: `aws:ec2/securityGroup:SecurityGroup`
 * @param name its name in the program
 * @param properties its properties; `UNKNOWN`, at any depth, marks what the preview does not know
 * @param from the resources that a property is computed from, by property: rules use them to join resources, because ids are not
 * known before the first update
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
 * Describes a Kubernetes object as it is in a manifest. `UNKNOWN`, at any depth, marks what is not known.
 *
 * @throws Error if `apiVersion` or `kind` is missing
 */
export function manifest(object: Readonly<Record<string, PropertyValue>>): Resource {
  const [found] = kubernetesObjects(object);
  if (!found) throw new Error("manifest: apiVersion or kind is missing: write both");
  return manifestResource(found, { file: "manifest" });
}

/** The results of the rules for a set of resources. */
export interface Judged {
  /** Violations, and findings that depend on a secret, at the levels of the configuration, in the order of the rules. */
  violated: Finding[];
  /** Findings that no rule could judge, because values are not known. */
  unknown: Finding[];
  /** Findings that exemptions removed. */
  exempted: ExemptedFinding[];
  /** Exemptions that removed no finding. */
  stale: Exemption[];
  /** The hosted clusters that resources and configuration name, as `namespace/name`. */
  hostedClusters: string[];
}

const ids = rules.map(({ id }) => id);

/**
 * Judges resources by the rules of the gate, as `hypershift-network check` does.
 *
 * @param resources the results of {@link previewOf}, `resource` and `manifest`
 * @param configuration path of `hypershift-network.yaml`, or its content. Defaults to no configuration
 * @throws Error with every fault of the configuration, also where it contradicts the resources
 */
export function judge(
  resources: readonly Resource[],
  configuration: string | ConfigurationDocument = {},
): Judged {
  const judged = new JudgedResources(resources, read(configuration));
  const faults = contradictions(judged);
  if (faults.length > 0) throw new Error(visibleLines(describeInputFaults(faults)));
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

/** How to run a program. */
export interface PreviewOptions {
  /** Name of the project, which prefixes configuration keys. Defaults to `project`. */
  project?: string;
  /** Name of the stack. Defaults to `stack`. */
  stack?: string;
  /** Configuration of the stack, with the project's name before each key: `{ "project:region": "us-east-1" }`. */
  config?: Readonly<Record<string, string>>;
  /** Ids of existing resources, by name. Resources not listed do not exist yet: their ids are unknown. */
  ids?: Readonly<Record<string, string>>;
  /** Answers calls of provider functions, such as `aws:ec2/getVpc:getVpc`. Defaults to an empty answer. */
  call?: (token: string, args: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/**
 * Runs a program as a preview of a stack that was never deployed, against mocks: without an engine, a provider or an account. Values that
 * the cloud decides, such as ids, are unknown; rules treat secrets as unknown too.
 *
 * It replaces the mocks of the test (`pulumi.runtime.setMocks`), so run previews one after the other.
 *
 * @param program creates the resources; if a module creates them when it is loaded, the program imports that module
 * @returns what the program registered, including components and their outputs
 * @throws what the program throws, including faults of component args, also of those that are Outputs
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
  watchFailures();
  await new Promise<void>((resolve, fail) => {
    const run = async () => {
      try {
        await failing.run(fail, program);
      } finally {
        // Disconnects even if the program throws: otherwise its pending registrations would reach the mocks of the next preview.
        await pulumi.runtime.disconnect();
      }
    };
    run().then(resolve, fail);
  }).catch((reason: unknown) => {
    // Pulumi would report what stays pending at the end of the process, which would fail.
    promises.leakedPromises();
    throw reason;
  });
  return [...states.values()].map((state) => stackResource(state, "", { count: 0 })).map(withoutFile);
}

/** Modules of Pulumi through which all promises of a program pass; their types do not show it. */
const promises = debuggable as unknown as {
  debuggablePromise: (this: void, promise: Promise<unknown>, context: string) => Promise<unknown>;
  /** Forgets the promises that are pending, and returns them. */
  leakedPromises: () => unknown;
};
const outputs = outputModule as unknown as {
  Output: { new (...given: unknown[]): Watched; prototype: Watched };
};

/** An Output, with the promises that fail together with it and that nothing waits for. */
interface Watched {
  isKnown: Promise<boolean>;
  isSecret: Promise<boolean>;
  apply: (this: Watched, ...given: unknown[]) => Watched;
}

/** A resource that is being prepared, and a request that is sent for it. */
const OPERATION = /^resource:|-initial$/;

/** Where failures go, in what the program of a preview does, however late. */
const failing = new AsyncLocalStorage<(reason: Error) => void>();

/**
 * Sends failures of Outputs and resources to the preview that they are of. Pulumi leaves them to the process, as unhandled rejections,
 * which a test cannot expect; and what depends on a failed resource stays pending.
 */
const watchFailures = onlyOnce(() => {
  const { debuggablePromise } = promises;
  const { Output } = outputs;
  promises.debuggablePromise = (promise, context) => {
    const fail = OPERATION.test(context) ? failing.getStore() : undefined;
    return debuggablePromise(fail ? promise.catch(fail) : promise, context);
  };
  const watched = (output: Watched): Watched => {
    const fail = failing.getStore();
    if (fail) for (const promise of [output.isKnown, output.isSecret]) promise.catch(fail);
    return output;
  };
  const { apply } = Output.prototype;
  Output.prototype.apply = function (this: Watched, ...given) {
    return watched(apply.apply(this, given));
  };
  outputs.Output = new Proxy(Output, {
    construct: (target, given, made: typeof Output) =>
      watched(Reflect.construct<unknown[], Watched>(target, given, made)),
  });
});

type Done = (error: unknown, response: { getUrn(): string; getId(): string }) => void;

interface Monitor {
  registerResource(request: RegisterResourceRequest, done: Done): unknown;
  registerResourceOutputs(request: RegisterResourceOutputsRequest, done: unknown): unknown;
}

/** Records the states of everything that is registered from now on, by URN, as a preview would print them. */
function recorded(): Map<string, EngineState> {
  const states = new Map<string, EngineState>();
  // The mocks see type, name and inputs; parents and property dependencies are only in the request.
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

/** Removes the file from the origin: a program has none. */
const withoutFile = ({ origin: { urn }, ...rest }: Resource): Resource => ({
  ...rest,
  origin: { ...(urn !== undefined && { urn }) },
});
