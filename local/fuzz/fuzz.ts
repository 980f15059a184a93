import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Case } from "./cases";
import { baselineOf, breaches, type Baseline, type Breach } from "./invariants";
import { shapeOf } from "./json";
import { describeMutation } from "./mutations";
import type { Sample } from "./samples";

/** A case that breaks an invariant. */
export interface Found extends Case, Breach {
  /** What is the same in cases that come of one fault. */
  key: string;
}

/** Holds cases against the invariants; what samples say as they are is asked once. */
export class Fuzzer {
  readonly #folder = mkdtempSync(join(tmpdir(), "hypershift-network-fuzz-"));
  readonly #baselines = new Map<Sample, Promise<Baseline>>();
  #files = 0;

  async breaches({ sample, mutation }: Case): Promise<Found[]> {
    const baseline = this.#baselines.get(sample) ?? this.#ask(sample);
    this.#baselines.set(sample, baseline);
    const found = await breaches(await baseline, mutation);
    return found.map((breach) => ({ sample, mutation, ...breach, key: keyOf({ sample, mutation }, breach) }));
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #ask(sample: Sample): Promise<Baseline> {
    if (sample.configuration === "") return baselineOf(sample, undefined);
    const file = join(this.#folder, `${this.#files++}.yaml`);
    writeFileSync(file, sample.configuration);
    return baselineOf(sample, file);
  }
}

const keyOf = ({ sample, mutation }: Case, { invariant }: Breach): string =>
  `${invariant}: ${shapeOf(describeMutation(sample, mutation))}`;
