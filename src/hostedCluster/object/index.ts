import { append, onceForEach } from "../../collections";
import { elsewhere, judgeShape, type Shape, tableShape } from "../../objects/shape";
import {
  judgedFields,
  namedFields,
  type ObjectField,
  type ObjectRule,
} from "../../requirements/hostedCluster";
import { networkObjectFields, nodePoolFields } from "../../requirements/networkObjectFields";
import { isList, readValue } from "../../resources/read";
import type { PropertyValue, Resource } from "../../resources/resource";
import { isHostedCluster, isNetwork, isNodePool, isPatch } from "../../resources/resourceTypes";
import { type FieldNames, fieldNames, misspelledFaults } from "./fieldNames";
import { networkObjectFaults, networkSettingFaults } from "./networkFaults";
import { azureFaults, nodePoolNetworkFaults, type ObjectFault, serviceListFaults } from "./serviceFaults";

/** What the fields of a HostedCluster demand of each other. */
export const hostedClusterRelations = (object: PropertyValue): ObjectFault[] => [
  ...serviceListFaults(object),
  ...networkSettingFaults(object),
  ...azureFaults(object),
];

/** A kind of object: what each rule demands of its fields, and what those demand of each other. */
interface ObjectKind {
  holds: (type: string) => boolean;
  shapes: ReadonlyMap<ObjectRule, Shape>;
  names: FieldNames;
  relations: (object: PropertyValue) => readonly ObjectFault[];
}

function shapesOf(fields: readonly ObjectField[]): ReadonlyMap<ObjectRule, Shape> {
  const byRule = new Map<ObjectRule, ObjectField[]>();
  for (const field of fields) append(byRule, field.rule, [field]);
  return new Map([...byRule].map(([rule, rows]) => [rule, tableShape(rows)]));
}

const kinds: readonly ObjectKind[] = [
  {
    holds: isHostedCluster,
    shapes: shapesOf(judgedFields),
    names: fieldNames(namedFields),
    relations: hostedClusterRelations,
  },
  {
    holds: isNodePool,
    shapes: shapesOf(nodePoolFields),
    names: fieldNames(nodePoolFields),
    relations: nodePoolNetworkFaults,
  },
  {
    // Of the operator, and of the cluster's configuration.
    holds: isNetwork,
    shapes: shapesOf(networkObjectFields),
    names: fieldNames(networkObjectFields),
    relations: networkObjectFaults,
  },
];

const kindOf = (type: string): ObjectKind | undefined => kinds.find(({ holds }) => holds(type));

/** Whether objects of a type show by themselves what is wrong with them. */
export const isJudgedObject = (type: string): boolean => kindOf(type) !== undefined;

/**
 * What the API server or its controllers refuse in an object under a rule, as far as the object itself shows it, beside what
 * follows from its topology.
 */
export function judgeObject(
  resource: Resource,
  rule: ObjectRule,
): { faults: ObjectFault[]; unknown: string[] } {
  const { type, properties } = resource;
  const shape = kindOf(type)?.shapes.get(rule);
  const reading = { isBuiltIn: false, isPatch: isPatch(type) };
  const { faults, unknown } = judgeShape(shape ?? elsewhere, { path: "", value: properties }, reading);
  const ofWhole = [...relationFaults(resource), ...nameFaults(resource)].filter(
    (fault) => fault.rule === rule,
  );
  const ofFields = faults.map((fault) => ({
    ...fault,
    rule,
    isOfList: isList(readValue(properties, fault.path)),
  }));
  return { faults: [...ofFields, ...ofWhole], unknown };
}

/** A patch shows its fields, and not what others are beside them. */
const relationFaults = onceForEach(({ type, properties }: Resource): readonly ObjectFault[] =>
  isPatch(type) ? [] : (kindOf(type)?.relations(properties) ?? []),
);

/** Names show in patches, too. Every rule asks for its own. */
const nameFaults = onceForEach(({ type, properties }: Resource): readonly ObjectFault[] => {
  const names = kindOf(type)?.names;
  return names ? misspelledFaults(names, { path: "", value: properties }) : [];
});
