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
});
