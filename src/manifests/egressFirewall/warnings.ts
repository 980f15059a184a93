import type { Fault } from "../../fault";
import { holdsUnknown, isMap } from "../places";
import type { RuleView } from "./view";

/** What works, but probably not as meant. */
export function egressFirewallWarnings(views: readonly RuleView[]): Fault[] {
  return [...duplicates(views), ...wildcards(views)];
}

/** A rule that says the same as one before it never matches anything. */
function duplicates(views: readonly RuleView[]): Fault[] {
  const first = new Map<string, string>();
  return views.flatMap(({ path, value }) => {
    if (!isMap(value) || holdsUnknown(value)) return [];
    const key = canonical(value);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, path);
      return [];
    }
    return [{ path, problem: `says the same as ${before} and is never reached`, remedy: "take it out" }];
  });
}

function wildcards(views: readonly RuleView[]): Fault[] {
  return views
    .filter(({ dnsName }) => typeof dnsName.value === "string" && dnsName.value.startsWith("*."))
    .map(({ dnsName }) => ({
      path: dnsName.path,
      problem: "matches nothing unless the cluster has the feature DNSNameResolver",
      remedy: "list the host names, or make sure that the feature is on",
    }));
}

/** Equal values have equal texts, whatever the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
