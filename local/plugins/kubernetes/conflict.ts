import { Annotation } from "./annotations";
import { ApiError } from "./server";

/** Others manage fields that a resource wants otherwise. Says which, who, and what can be done. */
export class FieldConflict extends Error {
  constructor(
    message: string,
    /** Those who manage the fields now. */
    readonly managers: string[],
  ) {
    super(message);
  }

  /** The conflict that an error of the server speaks of, if it does. */
  static from(error: unknown, object: string, manager: string): FieldConflict | undefined {
    if (!(error instanceof ApiError) || error.code !== 409) return undefined;
    const causes = (error.status.details?.causes ?? []).filter(
      ({ reason }) => reason === "FieldManagerConflict",
    );
    if (causes.length === 0) return undefined;
    const fields = causes.map(
      ({ field, message }) => `${field} (${message?.replace(/^conflict with /, "managed by ")})`,
    );
    return new FieldConflict(
      `Server-Side Apply field conflict detected on ${object}: field manager "${manager}" wants ${fields.join(", ")} ` +
        `otherwise. Leave the field out, give it the value that is there, or take it over with the annotation ` +
        `${Annotation.PatchForce}: "true".`,
      causes.map(({ message }) => /^conflict with "([^"]+)"/.exec(message ?? "")?.[1] ?? ""),
    );
  }
}
