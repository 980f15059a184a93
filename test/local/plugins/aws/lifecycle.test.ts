import type { Props } from "../../../../local/plugins/aws/kind";
import { kinds } from "../../../../local/plugins/aws/kinds";
import { Lifecycle } from "../../../../local/plugins/aws/lifecycle";
import { Session } from "../../../../local/plugins/aws/session";
import { UNKNOWN_VALUE } from "../../../../local/plugins/provider";

const session = new Session({ region: "eu-central-1", defaultTags: { team: "net", a: "default" } });
function lifecycle(token: string) {
  const kind = kinds.find((candidate) => candidate.token === token);
  if (kind === undefined) throw new Error(token);
  return new Lifecycle(kind, () => session);
}
const vpc = lifecycle("aws:ec2/vpc:Vpc");
const URN = "urn:pulumi:dev::app::aws:ec2/vpc:Vpc::v";
const unknownIn = (props: Props) => Object.keys(props).filter((name) => props[name] === UNKNOWN_VALUE);

describe("a preview", () => {
  test("of a create shows the inputs, and leaves values of the server unknown", async () => {
    const inputs = { cidrBlock: "10.0.0.0/16", enableDnsSupport: true, tags: { a: "own" } };
    const { id, state } = await vpc.create({ urn: URN, inputs, preview: true });
    expect(id).toBe("");
    expect(state).toMatchObject({ ...inputs, region: "eu-central-1", tagsAll: { a: "own", team: "net" } });
    expect(unknownIn(state)).toEqual(
      expect.arrayContaining(["arn", "mainRouteTableId", "ownerId", "enableDnsHostnames"]),
    );
    expect(unknownIn(state)).not.toContain("cidrBlock");
  });

  test("of a create keeps unknown inputs unknown, including the merged tags", async () => {
    const inputs = { cidrBlock: UNKNOWN_VALUE, tags: { a: UNKNOWN_VALUE } };
    const { state } = await vpc.create({ urn: URN, inputs, preview: true });
    expect(unknownIn(state)).toEqual(expect.arrayContaining(["cidrBlock", "tagsAll"]));
  });

  test("of an update shows the new inputs over the old state, without removed inputs", async () => {
    const state = {
      arn: "arn",
      cidrBlock: "10.0.0.0/16",
      enableDnsHostnames: true,
      tags: { b: "1" },
      tagsAll: { b: "1" },
    };
    const inputs = { cidrBlock: "10.0.0.0/16", enableDnsHostnames: false };
    const updated = await vpc.update({ urn: URN, id: "vpc-1", state, inputs, preview: true });
    expect(updated).toMatchObject({
      arn: "arn",
      enableDnsHostnames: false,
      tagsAll: { a: "default", team: "net" },
    });
    expect(updated.tags).toBeUndefined();
  });
});

describe("diff", () => {
  const state = { cidrBlock: "10.0.0.0/16", region: "eu-central-1", tagsAll: { a: "default", team: "net" } };

  test("shows changed default tags of the provider on every resource that carries them", () => {
    const inputs = { cidrBlock: "10.0.0.0/16" };
    expect(vpc.diff(URN, "vpc-1", state, inputs, inputs).differences).toEqual([]);
    const old = { ...state, tagsAll: { team: "other" } };
    expect(vpc.diff(URN, "vpc-1", old, inputs, inputs).differences).toEqual([
      { property: "tagsAll", replaces: false, change: "update" },
    ]);
  });

  test("replaces a resource if its region changes", () => {
    const inputs = { cidrBlock: "10.0.0.0/16", region: "eu-west-1" };
    expect(vpc.diff(URN, "vpc-1", state, inputs, inputs).differences).toEqual([
      { property: "region", replaces: true, change: "update" },
    ]);
  });

  test("deletes a security group before its replacement if the program chose its name, which is unique in a VPC", () => {
    const group = lifecycle("aws:ec2/securityGroup:SecurityGroup");
    const old = {
      name: "mine",
      description: "a",
      vpcId: "vpc-1",
      region: "eu-central-1",
      tagsAll: { a: "default", team: "net" },
    };
    const wanted = { name: "mine", description: "b", vpcId: "vpc-1" };
    expect(group.diff(URN, "sg-1", old, wanted, wanted).deleteBeforeReplace).toBe(true);
    const generated = { ...wanted, __defaults: ["name"] };
    expect(group.diff(URN, "sg-1", old, generated, generated).deleteBeforeReplace).toBe(false);
  });
});
