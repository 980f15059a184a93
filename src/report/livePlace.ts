import type { Origin } from "../resources/resource";
import type { Finding } from "../gate/rule";
import { digest } from "./digest";

/** `HostedCluster clusters/tenant-a`, `Node worker-0` */
const OBJECT = /^(\S+) (?:([^/]+)\/)?([^/]+)$/;

/**
 * The path that stands for what runs, because code scanning shows nothing without a file:
 * `live/cluster/api.example.com%3A6443/clusters/HostedCluster/tenant-a`, `live/ec2/eu-west-1/sg-0a1b2c3d`. No file has it.
 */
export function livePath({ runsIn, live = "" }: Origin): string {
  const [, kind, namespace, name] = OBJECT.exec(live) ?? [];
  const parts = kind === undefined || name === undefined ? live.split("/") : [namespace, kind, name];
  return ["live", ...(runsIn?.split("/") ?? []), ...parts]
    .filter((part) => part !== undefined)
    .map(segment)
    .join("/");
}

/** A step that goes up, or none, would lead elsewhere. */
const segment = (part: string): string => (part === "" || /^\.+$/.test(part) ? "_" : encoded(part));

/** A part of a path as URIs write it, in which half a character has no code. */
export const encoded = (part: string): string => encodeURIComponent(Buffer.from(part).toString());

/** Under this name code scanning looks for what makes two results one. It makes it from a file's line, if nobody says it. */
const PRIMARY = "primaryLocationLineHash";

/** How many there are of what comes and goes: with one node more it is still the same finding. */
const COUNTS = /\b\d+(?= (?:\w+ )?(?:nodes?|addresses|rules)\b)|(?<=\broom for )\d+/g;

/** Tells findings on what runs from each other, the same in every run: lists there may come in another order each time. */
export class LiveFingerprints {
  readonly #counts = new Map<string, number>();

  of({ resource, rule, status, path, message }: Finding): Readonly<Record<string, string>> {
    const { live, runsIn = "" } = resource;
    if (live === undefined) return {};
    const [place, said] = [path.replace(/\[\d+\]/g, "[]"), message.replace(COUNTS, "")];
    const hash = digest(JSON.stringify([rule, status, runsIn, live, place, said]));
    const count = (this.#counts.get(hash) ?? 0) + 1;
    this.#counts.set(hash, count);
    return { [PRIMARY]: `${hash}:${count}` };
  }
}
