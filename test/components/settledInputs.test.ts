import * as pulumi from "@pulumi/pulumi";
import { hasChanged, settledInput } from "../../src/components/settled";
import { run, unknownValue } from "./program";

const path = ["spec", "network"];
const inputs = (network: unknown) => ({ kind: "Network", spec: { mtu: 1400, network } });
const set = { cidr: "10.132.0.0/14", ports: [9898] };

describe("M19 an input that can be set once", () => {
  it.each<[string, unknown, unknown, boolean]>([
    ["is unchanged with the same value", set, { ports: [9898], cidr: "10.132.0.0/14" }, false],
    ["is changed by another value", set, { ...set, cidr: "10.136.0.0/14" }, true],
    ["is changed by another value deep inside", set, { ...set, ports: [9899] }, true],
    ["is unchanged when set for the first time", undefined, set, false],
    ["is changed when removed", set, undefined, true],
  ])("%s", async (_, before, after, changed) => {
    expect(await hasChanged(path, { oldInputs: inputs(before), newInputs: inputs(after) })).toBe(changed);
  });

  it("is compared by value if secret", async () => {
    const { result } = await run(() => {
      const secret = (cidr: string) => inputs({ ...set, cidr: pulumi.secret(cidr) });
      const compare = (cidr: string) =>
        hasChanged(path, { oldInputs: secret("10.132.0.0/14"), newInputs: secret(cidr) });
      return Promise.all([compare("10.132.0.0/14"), compare("10.136.0.0/14")]);
    });
    expect(await result).toEqual([false, true]);
  });

  it("is unchanged if a preview does not know the new value", async () => {
    const { result } = await run(
      () => {
        const compare = (newInputs: object) =>
          hasChanged(path, { oldInputs: inputs(set), newInputs: newInputs as Record<string, unknown> });
        return Promise.all([
          compare(inputs(pulumi.unknown)),
          compare(inputs({ ...set, cidr: pulumi.unknown })),
          compare(inputs({ ...set, cidr: unknownValue() })),
          compare({ kind: "Network", spec: pulumi.unknown }),
          compare({ kind: "Network", spec: unknownValue() }),
        ]);
      },
      { preview: true },
    );
    expect(await result).toEqual([false, false, false, false, false]);
  });

  it("is not watched if mocks replace the engine", async () => {
    const fault = { path: "network", problem: "cannot change", remedy: "write what it was" };
    const { result } = await run(() => settledInput({ subject: "Network x", path, fault }));
    expect(result).toBeUndefined();
  });
});
