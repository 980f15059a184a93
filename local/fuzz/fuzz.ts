import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Case } from "./cases";
import { baselineOf, breaches } from "./invariants";
import { shapeOf, type Json } from "./json";
import { describeMutation } from "./parts";
import type { Sample } from "./samples";
import type { Baseline, Breach } from "./outcome";

/** A case that violates an invariant. */
export interface Found extends Case, Breach {
  /** Equal for cases that come from the same fault. */
  key: string;
}

/** Checks cases against the invariants; computes the results for unchanged samples only once. */
export class Fuzzer {
  readonly #folder = mkdtempSync(join(tmpdir(), "hypershift-network-fuzz-"));
  readonly #baselines = new Map<Sample, Promise<Baseline>>();
  readonly #configurations = new Map<string, string>();

  async breaches({ sample, mutation }: Case): Promise<Found[]> {
    const baseline = this.#baselines.get(sample) ?? baselineOf(sample, (one) => this.#configFile(one));
    this.#baselines.set(sample, baseline);
    const found = await breaches(await baseline, mutation, (one) => this.#configFile(one));
    return found.map((breach) => ({ sample, mutation, ...breach, key: keyOf({ sample, mutation }, breach) }));
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Writes a configuration to a file for `check` and the pack; undefined for an empty one. */
  #configFile(configuration: Json): string | undefined {
    const text = JSON.stringify(configuration);
    if (text === "{}") return undefined;
    const known = this.#configurations.get(text);
    if (known !== undefined) return known;
    const folder = join(this.#folder, String(this.#configurations.size));
    const file = join(folder, "hypershift-network.yaml");
    mkdirSync(folder);
    writeFileSync(file, text);
    this.#configurations.set(text, file);
    return file;
  }
}

const keyOf = ({ sample, mutation }: Case, { invariant }: Breach): string =>
  `${invariant}: ${shapeOf(describeMutation(sample, mutation))}`;
