/** Annotations that control the provider; names and meaning are those of the official provider. */
export const Annotation = {
  /** Set by the provider: the name was generated, so a replacement can exist next to the old object. */
  Autonamed: "pulumi.com/autonamed",
  /** "true": do not wait until the object is ready. */
  SkipAwait: "pulumi.com/skipAwait",
  /** Conditions to wait for: `condition=Ready`, `jsonpath={.status.phase}=Running`, or a JSON list of such. */
  WaitFor: "pulumi.com/waitFor",
  /** Seconds to wait if the resource option `customTimeouts` is not set. */
  TimeoutSeconds: "pulumi.com/timeoutSeconds",
  /** "true": the next update replaces a Job that has not succeeded. */
  ReplaceUnready: "pulumi.com/replaceUnready",
  /** "true": take over fields that others manage. */
  PatchForce: "pulumi.com/patchForce",
  /** The name of the field manager. */
  PatchFieldManager: "pulumi.com/patchFieldManager",
  /** background (the default here; the official provider's is foreground), foreground or orphan. */
  DeletionPropagation: "pulumi.com/deletionPropagationPolicy",
} as const;
