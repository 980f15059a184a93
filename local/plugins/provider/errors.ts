import { Metadata, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";

import { Any } from "../../protobuf";
import { keepSecrets, type SecretPlaces } from "./secrets";
import type { Props } from "./values";
import { toWire } from "./wire";

/**
 * Thrown if an object exists, but not in its wanted form: the engine keeps its id and state, reports the reasons, and the next update
 * continues from there.
 */
export class UnfinishedError extends Error {
  constructor(
    readonly id: string,
    readonly state: Props,
    readonly reasons: string[],
    /** For updates and reads: the inputs that the engine should record. */
    readonly inputs?: Props,
  ) {
    super(reasons.join("; "));
  }
}

/** The error reply of a failed call: a message for the user, never a stack. */
export interface Failure {
  code: status;
  details: string;
  metadata: Metadata;
}

/** Converts an error to the engine's form. `secrets` lists where the secrets of the call were. */
export function failureOf(error: unknown, secrets?: SecretPlaces): Failure {
  const details = describe(error);
  const metadata = new Metadata();
  if (error instanceof UnfinishedError) {
    metadata.add(
      "grpc-status-details-bin",
      Buffer.from(unfinished(error, details, secrets).serializeBinary()),
    );
  }
  return { code: error instanceof UnknownName ? status.UNIMPLEMENTED : status.UNKNOWN, details, metadata };
}

/** Thrown for a type or a function that this provider does not have. */
export class UnknownName extends Error {}

/** The message of an error, or that of its cause if the error itself has none. */
export function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(describe).join("; ");
  if (!(error instanceof Error)) return String(error);
  if (error.message === "") return error.cause === undefined ? error.name : describe(error.cause);
  return error.message;
}

function unfinished(error: UnfinishedError, message: string, secrets: SecretPlaces | undefined): Status {
  const detail = new ErrorResourceInitFailed();
  detail.setId(error.id);
  detail.setProperties(toWire(keepSecrets(error.state, secrets)));
  detail.setReasonsList(error.reasons);
  if (error.inputs) detail.setInputs(toWire(keepSecrets(error.inputs, secrets)));
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const answer = new Status();
  answer.setCode(status.UNKNOWN);
  answer.setMessage(message);
  answer.addDetails(packed);
  return answer;
}
