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

/** Whether somebody may not do what was tried. */
export const isForbidden = (error: unknown): error is LiveFault =>
  error instanceof LiveFault && error.status === FORBIDDEN;

/** What is read; undefined for somebody who may not. */
export async function unlessForbidden<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
