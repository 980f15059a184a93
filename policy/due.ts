import type { Policies, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import type { Rule } from "../src/gate/rule";

/** A policy that judges resources one by one, and finally the whole stack. */
export type Policy = ResourceValidationPolicy & StackValidationPolicy;

/**
 * A policy that exposes its functions only while they have work to do. The policy library reads every resource again for each
 * policy with a function for it, whatever that function uses: sixty policies read a stack sixty times, which takes longer
 * than judging it.
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

/** Tracks whether a policy has work to do. */
export class Due {
  readonly #types = new Set<string>();
  readonly #applicable = new Set<string>();
  readonly #rightSettings = new Set<string>();

  constructor(private readonly rules: readonly Rule[]) {}

  /** Records a resource before policies judge it. */
  meet(type: string): void {
    if (this.#types.has(type)) return;
    this.#types.add(type);
    for (const { id, single } of this.rules) if (single?.(type)) this.#applicable.add(id);
  }

  /** Records that the settings of a policy are valid. */
  acceptSettings(policy: string): void {
    this.#rightSettings.add(policy);
  }

  /** Whether the settings of a policy must still be checked. */
  settings(policy: string): boolean {
    return !this.#rightSettings.has(policy);
  }

  /** Whether any resource was recorded. */
  get begun(): boolean {
    return this.#types.size > 0;
  }

  /** Whether a resource was recorded, including the present one, that a rule can judge by itself. */
  single(rule: string): boolean {
    return this.#applicable.has(rule);
  }
}
