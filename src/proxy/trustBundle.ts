import type { X509Certificate } from "node:crypto";
import type { Fault } from "../fault";
import { LIMIT } from "../requirements/limits";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { isGiven, type Place } from "../resources/read";
import { labelNameFaults } from "../objects/places";

/** The key under which OpenShift looks for the certificates of a trust bundle. */
export const TRUST_BUNDLE_KEY = "ca-bundle.crt";

/** The name of the ConfigMap that is made for the trust bundle of a hosted cluster's proxy. */
export const trustBundleName = (cluster: string): string => `${cluster}-proxy-ca`;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** What is wrong with a trust bundle: PEM, only certificates. Nothing of it is shown. */
export function trustBundleFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const fault = (problem: string, remedy: string): Fault[] => [{ path, problem, remedy }];
  if (typeof value !== "string") return fault("is no text", "write certificates in PEM form");
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(value))
    return fault(
      "holds a private key, which everybody who reads ConfigMaps would see",
      "write only certificates",
    );
  const blocks = value.match(CERTIFICATE) ?? [];
  if (blocks.length === 0)
    return fault("holds no certificate", "write PEM: -----BEGIN CERTIFICATE----- and its lines");
  if (/-----(BEGIN|END) /.test(value.replaceAll(CERTIFICATE, "")))
    return fault("holds a block that is not whole, or no certificate", "write only whole CERTIFICATE blocks");
  return blocks.flatMap((block, position) =>
    readable(block)
      ? []
      : fault(`certificate ${position + 1} cannot be read`, "copy it again, with all its lines"),
  );
}

/** One warning for each certificate that does not hold at that time. HyperShift refuses the cluster with one. */
export function trustBundleWarnings({ path, value }: Place, now: Date): Fault[] {
  if (typeof value !== "string") return [];
  return (value.match(CERTIFICATE) ?? []).flatMap((block, position) => {
    const certificate = readable(block);
    if (!certificate) return [];
    const [from, to] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
    if (from <= now && now <= to) return [];
    const state = now < from ? `is valid from ${day(from)} only` : `expired on ${day(to)}`;
    return [{ path, problem: `certificate ${position + 1} ${state}`, remedy: "take it out, or renew it" }];
  });
}

/** The faults of a ConfigMap's name, and of one that is given beside certificates. */
export function trustBundleReferenceFaults(reference: Place, certificates: Place): Fault[] {
  const { path, value } = reference;
  if (!isGiven(value)) return [];
  if (isGiven(certificates.value))
    return [{ path, problem: `is given beside ${certificates.path}`, remedy: "write one of the two" }];
  const dotted = typeof value === "string" && value.length <= LIMIT.hostnameLength.max;
  const labels: PropertyValue[] = dotted ? value.split(".") : [value];
  return labels
    .flatMap((part) => labelNameFaults({ path, value: part }, "the name of a ConfigMap"))
    .slice(0, 1);
}

function readable(block: string): X509Certificate | undefined {
  // An import would load all of Node's cryptography with every check.
  const { X509Certificate } = process.getBuiltinModule("node:crypto");
  try {
    return new X509Certificate(block);
  } catch {
    return undefined;
  }
}

const day = (date: Date): string => date.toISOString().slice(0, 10);
