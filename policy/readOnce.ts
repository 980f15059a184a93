/**
 * A value that the engine hands to each policy again, read only for the first policy that asks for it. A policy that asks a
 * second time is in another operation, so the value is read again.
 */
export class ReadOnce<Value> {
  #read: { key: string; value: Value; asked: Set<string> } | undefined;

  /** @param key distinguishes different values */
  for(policy: string, key: string, read: () => Value): Value {
    if (this.#read?.key !== key || this.#read.asked.has(policy))
      this.#read = { key, value: read(), asked: new Set() };
    this.#read.asked.add(policy);
    return this.#read.value;
  }

  forget(): void {
    this.#read = undefined;
  }
}
