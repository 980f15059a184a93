import "../../supportedNode";

import { isDeepStrictEqual } from "node:util";

import type { dynamic } from "@pulumi/pulumi";
import { coverEntry } from "../../topology/proxy/apiProxy";
import { visible } from "../../text";
import { mergeCommaSeparated, mergeKeyedItems, type Item, type Merge } from "../../objects/sharedField";
import {
  clusterOf,
  compareAndSwap,
  COMPUTED,
  configure,
  type Entry,
  IDENTITY,
  NoSuchObject,
  objectField,
  type SharedFieldSettings,
  type SharedFieldState,
  UNKNOWN_VALUE,
} from "./swap";

/**
 * The life cycle of a share of a field, inside Pulumi's dynamic provider. It is loaded by name in a process of the engine and
 * not by the package, so only users of shares load what it imports.
 */
export const provider: dynamic.ResourceProvider<SharedFieldSettings, SharedFieldState> = {
  configure,

  create: async (settings) => {
    const field = await shared(settings, settings.entries, []);
    return { id: idOf(settings), outs: { ...settings, ...field } };
  },

  update: async (_id, old, settings) => {
    const field = await shared(settings, settings.entries, old.ours);
    return { outs: { ...settings, ...field } };
  },

  delete: async (_id, state) => {
    try {
      await shared(state, [], state.ours);
    } catch (error) {
      // If the object is gone, so are our entries.
      if (!(error instanceof NoSuchObject)) throw error;
    }
  },

  read: async (id, state) => {
    if (state?.entries === undefined)
      throw new Error(
        visible(`${id}: a share of a field cannot be imported; create it: existing entries are kept`),
      );
    try {
      const field = await objectField(await clusterOf(state), state);
      const { value } = await field.read();
      const { value: wanted } = merge(state, value, state.entries, state.ours);
      const { lost: _, ...rest } = { ...state, value };
      return { id, props: isDeepStrictEqual(value, wanted) ? rest : { ...rest, lost: state.entries } };
    } catch (error) {
      // Without an id the engine considers the resource deleted.
      if (error instanceof NoSuchObject) return { id: "", props: state };
      throw error;
    }
  },

  diff: (_id, old, settings) => {
    const names = [...new Set([...Object.keys(old), ...Object.keys(settings)])] as (keyof SharedFieldState)[];
    const now = settings as Partial<SharedFieldState>;
    const changed = names.filter(
      (name) => !COMPUTED.includes(name) && !isDeepStrictEqual(old[name], now[name]),
    );
    const elsewhere = IDENTITY.filter((name) => changed.includes(name) && now[name] !== UNKNOWN_VALUE);
    return Promise.resolve({ changes: changed.length > 0, replaces: elsewhere });
  },
};

/** Makes the field hold the wanted entries in addition to the entries of others. */
async function shared(
  settings: SharedFieldSettings,
  wanted: readonly Entry[],
  ours: readonly Entry[],
): Promise<Pick<SharedFieldState, "ours" | "value">> {
  const field = await objectField(await clusterOf(settings), settings);
  return compareAndSwap(field, (current) => merge(settings, current, wanted, ours));
}

function merge(
  { shape }: SharedFieldSettings,
  current: unknown,
  wanted: readonly Entry[],
  ours: readonly Entry[],
): Merge<unknown, Entry> {
  if (shape.kind === "noProxy") {
    const share = { wanted: wanted as string[], ours: ours as string[] };
    return mergeCommaSeparated(current as string | undefined, share, coverEntry);
  }
  const share = { wanted: wanted as Item[], ours: ours as Item[] };
  return mergeKeyedItems(current as Item[] | undefined, share, shape.keys);
}

const idOf = ({ apiVersion, object, namespace, name, path }: SharedFieldSettings): string =>
  [apiVersion, object, ...(namespace === undefined ? [] : [namespace]), name, path.join(".")].join("/");
