import { documentsIn } from "../roles";

/** One thing that a role allows. */
export interface Right {
  verb: string;
  group: string;
  /** With its subresource: `pods/log`. */
  resource: string;
  /** Absent: objects with any name. */
  name?: string;
  /** Absent: in every namespace, and for cluster-scoped objects. */
  namespace?: string;
}

/** Every single right that a file in rbac/ grants. */
export const rightsIn = (file: string): Right[] =>
  documentsIn(file).flatMap(({ metadata: { namespace }, rules = [] }) =>
    rules.flatMap(({ apiGroups, resources, resourceNames = [undefined], verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          resourceNames.flatMap((name) =>
            verbs.map((verb) => ({
              ...{ verb, group, resource },
              ...(name !== undefined && { name }),
              ...(namespace !== undefined && { namespace }),
            })),
          ),
        ),
      ),
    ),
  );

/** `get secrets tenant-a-admin-kubeconfig in clusters`, `list networks.config.openshift.io` */
export const inWords = ({ verb, group, resource, name, namespace }: Right): string =>
  [
    ...[verb, group === "" ? resource : `${resource}.${group}`],
    ...(name === undefined ? [] : [name]),
    ...(namespace === undefined ? [] : [`in ${namespace}`]),
  ].join(" ");
