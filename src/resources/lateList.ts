import type { PropertyValue } from "./resource";

/** Entries that are made when one of them is first read. */
class Late implements ProxyHandler<PropertyValue[]> {
  #make: (() => readonly PropertyValue[]) | undefined;

  constructor(make: () => readonly PropertyValue[]) {
    this.#make = make;
  }

  get(list: PropertyValue[], key: string | symbol): unknown {
    return Reflect.get(this.#made(list), key);
  }

  has(list: PropertyValue[], key: string | symbol): boolean {
    return Reflect.has(this.#made(list), key);
  }

  ownKeys(list: PropertyValue[]): (string | symbol)[] {
    return Reflect.ownKeys(this.#made(list));
  }

  getOwnPropertyDescriptor(list: PropertyValue[], key: string | symbol): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.#made(list), key);
  }

  #made(list: PropertyValue[]): PropertyValue[] {
    const entries = this.#make?.() ?? [];
    this.#make = undefined;
    for (const entry of entries) list.push(entry);
    return list;
  }
}

/** A list like any other, whose entries are made when one of them is first read. */
export const lateList = (make: () => readonly PropertyValue[]): readonly PropertyValue[] =>
  new Proxy<PropertyValue[]>([], new Late(make));
