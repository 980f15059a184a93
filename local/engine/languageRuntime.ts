import { existsSync } from "node:fs";
import { join } from "node:path";

import type { sendUnaryData, ServerUnaryCall, ServerWritableStream, UntypedHandleCall } from "@grpc/grpc-js";
import * as language from "@pulumi/pulumi/proto/language_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "../protobuf";

import { nodeArguments, spawnNode, toolOf, type NodeProgram, type RunningProgram } from "./nodeProgram";

/** Exit status of the SDK's runner after it has already reported the error to the user. */
const ALREADY_TOLD = 32;

type Handlers = Record<string, UntypedHandleCall>;

/** The language host service for Node.js that the engine calls. */
export function languageRuntime(engine: string): Handlers {
  const programs = new Set<RunningProgram>();
  return {
    handshake: replyWith(() => new language.LanguageHandshakeResponse()),
    getPluginInfo: replyWith(() => {
      const info = new PluginInfo();
      info.setVersion("1.0.0");
      return info;
    }),
    // Plugins are looked up on PATH when the first resource needs them.
    getRequiredPlugins: replyWith(() => new language.GetRequiredPluginsResponse()),
    getRequiredPackages: replyWith(() => new language.GetRequiredPackagesResponse()),
    getProgramDependencies: replyWith(() => new language.GetProgramDependenciesResponse()),
    runtimeOptionsPrompts: replyWith(() => new language.RuntimeOptionsResponse()),
    about: replyWith(() => {
      const about = new language.AboutResponse();
      about.setExecutable(process.execPath);
      about.setVersion(process.version);
      return about;
    }),
    // The user pressed Ctrl-C: this interrupts the programs; the engine itself tells the plugins.
    cancel: replyWith(() => {
      for (const program of programs) program.interrupt();
      return new Empty();
    }),
    run: (call: ServerUnaryCall<language.RunRequest, unknown>, done: sendUnaryData<unknown>) => {
      runProgram(call.request, engine, programs).then(
        (response) => done(null, response),
        (error: Error) => done({ code: 2, details: error.message }),
      );
    },
    runPlugin,
    installDependencies,
  };
}

/** Handles a call with the reply that `make` creates. */
export function replyWith<Reply>(make: () => Reply): UntypedHandleCall {
  return ((_call: unknown, done: sendUnaryData<Reply>) => done(null, make())) as UntypedHandleCall;
}

async function runProgram(
  request: language.RunRequest,
  engine: string,
  programs: Set<RunningProgram>,
): Promise<language.RunResponse> {
  const info = request.getInfo();
  const folder = info?.getProgramDirectory() || request.getPwd();
  const program = spawnNode({
    cwd: folder,
    arguments: [
      ...nodeArguments(optionsOf(info).nodeargs),
      toolOf("run", folder),
      ...flags({
        monitor: request.getMonitorAddress(),
        engine,
        organization: request.getOrganization(),
        project: request.getProject(),
        stack: request.getStack(),
        pwd: request.getPwd(),
        "root-directory": info?.getRootDirectory() ?? "",
        parallel: `${request.getParallel()}`,
      }),
      ...(request.getDryrun() ? ["--dry-run"] : []),
      info?.getEntryPoint() || request.getProgram() || ".",
      ...request.getArgsList(),
    ],
    env: {
      ...process.env,
      PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toArray())),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
      PULUMI_NODEJS_TYPESCRIPT: `${optionsOf(info).typescript !== false}`,
    },
  });
  programs.add(program);
  const status = await program.exited;
  programs.delete(program);
  const response = new language.RunResponse();
  if (status === ALREADY_TOLD) {
    response.setBail(true);
  } else if (status !== 0) {
    response.setError(`the program ended with exit status ${status}`);
  }
  return response;
}

/** Runs policy packs and component providers; their output and exit status stream back to the engine. */
function runPlugin(call: ServerWritableStream<language.RunPluginRequest, language.RunPluginResponse>): void {
  const request = call.request;
  const info = request.getInfo();
  const folder = info?.getProgramDirectory() || request.getProgram();
  const isPolicyPack = request.getKind() === "analyzer";
  const tool = toolOf(isPolicyPack ? "run-policy-pack" : "run-plugin", folder);
  const parameters = isPolicyPack ? [...request.getArgsList(), folder] : [folder, ...request.getArgsList()];
  const given = Object.fromEntries(request.getEnvList().map((entry) => splitAtFirst(entry, "=")));
  const running = spawnNode({
    // A pack reads its own tsconfig.json from its working directory.
    cwd: isPolicyPack ? folder : request.getPwd() || folder,
    arguments: [...nodeArguments(optionsOf(info).nodeargs), tool, ...parameters],
    env: { ...process.env, ...given },
    onOutput: (chunk) => call.write(pluginOutput((response) => response.setStdout(chunk))),
    onError: (chunk) => call.write(pluginOutput((response) => response.setStderr(chunk))),
  });
  call.on("cancelled", () => running.end());
  void running.exited.then((status) => {
    call.write(pluginOutput((response) => response.setExitcode(status)));
    call.end();
  });
}

/** Installs the dependencies of a component package if none are installed; packages of this repository already have theirs. */
function installDependencies(
  call: ServerWritableStream<language.InstallDependenciesRequest, language.InstallDependenciesResponse>,
): void {
  const folder = call.request.getInfo()?.getProgramDirectory() || call.request.getDirectory();
  if (existsSync(join(folder, "node_modules")) || !existsSync(join(folder, "package.json"))) {
    call.end();
    return;
  }
  const write = (set: (response: language.InstallDependenciesResponse) => void) => {
    const response = new language.InstallDependenciesResponse();
    set(response);
    call.write(response);
  };
  const npm: NodeProgram = {
    command: "npm",
    arguments: ["install", "--no-audit", "--no-fund"],
    cwd: folder,
    env: process.env,
    onOutput: (chunk) => write((response) => response.setStdout(chunk)),
    onError: (chunk) => write((response) => response.setStderr(chunk)),
  };
  void spawnNode(npm).exited.then((status) => {
    if (status === 0) {
      call.end();
    } else {
      call.emit("error", { code: 2, details: `npm install in ${folder} ended with exit status ${status}` });
    }
  });
}

function pluginOutput(set: (response: language.RunPluginResponse) => void): language.RunPluginResponse {
  const response = new language.RunPluginResponse();
  set(response);
  return response;
}

/** The options under `runtime:` in Pulumi.yaml. */
function optionsOf(info: language.ProgramInfo | undefined): { typescript?: boolean; nodeargs?: string } {
  return info?.getOptions()?.toJavaScript() ?? {};
}

function flags(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value === "" ? [] : [`--${name}`, value]));
}

function splitAtFirst(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
