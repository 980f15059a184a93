import { REPLACING_DESTROYS } from "../requirements/immutableFields";
import type { NewCluster } from "./runBook";

/** What is left where a running cluster cannot become what is wanted. */
export const newClusterOf = (because: readonly string[]): NewCluster => ({
  because: [...new Set(because)],
  loses: REPLACING_DESTROYS,
  actions: [
    "Leave these properties as they are, and take the steps for the others; or go on with a second cluster:",
    "Make a HostedCluster of another name beside this one, with the wanted topology and ranges that both can have at once.",
    "Open its flows and prove them: `hypershift-network flows`, `hypershift-network prove`.",
    "Make its NodePools, and close its bootstrap ports when they are ready.",
    "Move the workloads and their data: backup and restore of namespaces and volumes, not of etcd, which holds the old network.",
    "Lead clients to it by DNS and kubeconfigs; look at flow logs until nobody uses the old one.",
    "Remove the old NodePools, then the old HostedCluster, whose protection somebody has to lift by hand.",
  ],
});
