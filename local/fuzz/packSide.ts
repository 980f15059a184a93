import * as library from "@pulumi/policy";
import type { PolicyResource, ResourceValidationArgs, StackValidationArgs } from "@pulumi/policy";

import type { Policy } from "../../policy/due";
import { policies } from "../../policy/policies";
import { Session } from "../../policy/session";
import { rules } from "../../src/rules";
import { describeFinding } from "../../src/gate/rule";
import { providerUrn, urnOf } from "./documents";
import type { Packed } from "./outcome";
import type { FuzzedResource } from "./samples";

/** The library's wrapper around properties before a policy sees them; it is exported without a type. */
const { unknownCheckingProxy } = library as unknown as { unknownCheckingProxy: (props: unknown) => unknown };

/** Runs the pack on a stack to be created: on each resource by itself, then on the whole stack. */
export async function packed(
  resources: readonly FuzzedResource[],
  config: string | undefined,
): Promise<Packed> {
  const session = new Session(config ?? "");
  const judging = policies(session) as Policy[];
  const ids = new Set(rules.map(({ id }) => id));
  const reports = new Set<string>();
  // The engine does not run disabled policies.
  const asked = judging.filter(
    ({ name, enforcementLevel }) => (name === "topology" || ids.has(name)) && enforcementLevel !== "disabled",
  );
  const getConfig = () => ({});
  const shown = resources.map(argumentsOf);
  for (const one of shown)
    for (const policy of asked)
      for (const validate of [policy.validateResource ?? []].flat())
        await validate({ ...one, getConfig } as unknown as ResourceValidationArgs, (text) =>
          reports.add(`${policy.name} ${String(text)}`),
        );
  const whole = shown.map((one) => ({ ...one, propertyDependencies: {} }) as unknown as PolicyResource);
  for (const policy of asked)
    if (typeof policy.validateStack === "function")
      await policy.validateStack({ resources: whole, getConfig } as unknown as StackValidationArgs, (text) =>
        reports.add(`${policy.name} ${String(text)}`),
      );
  const remarks = session.takeRemarks().map((one) => `${one.rule} ${describeFinding(one).join("\n")}`);
  return { violations: [...new Set([...reports, ...remarks])], unknown: session.takeUnknown() };
}

const argumentsOf = (one: FuzzedResource) => ({
  urn: urnOf(one),
  type: one.type,
  name: one.name,
  props: unknownCheckingProxy(one.properties),
  opts: { ...(one.parent && { parent: urnOf(one.parent) }) },
  ...(one.provider !== undefined && {
    provider: { urn: providerUrn(one.provider), type: "kubernetes", name: one.provider, props: {} },
  }),
});
