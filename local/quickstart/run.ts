import { existsSync, rmSync } from "node:fs";

import type { Stack } from "@pulumi/pulumi/automation";
import colors from "picocolors";

import type { Report } from "../report";
import { DEFAULT_STATE_FOLDER, type Session, startSession } from "../session";
import { changesLine, objectList, type ObjectLine } from "./objects";
import { outcomeOf, type Outcome } from "./outcome";
import { countResources, type StackFolders, POLICY_PACK, selectStack, STACKS } from "./stacks";
import { findingList, ruleTable, type RuleLine } from "./tables";

const say = (text = "") => process.stdout.write(`${text}\n`);
const title = (text: string) => say(`\n${colors.bold(text)}`);

/** Shows what the package does on the real engine; the exit status states whether everything went as expected. */
export async function runQuickstart(report: Report): Promise<number> {
  return withSession(report, async (session) => {
    title("Parts");
    for (const part of session.parts) say(`  ${part.name.padEnd(30)} ${part.kind.padEnd(9)} ${part.from}`);
    const composed = await selectStack(STACKS.composed, placeOf(session));
    const created = await createNetwork(composed, report);
    if (!created) return 1;
    const refused = await showRefusal(await selectStack(STACKS.handWritten, placeOf(session)), report);
    if (!refused) return 1;
    sayWhatNext();
    return 0;
  });
}

/** Destroys the stacks, stops the servers and deletes their data. */
export async function removeQuickstart(report: Report): Promise<number> {
  if (!existsSync(DEFAULT_STATE_FOLDER)) {
    say("Nothing to remove.");
    return 0;
  }
  await withSession(report, async (session) => {
    for (const which of Object.values(STACKS)) {
      const stack = await selectStack(which, placeOf(session));
      await report.step(`stack ${which.name}: destroy`, () => destroy(stack));
    }
    return 0;
  });
  rmSync(DEFAULT_STATE_FOLDER, { recursive: true, force: true });
  say(
    "Removed: both stacks, the servers' data and the engine's state. Caches of tools stay for the next time.",
  );
  return 0;
}

/** Removes the protection first: it keeps the HostedCluster safe from an accidental destroy, but "down" is intended. */
async function destroy(stack: Stack): Promise<void> {
  const state = await stack.exportStack();
  const { deployment } = state as {
    deployment?: { resources?: { protect?: boolean; retainOnDelete?: boolean }[] };
  };
  for (const resource of deployment?.resources ?? []) resource.protect = false;
  await stack.importStack(state);
  await stack.destroy({ remove: true });
}

async function createNetwork(stack: Stack, report: Report): Promise<boolean> {
  title(`Stack ${STACKS.composed.name}: the network that the topology asks for`);
  const gate = { policyPacks: [POLICY_PACK] };
  const preview = await report.step("pulumi preview, with the policy pack", () =>
    outcomeOf((onEvent) => stack.preview({ ...gate, onEvent })),
  );
  if (!reportOutcome("preview", preview)) return false;
  const up = await report.step("pulumi up", () => outcomeOf((onEvent) => stack.up({ ...gate, onEvent })));
  if (!reportOutcome("up", up)) return false;
  const outputs = await stack.outputs();
  say();
  say(ruleTable((outputs.rules?.value ?? []) as RuleLine[]));
  say();
  say(objectList((outputs.objects?.value ?? []) as ObjectLine[]));
  return true;
}

async function showRefusal(stack: Stack, report: Report): Promise<boolean> {
  title(`Stack ${STACKS.handWritten.name}: the same network written by hand, with OVN's default subnets`);
  const preview = await report.step("pulumi preview, with the policy pack", () =>
    outcomeOf((onEvent) => stack.preview({ policyPacks: [POLICY_PACK], onEvent })),
  );
  const resources = await countResources(stack);
  const refused = !preview.succeeded && preview.refusals.length > 0 && resources === 0;
  if (!refused) {
    say(`  ${colors.red("✗")} the gate should have refused this stack`);
    reportOutcome("preview", preview);
    return false;
  }
  say(`  ${colors.green("✓")} refused at preview, as it should be: nothing was created`);
  say(findingList(preview.refusals));
  return true;
}

function reportOutcome(what: string, outcome: Outcome): boolean {
  const mark = outcome.succeeded ? colors.green("✓") : colors.red("✗");
  const policies = outcome.refusals.length === 0 ? "no policy objects" : "policies refuse it";
  say(`  ${mark} ${what}: ${changesLine(outcome.changes)}; ${policies}`);
  for (const warning of outcome.warnings) say(`    ${colors.yellow("warning")} ${warning}`);
  for (const error of outcome.errors) say(`    ${colors.red("error")} ${error}`);
  if (outcome.refusals.length > 0) say(findingList(outcome.refusals));
  return outcome.succeeded && outcome.refusals.length === 0;
}

function sayWhatNext(): void {
  title("What next");
  say("  examples/quickstart/            the program: change the topology and run this again");
  say("  npm run local -- --help         any command against these servers, pulumi among them");
  say("  npm run quickstart -- --down    removes everything");
  say("  README.md                       the components, and the policy pack in your CI");
}

function placeOf({ env, pulumiCommand }: Session): StackFolders {
  return { env, pulumiCommand };
}

/** Ctrl-C ends the engine's run first; the servers stop with this process in any case. */
async function withSession(report: Report, work: (session: Session) => Promise<number>): Promise<number> {
  const session = await startSession({ report });
  try {
    return await work(session);
  } finally {
    await session.stop();
  }
}
