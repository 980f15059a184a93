import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

import {
  type ConfigMap,
  LocalWorkspace,
  type ProjectSettings,
  type PulumiCommand,
  type Stack,
} from "@pulumi/pulumi/automation";

import { repositoryRoot } from "../repository";

/** The two stacks of the quick start: the same network, written once with the components and once by hand. */
export const STACKS = {
  /** The network that the topology requires. */
  composed: { name: "quickstart", config: {} },
  /** The network that the gate rejects. */
  handWritten: { name: "hand-written", config: { handWritten: { value: "true" } } },
} as const satisfies Record<string, { name: string; config: ConfigMap }>;

/** The path of the policy pack for `--policy-pack`. */
export const POLICY_PACK = join(repositoryRoot, "policy");

/** Where stacks run: the engine with its environment, and the project folder. */
export interface StackFolders {
  /** Holds Pulumi.yaml and the stack settings. Defaults to the repository root. */
  project?: string;
  env: Record<string, string>;
  pulumiCommand: PulumiCommand;
}

/** Selects a stack of the quick start's program, and creates it if it does not exist. */
export async function selectStack(
  which: { name: string; config: ConfigMap },
  place: StackFolders,
): Promise<Stack> {
  const workDir = place.project ?? repositoryRoot;
  const options = { envVars: place.env, pulumiCommand: place.pulumiCommand };
  const workspace = await LocalWorkspace.create({ workDir, ...options });
  const known = await workspace.listStacks();
  // Settings of a stack whose state is gone hold an encryption key that no longer fits.
  if (!known.some(({ name }) => name === which.name)) {
    rmSync(join(workDir, `Pulumi.${which.name}.yaml`), { force: true });
  }
  const stack = await LocalWorkspace.createOrSelectStack({ stackName: which.name, workDir }, options);
  await stack.setAllConfig(which.config);
  return stack;
}

/** Creates a folder with a project of the same program, for runs that must not change the stacks in the repository root. */
export async function projectBeside(folder: string, place: StackFolders): Promise<string> {
  const root = await LocalWorkspace.create({ workDir: repositoryRoot, pulumiCommand: place.pulumiCommand });
  const settings: ProjectSettings = await root.projectSettings();
  mkdirSync(folder, { recursive: true });
  await LocalWorkspace.create({
    workDir: folder,
    pulumiCommand: place.pulumiCommand,
    projectSettings: { ...settings, main: resolve(repositoryRoot, settings.main ?? "") },
  });
  return folder;
}

/** Number of resources in the state of a stack. */
export async function countResources(stack: Stack): Promise<number> {
  const state = (await stack.exportStack()) as { deployment?: { resources?: unknown[] } };
  return state.deployment?.resources?.length ?? 0;
}
