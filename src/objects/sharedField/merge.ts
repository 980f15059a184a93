/** What one writer makes of a field that it shares with others. */
export interface Merge<Value, Entry> {
  /** The field as it is to be: entries of others as they were, byte for byte. */
  value: Value;
  /** The entries in it that this writer put there, by which it finds them again. */
  ours: Entry[];
  /** Entries of others that stand in the way of wanted ones, in words. Nothing is to be written while there are some. */
  conflicts: string[];
}

/** What a writer wants of a shared field, and what it put there before. */
export interface Share<Entry> {
  wanted: readonly Entry[];
  ours: readonly Entry[];
}
