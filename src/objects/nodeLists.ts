import type { Fault } from "../fault";
import { entriesOf, type Place, propertyOf } from "../resources/read";
import type { PropertyValue } from "../resources/resource";
import { shownText } from "./places";
import { labelName, list, needed, number, object, onceEach, ONE_AT_LEAST, subdomainName } from "./shape";

/** Names of nodes. */
export const nodeNames = list(subdomainName, {
  size: ONE_AT_LEAST,
  remedy: "write the names of nodes, or leave it out",
  once: onceEach,
});

/** How many nodes there are. */
export const nodeCount = number({ range: ONE_AT_LEAST });

/** The fault of a number of nodes that is less than those that are named. */
export function fewerThanNamed({ path, value }: Place, nodes: PropertyValue | undefined): Fault[] {
  const named = entriesOf(nodes).length;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value >= named) return [];
  const problem = `${value} is less than the ${named} nodes that are named`;
  return [{ path, problem, remedy: "count those too, or leave it out" }];
}

/** References to NodePools, objects of the management cluster. */
export const nodePools = list(
  object({
    name: needed(labelName, "write the name of the NodePool"),
    namespace: needed(labelName, "write its namespace, such as clusters"),
  }),
  {
    size: ONE_AT_LEAST,
    remedy: "write a list of name and namespace",
    once: (entry) => {
      const [name, namespace] = [propertyOf(entry, "name"), propertyOf(entry, "namespace")];
      return typeof name === "string" && typeof namespace === "string"
        ? shownText(`${namespace}/${name}`)
        : undefined;
    },
  },
);
