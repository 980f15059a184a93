import type { Answer, Cluster } from "../../cluster/cluster";
import { API_NAMESPACE } from "../../resources/kubernetesObject";
import { visible } from "../../text";
import type { SharedFieldSettings } from "./settings";
import type { SharedField } from "./swap";

/** There is no such object. */
export class NoSuchObject extends Error {}

type Json = { readonly [key: string]: unknown };

/** A field of an object in a cluster. */
export async function objectField(
  cluster: Pick<Cluster, "send">,
  settings: SharedFieldSettings,
): Promise<SharedField<unknown>> {
  const { object, namespace, name, path, fieldManager } = settings;
  const subject = `${object} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
  const address = await addressOf(cluster, settings, subject);
  return {
    name: `${path.join(".")} of ${subject}`,
    read: async () => {
      const body = granted(await cluster.send("GET", address), subject) as Json;
      const value = path.reduce<unknown>((at, key) => (at as Json | undefined)?.[key], body);
      return { value, resourceVersion: (body.metadata as { resourceVersion: string }).resourceVersion };
    },
    write: async (value, resourceVersion) => {
      const change = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), emptied(value)) as Json;
      // With the version that was read the server refuses the patch when the object has changed since.
      const metadata = { ...(change.metadata as Json | undefined), resourceVersion };
      const query = `?fieldManager=${encodeURIComponent(fieldManager)}`;
      const answer = await cluster.send("PATCH", address + query, { ...change, metadata });
      if (answer.status === 409) return false;
      granted(answer, subject);
      return true;
    },
  };
}

/** A field of which nothing is left goes away with its last entry: it may not have been there before the first. */
const emptied = (value: unknown): unknown =>
  value === undefined || (value as { length: number }).length === 0 ? null : value;

/** The path of the object, for which the server is asked how its kind is spelled in paths. */
async function addressOf(
  cluster: Pick<Cluster, "send">,
  { apiVersion, object, namespace, name }: SharedFieldSettings,
  subject: string,
): Promise<string> {
  const group = `/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}`;
  const answer = await cluster.send("GET", group);
  const known = answer.status === 404 ? [] : (granted(answer, subject) as { resources: Json[] }).resources;
  const kind = known.find((one) => one.kind === object && !(one.name as string).includes("/"));
  if (!kind) throw new NoSuchObject(visible(`${subject}: the server knows no ${object} of ${apiVersion}`));
  const space =
    kind.namespaced === true ? `/namespaces/${encodeURIComponent(namespace ?? API_NAMESPACE)}` : "";
  return `${group}${space}/${kind.name as string}/${encodeURIComponent(name)}`;
}

/** The body of an answer, unless it is a refusal. */
function granted({ status, body }: Answer, subject: string): unknown {
  if (status < 400) return body;
  const said = (body as { message?: string } | undefined)?.message ?? `the server answered ${status}`;
  if (status === 404) throw new NoSuchObject(visible(`${subject}: ${said}`));
  throw new Error(visible(`${subject}: ${said}`));
}
