import * as pulumi from "@pulumi/pulumi";
import { describeFaults, type Fault } from "../../fault";
import type { PropertyValue } from "../../resources/resource";
import { hasHooks, hookName } from "../../components/gated";

/** Finds the faults of a change, from the inputs and outputs that the stack's state holds of an object's spec. */
export type ChangeJudge = (before: { inputs?: PropertyValue; outputs?: PropertyValue }) => readonly Fault[];

/**
 * Refuses changes of an object before the engine makes them, in previews too: the engine shows the hook what its state holds,
 * whatever language the program is in. Where no engine runs, as in tests with mocks, there is nothing that could change.
 */
export function beforeUpdate(subject: string, faultsOf: ChangeJudge): pulumi.ResourceHookBinding {
  if (!hasHooks()) return {};
  const hook = new pulumi.ResourceHook(
    hookName(`${subject}, fields that can never change`),
    async ({ oldInputs, oldOutputs }) => {
      const faults = faultsOf({ inputs: await specOf(oldInputs), outputs: await specOf(oldOutputs) });
      if (faults.length > 0) throw new Error(describeFaults(subject, faults));
    },
    { onDryRun: true },
  );
  return { beforeUpdate: [hook] };
}

/** The spec, which is an Output where something in it is secret. What a state holds is always known. */
function specOf(properties: Record<string, PropertyValue> | undefined): Promise<PropertyValue> {
  const spec = pulumi.output<unknown>(properties?.spec) as pulumi.Output<unknown>;
  return new Promise((resolve) => {
    spec.apply((known) => resolve((known ?? null) as PropertyValue));
  });
}
