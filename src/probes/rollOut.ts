import type { Fault } from "../fault";
import { internalSubnetProperties } from "../requirements/internalSubnets";
import { ROLL_OUT_SECONDS } from "../requirements/ovnNodes";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { isGiven, isMap, shownText } from "../objects/places";

/** The subnets of a topology whose roll-out can be waited for, by the property that says them. */
export const rollOutSubnets = (topology: NormalizedTopology): Record<string, string> =>
  Object.fromEntries(
    internalSubnetProperties.flatMap((property) => {
      const prefix = topology[property];
      return prefix ? [[property, prefix.text]] : [];
    }),
  );

/** What can be said of a roll-out that is waited for. */
const SETTINGS: readonly string[] = ["kubeconfig", "context", "timeoutSeconds"];

/**
 * What is wrong with the roll-out that a verification waits for.
 *
 * @param topology the verification's; null where none is given, undefined where it is wrong
 */
export function rollOutFaults(
  rollOut: PropertyValue | undefined,
  topology: NormalizedTopology | null | undefined,
): Fault[] {
  if (!isGiven(rollOut)) return [];
  const fault = (path: string, problem: string, remedy: string): Fault => ({ path, problem, remedy });
  if (!isMap(rollOut))
    return [fault("rollOut", "is no plain object", `write one with ${SETTINGS.join(", ")}, or leave it out`)];
  const isText = (value: PropertyValue) => value === UNKNOWN || (typeof value === "string" && value !== "");
  return [
    ...Object.keys(rollOut)
      .filter((key) => !SETTINGS.includes(key))
      .map((key) => fault(`rollOut.${key}`, "is not known", `write one of ${SETTINGS.join(", ")}`)),
    ...["kubeconfig", "context"]
      .filter((key) => isGiven(rollOut[key]) && !isText(rollOut[key]))
      .map((key) => fault(`rollOut.${key}`, "is no text", "write it as for the provider, or leave it out")),
    ...timeFaults(rollOut.timeoutSeconds),
    ...subnetFaults(topology),
  ];
}

function subnetFaults(topology: NormalizedTopology | null | undefined): Fault[] {
  if (topology === undefined) return [];
  const remedy = `write one of ${internalSubnetProperties.join(", ")} into it, or leave rollOut out`;
  if (topology === null)
    return [{ path: "topology", problem: "missing, and rollOut waits for its subnets", remedy }];
  const isSaid = (property: string) => topology.unknown.includes(property);
  if (Object.keys(rollOutSubnets(topology)).length > 0 || internalSubnetProperties.some(isSaid)) return [];
  return [{ path: "topology", problem: "says no internal subnet that rollOut could wait for", remedy }];
}

function timeFaults(value: PropertyValue | undefined): Fault[] {
  const { min, max } = ROLL_OUT_SECONDS;
  if (!isGiven(value)) return [];
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return [];
  const shown = value === UNKNOWN ? "an Output" : shownText(value);
  const remedy = `write whole seconds from ${min} to ${max}, as a plain value`;
  return [{ path: "rollOut.timeoutSeconds", problem: `${shown} is no time`, remedy }];
}
