// Runs in its own process: parses a plan, judges it if the task requires it, and prints its peak memory in megabytes.
import { readFileSync } from "node:fs";
import { generateQuestions, type PlanDocument } from "./generate";
import { judgePlan, resourcesOf } from "./judge";
import type { MemoryTask } from "./memory";
import { peakMemory } from "../peakMemory";

const { file, seed, judges, ...size } = JSON.parse(process.argv[2]!) as MemoryTask;
// Generates the flows before parsing in both cases.
const questions = generateQuestions(size, seed);
const document = JSON.parse(readFileSync(file, "utf8")) as PlanDocument;
if (judges && judgePlan(resourcesOf(document), questions).proofs.length === 0)
  throw new Error("nothing was judged");
if (document.steps.length === 0) throw new Error("nothing was parsed");
console.log(peakMemory());
