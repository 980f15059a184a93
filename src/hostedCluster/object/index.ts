import type { PropertyValue, Resource } from "../../resources/resource";
import { type FieldJudgement, judgeField, type ObjectFault } from "./fieldFaults";
import { networkObjectFaults, networkSettingFaults } from "./networkFaults";
import { azureFaults, nodePoolNetworkFaults, serviceListFaults } from "./serviceFaults";
import { judgedFields, type ObjectField, type ObjectRule } from "../../requirements/hostedCluster";
import { networkObjectFields, nodePoolFields } from "../../requirements/networkObjectFields";
import { isHostedCluster, isNetwork, isNodePool, isPatch } from "../../resources/resourceTypes";

/** What the fields of a HostedCluster demand of each other. */
export const hostedClusterRelations = (object: PropertyValue): ObjectFault[] => [
  ...serviceListFaults(object),
  ...networkSettingFaults(object),
  ...azureFaults(object),
];

export { configuredNodePorts } from "./networkFaults";
export type { FieldJudgement, ObjectFault } from "./fieldFaults";

/** A kind of object: its fields, and what those demand of each other. */
interface ObjectKind {
  holds: (type: string) => boolean;
  fields: readonly ObjectField[];
  relations: (object: PropertyValue) => readonly ObjectFault[];
}

const kinds: readonly ObjectKind[] = [
  {
    holds: isHostedCluster,
    fields: judgedFields,
    relations: hostedClusterRelations,
  },
  { holds: isNodePool, fields: nodePoolFields, relations: nodePoolNetworkFaults },
  // Of the operator, and of the cluster's configuration.
  { holds: isNetwork, fields: networkObjectFields, relations: networkObjectFaults },
];

const kindOf = (type: string): ObjectKind | undefined => kinds.find(({ holds }) => holds(type));

/** Whether objects of a type show by themselves what is wrong with them. */
export const isJudgedObject = (type: string): boolean => kindOf(type) !== undefined;

/**
 * What the API server or its controllers refuse in an object under a rule, as far as the object itself shows it, beside what
 * follows from its topology. A patch shows its fields, and not what others are beside them.
 */
export function judgeObject({ type, properties }: Resource, rule: ObjectRule): FieldJudgement {
  const kind = kindOf(type);
  const partial = isPatch(type);
  const ofFields = (kind?.fields ?? [])
    .filter((field) => field.rule === rule)
    .map((field) => judgeField(properties, field, partial));
  const relations = partial ? [] : (kind?.relations(properties) ?? []);
  return {
    faults: [...ofFields.flatMap(({ faults }) => faults), ...relations.filter((one) => one.rule === rule)],
    unknown: ofFields.flatMap(({ unknown }) => unknown),
  };
}
