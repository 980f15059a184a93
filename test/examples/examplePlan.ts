import * as pulumi from "@pulumi/pulumi";
import { getMonitor } from "@pulumi/pulumi/runtime/settings";
import type {
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
} from "@pulumi/pulumi/proto/resource_pb";

import type { Resource } from "../../src/resources/resource";
import { JudgedResources } from "../../src/gate/judgedResources";
import { rules } from "../../src/rules";
import { run } from "../components/program";
import type { Example } from "./example";
import { HOSTED_CLUSTER_SETTING } from "./example";
import { standIn } from "./standIn";
import { readConfigurationFile } from "../../src/plan/configurationFile";
import { NO_CONFIGURATION } from "../../src/gate/configuration";

const KUBECONFIG = "{ clusters: [], users: [{ name: admin, user: { token: sesame } }] }";

interface Response {
  getUrn(): string;
  getObject(): { toJavaScript(): Record<string, unknown> } | undefined;
  getId(): string;
}

/** The stack that a program creates: each resource with its outputs, as in a stack export. */
export async function planOfProgram(body: () => unknown, project: string): Promise<Resource[]> {
  const found = new Map<string, Resource>();
  const { failures } = await run(
    () => {
      recordInto(found);
      return body();
    },
    { project, answer: standIn },
  );
  if (failures.length > 0) throw new Error(failures.join("\n"));
  return [...found.values()].sort((a, b) => (a.origin.urn! < b.origin.urn! ? -1 : 1));
}

/** The stack of an example, judged with its configuration file if it has one. */
export async function judgedExample(example: Example): Promise<JudgedResources> {
  const { program, projectName, takesHostedCluster, configuration } = example;
  const resources = await planOfProgram(() => {
    const setting = `${projectName}:${HOSTED_CLUSTER_SETTING}`;
    pulumi.runtime.setAllConfig(takesHostedCluster ? { [setting]: KUBECONFIG } : {}, [setting]);
    return jest.requireActual<object>(program);
  }, projectName);
  const ids = rules.map(({ id }) => id);
  const read = configuration === undefined ? undefined : readConfigurationFile(configuration, ids);
  return new JudgedResources(resources, read?.configuration ?? NO_CONFIGURATION);
}

function recordInto(found: Map<string, Resource>): void {
  const monitor = getMonitor() as unknown as {
    registerResource(
      request: RegisterResourceRequest,
      done: (error: unknown, response: Response) => void,
    ): Promise<void>;
    registerResourceOutputs(request: RegisterResourceOutputsRequest, done: unknown): Promise<void>;
  };
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, done) =>
    register(request, (error, response) => {
      if (!(error as Error | null)) found.set(response.getUrn(), resourceOf(request, response));
      done(error, response);
    });
  const outputs = monitor.registerResourceOutputs.bind(monitor);
  monitor.registerResourceOutputs = (request, done) => {
    const resource = found.get(request.getUrn());
    const more = plain(request.getOutputs()?.toJavaScript() ?? {});
    if (resource)
      found.set(request.getUrn(), { ...resource, properties: { ...resource.properties, ...more } });
    return outputs(request, done);
  };
}

function resourceOf(request: RegisterResourceRequest, response: Response): Resource {
  const inputs = plain(request.getObject()?.toJavaScript() ?? {});
  const state = request.getCustom() ? plain(response.getObject()?.toJavaScript() ?? {}) : {};
  const id = response.getId();
  const parent = request.getParent();
  return {
    origin: { urn: response.getUrn() },
    type: request.getType(),
    name: request.getName(),
    properties: { ...inputs, ...state, ...(id && { id }) },
    ...(parent && { parent }),
  };
}

const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Replaces secrets and references of the engine's protocol by their values. */
const plain = (value: object): Resource["properties"] => unwrapped(value) as Resource["properties"];

function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (typeof value !== "object" || value === null) return value;
  const entries = value as Record<string, unknown>;
  if (SIGNATURE in entries) return unwrapped(entries.value ?? null);
  return Object.fromEntries(
    Object.entries(entries)
      .filter(([key]) => key !== "__provider")
      .map(([key, entry]) => [key, unwrapped(entry)]),
  );
}
