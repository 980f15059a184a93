import type { Fault } from "../../fault";
import { isRecord, shown } from "./givenValues";

export { CLUSTER_TAG, ROLE_TAG } from "../../resources/groupRoles";

/** Tag with the ids of the requirements that a rule fulfils. */
export const REQUIREMENT_TAG = "hypershift-network/requirement";

/** Beginnings of tag keys that are not the user's to set, and why. */
const REFUSED: readonly { prefix: string; why: string; remedy: string }[] = [
  {
    prefix: "kubernetes.io/cluster/",
    why: "stops the cluster's AWS load balancers from reconciling where two groups of an instance carry it",
    remedy: "take it out, and name the cluster under another key",
  },
  {
    prefix: "hypershift-network/",
    why: "is set by the component itself",
    remedy: "take it out",
  },
  { prefix: "aws:", why: "is reserved for AWS", remedy: "use a key that does not begin with aws:" },
];

/** What AWS allows for one resource. */
const KEY_LENGTH = 128;
const VALUE_LENGTH = 256;

/** Tags that break something, or that AWS refuses. Values that are not known yet are not judged. */
export function tagFaults(path: string, tags: unknown): Fault[] {
  if (tags === undefined || tags === null) return [];
  if (!isRecord(tags))
    return [{ path, problem: "is not an object", remedy: "write keys and values: { key: value }" }];
  return Object.entries(tags).flatMap(([key, value]) => {
    const place = `${path}[${JSON.stringify(key)}]`;
    const refused = REFUSED.find(({ prefix }) => key.startsWith(prefix));
    if (refused) return [{ path: place, problem: `${key} ${refused.why}`, remedy: refused.remedy }];
    if (key === "" || key.length > KEY_LENGTH) {
      return [
        { path: place, problem: `the key has ${key.length} characters`, remedy: `use 1 to ${KEY_LENGTH}` },
      ];
    }
    return typeof value === "symbol" ? [] : valueFaults(place, value);
  });
}

function valueFaults(path: string, value: unknown): Fault[] {
  if (typeof value !== "string")
    return [{ path, problem: `${shown(value)} is no text`, remedy: "write a text" }];
  if (value.length <= VALUE_LENGTH) return [];
  return [
    { path, problem: `the value has ${value.length} characters`, remedy: `use at most ${VALUE_LENGTH}` },
  ];
}
