import type * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { probeJob, type ProbeRequest } from "../../probes/objects";
import type { ProbeFrame } from "../../probes/frame";
import { warn, whenKnown } from "../../components/checked";
import { pushAll } from "../../collections";
import type { ClusterAccess } from "../../cluster/cluster";
import { Interrupted, interruptedAtOnce } from "../../cluster/interruptible";
import { type LiveCheck, LiveCluster, LiveFault, LiveStatus } from "../../cluster/liveCluster";
import { generationBefore, rollOutChecks, type WantedSubnets } from "../../cluster/ovnRollOut/rollOutChecks";
import { describeFaults, type Fault } from "../../fault";
import { ROLL_OUT_SECONDS } from "../../requirements/internalSubnets";
import { isMap } from "../../resources/read";
import { visible } from "../../text";
import { hasHooks, hookName, settled } from "../../components/settled";
import { masked } from "../../components/masked";
import type { VerificationRollOut } from "./ovnSubnetArgs";

/** The types of older SDKs do not accept undefined inside an Output, and require fields that the API server fills in. */
type JobSpec = kubernetes.types.input.batch.v1.JobSpec;

type Annotations = Readonly<Record<string, string>>;

interface Manifest {
  metadata: object;
  spec: object;
}

/** Seconds that a provider waits beyond the time limit of the object itself, so that the object reports the failure. */
const MARGIN_SECONDS = 30;

/** How long the provider waits for an object. */
export const within = (seconds: number): Annotations => ({
  "pulumi.com/timeoutSeconds": `${seconds + MARGIN_SECONDS}`,
});

/** Inputs of the resource for an object, available at once if the frame is plain. */
export const made = <Made extends Manifest>(
  frame: ProbeFrame | pulumi.Output<ProbeFrame>,
  manifestOf: (frame: ProbeFrame) => Made,
  annotations: Annotations,
) => ({
  metadata: whenKnown(frame, (one) => annotated(manifestOf(one as ProbeFrame).metadata, annotations)),
  spec: whenKnown(frame, (one) => manifestOf(one as ProbeFrame).spec as Made["spec"]),
});

/** Inputs of the Job. Its requests are known when the pods have addresses; its name is known before. */
export const verificationJob = (
  frame: ProbeFrame | pulumi.Output<ProbeFrame>,
  requests: pulumi.Output<ProbeRequest[]>,
  timeoutSeconds: number,
) => ({
  metadata: whenKnown(frame, (one) =>
    annotated(probeJob(one as ProbeFrame, { requests: [], timeoutSeconds }).metadata, {
      // Otherwise a Job that failed stays as it is, and the next deployment fails at once.
      "pulumi.com/replaceUnready": "true",
      // Its pods are deleted after it; nothing has to wait for them.
      "pulumi.com/deletionPropagationPolicy": "background",
      ...within(timeoutSeconds),
    }),
  ),
  spec: pulumi
    .all([frame, requests])
    .apply(
      ([one, asked]) =>
        probeJob(one as ProbeFrame, { requests: asked, timeoutSeconds }).spec as object as JobSpec,
    ),
});

const annotated = (metadata: object, annotations: Annotations) => ({
  ...metadata,
  annotations: { ...(metadata as { annotations?: Annotations }).annotations, ...annotations },
});

/** Which component waits, and for what. */
export interface AwaitedRollOut {
  component: pulumi.Resource;
  /** The class and name of the component, as users know it. */
  subject: string;
  rollOut: VerificationRollOut;
  wanted: WantedSubnets;
}

/**
 * Delays the creation of resources until a change of the internal subnets has arrived. The generation of ovnkube-node before the change is
 * read at once, before the resource that makes the change runs. Without an engine, as in tests with mocks, there is no wait.
 */
export function afterRollOut(awaited: AwaitedRollOut): pulumi.ResourceHookBinding {
  if (!hasHooks()) return {};
  const before = pulumi.runtime.isDryRun() ? undefined : generation(awaited);
  // Several resources wait for the same roll-out.
  let arrived: Promise<void> | undefined;
  const wait = () => (arrived ??= before?.then((since) => arrival(awaited, since)) ?? Promise.resolve());
  return {
    beforeCreate: [new pulumi.ResourceHook(hookName(`${awaited.subject}, after the roll-out`), wait)],
  };
}

/** The generation before a change that has not arrived yet; undefined if it has, or if that is unknown: the wait then reports why. */
const generation = ({ rollOut, wanted }: AwaitedRollOut): Promise<number | undefined> =>
  accessOf(rollOut)
    .then(async ({ access, faults }) =>
      faults.length > 0 ? undefined : generationBefore(await opened(access), wanted),
    )
    .catch(() => undefined);

/** @throws Error that lists everything that is missing, if the change has not arrived in time or the user interrupts */
async function arrival(
  { component, subject, rollOut, wanted }: AwaitedRollOut,
  since?: number,
): Promise<void> {
  const { timeoutSeconds = ROLL_OUT_SECONDS.default } = rollOut;
  const waiting = {
    now: () => Date.now(),
    deadline: Date.now() + timeoutSeconds * 1_000,
    progress: ({ what, found }: Pick<LiveCheck, "what" | "found">) =>
      void pulumi.log.info(visible(`${what}: ${found}`), component),
  };
  const { access, faults, secrets } = await accessOf(rollOut);
  const missing = [...faults];
  try {
    if (faults.length === 0) {
      const { checks, isUnsaid } = await interruptedAtOnce(async (sleep) =>
        rollOutChecks(await opened(access), { wanted, since }, { ...waiting, sleep }),
      );
      const late = checks.filter(({ status }) => status !== LiveStatus.Passed);
      if (isUnsaid)
        warn(
          component,
          late.map(({ what, found }) => `${what}: ${found}`),
        );
      else
        pushAll(
          missing,
          late.map((check) => lateFault(check, timeoutSeconds)),
        );
    }
  } catch (error) {
    missing.push({ path: "rollOut", ...reasonOf(error) });
  }
  if (missing.length > 0) throw new Error(describeFaults(subject, masked(missing, secrets)));
}

/** The reason why the wait ended; rethrows errors that are bugs of this package. */
function reasonOf(error: unknown): Omit<Fault, "path"> {
  if (error instanceof LiveFault) return { problem: error.message, remedy: error.remedy };
  if (!(error instanceof Interrupted)) throw error;
  return {
    problem: `${error.by} interrupted the wait before the change arrived: nothing is verified`,
    remedy: "run pulumi up again: it continues from here",
  };
}

const lateFault = ({ what, expected, found, fix = "" }: LiveCheck, seconds: number): Fault => ({
  path: what,
  problem: `${found}, and not ${expected}, after ${seconds} seconds`,
  remedy: fix,
});

const opened = (access: ClusterAccess): Promise<LiveCluster> =>
  LiveCluster.open(access, "the hosted cluster", true);

/**
 * Access to the named cluster, or to the one that the default Kubernetes provider would use. A name that resolves to an empty
 * text is a fault: otherwise the wait would check another cluster.
 */
async function accessOf({ kubeconfig, context }: VerificationRollOut) {
  const config = new pulumi.Config("kubernetes");
  const named =
    kubeconfig === undefined
      ? { kubeconfig: config.getSecret("kubeconfig"), context: context ?? config.get("context") }
      : { kubeconfig: pulumi.secret(kubeconfig), context };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  const { known, secrets } = await settled(Object.fromEntries(given));
  const access = isMap(known) ? known : {};
  const empty = given.filter(([name]) => typeof access[name] !== "string" || access[name] === "");
  const faults = empty.map(([name]): Fault => ({
    path: `rollOut.${name}`,
    problem: "is empty or not a string",
    remedy: "check where it comes from",
  }));
  return { access: access as ClusterAccess, faults, secrets };
}
