import { readFileSync } from "node:fs";

import { faultLines } from "../fault";
import {
  certificateFaults,
  checkCertificate,
  plannedResources,
  type Certificate,
} from "../reachability/certificate";
import { Format } from "../report";
import { jsonDocument } from "../text";
import type { ConfigurationOptions } from "./chosenConfiguration";
import { configurationOf, planOf, Unusable } from "./plans";
import { CLEAN, FINDINGS, textOfLines, type Terminal } from "./terminal";
import { describeInputFault } from "../plan/inputs";
import { unreadable } from "../plan/files";

/** The certificate in a file. Throws `Unusable` with everything that is wrong with it. */
export function readCertificate(file: string): Certificate {
  const value = jsonOf(file);
  const faults = certificateFaults(value);
  if (faults.length > 0) throw new Unusable(faultLines(`${file} is no certificate`, faults));
  return value as Certificate;
}

function jsonOf(file: string): unknown {
  const text = textOf(file);
  try {
    return JSON.parse(text);
  } catch {
    throw new Unusable([`${file}: is no certificate; \`hypershift-network certificate\` writes one`]);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Unusable([describeInputFault(unreadable(file, error))]);
  }
}

/** What is asked of a certificate. */
export interface CertificateQuestion {
  certificate: string;
  config: ConfigurationOptions["config"];
  format: Format;
}

/** Holds a certificate against a plan, without the engine that proved it, and prints what the plan does not bear out. */
export async function checkCertificateFile(
  paths: readonly string[],
  { certificate: file, config, format }: CertificateQuestion,
  terminal: Terminal,
): Promise<number> {
  if (format !== Format.Text && format !== Format.Json)
    throw new Unusable([
      `hypershift-network check: what a certificate comes to is written as text or json, not ${format}`,
    ]);
  const certificate = readCertificate(file);
  const judged = await planOf(paths, configurationOf({ config }, paths, terminal), terminal);
  refuseOtherPlan(file, certificate, judged.clusters);
  const { plan, doubtful } = plannedResources(judged.resources);
  const faults = [...checkCertificate(certificate, plan), ...(asksAcls(certificate) ? doubtful : [])];
  terminal.out(format === Format.Json ? json(certificate, faults) : text(certificate, faults));
  return faults.length > 0 ? FINDINGS : CLEAN;
}

/** What a certificate says of a hosted cluster, no plan without that cluster bears out. */
function refuseOtherPlan(file: string, { cluster }: Certificate, clusters: readonly { key: string }[]): void {
  if (clusters.some(({ key }) => key === cluster)) return;
  const [there, way] =
    clusters.length === 0
      ? ["no hosted cluster", "add its HostedCluster to the inputs, or name the configuration with --config"]
      : [`only ${clusters.map(({ key }) => key).join(", ")}`, "give the plan of that cluster"];
  throw new Unusable([`${file}: is for ${cluster}, and the plan has ${there}: ${way}`]);
}

const asksAcls = ({ flows }: Certificate): boolean =>
  flows.some(({ places }) => places.some(({ guard }) => guard.startsWith("network ACL")));

const json = ({ cluster, flows }: Certificate, faults: readonly string[]): string =>
  jsonDocument({ version: 1, cluster, flows: flows.length, faults });

function text({ cluster, flows }: Certificate, faults: readonly string[]): string {
  const places = flows.reduce((sum, flow) => sum + flow.places.length, 0);
  const what = `${flows.length} proved flows with ${places} places`;
  const lines =
    faults.length === 0
      ? [`${cluster}: the certificate holds for this plan: ${what}`]
      : [
          `${cluster}: the certificate does not hold for this plan: ${what}`,
          ...faults.map((one) => `  ${one}`),
        ];
  return textOfLines(lines);
}
