/** What was looked at on a running cluster, and what it came to. */
export interface LiveCheck {
  /** Stable: `hosted-cluster-value`. */
  id: string;
  /** Id of the requirement that demands it, where one does: `wk-out-konn`. */
  requirement?: string;
  /** What was looked at: `OVN's join subnet in HostedCluster clusters/tenant-a`. */
  what: string;
  expected: string;
  found: string;
  status: LiveStatus;
  /** What to do, where it did not pass. */
  fix?: string;
  /** Document and heading. */
  documented: string;
}

/** How a check ended. */
export enum LiveStatus {
  /** It is as expected. */
  Passed = "passed",
  /** It is not, and was not in all the time that there was. */
  Failed = "failed",
  /** The cluster does not say. */
  Unknown = "unknown",
}

/** Whether everything is as expected: what nobody can say is no proof. */
export const isVerified = (checks: readonly LiveCheck[]): boolean =>
  checks.length > 0 && checks.every(({ status }) => status === LiveStatus.Passed);
