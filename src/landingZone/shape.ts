import type { Fault } from "../fault";
import { isGiven } from "../objects/places";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { isRecord, keyFaults, shown } from "../components/hostRules/inputShape";
import { knownPart, missingInputFaults, plainnessFaults } from "../components/checked";
import { LandingZonePart, type HostedClusterLandingZoneArgs } from "./hostedClusterLandingZoneArgs";
import { parts } from "./parts/everyPart";
import type { Part } from "./parts/part";

/** What decides which parts there are is plain, and has the form that it should have. */
export function shapeFaults(args: HostedClusterLandingZoneArgs): Fault[] {
  return [
    ...missingInputFaults(args, {
      topology: "describe the hosted cluster: { name: ..., platform: ..., ... }",
    }),
    ...plainnessFaults("topology", args.topology),
    ...parts.flatMap((part) => inputFaults(part, args[part.part])),
    ...leaveOutFaults(knownPart(args.leaveOut)),
    ...kubeconfigFaults(knownPart(args.hostedClusterKubeconfig)),
    ...twoClusters(args),
  ];
}

/** Whether the input of a part has the form that it should have: else its rules have nothing to judge. */
export const hasShape = ({ part, ...frame }: Part, args: HostedClusterLandingZoneArgs): boolean =>
  inputFaults({ part, ...frame }, args[part]).length === 0;

function inputFaults({ part, keyed, valued }: Part, input: unknown): Fault[] {
  const faults = objectFaults(part, input);
  if (faults.length > 0 || !keyed || !isRecord(input)) return faults;
  return Object.entries(input).flatMap(([key, entry]) => [
    ...keyFaults(`${part}.${key}`, key),
    ...(valued ? [] : objectFaults(`${part}.${key}`, entry)),
  ]);
}

/** An Output cannot decide which resources there are, whatever it holds. */
function objectFaults(path: string, value: unknown): Fault[] {
  if (value === undefined) return [];
  if (knownPart(value) === UNKNOWN) return plainnessFaults(path, value);
  return isRecord(value)
    ? []
    : [{ path, problem: `${shown(value)} is no object`, remedy: "write its settings: { ... }" }];
}

function leaveOutFaults(leaveOut: PropertyValue): Fault[] {
  if (!isGiven(leaveOut)) return [];
  const words: readonly unknown[] = Object.values(LandingZonePart);
  const remedy = `write some of ${words.join(", ")}`;
  if (!Array.isArray(leaveOut)) return [{ path: "leaveOut", problem: "is no list", remedy }];
  return leaveOut.flatMap((part, position) =>
    words.includes(part)
      ? []
      : [{ path: `leaveOut[${position}]`, problem: `${shown(part)} is no part`, remedy }],
  );
}

function kubeconfigFaults(kubeconfig: PropertyValue): Fault[] {
  if (!isGiven(kubeconfig) || kubeconfig === UNKNOWN) return [];
  if (typeof kubeconfig === "string" && kubeconfig.trim() !== "") return [];
  const remedy = "write the content of the Secret <name>-admin-kubeconfig, or leave it out";
  return [{ path: "hostedClusterKubeconfig", problem: "is no kubeconfig", remedy }];
}

function twoClusters({ hostedCluster, existingHostedCluster, leaveOut }: HostedClusterLandingZoneArgs) {
  const isMade = hostedCluster !== undefined && !leaveOut?.includes(LandingZonePart.HostedCluster);
  if (!isMade || existingHostedCluster === undefined) return [];
  const problem = "names a HostedCluster, and hostedCluster makes one";
  return [{ path: "existingHostedCluster", problem, remedy: "leave one of the two out" }];
}
