import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

import { PulumiCommand } from "@pulumi/pulumi/automation";

import { writeBinFolder } from "./engine/binFolder";
import { choosePlugins, type ProviderPlugin } from "./engine/plugins";
import { reapOrphans } from "./engine/reap";
import { sessionEnvironment } from "./environment";
import { silent, type Report } from "./report";
import { repositoryRoot } from "./repository";
import type { ApiClient } from "./servers/apiClient";
import { chooseCrds, installCrds } from "./servers/crds";
import { startEc2 } from "./servers/ec2";
import { startKubernetesApi } from "./servers/kubernetesApi";
import { rememberPorts, rememberedPorts } from "./servers/ports";
import { offeredServers, type Servers } from "./servers/shared";
import { reapServers } from "./servers/supervised";
import { takeLock } from "./toolchain/lock";
import { findTools, type Tools } from "./toolchain/tools";

/** The default folder for the data of a session; `HYPERSHIFT_NETWORK_STATE` sets another one. */
export const DEFAULT_STATE_FOLDER = resolve(
  process.env.HYPERSHIFT_NETWORK_STATE ?? join(repositoryRoot, ".hypershift-network"),
);

export interface SessionOptions {
  /** Holds all data and logs, which a session that restarts here finds again. Defaults to `.hypershift-network` in the repository. */
  readonly stateFolder?: string;
  /** Shows progress. Defaults to none. */
  readonly report?: Report;
  /** Whether installed official provider plugins are used. Defaults to `official`; `stand-in` never looks for them. */
  readonly plugins?: "official" | "stand-in";
  /** Servers to use: a file that `offerServers` wrote. By default the session starts its own. */
  readonly servers?: string;
}

/** A part of the session and where it came from. */
export interface SessionPart {
  /** Name for the user: "Pulumi engine 3.246.0". */
  readonly name: string;
  readonly kind: "official" | "stand-in";
  /** Where it was found or how it was built. */
  readonly from: string;
}

/** A Pulumi engine, an EC2 API and a Kubernetes API that run on this machine. */
export interface Session {
  readonly stateFolder: string;
  /** The complete environment for programs that run in the session; `process.env` is not changed. */
  readonly env: Record<string, string>;
  readonly kubeconfig: string;
  /** Plain requests to the Kubernetes API as its administrator: `request("GET", "/api/v1/namespaces")`. */
  readonly kubernetes: ApiClient;
  /** Audit log of the Kubernetes API: one JSON audit event for each request of a service account, with whether it was allowed. */
  readonly auditLog: string;
  readonly awsEndpoint: string;
  readonly parts: readonly SessionPart[];
  /** The engine for the Automation API. */
  readonly pulumiCommand: PulumiCommand;
  /** Stops the servers and ends plugins that an engine left behind. Keeps the data. */
  stop(): Promise<void>;
  /** Stops and starts the servers, with new credentials; use the returned session from then on. */
  restart(): Promise<Session>;
  /** Stops only kube-apiserver, as an outage would. */
  stopApiServer(): Promise<void>;
  /** Starts kube-apiserver again at the same address. */
  startApiServer(): Promise<void>;
  /** Ends plugins, policy packs and programs whose engine was killed; returns how many there were. */
  reap(): Promise<number>;
}

/** Finds or builds every part and starts it. */
export async function startSession(options: SessionOptions = {}): Promise<Session> {
  const report = options.report ?? silent;
  const plugins = choosePlugins(options.plugins ?? "official");
  const tools = await findTools(report);
  const stateFolder = resolve(options.stateFolder ?? DEFAULT_STATE_FOLDER);
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const release = takeState(stateFolder);
  let servers: Servers | undefined;
  try {
    servers = options.servers
      ? offeredServers(options.servers)
      : await report.step("starting the EC2 and Kubernetes APIs", () => startServers(stateFolder, tools));
    return await openSession({ options, tools, plugins, stateFolder, servers, release });
  } catch (error) {
    if (servers) {
      await stopServers(servers);
    }
    release();
    throw error;
  }
}

interface Opening {
  readonly options: SessionOptions;
  readonly tools: Tools;
  readonly plugins: readonly ProviderPlugin[];
  readonly stateFolder: string;
  readonly servers: Servers;
  readonly release: () => void;
}

async function openSession({
  options,
  tools,
  plugins,
  stateFolder,
  servers,
  release,
}: Opening): Promise<Session> {
  const pulumi = tools.pulumi.tool;
  const { kubeconfig } = servers.kubernetes;
  const records = join(stateFolder, "processes");
  writeBinFolder({ folder: join(stateFolder, "bin"), pulumi, plugins });
  let stopped: Promise<void> | undefined;
  const stop = () =>
    (stopped ??= reapOrphans(records)
      .then(() => stopServers(servers))
      .then(release));
  return {
    stateFolder,
    env: sessionEnvironment({ stateFolder, pulumi, plugins, kubeconfig, ec2: servers.ec2 }),
    kubeconfig,
    kubernetes: servers.kubernetes.client,
    auditLog: servers.kubernetes.auditLog,
    awsEndpoint: servers.ec2.endpoint,
    parts: partsOf(tools, servers, plugins),
    pulumiCommand: await PulumiCommand.get({ root: stateFolder }),
    stop,
    restart: async () => {
      await stop();
      return startSession(options);
    },
    stopApiServer: () => servers.kubernetes.stopApiServer(),
    startApiServer: () => servers.kubernetes.startApiServer(),
    reap: () => reapOrphans(records),
  };
}

/** Allows one session at a time in a state folder: two etcds on the same data would corrupt it. */
function takeState(stateFolder: string): () => void {
  const outcome = takeLock(join(stateFolder, "lock"));
  if (typeof outcome === "number") {
    throw new Error(
      `process ${outcome} has a session in ${stateFolder}: wait until it ends, or choose another state folder`,
    );
  }
  return outcome;
}

/** Starts the servers that keep their data in the state folder. */
export async function startServers(stateFolder: string, tools: Tools): Promise<Servers> {
  const folders = { kubernetes: join(stateFolder, "kubernetes"), ec2: join(stateFolder, "ec2") };
  await Promise.all(Object.values(folders).map(reapServers));
  const ports = rememberedPorts(stateFolder);
  const [kubernetes, ec2] = await Promise.allSettled([
    startKubernetesApi({
      tools: tools.kubernetes.tool,
      folder: folders.kubernetes,
      wantedPort: ports.kubernetes,
    }),
    startEc2({ tool: tools.ec2.tool, folder: folders.ec2, wantedPort: ports.ec2 }),
  ]);
  try {
    const servers = { kubernetes: valueOf(kubernetes), ec2: valueOf(ec2) };
    const crds = chooseCrds();
    await installCrds(servers.kubernetes.client, crds.folder);
    rememberPorts(stateFolder, { kubernetes: servers.kubernetes.url, ec2: servers.ec2.endpoint });
    return { ...servers, crds };
  } catch (error) {
    const started = [kubernetes, ec2].flatMap((result) =>
      result.status === "fulfilled" ? [result.value] : [],
    );
    await Promise.all(started.map((server) => server.stop()));
    throw error;
  }
}

function valueOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === "rejected") {
    throw result.reason;
  }
  return result.value;
}

/** Stops both servers. */
export async function stopServers({ kubernetes, ec2 }: Servers): Promise<void> {
  await Promise.all([kubernetes.stop(), ec2.stop()]);
}

function partsOf(tools: Tools, servers: Servers, plugins: readonly ProviderPlugin[]): SessionPart[] {
  const runsAlready = "endpoint" in tools.ec2.tool;
  const ownLanguageHost = tools.pulumi.tool.ownLanguageHost;
  return [
    { name: `Pulumi engine ${tools.pulumi.tool.version}`, kind: "official", from: tools.pulumi.from },
    {
      name: "Node.js language host",
      kind: ownLanguageHost ? "official" : "stand-in",
      from: ownLanguageHost ? "beside pulumi" : "local/engine",
    },
    ...plugins.map(({ name, kind, from }) => ({
      name: `${name} provider`,
      kind,
      from: kind === "official" ? from : `local/plugins/${name}`,
    })),
    { name: "kube-apiserver and etcd", kind: "official", from: tools.kubernetes.from },
    {
      name: "custom resource definitions",
      kind: servers.crds.reduced ? "stand-in" : "official",
      from: servers.crds.description,
    },
    { name: runsAlready ? "EC2 API" : "EC2 API (moto)", kind: "stand-in", from: tools.ec2.from },
  ];
}
