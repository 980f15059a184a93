// What `hypershift-network/policy` exports.
import "../src/supportedNode";

import type { Policies } from "@pulumi/policy";

import type { ConfigurationSource } from "./configurationFile";
import { policies as policiesOf } from "./policies";
import { keepSecretMarks } from "./secretMarks";
import { Session } from "./session";

/** Options of the policies. */
export interface PolicyOptions {
  /**
   * The hosted clusters, levels of rules and exemptions: the path of hypershift-network.yaml, or its content as an object.
   * The policy `topology` reports mistakes in it. Defaults to the file that HYPERSHIFT_NETWORK_CONFIG names, otherwise to what
   * the stack and the policy configuration show. (docs/check.md)
   */
  configuration?: ConfigurationSource;
}

/**
 * The policies of this package for your own policy pack: `new PolicyPack("acme", { policies: [...policies(), ...own] })`.
 * Their names are the ids of the rules, plus `topology`, `flows`, `exemptions`, `not-judged` and `unknown-values`.
 * Call it once per program: a pack judges one stack.
 */
export function policies({ configuration }: PolicyOptions = {}): Policies {
  const session = new Session(configuration);
  session.marks = keepSecretMarks();
  return policiesOf(session);
}
