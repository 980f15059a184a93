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

/** Faults of HostedCluster fields that contradict or require each other. */
export const hostedClusterRelations = (object: PropertyValue): ObjectFault[] => [
  ...serviceListFaults(object),
  ...networkSettingFaults(object),
  ...azureFaults(object),
];

/** A kind of object: what each rule requires of its fields, and what the fields require of each other. */
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
    // The operator's Network object and that of the cluster's configuration.
    holds: isNetwork,
    shapes: shapesOf(networkObjectFields),
    names: fieldNames(networkObjectFields),
    relations: networkObjectFaults,
  },
];

const kindOf = (type: string): ObjectKind | undefined => kinds.find(({ holds }) => holds(type));

/** Whether objects of a type can be judged by themselves. */
export const isJudgedObject = (type: string): boolean => kindOf(type) !== undefined;

/**
 * What the API server or its controllers refuse in an object under a rule, to the extent that the object itself shows it.
 * Faults that follow from its topology are found elsewhere.
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

/** A patch shows its own fields, but not the other fields of the object. */
const relationFaults = onceForEach(({ type, properties }: Resource): readonly ObjectFault[] =>
  isPatch(type) ? [] : (kindOf(type)?.relations(properties) ?? []),
);

/** Names are judged in patches, too. Each rule selects its own faults. */
const nameFaults = onceForEach(({ type, properties }: Resource): readonly ObjectFault[] => {
  const names = kindOf(type)?.names;
  return names ? misspelledFaults(names, { path: "", value: properties }) : [];
});
