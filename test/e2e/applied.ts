import type { Session } from "../../local/session";

/** Applies an object, or its status with `/status` at the end of the path, in the name of somebody. */
export async function applied(
  { kubernetes }: Pick<Session, "kubernetes">,
  path: string,
  object: object,
  manager = "admin",
): Promise<void> {
  const query = `fieldManager=${manager}&force=true`;
  const { status, body } = await kubernetes.request("PATCH", `${path}?${query}`, object);
  if (status >= 300) throw new Error(`${path}: ${JSON.stringify(body)}`);
}
