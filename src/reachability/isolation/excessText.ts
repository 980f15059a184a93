import { describePackets } from "../packets";
import type { PolicyExcess } from "./excess";
import type { Labels } from "./labelClasses";

/** Labels in a sentence: `app=etcd, tier=a`; what stands there where a pod has none that matters. */
export const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ") || "no label that a policy names";

/** What a rule of a policy opens, in words for a sentence. */
export interface ExcessText {
  /** Who is let in: `10.0.0.0/8`, `pods with app=a of namespaces with team=shop`. */
  who: string;
  /** Labels of a pod that is reached. */
  pod: string;
  /** `TCP 2379`, `every protocol`. */
  services: string;
}

/** One example of what a rule opens, in words. */
export function excessText({ pod, from, packets }: PolicyExcess): ExcessText {
  const [what = ""] = describePackets(packets);
  const services = what.slice(0, what.indexOf(" from "));
  const addresses = what.slice(what.indexOf(" from ") + " from ".length, what.indexOf(" to "));
  const who =
    from.kind === "addresses"
      ? addresses
      : `pods with ${labelText(from.labels)} of namespaces with ${labelText(from.namespace)}`;
  return { who, pod: labelText(pod), services };
}
