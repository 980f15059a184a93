import type { ListedRule } from "../gate/rule";
import { addressPlanConflict } from "./rules";

const plan = (name: string, cidr: string) => `
apiVersion: hypershift-network/v1
kind: AddressPlan
metadata: { name: ${name}, namespace: clusters }
spec:
  platform: AWS
  machineNetwork: [{ cidr: ${cidr} }]
`;

/** The rules, in the order in which findings are listed, each with a violation and its mend. */
export const fleetRules: readonly ListedRule[] = [
  {
    rule: addressPlanConflict,
    violated: `${plan("tenant-b", "10.64.0.0/24")}---${plan("tenant-c", "10.64.0.0/24")}`,
    mended: `${plan("tenant-b", "10.64.0.0/24")}---${plan("tenant-c", "10.64.1.0/24")}`,
  },
];
