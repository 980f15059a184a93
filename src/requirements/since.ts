import type { DocumentReference } from "./documents";
import type { Release } from "./release";

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
