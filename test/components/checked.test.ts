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

  it("the error shows only its message, however it is printed: no stack, no graph of resources", () => {
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

  it("good Outputs pass", async () => {
    const check = checked(component(), "Thing thing", { a: "1", b: Promise.resolve("2") }, noLetters);
    await expect(eventually(check)).resolves.toBeUndefined();
  });

  it("all wrong Outputs are in one error", async () => {
    const inputs = { a: pulumi.output("x"), b: pulumi.output("1"), c: { d: Promise.resolve("y") } };
    const check = checked(component(), "Thing thing", inputs, (known) => {
      const { c, ...rest } = known as { c: { d: PropertyValue } };
      return noLetters({ ...rest, "c.d": c.d });
    });
    await expect(eventually(check)).rejects.toThrow(
      "Thing thing: 2 faults\n  a    x has letters: use digits\n  c.d  y has letters: use digits",
    );
  });

  it("a secret is not shown in the message, and what is none is", async () => {
    const inputs = { a: pulumi.secret("hunter"), b: pulumi.output("open") };
    const check = checked(component(), "Thing thing", inputs, noLetters);
    await expect(eventually(check)).rejects.toThrow(
      "Thing thing: 2 faults\n  a  [secret] has letters: use digits\n  b  open has letters: use digits",
    );
  });

  it("an Output that fails fails the check with its own error, once", async () => {
    const { failures } = await run(() => {
      const failing = pulumi.output("x").apply((): string => {
        throw new Error("no such stack");
      });
      return checked(component(), "Thing thing", { a: failing, b: pulumi.output("y") }, noLetters);
    });
    expect(failures).toEqual(["no such stack"]);
  });

  it("the verdict is no secret and depends on no resource", async () => {
    const inputs = { a: pulumi.secret("1"), b: component().urn.apply(() => "2") };
    const check = checked(component(), "Thing thing", inputs, noLetters);
    await expect(pulumi.isSecret(check)).resolves.toBe(false);
    const parts = check as unknown as { allResources(): Promise<Set<pulumi.Resource>> };
    expect((await parts.allResources()).size).toBe(0);
  });

  it("what it quotes begins no line, and nothing of it is unseen", () => {
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

  it("nothing is said where nothing is wrong", () => {
    expect(() => refuse(component(), "Thing thing", [])).not.toThrow();
  });
});

describe("what is not known in a preview waits", () => {
  beforeEach(() => pulumi.runtime.setMocks(mocks, "project", "stack", true));

  const unknown = pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;

  it("an unknown Output is not judged", async () => {
    const judged: unknown[] = [];
    const check = checked(component(), "Thing thing", { a: unknown }, (inputs) => {
      judged.push(inputs);
      return [];
    });
    await eventually(check);
    expect(judged).toEqual([{ a: UNKNOWN }, { a: UNKNOWN }]);
  });

  it("it keeps no known Output from being judged", async () => {
    const check = checked(component(), "Thing thing", { a: unknown, b: pulumi.output("y") }, noLetters);
    await expect(eventually(check)).rejects.toThrow("Thing thing: 1 fault\n  b  y has letters: use digits");
  });

  it("nor the known parts of the same Output", async () => {
    const both = pulumi.all([unknown, pulumi.output("y")]).apply((values) => values);
    const together = pulumi.output({ list: pulumi.all([unknown, "y"]), of: both });
    const { known } = await settled({ together });
    expect(known).toEqual({ together: { list: [UNKNOWN, "y"], of: UNKNOWN } });
  });

  it("and what passes is known, so that children show at preview", async () => {
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
