import { createHash } from "node:crypto";

/** Characters of the digest in a name. */
const DIGEST_LENGTH = 8;

/** Characters that names of probes leave for what Kubernetes and we append: a pod of a Job is `<name>-<5 letters>`. */
export const PROBE_NAME_LENGTH = 63 - "-".length - DIGEST_LENGTH - "-xxxxx".length;

/** A name that is another one for other inputs, so that what has changed is asked anew beside the old answer. */
export function probeName(base: string, inputs: unknown): string {
  const digest = createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
  return `${base}-${digest.slice(0, DIGEST_LENGTH)}`;
}
