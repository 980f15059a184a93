import { kubernetesObjects, manifestResource } from "../../plan/manifests";
import { isObject, readText } from "../../resources/read";
import type { Resource } from "../../resources/resource";
import type { LiveObject } from "../../cluster/liveCluster";

/** The records of what an API server sent: an object, or a list. They are what `kubectl get -o yaml` would have exported. */
export const liveResources = (answer: LiveObject): Resource[] =>
  kubernetesObjects(answer).map(({ object, path }) =>
    manifestResource({ object: exported(object), path }, { live: nameOf(object as LiveObject) }),
  );

/** Who wrote which field is long, and no rule asks. */
function exported(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { metadata } = object as LiveObject;
  if (!isObject(metadata)) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** `HostedCluster clusters/tenant-a`, `Node worker-0` */
function nameOf(object: LiveObject): string {
  const [kind, namespace, name] = ["kind", "metadata.namespace", "metadata.name"].map((path) =>
    readText(object, path),
  );
  return `${String(kind)} ${typeof namespace === "string" ? `${namespace}/` : ""}${String(name)}`;
}
