import { LabelSelectorOperator } from "../../resources/labelSelector";

/** One demand on a label, all of whose values are known and right. */
export interface PlainLabelRequirement {
  key: string;
  operator: LabelSelectorOperator;
  values?: readonly string[];
}

/** A label selector, all of whose values are known and right: whatever meets all its demands is selected. */
export interface PlainLabelSelector {
  matchLabels?: Readonly<Record<string, string>>;
  matchExpressions?: readonly PlainLabelRequirement[];
}

/** A label selector as Kubernetes writes it: what is empty is left out. */
export interface LabelSelectorObject {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: LabelSelectorOperator; values?: string[] }[];
}

/** A selector as Kubernetes writes it. */
export function labelSelectorObject({
  matchLabels = {},
  matchExpressions = [],
}: PlainLabelSelector): LabelSelectorObject {
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => ({
    key,
    operator,
    ...(values.length > 0 && { values: [...values] }),
  }));
  return {
    ...(Object.keys(matchLabels).length > 0 && { matchLabels: { ...matchLabels } }),
    ...(expressions.length > 0 && { matchExpressions: expressions }),
  };
}

/** A selector in a few words: `env=prod, team in (a, b)`. */
export function describeSelector({ matchLabels = {}, matchExpressions = [] }: PlainLabelSelector): string {
  const parts = [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values = [] }) => WORDS[operator](key, values.join(", "))),
  ];
  return parts.length === 0 ? "everything" : parts.join(", ");
}

const WORDS: Readonly<Record<LabelSelectorOperator, (key: string, values: string) => string>> = {
  [LabelSelectorOperator.In]: (key, values) => `${key} in (${values})`,
  [LabelSelectorOperator.NotIn]: (key, values) => `${key} notin (${values})`,
  [LabelSelectorOperator.Exists]: (key) => key,
  [LabelSelectorOperator.DoesNotExist]: (key) => `!${key}`,
};
