import {
  hostedClusterFields,
  nodePoolFields,
  type ObjectField,
  type ObjectRule,
} from "../../requirements/hostedClusterFields";
import { networkObjectFields } from "../../requirements/networkObjectFields";
import type { PropertyValue } from "../../resources/resource";
import { judgeField, type FieldJudgement, type ObjectFault } from "./fieldFaults";
import { networkSettingFaults } from "./networkFaults";
import { networkObjectFaults } from "./networkObjectFaults";
import { nodePoolNetworkFaults } from "./nodePoolFaults";
import { azureFaults } from "./platformFaults";
import { serviceListFaults } from "./serviceFaults";

export { configuredNodePorts } from "./networkFaults";
export type { FieldJudgement, ObjectFault } from "./fieldFaults";

/**
 * What the API server or HyperShift's controllers refuse in a HostedCluster under a rule, as far as the object alone
 * shows it, beside what follows from its topology.
 */
export function judgeHostedClusterObject(
  object: PropertyValue,
  rule: ObjectRule,
  isPatch: boolean,
): FieldJudgement {
  const relations = isPatch
    ? []
    : [...serviceListFaults(object), ...networkSettingFaults(object), ...azureFaults(object)];
  return judged(object, hostedClusterFields, rule, isPatch, relations);
}

/** The same for a NodePool. */
export const judgeNodePoolObject = (
  object: PropertyValue,
  rule: ObjectRule,
  isPatch: boolean,
): FieldJudgement =>
  judged(object, nodePoolFields, rule, isPatch, isPatch ? [] : nodePoolNetworkFaults(object));

/** The same for a Network of the operator or of the cluster's configuration. */
export const judgeNetworkObject = (
  object: PropertyValue,
  rule: ObjectRule,
  isPatch: boolean,
): FieldJudgement =>
  judged(object, networkObjectFields, rule, isPatch, isPatch ? [] : networkObjectFaults(object));

function judged(
  object: PropertyValue,
  fields: readonly ObjectField[],
  rule: ObjectRule,
  isPatch: boolean,
  relations: readonly ObjectFault[],
): FieldJudgement {
  const ofFields = fields
    .filter((field) => field.rule === rule)
    .map((field) => judgeField(object, field, isPatch));
  return {
    faults: [...ofFields.flatMap(({ faults }) => faults), ...relations.filter((one) => one.rule === rule)],
    unknown: ofFields.flatMap(({ unknown }) => unknown),
  };
}
