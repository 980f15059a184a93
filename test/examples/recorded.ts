import * as pulumi from "@pulumi/pulumi";
import { getMonitor } from "@pulumi/pulumi/runtime/settings";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";

import { run } from "../components/program";
import { HOSTED_CLUSTER_SETTING, type Example } from "./example";
import { standIn } from "./standIn";

/** A resource as requested from the engine: everything that determines what an upgrade does to it. */
export interface Recorded {
  type: string;
  name: string;
  /** Its parent component, which is part of its identity. */
  parent?: string;
  /** The provider that the program created for it, which determines its cluster. */
  provider?: string;
  protect?: true;
  retainOnDelete?: true;
  deleteBeforeReplace?: true;
  aliases?: string[];
  inputs: unknown;
}

const KUBECONFIG = "{ clusters: [], users: [{ name: admin, user: { token: sesame } }] }";

/** Runs the program of an example against mocks, in a stack that configures only the hosted cluster. */
export async function recorded({
  program,
  projectName,
  takesHostedCluster,
}: Example): Promise<{ resources: Recorded[]; failures: string[]; warnings: string[] }> {
  const requests: RegisterResourceRequest[] = [];
  const { failures, warnings } = await run(
    () => {
      const setting = `${projectName}:${HOSTED_CLUSTER_SETTING}`;
      pulumi.runtime.setAllConfig(takesHostedCluster ? { [setting]: KUBECONFIG } : {}, [setting]);
      record(requests);
      return jest.requireActual<object>(program);
    },
    { project: projectName, answer: standIn },
  );
  return { resources: requests.map(recordOf).sort(byTypeAndName), failures, warnings };
}

/** Records requests to the engine: mocks see type, name and inputs, but not the options of a resource. */
function record(requests: RegisterResourceRequest[]): void {
  const monitor = getMonitor() as unknown as {
    registerResource(request: RegisterResourceRequest, done: unknown): Promise<void>;
  };
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, done) => {
    requests.push(request);
    return register(request, done);
  };
}

function recordOf(request: RegisterResourceRequest): Recorded {
  const parent = nameIn(request.getParent());
  const provider = request.getProvider().split("::").at(-2);
  const aliases = request.getAliasesList().map((alias) => JSON.stringify(alias.toObject()));
  return {
    type: request.getType(),
    name: request.getName(),
    ...(parent && { parent }),
    ...(provider && { provider }),
    ...(request.getProtect() && { protect: true }),
    ...(request.getRetainondelete() && { retainOnDelete: true }),
    ...(request.getDeletebeforereplace() && { deleteBeforeReplace: true }),
    ...(aliases.length > 0 && { aliases }),
    inputs: masked(request.getObject()?.toJavaScript() ?? {}),
  };
}

/** The kind and name in a URN, such as `EgressFirewall shop`; empty for the stack. */
function nameIn(urn: string): string {
  const [, , type = "", name = ""] = urn.split("::");
  return type === "" || type.endsWith("pulumi:Stack") ? "" : `${type.split(":").at(-1)} ${name}`;
}

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** Masks secrets, and omits the code of a dynamic provider, which changes with every build. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== "object" || value === null) return value;
  if ((value as Record<string, unknown>)[SIGNATURE] === SECRET) return "[secret]";
  const entries = Object.entries(value).filter(([key]) => key !== "__provider");
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, entry]) => [key, masked(entry)]),
  );
}

const byTypeAndName = (a: Recorded, b: Recorded) => (`${a.type} ${a.name}` < `${b.type} ${b.name}` ? -1 : 1);
