import type { Session } from "../../local/session";

/** Applies an object, or its status if the path ends with `/status`, as a user. */
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

/** Creates a namespace, or replaces its labels and annotations. */
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
