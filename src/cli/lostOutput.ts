import { tell, UNUSABLE, type Terminal } from "./terminal";

/**
 * Keeps running when stdout closes. A reader of the first lines, like head, closes the pipe: the command goes on,
 * because a gate has to end with its own status, and probes have to be removed. A report that is lost otherwise is no report.
 */
export const onLostOutput =
  ({ error }: Pick<Terminal, "error">, exit: (status: number) => void) =>
  ({ code = "unknown" }: NodeJS.ErrnoException): void => {
    if (code === "EPIPE") return;
    tell(
      { error },
      `hypershift-network: standard output cannot be written (${code}): the report is not whole`,
    );
    exit(UNUSABLE);
  };
