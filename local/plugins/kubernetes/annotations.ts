/** Annotations by which a program steers the provider; names and meaning are those of the official one. */
export const Annotation = {
  /** Set by the provider: the name was generated, so a replacement can stand beside the old object. */
  Autonamed: "pulumi.com/autonamed",
  /** "true": do not wait until the object is ready. */
  SkipAwait: "pulumi.com/skipAwait",
  /** Conditions to wait for: `condition=Ready`, `jsonpath={.status.phase}=Running`, or a JSON list of such. */
  WaitFor: "pulumi.com/waitFor",
  /** Seconds to wait, where the resource option `customTimeouts` says nothing. */
  TimeoutSeconds: "pulumi.com/timeoutSeconds",
  /** "true": a Job that has not succeeded is replaced by the next update. */
  ReplaceUnready: "pulumi.com/replaceUnready",
  /** "true": take over fields that others manage. */
  PatchForce: "pulumi.com/patchForce",
  /** The name under which fields are managed. */
  PatchFieldManager: "pulumi.com/patchFieldManager",
  /** background (the default here; the official provider's is foreground), foreground or orphan. */
  DeletionPropagation: "pulumi.com/deletionPropagationPolicy",
} as const;
