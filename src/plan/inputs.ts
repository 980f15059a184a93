import type { KubernetesKind } from "../resources/resourceTypes";
import type { Origin, Resource } from "../resources/resource";
import type { InputFault } from "./inputFault";
import { Lines } from "./positions";

/** What was read of all inputs. */
export class Inputs {
  readonly resources: Resource[] = [];
  /** What keeps the inputs from being judged, all of it. */
  readonly faults: InputFault[] = [];
  /** What a reader should know although nothing is wrong: `values.yaml holds nothing to judge`. */
  readonly notes: string[] = [];
  /** How many files were read. */
  files = 0;
  /** What else was read: `the cluster`. */
  readonly live: string[] = [];
  /** The kinds of Kubernetes objects that were read there. */
  readonly liveKinds: KubernetesKind[] = [];
  readonly lines = new Lines();

  /** The line of a property in the file that it was read from. */
  lineOf(origin: Origin, path: string): number | undefined {
    return this.lines.lineOf(origin, path);
  }
}
