import type * as pulumi from "@pulumi/pulumi";
import type { LabelSelectorOperator } from "../resources/kubernetesObject";

/** Requirements on labels, all of which must be met. A selector without requirements selects everything. */
export interface LabelSelector {
  /** Labels with the values that they must have. Defaults to none. Changes are made in place. */
  matchLabels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Requirements with an operator. Defaults to none. Changes are made in place. */
  matchExpressions?: pulumi.Input<pulumi.Input<LabelSelectorRequirement>[]>;
}

/** A requirement on one label. */
export interface LabelSelectorRequirement {
  /** Key of the label: `env`, `kubernetes.io/metadata.name`. */
  key: pulumi.Input<string>;
  /** How its value is compared: `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  operator: pulumi.Input<LabelSelectorOperator>;
  /** The values that `In` and `NotIn` compare with, at least one. Absent with `Exists` and `DoesNotExist`. */
  values?: pulumi.Input<pulumi.Input<string>[]>;
}
