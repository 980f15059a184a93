import * as pulumi from "@pulumi/pulumi";
import type {
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
} from "@pulumi/pulumi/proto/resource_pb";
import { getMonitor } from "@pulumi/pulumi/runtime/settings";

import { stackResource, type EngineState } from "../plan/stackResource";
import type { Resource } from "../resources/resource";

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
