import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Stack } from "@pulumi/pulumi/automation";

import { outcomeOf, type Outcome } from "../../../local/quickstart/outcome";
import { POLICY_PACK } from "../../../local/quickstart/stacks";
import { examples, HOSTED_CLUSTER_SETTING } from "../../examples/example";
import { clear, inventory } from "./inventory";
import { newStack, unprotect } from "./stack";
import { strictRefusals } from "./strict";
import { Ec2World } from "../interrupted/network";
import { ProbeWorld } from "../probes/probeWorld";
import { PlayedOpenShift } from "../networkTypeMigration/playedOpenShift";
import { sharedSession, type SharedSession } from "../sharedSession";
import { storedResources } from "../storedState";

/** The number of test files that share the examples: each runs every n-th example. */
const PARTS = 3;

/** The whole life cycle of every example, on the real engine, with the real API server, its CRDs and an EC2 API. */
export function examplesLive(part: number): void {
  const mine = examples().filter((_, place) => place % PARTS === part);
  let session: SharedSession;
  let probes: ProbeWorld;
  const folder = mkdtempSync(join(tmpdir(), "examples-"));

  beforeAll(async () => {
    // The EC2 API is emptied after each example, so it must never be one that others run.
    delete process.env.AWS_ENDPOINT_URL;
    session = await sharedSession(folder);
    probes = new ProbeWorld(session.kubernetes);
  });
  afterAll(async () => {
    await probes?.stop();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const first = mine[0];
  describe.each(mine.map((example) => [example.name, example] as const))("%s", (_, example) => {
    let stack: Stack;
    let before: Set<string>;
    let empty: Set<string>;
    const run = (verb: "up" | "preview" | "destroy", options: object = {}) =>
      outcomeOf((onEvent) => stack[verb]({ ...options, onEvent }));
    const useWhatStands = () =>
      Object.assign(stack.workspace.envVars, session.resident.providers, session.resident.programs);
    const resources = () => storedResources(session, example.projectName, stack);
    const newThings = async () =>
      [...(await inventory(session))].filter((thing) => !before.has(thing)).sort();

    beforeAll(async () => {
      empty = await inventory(session);
      before = empty;
      if (example.needsOpenShift) {
        await PlayedOpenShift.install(session);
        before = await inventory(session);
      }
      stack = await newStack(session, example);
      if (example !== first) useWhatStands();
    });
    afterAll(async () => {
      await Promise.all([new Ec2World(session).empty(), clear(session, empty)]);
    });

    test("the policy pack reports exactly the findings that the example explains", async () => {
      const outcome = await run("preview", { policyPacks: [POLICY_PACK] });
      const found = [...outcome.refusals, ...outcome.remarks];
      const unexplained = found.filter(({ policyName }) => !example.expectedFindings.has(policyName));
      expect(unexplained.map(({ policyName, message }) => `${policyName}: ${message}`)).toEqual([]);
      const rules = new Set(found.map(({ policyName }) => policyName));
      expect([...example.expectedFindings.keys()].filter((rule) => !rules.has(rule))).toEqual([]);
      expect(outcome.errors).toEqual([]);
      // The preview of the first example ran with all processes that a user's engine starts.
      useWhatStands();
    });

    test("up creates it, and a second up changes nothing, with or without refresh", async () => {
      if (example.takesHostedCluster) {
        const value = readFileSync(session.kubeconfig, "utf8");
        await stack.setConfig(HOSTED_CLUSTER_SETTING, { value, secret: true });
      }
      expect(changesOf(await run("up"))).toEqual(["create"]);
      expect(changesOf(await run("up"))).toEqual(["same"]);
      expect(changesOf(await run("up", { refresh: true }))).toEqual(["same"]);
    });

    test("the API server accepts each of its objects with strict field validation", async () => {
      expect(await strictRefusals(session.kubernetes, await resources())).toEqual([]);
    });

    test("the setting that its comment names updates it in place", async () => {
      const { key, value } = example.change ?? {
        key: "no line `pulumi config set KEY VALUE && pulumi up`",
        value: "",
      };
      await stack.setConfig(key, { value });
      expect(changesOf(await run("up"))).toEqual(["same", "update"]);
    });

    test("destroy leaves only what is retained", async () => {
      const { retained } = await unprotect(stack, await resources());
      expect(changesOf(await run("destroy"))).toEqual(["delete"]);
      expect(await newThings()).toEqual(retained);
    });
  });
}

/** What a successful run did to resources. */
function changesOf({ succeeded, errors, changes }: Outcome): string[] {
  if (!succeeded) throw new Error(errors.join("\n"));
  return Object.keys(changes).sort();
}
