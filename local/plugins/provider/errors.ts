import { Metadata, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";

import { Any } from "../../protobuf";
import { keepSecrets, type SecretPlaces } from "./secrets";
import type { Props } from "./values";
import { toWire } from "./wire";

/**
 * An object exists, but not as it was wanted: the engine keeps its id and state, reports the reasons, and the next
 * update goes on from there.
 */
export class UnfinishedError extends Error {
  constructor(
    readonly id: string,
    readonly state: Props,
    readonly reasons: string[],
    /** For updates and reads: the inputs that the engine is to remember. */
    readonly inputs?: Props,
  ) {
    super(reasons.join("; "));
  }
}

/** What a failed call answers with: the message that the user reads, never a stack. */
export interface Failure {
  code: status;
  details: string;
  metadata: Metadata;
}

/** An error as the engine wants it. `secrets` says where the secrets of the call were. */
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

/** A type or a function that this provider does not have. */
export class UnknownName extends Error {}

/** An error in words, with what caused it where the error itself says nothing. */
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
