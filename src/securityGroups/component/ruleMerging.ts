/** When rules for CIDR blocks are merged into fewer rules with exactly the same addresses. */
export enum RuleMerging {
  /** Where a group would have more rules in a direction than `ruleQuota`, and only there. */
  OverQuota = "over-quota",
  /** Always: the names of rules do not change when a group comes near its quota. */
  Always = "always",
  /** Never: where there are more rules than `ruleQuota`, they are refused. */
  Never = "never",
}
