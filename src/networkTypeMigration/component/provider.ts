import "../../supportedNode";

import { isDeepStrictEqual } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";

import type { dynamic } from "@pulumi/pulumi";
import { clusterOf, configure, UNKNOWN_VALUE } from "../../components/compareAndSwap/swap";
import { visible } from "../../text";
import { carryOut, type PhaseSettings, type PhaseState, refusalsOf, WORK } from "./carryOut";

const clock = { now: () => Date.now(), sleep: (time: number) => sleep(time) };

/**
 * The phases of a migration, inside Pulumi's dynamic provider. It is loaded by name in a process of the engine and not by the
 * package: what it imports costs only those who use it.
 */
export const provider: dynamic.ResourceProvider<PhaseSettings, PhaseState> = {
  configure,

  // A preview that would be refused is refused as a preview. What cannot be read yet shows when it is written.
  check: async (old, settings) => {
    if (isSameWork(old, settings) || JSON.stringify(settings).includes(UNKNOWN_VALUE))
      return { inputs: settings };
    const refusals = await clusterOf(settings)
      .then((cluster) => refusalsOf(cluster, settings))
      .catch(() => []);
    const failures = refusals.map(({ path, problem, remedy }) => ({
      property: "phase",
      reason: visible(`${settings.phase} is refused: ${path} ${problem}: ${remedy}`),
    }));
    return { inputs: settings, failures };
  },

  create: async (settings) => ({ id: "network-type", outs: await carriedOut(settings) }),

  update: async (_id, old, settings) => {
    const { written, translations } = old;
    if (isSameWork(old, settings)) return { outs: { ...settings, written, translations } };
    return { outs: await carriedOut(settings) };
  },

  // A migration is not taken back by forgetting it: there are phases for the way back.
  delete: () => Promise.resolve(),

  diff: (_id, old, settings) => {
    const names = Object.keys({ ...old, ...settings }) as (keyof PhaseState)[];
    const now = settings as Partial<PhaseState>;
    const changed = names.filter(
      (name) => name !== "written" && name !== "translations" && !isDeepStrictEqual(old[name], now[name]),
    );
    return Promise.resolve({ changes: changed.length > 0, replaces: [] });
  },
};

async function carriedOut(settings: PhaseSettings): Promise<PhaseState> {
  const result = await carryOut(await clusterOf(settings), settings, clock);
  return { ...settings, ...result };
}

const isSameWork = (old: Partial<PhaseSettings>, now: PhaseSettings): boolean =>
  WORK.every((name) => isDeepStrictEqual(old[name], now[name]));
