// What `hypershift-network/policy` exports.
import "../src/supportedNode";

import type { Policies } from "@pulumi/policy";

import type { ConfigurationSource } from "./configurationFile";
import { policies as policiesOf } from "./policies";
import { keepSecretMarks } from "./secretMarks";
import { Session } from "./session";

/** What the policies judge by. */
export interface PolicyOptions {
  /**
   * The hosted clusters, levels of rules and exemptions: the path of hypershift-network.yaml, or what stands in it as an object.
   * Mistakes in it are reported by the policy `topology`. Defaults to the file that HYPERSHIFT_NETWORK_CONFIG names, else to what
   * the stack and the policy configuration show. (docs/check.md)
   */
  configuration?: ConfigurationSource;
}

/**
 * The policies of this package for a policy pack of your own: `new PolicyPack("acme", { policies: [...policies(), ...own] })`.
 * Their names are the ids of the rules, with `topology`, `flows`, `exemptions`, `not-judged` and `unknown-values` beside them.
 * Call it once in a program: a pack judges one stack.
 */
export function policies({ configuration }: PolicyOptions = {}): Policies {
  const session = new Session(configuration);
  session.marks = keepSecretMarks();
  return policiesOf(session);
}
