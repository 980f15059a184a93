import { rules } from "../src/rules";
import type { Finding } from "../src/gate/rule";
import { kindInType, nameInUrn, typeInUrn } from "../src/resources/resource";

/** What is said once where nothing of a stack may be printed. */
export const VALUES_HIDDEN =
  "no values are shown, because this version of @pulumi/policy or @pulumi/pulumi does not tell secrets from other values: hypershift-network check shows them for what pulumi preview --json writes";

/** A finding in which nothing comes from the values of a stack. Keys may stand in a secret, too, but for the first one. */
export function describeWithoutValues({ rule, path, status, documents }: Finding): string[] {
  const { title = "", remediation = "" } = rules.find(({ id }) => id === rule) ?? {};
  const [property] = rootOf(path);
  return [
    `${property === undefined ? "" : `${property}: `}${status}: ${title}`,
    `  documented   ${documents.join("; ")}`,
    `  fix          ${remediation}`,
  ];
}

/** Where a finding is: `SecurityGroup hosts: ingress`. */
export function placeWithoutValues({ resource: { urn = "", file = "" }, path }: Finding): string {
  const type = typeInUrn(urn);
  const resource = urn === "" ? file : `${kindInType(type)} ${nameInUrn(urn)}`;
  return [resource, ...rootOf(path)].join(": ");
}

const rootOf = (path: string): string[] => path.match(/^[^.[]+/) ?? [];
