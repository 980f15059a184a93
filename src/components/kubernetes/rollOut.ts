import * as pulumi from "@pulumi/pulumi";
import { LiveStatus, type LiveCheck } from "../../cluster/liveCheck";
import { LiveCluster } from "../../cluster/liveCluster";
import { LiveFault } from "../../cluster/liveFault";
import { rollOutChecks } from "../../cluster/ovnRollOut/rollOutChecks";
import type { WantedSubnets } from "../../cluster/ovnRollOut/settings";
import { describeFaults, type Fault } from "../../fault";
import { ROLL_OUT_SECONDS } from "../../requirements/ovnNodes";
import { hasHooks, hookName } from "../hooks";
import { settled } from "../settled";
import type { VerificationRollOut } from "./ovnSubnetVerificationArgs";

/** Who waits, and for what. */
export interface AwaitedRollOut {
  component: pulumi.Resource;
  /** The component, as users know it. */
  subject: string;
  rollOut: VerificationRollOut;
  wanted: WantedSubnets;
}

/**
 * Holds a resource back, when the engine is about to make it, until a change of the internal subnets has arrived. Where no engine
 * runs, as in tests with mocks, nothing is waited for.
 */
export function afterRollOut(awaited: AwaitedRollOut): pulumi.ResourceHookBinding {
  if (!hasHooks()) return {};
  const wait = async () => {
    const faults = await missing(awaited);
    if (faults.length > 0) throw new Error(describeFaults(awaited.subject, faults));
  };
  return {
    beforeCreate: [new pulumi.ResourceHook(hookName(`${awaited.subject}, after the roll-out`), wait)],
  };
}

/** What has not arrived when the time is over. */
async function missing({ component, rollOut, wanted }: AwaitedRollOut): Promise<Fault[]> {
  const { timeoutSeconds = ROLL_OUT_SECONDS.default, ...access } = rollOut;
  const { known } = await settled(access);
  const waiting = {
    now: () => Date.now(),
    sleep: (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time)),
    deadline: Date.now() + timeoutSeconds * 1_000,
    progress: ({ what, found }: Pick<LiveCheck, "what" | "found">) =>
      void pulumi.log.info(`${what}: ${found}`, component),
  };
  try {
    const cluster = await LiveCluster.open(
      known as { kubeconfig?: string; context?: string },
      "the hosted cluster",
    );
    const checks = await rollOutChecks(cluster, { wanted }, waiting);
    return checks
      .filter(({ status }) => status !== LiveStatus.Passed)
      .map(({ what, expected, found, fix = "" }) => ({
        path: what,
        problem: `${found}, and not ${expected}, after ${timeoutSeconds} seconds`,
        remedy: fix,
      }));
  } catch (error) {
    if (!(error instanceof LiveFault)) throw error;
    return [{ path: "rollOut", problem: error.message, remedy: error.remedy }];
  }
}
