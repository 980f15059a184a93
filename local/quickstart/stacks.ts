import { resolve } from "node:path";

import { LocalWorkspace, type ConfigMap, type PulumiCommand, type Stack } from "@pulumi/pulumi/automation";

/** The two stacks of the quick start: one program, written once with our components and once by hand. */
export const STACKS = {
  /** The network that the topology asks for. */
  composed: { name: "quickstart", config: {} },
  /** The one that the gate refuses. */
  handWritten: { name: "hand-written", config: { handWritten: { value: "true" } } },
} as const satisfies Record<string, { name: string; config: ConfigMap }>;

/** The folder of the policy pack. */
export const POLICY_PACK = "policy";

/** Selects a stack of the program at the repository's root, and makes it when it is not there. */
export async function selectStack(
  which: { name: string; config: ConfigMap },
  environment: { root: string; env: Record<string, string>; pulumiCommand: PulumiCommand },
): Promise<Stack> {
  const stack = await LocalWorkspace.createOrSelectStack(
    { stackName: which.name, workDir: environment.root },
    { envVars: environment.env, pulumiCommand: environment.pulumiCommand },
  );
  await stack.setAllConfig(which.config);
  return stack;
}

/** Number of resources in the state of a stack. */
export async function countResources(stack: Stack): Promise<number> {
  const { deployment } = await stack.exportStack();
  return (deployment as { resources?: unknown[] } | undefined)?.resources?.length ?? 0;
}

/** The policy pack as `pulumi preview --policy-pack` wants it. */
export function policyPack(root: string): string {
  return resolve(root, POLICY_PACK);
}
