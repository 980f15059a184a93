import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Stack } from "@pulumi/pulumi/automation";

import type { Session } from "../../local/session";
import { SIGNATURE } from "../../src/plan/engineValue";

interface Checkpoint {
  checkpoint: { latest?: { resources?: { type: string; outputs?: Record<string, unknown> }[] } };
}

/** The file in which a session keeps the state of a stack. */
export const stateFile = ({ stateFolder }: Session, project: string, { name }: Stack): string =>
  join(stateFolder, "pulumi-state", ".pulumi", "stacks", project, `${name}.json`);

/**
 * What the program of a stack returned at its last run, from its state: the Automation API starts two engines for that, which only
 * secrets need.
 */
export async function storedOutputs(
  session: Session,
  project: string,
  stack: Stack,
): Promise<Record<string, unknown>> {
  const { checkpoint } = JSON.parse(readFileSync(stateFile(session, project, stack), "utf8")) as Checkpoint;
  const found =
    checkpoint.latest?.resources?.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
  if (!JSON.stringify(found).includes(SIGNATURE)) return found;
  const outputs = Object.entries(await stack.outputs());
  return Object.fromEntries(outputs.map(([name, { value }]) => [name, value as unknown]));
}
