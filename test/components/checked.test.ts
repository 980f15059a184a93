import { inspect } from "node:util";

import * as pulumi from "@pulumi/pulumi";
import {
  checked,
  type FaultFinder,
  missingInputFaults,
  plainnessFaults,
  refuse,
  warn,
} from "../../src/components/checked";
import { knownPart, settled } from "../../src/components/settled";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { eventually } from "./eventually";
import { run } from "./program";
import { expectSafe, HOSTILE } from "../hostile";

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

describe("the check of inputs", () => {
  it("stops the constructor for plain values, with every fault in one message and no stack", () => {
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

  it("throws an error that prints only its message, without a stack or a graph of resources", () => {
    expect.assertions(2);
    try {
      checked(component(), "Thing thing", { a: "x" }, noLetters);
    } catch (error) {
      const message = "Thing thing: 1 fault\n  a  x has letters: use digits";
      expect((error as Error).stack).toBe(message);
      expect(inspect(error, { colors: true })).toBe(message);
    }
  });

  it("finds faults of plain values next to Outputs that are not known yet", () => {
    const inputs = { a: "x", b: pulumi.output("1") };
    expect(() => checked(component(), "Thing thing", inputs, noLetters)).toThrow("a  x has letters");
  });

  it("refuses an Output when it becomes known", async () => {
    const values = checked(component(), "Thing thing", { a: "1", b: pulumi.output("y") }, noLetters);
    await expect(eventually(values)).rejects.toThrow("Thing thing: 1 fault\n  b  y has letters: use digits");
  });

  it("accepts valid Outputs", async () => {
    const check = checked(component(), "Thing thing", { a: "1", b: Promise.resolve("2") }, noLetters);
    await expect(eventually(check)).resolves.toBeUndefined();
  });

  it("reports all invalid Outputs in one error", async () => {
    const inputs = { a: pulumi.output("x"), b: pulumi.output("1"), c: { d: Promise.resolve("y") } };
    const check = checked(component(), "Thing thing", inputs, (known) => {
      const { c, ...rest } = known as { c: { d: PropertyValue } };
      return noLetters({ ...rest, "c.d": c.d });
    });
    await expect(eventually(check)).rejects.toThrow(
      "Thing thing: 2 faults\n  a    x has letters: use digits\n  c.d  y has letters: use digits",
    );
  });

  it("masks secrets in the message, and shows other values", async () => {
    const inputs = { a: pulumi.secret("hunter"), b: pulumi.output("open") };
    const check = checked(component(), "Thing thing", inputs, noLetters);
    await expect(eventually(check)).rejects.toThrow(
      "Thing thing: 2 faults\n  a  [secret] has letters: use digits\n  b  open has letters: use digits",
    );
  });

  it("fails once with the error of an Output that fails", async () => {
    const { failures } = await run(() => {
      const failing = pulumi.output("x").apply((): string => {
        throw new Error("no such stack");
      });
      return checked(component(), "Thing thing", { a: failing, b: pulumi.output("y") }, noLetters);
    });
    expect(failures).toEqual(["no such stack"]);
  });

  it("returns an Output that is not secret and depends on no resource", async () => {
    const inputs = { a: pulumi.secret("1"), b: component().urn.apply(() => "2") };
    const check = checked(component(), "Thing thing", inputs, noLetters);
    await expect(pulumi.isSecret(check)).resolves.toBe(false);
    const parts = check as unknown as { allResources(): Promise<Set<pulumi.Resource>> };
    expect((await parts.allResources()).size).toBe(0);
  });

  it("escapes line breaks and invisible characters in what it quotes", () => {
    const fault = { path: HOSTILE, problem: HOSTILE, remedy: HOSTILE };
    const said: string[] = [];
    try {
      refuse(component(), `Thing ${HOSTILE}`, [fault, fault]);
    } catch (error) {
      said.push((error as Error).message, (error as Error).stack!);
    }
    const log = jest.spyOn(pulumi.log, "warn").mockImplementation((text) => {
      said.push(text);
      return Promise.resolve();
    });
    warn(component(), [HOSTILE]);
    log.mockRestore();
    expect(said.map((text) => text.split("\n").length)).toEqual([3, 3, 1]);
    for (const text of said) expectSafe(text);
  });

  it("does not throw if there is no fault", () => {
    expect(() => refuse(component(), "Thing thing", [])).not.toThrow();
  });
});

describe("the check of inputs in a preview", () => {
  beforeEach(() => pulumi.runtime.setMocks(mocks, "project", "stack", true));

  const unknown = pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;

  it("treats an unknown Output as UNKNOWN", async () => {
    const judged: unknown[] = [];
    const check = checked(component(), "Thing thing", { a: unknown }, (inputs) => {
      judged.push(inputs);
      return [];
    });
    await eventually(check);
    expect(judged).toEqual([{ a: UNKNOWN }, { a: UNKNOWN }]);
  });

  it("judges known Outputs next to an unknown one", async () => {
    const check = checked(component(), "Thing thing", { a: unknown, b: pulumi.output("y") }, noLetters);
    await expect(eventually(check)).rejects.toThrow("Thing thing: 1 fault\n  b  y has letters: use digits");
  });

  it("keeps the known parts of an Output that is partly unknown", async () => {
    const both = pulumi.all([unknown, pulumi.output("y")]).apply((values) => values);
    const together = pulumi.output({ list: pulumi.all([unknown, "y"]), of: both });
    const { known } = await settled({ together });
    expect(known).toEqual({ together: { list: [UNKNOWN, "y"], of: UNKNOWN } });
  });

  it("returns a known Output, so that children show in the preview", async () => {
    const check = checked(component(), "Thing thing", { a: unknown, b: pulumi.output("1") }, noLetters);
    const derived = check.apply(() => "derived");
    await expect(eventually(derived)).resolves.toBe("derived");
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

describe("inputs that must be plain", () => {
  it("are refused with the path of each Output", () => {
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
    "are reported as missing in %p",
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
