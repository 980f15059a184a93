import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { Check } from "../runBook";
import { shell } from "../shell";

/** That the nodes have rolled out, before anything else begins. */
export const noUpdate = (
  { namespace }: Pick<NormalizedTopology, "namespace">,
  condition: "UpdatingConfig" | "UpdatingVersion",
): Check => ({
  what: `no NodePool has ${condition} True any more`,
  command: shell`oc get nodepools -n ${namespace}`,
});
