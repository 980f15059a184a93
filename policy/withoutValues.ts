import { rules } from "../src/rules";
import type { Finding } from "../src/gate/rule";
import { kindInType, nameInUrn, typeInUrn } from "../src/resources/resource";

/** The message, shown once, if no values of a stack may be printed. */
export const VALUES_HIDDEN =
  "no values are shown, because this version of @pulumi/policy or @pulumi/pulumi does not tell secrets from other values: hypershift-network check shows them for the output of pulumi preview --json";

/** What is wrong where the configuration does not fit the stack. */
export const CONTRADICTS = {
  problem: "does not fit a hosted cluster of this stack",
  remedy: "see what hypershift-network check says of pulumi preview --json",
};

/** A finding without any values of the stack. Of the path it shows only the first key, because other keys may be secret too. */
export function describeWithoutValues({ rule, path, status, documents }: Finding): string[] {
  const { title = "", remediation = "" } = rules.find(({ id }) => id === rule) ?? {};
  const [property] = rootOf(path);
  return [
    `${property === undefined ? "" : `${property}: `}${status}: ${title}`,
    `  documented   ${documents.join("; ")}`,
    `  fix          ${remediation}`,
  ];
}

/** The place of a finding: `SecurityGroup hosts: ingress`. */
export function placeWithoutValues({ resource: { urn = "", file = "" }, path }: Finding): string {
  const type = typeInUrn(urn);
  const resource = urn === "" ? file : `${kindInType(type)} ${nameInUrn(urn)}`;
  return [resource, ...rootOf(path)].join(": ");
}

const rootOf = (path: string): string[] => path.match(/^[^.[]+/) ?? [];
