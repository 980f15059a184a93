import { CreateTagsCommand, DeleteTagsCommand, DescribeTagsCommand, EC2Client } from "@aws-sdk/client-ec2";

import { isMark, markOf, Ownership } from "../../../../local/plugins/aws/ownership";

/** The tags of a region, with the calls that `Ownership` uses. */
class Tags extends EC2Client {
  readonly tags = new Set<string>();

  constructor(readonly gone: string[] = []) {
    super({ region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } });
    this.send = ((command: unknown) =>
      Promise.resolve().then(() => this.answer(command))) as EC2Client["send"];
  }

  add(id: string, { Key, Value }: { Key?: string; Value?: string }) {
    this.tags.add(`${id} ${Key} ${Value}`);
    return this;
  }

  private answer(command: unknown) {
    if (command instanceof DescribeTagsCommand) {
      return {
        Tags: [...this.tags]
          .map((tag) => tag.split(" "))
          .map(([ResourceId, Key, Value]) => ({ ResourceId, Key, Value })),
      };
    }
    if (command instanceof CreateTagsCommand) {
      for (const id of command.input.Resources ?? [])
        for (const tag of command.input.Tags ?? []) this.add(id, tag);
    }
    if (command instanceof DeleteTagsCommand)
      this.remove(command.input.Resources ?? [], command.input.Tags ?? []);
    return {};
  }

  private remove(ids: string[], tags: { Key?: string }[]) {
    const missing = ids.find((id) => this.gone.includes(id));
    if (missing) throw Object.assign(new Error(missing), { name: "InvalidVpcID.NotFound" });
    for (const tag of this.tags) {
      const [id = "", key] = tag.split(" ");
      if (ids.includes(id) && tags.some(({ Key }) => Key === key)) this.tags.delete(tag);
    }
  }
}

const URN = "urn:pulumi:dev::app::aws:ec2/vpc:Vpc::v";

describe("the mark of a created object", () => {
  test("leads only the next create of the same URN to the lost object", async () => {
    const ownership = new Ownership(new Tags().add("vpc-1", markOf(URN)));
    expect(await ownership.lostBy(URN)).toEqual(["vpc-1"]);
    expect(await ownership.lostBy(`${URN}2`)).toEqual([]);
  });

  test("does not count an object that the engine names, such as the old side of a replacement, as lost", async () => {
    const ec2 = new Tags().add("vpc-1", markOf(URN)).add("vpc-2", markOf(URN));
    const ownership = new Ownership(ec2);
    ownership.names("vpc-1", URN);
    expect(await ownership.lostBy(URN)).toEqual(["vpc-2"]);
    expect([...ec2.tags].join()).not.toContain("vpc-1");
  });

  test("does not count an object that this process created as lost", async () => {
    const ec2 = new Tags();
    const ownership = new Ownership(ec2);
    ec2.add("vpc-1", markOf(URN));
    ownership.replies("vpc-1");
    expect(await ownership.lostBy(URN)).toEqual([]);
  });

  test("is removed when the engine ends normally, from objects that it was told of or that it named", async () => {
    const ec2 = new Tags().add("vpc-1", markOf(URN)).add("vpc-lost", markOf("another urn"));
    const ownership = new Ownership(ec2);
    ownership.names("vpc-1", URN);
    ec2.add("vpc-2", markOf(URN));
    ownership.replies("vpc-2");
    await ownership.confirm();
    expect([...ec2.tags]).toEqual([expect.stringContaining("vpc-lost")]);
  });

  test("is removed from the other objects if one was deleted by hand meanwhile", async () => {
    const ec2 = new Tags(["vpc-gone"]);
    const ownership = new Ownership(ec2);
    for (const id of ["vpc-gone", "vpc-2"]) {
      ec2.add(id, markOf(URN));
      ownership.replies(id);
    }
    await ownership.confirm();
    expect([...ec2.tags]).toEqual([expect.stringContaining("vpc-gone ")]);
  });

  test("is recognized by its tag key", () => {
    expect(isMark(markOf(URN).Key ?? "")).toBe(true);
    expect(isMark("Name")).toBe(false);
  });
});

describe("the mark of a child that cannot be tagged", () => {
  test("is on its parent before the create, so that the next create of the same child finds it", async () => {
    const ec2 = new Tags();
    expect(await new Ownership(ec2).beginChild("rtb-1", URN)).toBe(false);
    expect(await new Ownership(ec2).beginChild("rtb-1", URN)).toBe(true);
    expect(await new Ownership(ec2).beginChild("rtb-1", `${URN}2`)).toBe(false);
    expect(await new Ownership(ec2).beginChild("rtb-2", URN)).toBe(false);
  });

  test("is removed when the create was refused, and when the engine ends normally", async () => {
    const ec2 = new Tags();
    const refused = new Ownership(ec2);
    await refused.beginChild("rtb-1", URN);
    expect(ec2.tags.size).toBe(1);
    await refused.abandonChild("rtb-1", URN);
    expect(ec2.tags.size).toBe(0);
    const orderly = new Ownership(ec2);
    await orderly.beginChild("rtb-1", URN);
    expect(ec2.tags.size).toBe(1);
    await orderly.confirm();
    expect(ec2.tags.size).toBe(0);
  });

  test("survives a preview, which names the parent but not the child", async () => {
    const ec2 = new Tags();
    await new Ownership(ec2).beginChild("rtb-1", URN);
    const preview = new Ownership(ec2);
    preview.names("rtb-1", "the urn of the table");
    await preview.confirm();
    expect(await new Ownership(ec2).beginChild("rtb-1", URN)).toBe(true);
    const later = new Ownership(ec2);
    later.names("r-1", URN);
    await later.confirm();
    expect(ec2.tags.size).toBe(0);
  });

  test("leaves room for tags on the parent: only 16 marks are kept", async () => {
    const ec2 = new Tags();
    const ownership = new Ownership(ec2);
    for (let child = 0; child < 60; child++) await ownership.beginChild("rtb-1", `${URN}${child}`);
    expect(ec2.tags.size).toBe(16);
  });
});
