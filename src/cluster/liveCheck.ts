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

/** Whether everything is as expected: what is unknown is no proof. */
export const isVerified = (checks: readonly LiveCheck[]): boolean =>
  checks.length > 0 && checks.every(({ status }) => status === LiveStatus.Passed);

/** Why a cluster or an account did not answer, and the way out. */
export class LiveFault extends Error {
  constructor(
    problem: string,
    readonly remedy: string,
    /** The status of HTTP with which the API server refused; absent where it was something else. */
    readonly status?: number,
    /** Whether asking again is of no use, whatever the status says. */
    readonly isFinal = false,
  ) {
    super(problem);
  }
}

/** The status of HTTP for a permission that is missing. */
export const FORBIDDEN = 403;

/** Whether the user may not do what was tried. */
export const isForbidden = (error: unknown): error is LiveFault =>
  error instanceof LiveFault && error.status === FORBIDDEN;

/** What is read; undefined for a user who may not. */
export async function unlessForbidden<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
