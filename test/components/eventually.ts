import type * as pulumi from "@pulumi/pulumi";

/** What an Output carries besides its value; each is a promise that rejects together with it. */
interface Parts<T> {
  promise(): Promise<T>;
  isKnown: Promise<boolean>;
  isSecret: Promise<boolean>;
  allResources(): Promise<unknown>;
}

/** The value of an Output, or its rejection; undefined while a preview does not know it. */
export function eventually<T>(output: pulumi.Output<T>): Promise<T> {
  const parts = output as unknown as Parts<T>;
  for (const part of [parts.isKnown, parts.isSecret, parts.allResources()]) part.catch(() => undefined);
  return parts.promise();
}
