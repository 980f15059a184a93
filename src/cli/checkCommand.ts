import type { FailOn, Format, GroupBy } from "../report";
import { checkCertificateFile } from "./certificateFile";
import { check } from "./check";
import type { Loaded } from "./commands";
import { orUnusable } from "./plans";
import { Progress } from "./progress";

/** `hypershift-network check PATH...` */
export const checkCommand: Loaded = (paths, options, terminal) => {
  const { config, certificate } = options;
  const format = options.format as Format;
  if (certificate !== undefined)
    return orUnusable(terminal, () =>
      checkCertificateFile(paths, { certificate, ...(config !== undefined && { config }), format }, terminal),
    );
  return check(
    paths,
    {
      ...(config !== undefined && { config }),
      ...(options.state !== undefined && { state: options.state }),
      format,
      failOn: options.failOn as FailOn,
      groupBy: options.groupBy as GroupBy,
    },
    terminal,
    new Progress(terminal),
  );
};
