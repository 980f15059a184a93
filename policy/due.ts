import type { Policies, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import type { Rule } from "../src/gate/rule";

/** A policy that judges resources one by one, and in the end the whole stack. */
export type Policy = ResourceValidationPolicy & StackValidationPolicy;

/**
 * The policy with its functions only while they have something to do. The policy library reads every resource anew for each
 * policy that has a function for it, whatever that function looks at: sixty policies read a stack sixty times, which takes
 * longer than to judge it.
 */
export function whileDue(
  policy: Policy,
  due: { resource: () => boolean; stack: () => boolean },
): Policies[number] {
  return Object.defineProperties(
    { ...policy },
    {
      validateResource: { get: () => (due.resource() ? policy.validateResource : undefined) },
      validateStack: { get: () => (due.stack() ? policy.validateStack : undefined) },
    },
  );
}

/** What tells whether a policy has something to do. Where it is not stated, it has. */
export class Due {
  readonly #types = new Set<string>();
  readonly #applicable = new Set<string>();
  readonly #rightSettings = new Set<string>();

  constructor(private readonly rules: readonly Rule[]) {}

  /** Takes note of a resource before policies are asked about it. */
  meet(type: string): void {
    if (this.#types.has(type)) return;
    this.#types.add(type);
    for (const { id, single } of this.rules) if (single?.(type)) this.#applicable.add(id);
  }

  /** Takes note that nothing is wrong with the settings of a policy. */
  acceptSettings(policy: string): void {
    this.#rightSettings.add(policy);
  }

  /** Whether the settings of a policy have to be looked at. */
  settings(policy: string): boolean {
    return !this.#rightSettings.has(policy);
  }

  /** Whether some resource was met. */
  get begun(): boolean {
    return this.#types.size > 0;
  }

  /** Whether a resource was met, the present one included, that a rule can judge by itself. */
  single(rule: string): boolean {
    return this.#applicable.has(rule);
  }
}
