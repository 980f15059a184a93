import type { DocumentReference } from "./documents";

/** An OpenShift release. */
export interface Release {
  major: number;
  minor: number;
}

/** Releases from the first to the last, inclusive; an absent end is open. */
export interface ReleaseRange {
  from?: Release;
  to?: Release;
}

/** `4.20`, with an optional patch level and suffix: `4.20.3`, `4.20.0-rc.1`. */
const releasePattern = /^(0|[1-9]\d*)\.(0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)(?:[-+][0-9A-Za-z.+_-]+)?)?$/;

/** The release that a text names, `undefined` if there is none. A number is not a release: 4.20 unquoted is 4.2. */
export function parseRelease(text: unknown): Release | undefined {
  const match = typeof text === "string" ? releasePattern.exec(text) : null;
  return match ? { major: Number(match[1]), minor: Number(match[2]) } : undefined;
}

/** The release in the tag of a release image: 4.20 for `4.20.3-x86_64`; undefined for a digest and for other tags. */
export function releaseOfImage(image: string): Release | undefined {
  const tag = /^[^@]*:([^/:@]+)(?:@.*)?$/.exec(image)?.[1];
  return parseRelease(/^\d+\.\d+/.exec(tag ?? "")?.[0]);
}

/** Negative if `a` is older than `b`, zero if they are equal, positive if `a` is newer. */
export function compareReleases(a: Release, b: Release): number {
  return a.major - b.major || a.minor - b.minor;
}

/** Whether a range includes a release. */
export function releaseWithin(release: Release, { from, to }: ReleaseRange): boolean {
  return (!from || compareReleases(release, from) >= 0) && (!to || compareReleases(release, to) <= 0);
}

/** `4.20` */
export const formatRelease = ({ major, minor }: Release): string => `${major}.${minor}`;

/** The first release that has something. */
export interface Since {
  release: Release;
  documents: readonly DocumentReference[];
}

/** `since(4, 10, at(...))` */
export const since = (major: number, minor: number, ...documents: DocumentReference[]): Since => ({
  release: { major, minor },
  documents,
});
