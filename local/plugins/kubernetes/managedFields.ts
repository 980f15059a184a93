import { isMap, type Props, type Value } from "../provider";

/** An entry of `metadata.managedFields`. */
export interface ManagedFields extends Props {
  manager: string;
  operation: "Apply" | "Update";
  subresource?: string;
  apiVersion: string;
  fieldsV1: Props;
}

/** Client-side tools whose fields a resource takes over at an update, as in the official provider. */
const clientSide: readonly [manager: string, operation: ManagedFields["operation"]][] = [
  ["kubectl", "Apply"],
  ["kubectl", "Update"],
  ["before-first-apply", "Update"],
  ["pulumi-kubernetes", "Update"],
  ["pulumi-kubernetes.exe", "Update"],
  ["pulumi-resource-kubernetes", "Update"],
];

/** The entries after `manager` has taken over the fields of client-side tools and of its own create; undefined if there are none. */
export function takenOver(entries: ManagedFields[], manager: string): ManagedFields[] | undefined {
  const isTaken = ({ manager: name, operation, subresource }: ManagedFields) =>
    !subresource &&
    ((name === manager && operation === "Update") ||
      clientSide.some(
        ([tool, by]) => tool === name && by === operation && !(name === manager && by === "Apply"),
      ));
  const taken = entries.filter(isTaken);
  if (taken.length === 0) return undefined;
  const own = entries.find(
    (entry) => entry.manager === manager && entry.operation === "Apply" && !entry.subresource,
  );
  const apiVersion = own?.apiVersion ?? taken[0]!.apiVersion;
  const fields = [own, ...taken].flatMap((entry) => (entry ? [entry.fieldsV1] : [])).reduce(merged, {});
  const mine: ManagedFields = {
    manager,
    operation: "Apply",
    apiVersion,
    fieldsType: "FieldsV1",
    fieldsV1: fields,
  };
  return [...entries.filter((entry) => !isTaken(entry) && entry !== own), mine];
}

/** Whether a matching manager owns the field at the path. */
export function isManaged(
  entries: ManagedFields[],
  path: string[],
  by: (manager: string) => boolean,
): boolean {
  return entries.some(({ manager, fieldsV1 }) => by(manager) && has(fieldsV1, path));
}

function has(fields: Value, [first, ...rest]: string[]): boolean {
  if (first === undefined) return true;
  return isMap(fields) && fields[`f:${first}`] !== undefined && has(fields[`f:${first}`], rest);
}

function merged(left: Props, right: Props): Props {
  const result = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const mine = result[name];
    result[name] = isMap(mine) && isMap(value) ? merged(mine, value) : value;
  }
  return result;
}
