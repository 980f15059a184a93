import type * as pulumi from "@pulumi/pulumi";

/**
 * The resources that components hand out, by component and role. They are read by getters: the schema for other languages has
 * none, because one that names resources of other packages is bound to one version of theirs.
 */
const children = new WeakMap<pulumi.Resource, Map<string, pulumi.Resource>>();

/** Keeps a child of a component for those who ask for it. */
export function handOut<Child extends pulumi.Resource>(
  component: pulumi.Resource | undefined,
  role: string,
  child: Child,
): Child {
  if (component === undefined) return child;
  const own = children.get(component) ?? new Map<string, pulumi.Resource>();
  children.set(component, own.set(role, child));
  return child;
}

/** The child that a component keeps under a role; undefined where it made none. */
export const childOf = <Child extends pulumi.Resource>(
  component: pulumi.Resource,
  role: string,
): Child | undefined => children.get(component)?.get(role) as Child | undefined;

/** The ARN of that child, once the inputs are found right. */
export const arnOf = (
  component: pulumi.Resource,
  role: string,
  check: pulumi.Output<unknown>,
): pulumi.Output<string> | undefined => {
  const child = childOf<pulumi.Resource & { arn: pulumi.Output<string> }>(component, role);
  return child && check.apply(() => child.arn);
};
