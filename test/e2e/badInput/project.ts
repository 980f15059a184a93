import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { LocalWorkspace, type EngineEvent, type Stack } from "@pulumi/pulumi/automation";

import { repositoryRoot } from "../../../local/repository";
import type { Session } from "../../../local/session";
import { withoutSummary } from "../withoutSummary";

/** What one run of the engine shows to a user. */
export interface Run {
  /** The engine's exit status. */
  status: number;
  /** Everything that it printed. */
  output: string;
  /** The resources that it was about to create: `hypershift-network:index:EgressFirewall$kubernetes:core/v1:ConfigMap name`. */
  steps: string[];
}

/** A user's project that uses the package. Each run writes its program anew. */
export interface Project {
  folder: string;
  preview(program: string): Promise<Run>;
  /** `told` receives the output as it is printed. */
  up(program: string, told?: (text: string) => void): Promise<Run>;
  destroy(): Promise<void>;
  /** Releases the lock of the stack after its engine was killed. */
  cancel(): Promise<void>;
}

/** A project that has the package installed; `settings` are lines of its Pulumi.yaml. */
export async function projectIn(session: Session, name: string, settings = ""): Promise<Project> {
  const folder = mkdtempSync(join(session.stateFolder, `${name}-`));
  const installed = join(folder, "node_modules");
  mkdirSync(installed);
  for (const entry of ["@pulumi", "@types", "typescript"])
    symlinkSync(join(repositoryRoot, "node_modules", entry), join(installed, entry));
  symlinkSync(repositoryRoot, join(installed, "hypershift-network"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version: "1.0.0" }));
  writeFileSync(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\nmain: index.ts\n${settings}`);
  const stack = await LocalWorkspace.createStack(
    { stackName: "dev", workDir: folder },
    {
      // Without type checking, invalid inputs reach the components, as from JavaScript.
      envVars: { ...session.env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
      pulumiCommand: session.pulumiCommand,
    },
  );
  const run = (verb: "preview" | "up") => (program: string, told?: (text: string) => void) => {
    writeFileSync(join(folder, "index.ts"), program);
    return ran(withoutSummary(stack), verb, told);
  };
  return {
    folder,
    preview: run("preview"),
    up: run("up"),
    destroy: async () => {
      await stack.destroy();
    },
    cancel: () => stack.cancel(),
  };
}

async function ran(stack: Stack, verb: "preview" | "up", told?: (text: string) => void): Promise<Run> {
  const printed: string[] = [];
  const steps: string[] = [];
  const hear = (text: string) => {
    printed.push(text);
    told?.(text);
  };
  const listeners = {
    onOutput: hear,
    onError: hear,
    onEvent: ({ resourcePreEvent }: EngineEvent) => {
      if (resourcePreEvent) steps.push(stepOf(resourcePreEvent.metadata.urn));
    },
  };
  const failure = await stack[verb](listeners).then(
    () => undefined,
    (error: Error) => error.message,
  );
  // The Automation API reports the exit status only in the text of its error.
  const status = failure === undefined ? "0" : /failed with exit code (\d+)/.exec(failure)?.[1];
  return { status: Number(status), output: printed.join(""), steps };
}

const stepOf = (urn: string) => urn.split("::").slice(2).join(" ");
