import type { ApiClient } from "../../../local/servers/apiClient";
import { SIGNATURE } from "../../../src/plan/engineValue";
import { objectKey, objectsOf } from "./inventory";
import type { StateResource } from "../storedState";

/** An object as a program writes it; a patch has only some of its fields. */
interface Written {
  kind: string;
  metadata: { name: string; namespace?: string };
}

/**
 * What the API server has against the objects of a stack when it is asked strictly: about fields that it does not know, which
 * it drops otherwise. Nothing is changed.
 */
export async function strictRefusals(
  client: ApiClient,
  resources: readonly StateResource[],
): Promise<string[]> {
  const paths = await objectsOf(client);
  const objects = resources.filter(({ type, custom }) => custom && type.startsWith("kubernetes:"));
  const answers = await Promise.all(
    objects.map(async ({ inputs, outputs }) => {
      const { __defaults: _, ...written } = inClear(inputs) as { __defaults?: unknown } & Written;
      // Names that Pulumi generates are only in the outputs.
      const { name, namespace } = { ...written.metadata, ...outputs?.metadata };
      const key = objectKey(written.kind, { name, ...(namespace !== undefined && { namespace }) });
      const query = "fieldManager=strict&force=true&dryRun=All&fieldValidation=Strict";
      const object = { ...written, metadata: { ...written.metadata, name } };
      const { status, body } = await client.request("PATCH", `${paths.get(key)}?${query}`, object);
      return status === 200 ? [] : [`${key}: ${(body as { message?: string }).message ?? status}`];
    }),
  );
  return answers.flat();
}

/** Secrets in a state are objects that wrap their JSON text. */
function inClear(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inClear);
  if (typeof value !== "object" || value === null) return value;
  if (SIGNATURE in value && "plaintext" in value) return JSON.parse(String(value.plaintext)) as unknown;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, inClear(entry)]));
}
