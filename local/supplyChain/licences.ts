import { satisfiable } from "./spdx";
import type { LockedPackage } from "./lockedPackages";

/** SPDX ids allowed for packages that users install: all these licences require of users is to keep the notice. */
export const ALLOWED: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-3.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
]);

/** Packages that name a file instead of an id, with the licence in that file. A test reads the file. */
export const BY_FILE: Readonly<Record<string, { file: string; license: string; begins: string }>> = {
  "@logdna/tail-file": { file: "LICENSE", license: "MIT", begins: "The MIT License (MIT)" },
};

/** The licence of a package as an SPDX expression; undefined if it is not known. */
export const licenceOf = ({ name, license }: LockedPackage): string | undefined =>
  license?.startsWith("SEE LICENSE IN ") ? BY_FILE[name]?.license : license;

/** The number of packages for each licence, largest first. */
export function licenceTable(packages: readonly LockedPackage[]): [licence: string, count: number][] {
  const counts = new Map<string, number>();
  for (const one of packages) {
    const licence = licenceOf(one) ?? one.license ?? "none";
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
  }
  return [...counts].sort(([one, of], [other, than]) => than - of || (one < other ? -1 : 1));
}

/** Messages about packages whose licence is unknown or not allowed. */
export const licenceFaults = (packages: readonly LockedPackage[]): string[] =>
  packages.flatMap((one) => {
    const licence = licenceOf(one);
    if (licence !== undefined && satisfiable(licence, (id) => ALLOWED.has(id))) return [];
    const said = one.license === undefined ? "names no licence" : `has the licence ${one.license}`;
    return [
      `${one.folder} ${one.version} ${said}, which is not among those allowed: read it, then add it to local/supplyChain/licences.ts, or leave the package out`,
    ];
  });
