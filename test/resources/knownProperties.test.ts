import { knownProperties } from "../../src/resources/storedObject";
import { UNKNOWN, type Resource } from "../../src/resources/resource";

const GROUP = "aws:ec2/securityGroup:SecurityGroup";

describe("the known properties of a stack resource", () => {
  it("are its outputs, then its inputs, without values that neither knows", () => {
    const outputs: Resource["properties"] = {
      name: "workers",
      vpcId: UNKNOWN,
      arn: UNKNOWN,
      tags: { team: UNKNOWN, cost: "7" },
    };
    const inputs = { name: "other", vpcId: "vpc-1", tags: { team: "shop" } };
    expect(knownProperties(GROUP, outputs, inputs)).toEqual({
      name: "workers",
      vpcId: "vpc-1",
      tags: { team: "shop", cost: "7" },
    });
  });

  it("omit an input that the outputs no longer have", () => {
    expect(knownProperties(GROUP, { name: "workers" }, { name: "workers", description: "gone" })).toEqual({
      name: "workers",
    });
  });

  it("include inputs of a component that its outputs do not show", () => {
    const router = "hypershift-network:index:EgressRouter";
    expect(
      knownProperties(router, { topology: { release: "4.20" } }, { platform: "BareMetal", topology: {} }),
    ).toEqual({ platform: "BareMetal", topology: { release: "4.20" } });
  });

  it.each<
    [string, Resource["properties"][string], Resource["properties"][string], Resource["properties"][string]]
  >([
    [
      "from the entry at the same index",
      [{ port: 1, to: UNKNOWN }],
      [{ port: 1, to: 2 }],
      [{ port: 1, to: 2 }],
    ],
    [
      "not from an entry that contradicts a known value",
      [{ port: 1, to: UNKNOWN }],
      [{ port: 2, to: 2 }],
      [{ port: 1, to: UNKNOWN }],
    ],
    ["from an entry that omits a known value", [{ port: 1, to: UNKNOWN }], [{ to: 2 }], [{ port: 1, to: 2 }]],
    [
      "from an entry that has an unknown value itself",
      [{ port: 1, to: UNKNOWN }],
      [{ port: UNKNOWN, to: 2 }],
      [{ port: 1, to: 2 }],
    ],
    [
      "from an entry with a different nested list",
      [{ ports: [1], to: UNKNOWN }],
      [{ ports: [2], to: 2 }],
      [{ ports: [1], to: 2 }],
    ],
    ["for a whole entry that is unknown", [UNKNOWN, "b"], ["a", "b"], ["a", "b"]],
    ["not from a list of another length", [UNKNOWN, "b"], ["a"], [UNKNOWN, "b"]],
    ["not from a value that is not a list", [UNKNOWN], "a", [UNKNOWN]],
  ])("fill unknown values of a list from the input: %s", (_, output, input, known) => {
    expect(knownProperties(GROUP, { list: output }, { list: input })).toEqual({ list: known });
  });

  it("are the same object if everything is known", () => {
    const outputs = { tags: { team: "shop" }, list: [{ a: 1 }] };
    expect(knownProperties(GROUP, outputs, {})).toBe(outputs);
  });
});
