import type { FailOn, Format, GroupBy } from "../report";
import { check } from "./check";
import type { Loaded } from "./commands";
import { Progress } from "./progress";

/** `hypershift-network check PATH...` */
export const checkCommand: Loaded = (paths, options, terminal) =>
  check(
    paths,
    {
      ...(options.config !== undefined && { config: options.config }),
      ...(options.state !== undefined && { state: options.state }),
      format: options.format as Format,
      failOn: options.failOn as FailOn,
      groupBy: options.groupBy as GroupBy,
    },
    terminal,
    new Progress(terminal),
  );
