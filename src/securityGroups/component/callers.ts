import type { Fault } from "../../fault";
import { View, type RequiredFlow } from "../../flows/model";
import { Zone } from "../../requirements/vocabulary";
import { givenPeerFaults, rulePeerOf, type GivenPeer } from "../../components/hostRules/givenPeer";
import { isGiven, isRecord, keyFaults, shown } from "../../components/hostRules/givenValues";
import { Provenance, type ResolvedPeer } from "../../components/hostRules/rulePeers";

/** Who calls from outside the VPC, as far as it is known. Mirrors the component's `PrivateEndpointCaller`. */
export interface Caller extends GivenPeer {
  description?: string | null;
}

export type Callers = Readonly<Record<string, Caller>>;

/** What is wrong with the shape of the callers; ids and CIDR blocks are judged when they are known. */
export function callerFaults(callers: unknown): Fault[] {
  if (!isGiven(callers)) return [];
  if (!isRecord(callers)) {
    const remedy = "write callers under keys of your choice: { key: { cidr: ... } }";
    return [{ path: "callers", problem: "is not an object", remedy }];
  }
  return Object.entries(callers).flatMap(([key, caller]) => {
    const path = `callers.${key}`;
    if (!isRecord(caller)) return [{ path, problem: "is not an object", remedy: "write { cidr: ... }" }];
    return [
      ...keyFaults(path, key),
      ...givenPeerFaults(path, caller),
      ...textFaults(`${path}.description`, caller.description),
    ];
  });
}

function textFaults(path: string, text: unknown): Fault[] {
  if (!isGiven(text) || (typeof text === "string" && text.trim() !== "")) return [];
  return [{ path, problem: `${shown(text)} is no text`, remedy: "say in some words who it is" }];
}

/** What each endpoint flow leads to, for the sentences of its callers. */
const LISTENER: Readonly<Record<string, string>> = {
  "endpoint-router": "the private router",
  "endpoint-kube-apiserver": "the private API server",
};

/** The flows by which callers reach what the machines reach, one for each of them, in the order of their keys. */
export function callerFlows(flow: RequiredFlow, callers: unknown): RequiredFlow[] {
  const listener = LISTENER[flow.key];
  if (listener === undefined || !isRecord(callers)) return [];
  return Object.keys(callers)
    .sort()
    .map((key) => {
      const { description = null } = (isRecord(callers[key]) ? callers[key] : {}) as Caller;
      return {
        ...flow,
        key: `${flow.key}-caller-${key}`,
        peers: [{ zone: Zone.PrivateNetwork, input: inputOf(key) }],
        view: View.Hop,
        purpose: `${description ?? key}, to ${listener} through the VPC endpoint`,
      };
    });
}

/** The peer of a caller's flow; nothing for flows that are none. */
export function resolvedCaller(flow: RequiredFlow, callers: Callers): ResolvedPeer | undefined {
  const key = Object.keys(callers).find((each) => flow.peers[0]?.input === inputOf(each));
  if (key === undefined) return undefined;
  const input = inputOf(key);
  const peer = rulePeerOf(input, `caller-${key}`, callers[key]!);
  return { flow, input, path: `${input}.cidr`, provenance: Provenance.Stated, peers: [peer] };
}

const inputOf = (key: string): string => `callers.${key}`;
