import { readConfiguration } from "../../src/gate/readConfiguration";
import { rules } from "../../src/rules";
import { checked } from "./checkSide";
import { differences, sameSaid } from "./differences";
import { exportOf, jsonList, objectsOf, previewOf, yamlDocuments } from "./documents";
import type { Json } from "./json";
import { changeNamed } from "./mutations";
import type { Baseline, Breach, Checked } from "./outcome";
import { packed } from "./packSide";
import { mutatedPart, withProperties, type Mutation } from "./parts";
import { readPlaces } from "./readPlaces";
import type { Sample } from "./samples";
import { lost, silences } from "./silences";

/** Writes a configuration to a file; undefined for an empty one. */
export type ConfigFile = (configuration: Json) => string | undefined;

export async function baselineOf(sample: Sample, configFile: ConfigFile): Promise<Baseline> {
  const { resources } = sample;
  const config = configFile(sample.configuration);
  const { status, said, notes, faults } = await checked(JSON.stringify(previewOf(resources)), config);
  if (status === 2) throw new Error(`the sample "${sample.name}" cannot be judged: ${faults.join("\n")}`);
  const { said: ofExport } = await checked(JSON.stringify(exportOf(resources)), config);
  const { configuration } = readConfiguration(
    sample.configuration,
    "hypershift-network.yaml",
    rules.map(({ id }) => id),
  );
  return {
    sample,
    config,
    said,
    ofExport,
    notes: new Set(notes),
    read: readPlaces(resources, configuration),
  };
}

/** Returns every invariant that a mutation violates. */
export async function breaches(
  baseline: Baseline,
  mutation: Mutation,
  configFile: ConfigFile,
): Promise<Breach[]> {
  const after = mutatedPart(baseline.sample, mutation);
  if (after === undefined) return [];
  const found: Breach[] = [];
  const asking = new Asking(found);
  switch (mutation.part) {
    case "preview":
    case "export": {
      const said = mutation.part === "preview" ? baseline.said : baseline.ofExport;
      const of = await asking.check(mutation.part, JSON.stringify(after), baseline.config);
      if (of) found.push(...lost(baseline, said, mutation, of));
      break;
    }
    case "configuration":
      await ofConfiguration(baseline, mutation, configFile(after), asking);
      break;
    default:
      await ofResource(baseline, mutation, withProperties(baseline.sample, mutation.part, after), asking);
  }
  return found;
}

/** Runs `check` and the pack, and records results that are never allowed. */
class Asking {
  constructor(readonly found: Breach[]) {}

  async check(what: string, text: string, config: string | undefined): Promise<Checked | undefined> {
    const said = await this.guarded(`check of ${what}`, () => checked(text, config));
    if (said) this.found.push(...statusBreaches(said));
    return said;
  }

  async guarded<T>(what: string, judge: () => Promise<T>): Promise<T | undefined> {
    try {
      return await judge();
    } catch (error) {
      const detail = `${what}: ${error instanceof Error ? error.message : "?"}`;
      this.found.push({ invariant: "throws", detail });
      return undefined;
    }
  }
}

async function ofConfiguration(
  baseline: Baseline,
  mutation: Mutation,
  config: string | undefined,
  asking: Asking,
): Promise<void> {
  const { resources } = baseline.sample;
  const preview = await asking.check("a preview", JSON.stringify(previewOf(resources)), config);
  const pack = await asking.guarded("the pack", () => packed(resources, config));
  if (!preview || !pack) return;
  asking.found.push(...differences(preview, pack));
  asking.found.push(...lost(baseline, baseline.said, mutation, preview));
  const { isWrong } = changeNamed(mutation.change);
  if (isWrong && preview.status !== 2)
    asking.found.push({ invariant: "silence", detail: "a value of a wrong type in the configuration" });
}

async function ofResource(
  baseline: Baseline,
  mutation: Mutation,
  { resources }: Sample,
  asking: Asking,
): Promise<void> {
  const { config } = baseline;
  const { found } = asking;
  const preview = await asking.check("a preview", JSON.stringify(previewOf(resources)), config);
  const pack = await asking.guarded("the pack", () => packed(resources, config));
  if (!preview) return;
  if (pack) found.push(...differences(preview, pack));
  found.push(...silences(baseline, mutation, preview));
  const reversed = JSON.stringify(previewOf(resources.toReversed()));
  const otherWay = await asking.check("a preview in another order", reversed, config);
  if (otherWay) found.push(...sameSaid("order", preview, otherWay));
  if (changeNamed(mutation.change).ofPreviews) return;
  const stack = await asking.check("a stack export", JSON.stringify(exportOf(resources)), config);
  if (stack) found.push(...sameSaid("forms differ", preview, stack));
  const objects = objectsOf(resources);
  if (!objects) return;
  const json = await asking.check("JSON", jsonList(objects), config);
  const yaml = await asking.check("YAML", yamlDocuments(objects), config);
  if (json && yaml) found.push(...sameSaid("forms differ", json, yaml));
  const back = await asking.check("documents in another order", yamlDocuments(objects.toReversed()), config);
  if (yaml && back) found.push(...sameSaid("order", yaml, back));
}

/** The exit status must be 1 if a finding fails the check, 2 if the input cannot be judged, otherwise 0. */
function statusBreaches({ status, said, faults }: Checked): Breach[] {
  const fails = said.some((one) => one.status === "violated" && one.level === "error");
  const isRight = status === 2 ? faults.length > 0 : status === (fails ? 1 : 0);
  return isRight ? [] : [{ invariant: "exit status", detail: `${status} with ${said.length} findings` }];
}
