import type { Item } from "../../objects/sharedField";

/** An entry of a shared field: a text, or an item of a list. */
export type Entry = string | Item;

/** How the entries of a shared field stand beside each other. */
export type FieldShape =
  | {
      /** The text of a proxy's exceptions. */
      kind: "noProxy";
    }
  | {
      /** A list of items. */
      kind: "keyedItems";
      /** The properties by which an item is known. */
      keys: string[];
    };

/** A field of an object that exists already, and what is wanted in it. Plain JSON: this is what the engine keeps. */
export interface SharedFieldSettings {
  apiVersion: string;
  /** The kind of the object: `Node`. */
  object: string;
  namespace?: string;
  name: string;
  /** The way to the field: `["spec", "noProxy"]`. */
  path: string[];
  shape: FieldShape;
  entries: Entry[];
  /** Under which name the server notes who wrote the field. */
  fieldManager: string;
  /** The content of a kubeconfig; without it the cluster is that of the stack's configuration and the environment. */
  kubeconfig?: string;
  /** The context in it. */
  context?: string;
}

/** The field as it was left. */
export interface SharedFieldState extends SharedFieldSettings {
  /** The entries that stand there because of us. */
  ours: Entry[];
  /** The whole field. */
  value: unknown;
  /** Wanted entries that a refresh did not find. */
  lost?: Entry[];
}

/** The properties that say which field it is: another one is another resource. */
export const IDENTITY = ["apiVersion", "object", "namespace", "name", "path", "shape"] as const;

/** The properties that are the server's: they say nothing about what is wanted. */
export const COMPUTED: readonly string[] = ["ours", "value"] satisfies (keyof SharedFieldState)[];
