import { cpSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import {
  LocalWorkspace,
  type LocalWorkspaceOptions,
  type ProjectSettings,
  type Stack,
} from "@pulumi/pulumi/automation";

import { compiled, repositoryRoot } from "../../../local/repository";
import type { Session } from "../../../local/session";
import type { Example } from "../../examples/example";
import type { StateResource } from "../storedState";
import { withoutSummary } from "../withoutSummary";
import { objectKey } from "./inventory";

/** A project next to an example, so that nothing is written into the example's folder. */
export async function projectBeside(
  session: Session,
  { name, project, program, configuration }: Example,
): Promise<LocalWorkspaceOptions & { workDir: string }> {
  const envVars = {
    ...session.env,
    ...(configuration !== undefined && { HYPERSHIFT_NETWORK_CONFIG: configuration }),
  };
  const options = { envVars, pulumiCommand: session.pulumiCommand };
  const settings: ProjectSettings = await (
    await LocalWorkspace.create({ workDir: project, ...options })
  ).projectSettings();
  const workDir = join(session.stateFolder, "examples", name);
  mkdirSync(workDir, { recursive: true });
  // The compiled program starts without the compiler; the quick start's own test runs the one that users run.
  const main = compiled(relative(repositoryRoot, program).replace(/\.ts$/, ""));
  // The files that it reads are next to it.
  const ledger = join(project, "ledger");
  if (existsSync(ledger)) cpSync(ledger, join(dirname(main), "ledger"), { recursive: true });
  const runtime = { name: "nodejs", options: { typescript: false } };
  await LocalWorkspace.create({ workDir, ...options, projectSettings: { ...settings, main, runtime } });
  return { workDir, ...options };
}

/** A new stack of an example. */
export async function newStack(session: Session, example: Example): Promise<Stack> {
  const { workDir, ...options } = await projectBeside(session, example);
  return withoutSummary(await LocalWorkspace.createStack({ stackName: "test", workDir }, options));
}

/** What a destroy leaves, as entries of the inventory. */
export interface Kept {
  /** Objects and networks without an owner after a destroy. */
  retained: string[];
}

/**
 * Gives up the protection of what is protected, as a user who means it does, and says what a destroy then keeps.
 * A patch or a share of a field that is retained is not an object of its own.
 */
export async function unprotect(stack: Stack, resources: readonly StateResource[]): Promise<Kept> {
  if (resources.some(({ protect }) => protect)) {
    const exported = await stack.exportStack();
    const { resources: all = [] } = exported.deployment as { resources?: StateResource[] };
    for (const resource of all) resource.protect = false;
    await stack.importStack(exported);
  }
  const stays = ({ retainOnDelete, deletedWith }: StateResource) =>
    retainOnDelete === true || deletedWith !== undefined;
  // The content of a namespace goes with it.
  const going = new Set(
    resources
      .filter((one) => one.type.endsWith(":Namespace") && !stays(one))
      .map(({ outputs }) => outputs?.metadata?.name),
  );
  const retained = resources.filter(
    (one) => stays(one) && !PART_OF_ANOTHER.test(one.type) && !going.has(one.outputs?.metadata?.namespace),
  );
  return { retained: retained.map(keyOf).sort() };
}

/** Patches, and what the inventory has no entry for: entries and associations of ACLs. */
const PART_OF_ANOTHER = /(Patch|SharedFieldShare|NetworkAclRule|NetworkAclAssociation)$/;

function keyOf({ id = "", type, outputs }: StateResource): string {
  if (!type.startsWith("kubernetes:") || outputs?.metadata === undefined) return id;
  return objectKey(outputs.kind ?? type.split(":").at(-1) ?? "", outputs.metadata);
}
