import {
  CheckFailure as CheckFailureMessage,
  CheckResponse,
  DiffResponse,
  PropertyDiff,
} from "@pulumi/pulumi/proto/provider_pb";

import type { CheckResult, DiffResult, PropertyDifference } from "./kind";
import { keepSecrets, type SecretPlaces } from "./secrets";
import { toWire } from "./wire";

/** The reply to a check. */
export function checkReply({ inputs, failures = [] }: CheckResult, secrets?: SecretPlaces): CheckResponse {
  const reply = new CheckResponse();
  reply.setInputs(toWire(keepSecrets(inputs, secrets)));
  for (const { property, reason } of failures) {
    const failure = new CheckFailureMessage();
    failure.setProperty(property);
    failure.setReason(reason);
    reply.addFailures(failure);
  }
  return reply;
}

/** The reply to a diff. */
export function diffReply({
  changes,
  replaces = [],
  deleteBeforeReplace,
  detailedDiff,
}: DiffResult): DiffResponse {
  const reply = new DiffResponse();
  reply.setChanges(changes ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE);
  reply.setReplacesList(replaces);
  reply.setDeletebeforereplace(deleteBeforeReplace ?? false);
  if (detailedDiff === undefined) return reply;
  reply.setHasdetaileddiff(true);
  reply.setDiffsList([...new Set(Object.keys(detailedDiff).map(topOf))]);
  for (const [path, difference] of Object.entries(detailedDiff)) {
    const message = new PropertyDiff();
    message.setKind(kindOf(difference));
    message.setInputdiff(difference.inputDiff ?? false);
    reply.getDetaileddiffMap().set(path, message);
  }
  return reply;
}

const topOf = (path: string): string => /^[^.[]+/.exec(path)?.[0] ?? path;

function kindOf({ change, replaces }: PropertyDifference): PropertyDiff.Kind {
  const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = PropertyDiff.Kind;
  const kinds = {
    add: [ADD, ADD_REPLACE],
    delete: [DELETE, DELETE_REPLACE],
    update: [UPDATE, UPDATE_REPLACE],
  } as const;
  return kinds[change][replaces ? 1 : 0];
}
