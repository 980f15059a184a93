import { createHash, randomBytes } from "node:crypto";

import { type CheckRequest, isUnknown, type Props } from "../provider";
import { Annotation } from "./annotations";
import { annotation, metadataOf, withMetadata } from "./object";

const SUFFIX_LENGTH = 8;

/** The object with a name: its own, else the one that was generated before, else a new one. */
export function named(object: Props, olds: Props | undefined, request: CheckRequest): Props {
  if (isUnknown(object.metadata) || metadataOf(object).name) return object;
  const old = olds && metadataOf(olds).name;
  if (olds && old && annotation(olds, Annotation.Autonamed) === "true") return autonamed(object, old);
  const { autonaming, name, randomSeed } = request;
  if (autonaming?.mode === "disabled") return object;
  return autonamed(object, autonaming?.proposedName || `${name}-${suffix(randomSeed, name)}`);
}

/** A unique field manager, for a resource that does not name one. */
export const newFieldManager = (): string => `pulumi-kubernetes-${randomBytes(4).toString("hex")}`;

function autonamed(object: Props, name: string): Props {
  const { annotations } = metadataOf(object);
  return withMetadata(object, { name, annotations: { ...annotations, [Annotation.Autonamed]: "true" } });
}

function suffix(seed: Uint8Array, name: string): string {
  const bytes = seed.length === 0 ? randomBytes(32) : seed;
  return createHash("sha256").update(bytes).update(name).digest("hex").slice(0, SUFFIX_LENGTH);
}
