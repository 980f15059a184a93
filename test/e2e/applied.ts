import type { Session } from "../../local/session";

/** Applies an object, or its status with `/status` at the end of the path, in the name of a user. */
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

/** Makes a namespace, or gives it other labels and annotations. */
export const namespaced = (
  session: Pick<Session, "kubernetes">,
  name: string,
  metadata: object = {},
): Promise<void> =>
  applied(session, `/api/v1/namespaces/${name}`, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, ...metadata },
  });
