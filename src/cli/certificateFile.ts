import { readFileSync } from "node:fs";

import { checkCertificate, plannedResources, type Certificate } from "../reachability/certificate";
import { Format, printable } from "../report";
import { configurationOf, planOf, Unusable } from "./plans";
import { CLEAN, FINDINGS, type Terminal } from "./terminal";

/** The certificate in a file. Throws `Unusable` where there is none. */
export function readCertificate(file: string): Certificate {
  const text = textOf(file);
  try {
    const value = JSON.parse(text) as Partial<Certificate> | null;
    if (typeof value?.version === "number" && typeof value.cluster === "string" && Array.isArray(value.flows))
      return value as Certificate;
  } catch {
    // Said below, as for JSON of another shape.
  }
  throw new Unusable([NO_CERTIFICATE(file)]);
}

const NO_CERTIFICATE = (file: string): string =>
  `${file}: is no certificate; \`hypershift-network certificate\` writes one`;

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Unusable([`${file}: ${code === "ENOENT" ? "no such file" : `cannot be read (${code})`}`]);
  }
}

/** What is asked of a certificate. */
export interface CertificateQuestion {
  certificate: string;
  config?: string;
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
  const { plan, doubtful } = plannedResources(
    (await planOf(paths, configurationOf(config), terminal)).resources,
  );
  const faults = [...faultsOf(file, certificate, plan), ...(asksAcls(certificate) ? doubtful : [])];
  terminal.out(format === Format.Json ? json(certificate, faults) : text(certificate, faults));
  return faults.length > 0 ? FINDINGS : CLEAN;
}

/** A file that somebody changed may have any shape. */
function faultsOf(
  file: string,
  certificate: Certificate,
  plan: Parameters<typeof checkCertificate>[1],
): string[] {
  try {
    return checkCertificate(certificate, plan);
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError)
      throw new Unusable([NO_CERTIFICATE(file)]);
    throw error;
  }
}

const asksAcls = ({ flows }: Certificate): boolean =>
  flows.some(({ places }) => places.some(({ guard }) => guard.startsWith("network ACL")));

const json = ({ cluster, flows }: Certificate, faults: readonly string[]): string =>
  `${JSON.stringify({ version: 1, cluster, flows: flows.length, faults }, undefined, 2)}\n`;

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
  return `${printable(lines.join("\n"))}\n`;
}
