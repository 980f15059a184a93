import { append, onceForEach } from "../../collections";
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
export function judgeObject(resource: Resource, rule: ObjectRule): FieldJudgement {
  return judgedObject(resource).get(rule) ?? NOTHING;
}

const NOTHING: FieldJudgement = { faults: [], unknown: [] };

/** All that is judged of an object by itself, once, by the rules under which it is said. */
const judgedObject = onceForEach(
  ({ type, properties }: Resource): ReadonlyMap<ObjectRule, FieldJudgement> => {
    const kind = kindOf(type);
    const partial = isPatch(type);
    const faults = new Map<ObjectRule, FieldJudgement["faults"][number][]>();
    const unknown = new Map<ObjectRule, string[]>();
    for (const field of kind?.fields ?? []) {
      const one = judgeField(properties, field, partial);
      append(faults, field.rule, one.faults);
      append(unknown, field.rule, one.unknown);
    }
    for (const one of partial ? [] : (kind?.relations(properties) ?? [])) append(faults, one.rule, [one]);
    const ids = new Set([...faults.keys(), ...unknown.keys()]);
    return new Map(
      [...ids].map((rule) => [rule, { faults: faults.get(rule) ?? [], unknown: unknown.get(rule) ?? [] }]),
    );
  },
);
