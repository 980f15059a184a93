import { failOnOf, type Format, type GroupBy, WITH_MAP } from "../report";
import { check, checkCertificateFile } from "./check";
import type { Loaded } from "./commands";
import { isOn, liveOptions, orUnusable, Unusable } from "./plans";
import { Progress } from "./terminal";

/** `hypershift-network check PATH...` */
export const checkCommand: Loaded = (paths, options, terminal) =>
  orUnusable(terminal, async () => {
    const { config, certificate } = options;
    const format = options.format as Format;
    const live = liveOptions("check", options);
    if (certificate !== undefined && live)
      throw new Unusable([
        "hypershift-network check: --certificate checks a file against a plan: leave out --live and --ec2",
      ]);
    if (paths.length === 0 && !live)
      throw new Unusable([
        "hypershift-network check: name what to judge: files or folders, or what is running, with --live or --ec2",
      ]);
    const map = isOn(options.map);
    if (map && (certificate !== undefined || !WITH_MAP.includes(format)))
      throw new Unusable([
        "hypershift-network check: --map works with --format text and markdown: leave out --map or change --format",
      ]);
    if (certificate !== undefined)
      return checkCertificateFile(paths, { certificate, config, format }, terminal);
    return check(
      paths,
      {
        config,
        ...(options.state !== undefined && { state: options.state }),
        ...(live && { live }),
        format,
        failOn: failOnOf(options.failOn),
        groupBy: options.groupBy as GroupBy,
        ...(map && { map }),
      },
      terminal,
      new Progress(terminal),
    );
  });
