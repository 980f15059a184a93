import { knownProperties } from "../../src/resources/storedObject";
import { UNKNOWN, type Resource } from "../../src/resources/resource";

const GROUP = "aws:ec2/securityGroup:SecurityGroup";

describe("what is known of a resource of a stack", () => {
  it("is its output, else its input; what was not put in is absent", () => {
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

  it("leaves out an input that the resource does not have any more", () => {
    expect(knownProperties(GROUP, { name: "workers" }, { name: "workers", description: "gone" })).toEqual({
      name: "workers",
    });
  });

  it("is of a component also what it was told and does not show", () => {
    const router = "hypershift-network:index:EgressRouter";
    expect(
      knownProperties(router, { topology: { release: "4.20" } }, { platform: "BareMetal", topology: {} }),
    ).toEqual({ platform: "BareMetal", topology: { release: "4.20" } });
  });

  it.each<
    [string, Resource["properties"][string], Resource["properties"][string], Resource["properties"][string]]
  >([
    ["is that at its place", [{ port: 1, to: UNKNOWN }], [{ port: 1, to: 2 }], [{ port: 1, to: 2 }]],
    [
      "is none that contradicts it",
      [{ port: 1, to: UNKNOWN }],
      [{ port: 2, to: 2 }],
      [{ port: 1, to: UNKNOWN }],
    ],
    ["may leave something out", [{ port: 1, to: UNKNOWN }], [{ to: 2 }], [{ port: 1, to: 2 }]],
    ["may be unknown itself", [{ port: 1, to: UNKNOWN }], [{ port: UNKNOWN, to: 2 }], [{ port: 1, to: 2 }]],
    [
      "may hold lists in another order",
      [{ ports: [1], to: UNKNOWN }],
      [{ ports: [2], to: 2 }],
      [{ ports: [1], to: 2 }],
    ],
    ["stands in for an entry that is unknown", [UNKNOWN, "b"], ["a", "b"], ["a", "b"]],
    ["is none in a list of another length", [UNKNOWN, "b"], ["a"], [UNKNOWN, "b"]],
    ["is none where there is no list", [UNKNOWN], "a", [UNKNOWN]],
  ])("the input of an entry of a list %s", (_, output, input, known) => {
    expect(knownProperties(GROUP, { list: output }, { list: input })).toEqual({ list: known });
  });

  it("is the same object where all of it is known", () => {
    const outputs = { tags: { team: "shop" }, list: [{ a: 1 }] };
    expect(knownProperties(GROUP, outputs, {})).toBe(outputs);
  });
});
