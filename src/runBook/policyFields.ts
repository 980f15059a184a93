import { describeReference } from "../requirements/documents";
import { networkPolicySource } from "../requirements/networkPolicies";
import { Answer, type ChangedProperty } from "./runBook";
import { unknownInPolicies } from "./steps/isolation";
import type { Way } from "./steps/draft";

/** The values of wanted network policies that nobody knows: what the policies let pass hangs on them. */
export const policyFields = (way: Way): ChangedProperty[] =>
  unknownInPolicies(way).map((property) => ({
    property,
    answer: Answer.Unknown,
    why: "a value is not known yet, and no policy comes without it: a patch would let another traffic pass",
    steps: [],
    documents: [describeReference(networkPolicySource)],
  }));
