import { Annotation } from "./annotations";
import { ApiError } from "./server";

/** Thrown if other managers own fields that a resource wants to change. Its message names the fields, their managers and the fix. */
export class FieldConflict extends Error {
  constructor(
    message: string,
    /** The current managers of the fields. */
    readonly managers: string[],
  ) {
    super(message);
  }

  /** The conflict that a server error reports, if any. */
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
