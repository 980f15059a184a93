import type * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { probeJob } from "../../probes/objects";
import type { ProbeFrame } from "../../probes/frame";
import type { ProbeRequest } from "../../probes/requests";
import { whenKnown } from "../../components/checked";

/** The types of older SDKs take no undefined inside an Output, and demand fields that the API server fills in. */
type JobSpec = kubernetes.types.input.batch.v1.JobSpec;

type Annotations = Readonly<Record<string, string>>;

interface Manifest {
  metadata: object;
  spec: object;
}

/** Seconds that a provider waits beyond the time that the object itself has, so that the object says what was wrong. */
const MARGIN_SECONDS = 30;

/** How long the provider waits for an object. */
export const within = (seconds: number): Annotations => ({
  "pulumi.com/timeoutSeconds": `${seconds + MARGIN_SECONDS}`,
});

/** Inputs of the resource for an object: at once where the frame is plain. */
export const made = <Made extends Manifest>(
  frame: ProbeFrame | pulumi.Output<ProbeFrame>,
  manifestOf: (frame: ProbeFrame) => Made,
  annotations: Annotations,
) => ({
  metadata: whenKnown(frame, (one) => annotated(manifestOf(one as ProbeFrame).metadata, annotations)),
  spec: whenKnown(frame, (one) => manifestOf(one as ProbeFrame).spec as Made["spec"]),
});

/** Inputs of the Job. What it asks is known when the pods have addresses; its name is known before. */
export const verificationJob = (
  frame: ProbeFrame | pulumi.Output<ProbeFrame>,
  requests: pulumi.Output<ProbeRequest[]>,
  timeoutSeconds: number,
) => ({
  metadata: whenKnown(frame, (one) =>
    annotated(probeJob(one as ProbeFrame, { requests: [], timeoutSeconds }).metadata, {
      // A Job that failed stays as it is otherwise, and the next deployment would fail at once.
      "pulumi.com/replaceUnready": "true",
      // Its pods go after it; nothing has to wait for them.
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
