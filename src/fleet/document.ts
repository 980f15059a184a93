import type { Fault } from "../fault";
import { noSuchKey } from "../gate/configuration";
import { isHostedClusterName, isLabelName } from "../requirements/names";
import { type Findings, readText, refuse, shortValue } from "../topology/normalize/values";
import { isRecord } from "../collections";

/** The version of the files of a fleet: the description that users write, and the ledger. */
export const FLEET_API = "hypershift-network/v1";

/** The kind of a fleet file. */
export enum FleetKind {
  /** Written by users: pools, and the clusters that need ranges. */
  Fleet = "Fleet",
  /** A file of the ledger: the ranges of one cluster. */
  AddressPlan = "AddressPlan",
}

/** The fix for a missing `spec` of each kind. */
const SPEC: Readonly<Record<FleetKind, string>> = {
  [FleetKind.Fleet]: "write spec: with pools and clusters",
  [FleetKind.AddressPlan]: "write spec: with the ranges of the cluster",
};

/** Checks everything around the `spec` of a document. */
export function envelopeFaults(value: unknown, kind: FleetKind): Fault[] {
  if (!isRecord(value))
    return [{ path: "", problem: "is not an object", remedy: `begin with apiVersion: ${FLEET_API}` }];
  const keys = ["apiVersion", "kind", "metadata", "spec"];
  const strange = Object.keys(value).filter((key) => !keys.includes(key));
  const wanted = Object.entries({ apiVersion: FLEET_API, kind });
  return [
    ...wanted.flatMap(([path, text]) => (value[path] === text ? [] : [wrongWord(path, value[path], text)])),
    ...strange.map((key) => noSuchKey(key, key, keys)),
    ...(isRecord(value.spec) ? [] : [{ path: "spec", problem: "missing", remedy: SPEC[kind] }]),
  ];
}

/** A later version may mean things that this version does not know. */
const wrongWord = (path: string, value: unknown, text: string): Fault => ({
  path,
  problem: value === undefined || value === null ? "missing" : `${shortValue(value)} is not ${text}`,
  remedy:
    path === "apiVersion" ? `write ${text}, or use a version of this package that has it` : `write ${text}`,
});

/** Identifies a hosted cluster. */
export interface FleetClusterName {
  /** Name of the management cluster in this fleet. Undefined: there is only one. */
  managementCluster?: string;
  namespace: string;
  name: string;
}

/** `management/clusters/tenant-a`, or `clusters/tenant-a` if no management cluster is named. */
export const keyOfCluster = ({ managementCluster, namespace, name }: FleetClusterName): string =>
  managementCluster === undefined ? `${namespace}/${name}` : `${managementCluster}/${namespace}/${name}`;

/** Sorts a list by cluster name, so that the order of files does not matter. */
export function byKey<Named>(list: readonly Named[], nameOf: (one: Named) => FleetClusterName): Named[] {
  const keyed = list.map((one) => ({ one, key: keyOfCluster(nameOf(one)) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ one }) => one);
}

/** Reads a Kubernetes name, which becomes the name of a file or folder of the ledger. */
export function readName(
  findings: Findings,
  property: string,
  value: unknown,
  isName: (text: string) => boolean = isLabelName,
): string | undefined {
  const name = readText(findings, property, value);
  if (name === undefined || isName(name)) return name;
  return refuse(
    findings,
    property,
    `${shortValue(name)} is not a Kubernetes name`,
    "write lowercase letters, digits and hyphens",
  );
}

/** Reads the name of a HostedCluster, which is required. */
export function readClusterName(findings: Findings, property: string, value: unknown): string | undefined {
  if (value === undefined || value === null)
    return refuse(findings, property, "missing", "write the name of the HostedCluster");
  return readName(findings, property, value, isHostedClusterName);
}
