/** What the API demands of one value, for itself. */
export interface ValueDemand {
  type: "text" | "number" | "flag" | "list" | "object";
  /** The words that may stand there. */
  words?: readonly string[];
  /** Characters of a text, entries of a list, properties of an object. */
  size?: { min: number; max: number };
  /** Bounds of a number. */
  range?: { min: number; max: number };
  /** Whether each entry of a list stands there once. */
  distinct?: boolean;
  /** The form of a text, and how to write it. */
  form?: ObjectForm;
  /** How to write it, where the type by itself does not say it. */
  remedy?: string;
}

/** A form of texts. */
export interface ObjectForm {
  matches: (text: string) => boolean;
  /** What a text is that has it: `a host name`. */
  name: string;
  remedy: string;
}
