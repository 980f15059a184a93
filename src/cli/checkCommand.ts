import type { FailOn, Format, GroupBy } from "../report";
import { check } from "./check";
import type { Loaded } from "./commands";
import { Progress } from "./progress";

/* eslint-disable @typescript-eslint/no-require-imports -- an import would load with every check what few ask for */
const loadCertificates = () => require("./certificateFile") as typeof import("./certificateFile");
const loadPlans = () => require("./plans") as typeof import("./plans");

/** `hypershift-network check PATH...` */
export const checkCommand: Loaded = (paths, options, terminal) => {
  const { config, certificate } = options;
  const format = options.format as Format;
  if (certificate !== undefined)
    return loadPlans().orUnusable(terminal, () =>
      loadCertificates().checkCertificateFile(
        paths,
        { certificate, ...(config !== undefined && { config }), format },
        terminal,
      ),
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
