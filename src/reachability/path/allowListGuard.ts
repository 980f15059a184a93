import { ALLOWED_LIST } from "../../flows/allowedBlocks";
import type { BalancerHop } from "../../flows/model";
import { Action } from "../filters";
import { packets } from "../packets";
import type { Guard } from "./judge";

/** The list as what stands at a load balancer. */
export function allowListGuard({ allowed, listedBy }: BalancerHop): Guard {
  const listed = packets({ sources: allowed });
  return {
    name: `${ALLOWED_LIST} of HostedCluster ${listedBy.name}`,
    standing: { kind: "allowList", listedBy },
    filters: [
      {
        clauses: [
          {
            resource: listedBy,
            path: `spec.${ALLOWED_LIST}`,
            actions: [Action.Allow],
            sure: listed,
            possible: listed,
            unknown: [],
          },
        ],
        otherwise: Action.Deny,
      },
    ],
  };
}
