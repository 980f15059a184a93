import type { Fault } from "../../fault";
import type { RequiredFlow } from "../../topology/requiredFlow";

/** The key by which users name the rules of a flow: `control-plane/ingress/konnectivity`. */
export function flowKey({ role, direction, key }: RequiredFlow): string {
  return `${role}/${direction}/${key}`;
}

/** Which flows get rules. */
export interface FlowChoice {
  /** Keys of flows that get rules only when asked for. */
  enabledRules?: readonly string[];
  /** Keys of flows that get no rules. */
  disabledRules?: readonly string[];
}

/** The flows that get rules: all but the opt-in ones that nobody asked for and those that were disabled. */
export function chosenFlows(
  flows: readonly RequiredFlow[],
  { enabledRules, disabledRules }: FlowChoice,
): RequiredFlow[] {
  const enabled = new Set(enabledRules);
  const disabled = new Set(disabledRules);
  return flows.filter((flow) => (!flow.optIn || enabled.has(flowKey(flow))) && !disabled.has(flowKey(flow)));
}

/**
 * What is wrong with a choice. `possible` are the flows of the topology with all its phases, so that a key stays valid
 * when the bootstrap phase ends.
 */
export function choiceFaults(possible: readonly RequiredFlow[], choice: FlowChoice): Fault[] {
  const optIn = possible.filter((flow) => flow.optIn).map(flowKey);
  const usual = possible.filter((flow) => !flow.optIn).map(flowKey);
  return [
    ...keyFaults("enabledRules", choice.enabledRules, optIn, usual, "names rules that are made anyway"),
    ...keyFaults(
      "disabledRules",
      choice.disabledRules,
      usual,
      optIn,
      "names rules that are only made when enabled",
    ),
  ];
}

function keyFaults(
  list: string,
  keys: unknown,
  valid: readonly string[],
  pointless: readonly string[],
  why: string,
): Fault[] {
  if (keys === undefined || keys === null) return [];
  if (!Array.isArray(keys)) {
    return [
      {
        path: list,
        problem: "is not a list",
        remedy: "write a list of rule keys: [<role>/<direction>/<key>]",
      },
    ];
  }
  return keys.flatMap((key: unknown, index) => {
    if (valid.some((known) => known === key)) return [];
    const path = `${list}[${index}]`;
    const given = typeof key === "string" ? key : JSON.stringify(key);
    if (pointless.some((known) => known === key))
      return [{ path, problem: `${given} ${why}`, remedy: "take it out" }];
    return [
      { path, problem: `${given} names no rule of this topology`, remedy: `use one of ${valid.join(", ")}` },
    ];
  });
}
