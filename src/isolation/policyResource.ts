import type { PropertyValue, Resource } from "../resources/resource";
import { labelSelectorObject, type PlainLabelSelector } from "../objects/labelSelector/labelSelector";
import {
  NETWORK_POLICY_API_VERSION,
  NETWORK_POLICY_KIND,
  networkPolicySpec,
  type PacketPolicy,
} from "./networkPolicy";

/** A policy that is still to be made as reachability reads it: the object that it becomes. */
export const policyResource = (policy: PacketPolicy & { name?: string }, namespace: string): Resource => ({
  origin: {},
  type: `kubernetes:${NETWORK_POLICY_API_VERSION}:${NETWORK_POLICY_KIND}`,
  name: policy.name ?? "",
  properties: {
    metadata: { name: policy.name ?? "", namespace },
    spec: networkPolicySpec(policy) as unknown as PropertyValue,
  },
});

/** A selector as reachability reads it. */
export const selectorValue = (selector: PlainLabelSelector): PropertyValue =>
  labelSelectorObject(selector) as unknown as PropertyValue;
