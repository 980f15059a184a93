import { readNumber } from "./read";
import type { PropertyValue } from "./resource";

/** How far a DaemonSet is rolled out. */
export interface RollOut {
  /** Of what is wanted; each change of the DaemonSet's specification makes a newer one. */
  generation: number;
  /** Whether its controller has seen that generation: what it counts speaks of an older one otherwise. */
  isSeen: boolean;
  /** Number of nodes that are to run a pod of it. */
  wanted: number;
  /** Whether all of them have an updated and available one. */
  isDone: boolean;
  /** `generation 4, 2 of 3 pods updated, 3 available` */
  progress: string;
}

/** How far a DaemonSet is rolled out, as its controller says. */
export function rollOutOf(daemonSet: PropertyValue): RollOut {
  const number = (path: string): number => {
    const value = readNumber(daemonSet, path);
    return typeof value === "number" ? value : 0;
  };
  const generation = number("metadata.generation");
  const wanted = number("status.desiredNumberScheduled");
  const updated = number("status.updatedNumberScheduled");
  const available = number("status.numberAvailable");
  const isSeen = number("status.observedGeneration") >= generation;
  return {
    generation,
    isSeen,
    wanted,
    isDone: isSeen && wanted > 0 && updated >= wanted && available >= wanted,
    progress: `generation ${generation}, ${updated} of ${wanted} pods updated, ${available} available`,
  };
}
