import type { PropertyValue, Resource } from "../../src/resources/resource";
import { ruleExamples } from "../../src/rules";
import { exampleResources } from "./exampleResources";

/** A value that is a secret. */
export type Leaf = string | number | boolean;

/** A placeholder for a secret: its index in the values. */
export interface SecretAt {
  secretAt: number;
}

/** Resources with many secret values, and those values. */
export interface Planted {
  resources: { type: string; name: string; properties: unknown }[];
  values: Leaf[];
}

/**
 * The resources of the examples of all rules, with every leaf secret and with every other leaf secret, so that rules get far. The kind
 * of an object is also in its type, and the cloud assigns ids, so neither is secret.
 */
export function plantedSecrets(): Planted {
  const planted: Planted = { resources: [], values: [] };
  const add = (one: Resource, name: string, isChosen: (position: number) => boolean): void => {
    let position = 0;
    const hide = (value: PropertyValue, key: string): unknown => {
      if (Array.isArray(value)) return (value as PropertyValue[]).map((entry) => hide(entry, key));
      if (typeof value === "object" && value !== null)
        return Object.fromEntries(Object.entries(value).map(([own, entry]) => [own, hide(entry, own)]));
      if (value === null || OPEN.has(key) || !isChosen(position++)) return value;
      return { secretAt: planted.values.push(value as Leaf) - 1 };
    };
    planted.resources.push({ type: one.type, name, properties: hide(one.properties, "") });
  };
  const examples = Object.entries(ruleExamples);
  for (const [id, { violated }] of examples) {
    // The hosted cluster is the same in most examples.
    const [, ...others] = exampleResources(violated);
    for (const [at, one] of others.entries()) {
      add(one, `${id}-${at}-all`, () => true);
      add(one, `${id}-${at}-even`, (position) => position % 2 === 0);
      add(one, `${id}-${at}-odd`, (position) => position % 2 === 1);
    }
  }
  const [cluster] = exampleResources("");
  add(cluster!, "tenant-a", () => false);
  add(cluster!, "tenant-a-hidden", () => true);
  return planted;
}

const OPEN: ReadonlySet<string> = new Set(["apiVersion", "kind", "id"]);

/** The value with each placeholder replaced by the result of `secret`. */
export function withSecrets(value: unknown, secret: (at: number) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => withSecrets(entry, secret));
  if (typeof value !== "object" || value === null) return value;
  if ("secretAt" in value) return secret((value as SecretAt).secretAt);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withSecrets(entry, secret)]));
}

/** A value of the same type that can be found in output, both as it is and in what is computed from it. */
export function canary(value: Leaf): Leaf {
  if (typeof value === "number") return 47_113;
  if (typeof value === "boolean") return !value;
  return /^[\d.]+\/\d+$/.test(value) ? "198.18.77.0/24" : "hunter2";
}

export const CANARIES = /198\.18\.77|hunter2|\b47113\b/;
