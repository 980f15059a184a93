import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Stack } from "@pulumi/pulumi/automation";

import type { Session } from "../../local/session";
import { SIGNATURE } from "../../src/plan/engineValue";

/** A resource of a stack's state. */
export interface StateResource {
  urn: string;
  type: string;
  custom?: boolean;
  id?: string;
  provider?: string;
  protect?: boolean;
  retainOnDelete?: boolean;
  /** The URN of the resource with which it is deleted, without its own delete call. */
  deletedWith?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown> & { kind?: string; metadata?: { name: string; namespace?: string } };
}

interface Deployment {
  resources?: StateResource[];
}

/** The file in which a session stores the state of a stack. */
export const stateFile = ({ stateFolder }: Session, project: string, { name }: Pick<Stack, "name">): string =>
  join(stateFolder, "pulumi-state", ".pulumi", "stacks", project, `${name}.json`);

/** The resources in the state file, with encrypted secrets. */
export function writtenResources(session: Session, project: string, stack: Stack): StateResource[] {
  const { checkpoint } = JSON.parse(readFileSync(stateFile(session, project, stack), "utf8")) as {
    checkpoint: { latest?: Deployment | null };
  };
  return checkpoint.latest?.resources ?? [];
}

/** The resources of a stack with decrypted secrets. Only secrets need a call of the engine. */
export async function storedResources(
  session: Session,
  project: string,
  stack: Stack,
): Promise<StateResource[]> {
  const found = writtenResources(session, project, stack);
  if (!JSON.stringify(found).includes(SIGNATURE)) return found;
  return ((await stack.exportStack()).deployment as Deployment).resources ?? [];
}

/** What the program of a stack returned at its last run. Only secrets need a call of the engine. */
export async function storedOutputs(
  session: Session,
  project: string,
  stack: Stack,
): Promise<Record<string, unknown>> {
  const root = writtenResources(session, project, stack).find(({ type }) => type === "pulumi:pulumi:Stack");
  const found = root?.outputs ?? {};
  if (!JSON.stringify(found).includes(SIGNATURE)) return found;
  const outputs = Object.entries(await stack.outputs());
  return Object.fromEntries(outputs.map(([name, { value }]) => [name, value as unknown]));
}
