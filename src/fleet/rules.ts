import { type ListedRule, Level, type Rule } from "../gate/rule";
import { at, OKD_NETWORKING, HYPERSHIFT } from "../requirements/documents";
import { isAddressPlan } from "../resources/resourceTypes";
import { judgeLedger } from "./judge";

/** Two clusters of a fleet were given the same addresses, or a cluster has other addresses than it was given. */
export const addressPlanConflict: Rule = {
  id: "address-plan-conflict",
  title: "Address plans of a fleet collide",
  level: Level.Error,
  description:
    "Reports conflicts among the files of a fleet's ledger, which `plan --fleet --write` writes: two clusters whose ranges share addresses (two branches can plan them and merge without a conflict), two files for one cluster, a HostedCluster whose ranges differ from its file, and ranges that overlap those of a HostedCluster without a file. Of two clusters, the finding names the one without a HostedCluster in the input, otherwise the later one by name. Ranges that the fleet reuses may be the same in several of its clusters.",
  documents: [
    at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.networking"),
  ],
  remediation:
    "Delete the file of the cluster that does not exist yet, and plan it again with plan --fleet --write.",
  judge: (judged) => {
    const files = judged.ofKind(isAddressPlan);
    return files.length === 0 ? [] : judgeLedger(files, judged);
  },
};

const plan = (name: string, cidr: string) => `
apiVersion: hypershift-network/v1
kind: AddressPlan
metadata: { name: ${name}, namespace: clusters }
spec:
  platform: AWS
  machineNetwork: [{ cidr: ${cidr} }]
`;

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const fleetRules: readonly ListedRule[] = [
  {
    rule: addressPlanConflict,
    violated: `${plan("tenant-b", "10.64.0.0/24")}---${plan("tenant-c", "10.64.0.0/24")}`,
    mended: `${plan("tenant-b", "10.64.0.0/24")}---${plan("tenant-c", "10.64.1.0/24")}`,
  },
];
