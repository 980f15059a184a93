import { inspect } from "node:util";

import * as pulumi from "@pulumi/pulumi";
import {
  checked,
  knownPart,
  missingInputFaults,
  plainnessFaults,
  type FaultFinder,
} from "../../src/components/checked";
import { refuse } from "../../src/components/refuse";
import { UNKNOWN } from "../../src/resources/resource";
import { eventually } from "./eventually";

const component = (): pulumi.ComponentResource => new pulumi.ComponentResource("test:index:Thing", "thing");
const noLetters: FaultFinder = (inputs) =>
  Object.entries(inputs as Record<string, unknown>)
    .filter(([, value]) => typeof value === "string" && /[a-z]/.test(value))
    .map(([path, value]) => ({ path, problem: `${String(value)} has letters`, remedy: "use digits" }));
const mocks: pulumi.runtime.Mocks = {
  newResource: ({ name }) => ({ id: name, state: {} }),
  call: () => ({}),
};
beforeEach(() => pulumi.runtime.setMocks(mocks));

describe("inputs are refused all at once", () => {
  it("plain values stop the constructor, with every fault in one message and no stack", () => {
    expect.assertions(3);
    try {
      checked(component(), "Thing thing", { a: "x", b: "1", c: "y" }, noLetters);
    } catch (error) {
      expect(pulumi.ResourceError.isInstance(error)).toBe(true);
      expect((error as pulumi.ResourceError).hideStack).toBe(true);
      expect((error as Error).message).toBe(
        "Thing thing: 2 faults\n  a  x has letters: use digits\n  c  y has letters: use digits",
      );
    }
  });

  it("the error shows its message alone, however it is printed: no stack, no graph of resources", () => {
    expect.assertions(2);
    try {
      checked(component(), "Thing thing", { a: "x" }, noLetters);
    } catch (error) {
      const message = "Thing thing: 1 fault\n  a  x has letters: use digits";
      expect((error as Error).stack).toBe(message);
      expect(inspect(error, { colors: true })).toBe(message);
    }
  });

  it("plain faults are found beside Outputs that are not known yet", () => {
    const inputs = { a: "x", b: pulumi.output("1") };
    expect(() => checked(component(), "Thing thing", inputs, noLetters)).toThrow("a  x has letters");
  });

  it("an Output is refused when it becomes known", async () => {
    const values = checked(component(), "Thing thing", { a: "1", b: pulumi.output("y") }, noLetters);
    await expect(eventually(values)).rejects.toThrow("Thing thing: 1 fault\n  b  y has letters: use digits");
  });

  it("good Outputs pass unchanged", async () => {
    const values = checked(component(), "Thing thing", { a: "1", b: Promise.resolve("2") }, noLetters);
    await expect(eventually(values)).resolves.toEqual({ a: "1", b: "2" });
  });

  it("a secret is not shown in the message", async () => {
    const values = checked(component(), "Thing thing", { a: pulumi.secret("hunter") }, noLetters);
    await expect(eventually(values)).rejects.toThrow("a  [secret] has letters");
  });

  it("nothing is said where nothing is wrong", () => {
    expect(() => refuse(component(), "Thing thing", [])).not.toThrow();
  });
});

describe("what is not known in a preview waits", () => {
  beforeEach(() => pulumi.runtime.setMocks(mocks, "project", "stack", true));

  it("an unknown Output is not judged", async () => {
    const judged: unknown[] = [];
    const unknown = pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;
    const values = checked(component(), "Thing thing", { a: unknown }, (inputs) => {
      judged.push(inputs);
      return [];
    });
    await eventually(values);
    expect(judged).toEqual([{ a: UNKNOWN }]);
  });
});

describe("the known part of inputs", () => {
  it("has UNKNOWN for Outputs, promises and resources at any depth", () => {
    const inputs = {
      a: [pulumi.output(1), { b: Promise.resolve(2) }],
      c: component(),
      d: undefined,
      e: null,
      f: "x",
    };
    expect(knownPart(inputs)).toEqual({ a: [UNKNOWN, { b: UNKNOWN }], c: UNKNOWN, e: null, f: "x" });
  });
});

describe("inputs that have to be plain", () => {
  it("name the place of each Output", () => {
    const topology = {
      name: pulumi.output("x"),
      machineNetwork: [{ cidr: pulumi.output("10.0.0.0/16") }],
      release: "4.20",
    };
    expect(plainnessFaults("topology", topology).map(({ path }) => path)).toEqual([
      "topology.name",
      "topology.machineNetwork[0].cidr",
    ]);
  });
});

describe("required inputs", () => {
  it.each([[undefined], [null], [{}], [{ vpcId: undefined }], [{ vpcId: null }]])(
    "are missed in %p",
    (inputs) => {
      expect(missingInputFaults(inputs, { vpcId: "give the id of the VPC" })).toEqual([
        { path: "vpcId", problem: "missing", remedy: "give the id of the VPC" },
      ]);
    },
  );

  it("are satisfied by an Output", () => {
    expect(missingInputFaults({ vpcId: pulumi.output("vpc-1") }, { vpcId: "" })).toEqual([]);
  });
});
