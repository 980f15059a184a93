import { DescribeManagedPrefixListsCommand, GetManagedPrefixListEntriesCommand } from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";

import { UNCHANGED, within } from "./awsNetwork";
import { eachInAwsStack } from "./awsStack";

/** What users expect of the AWS provider: of the official one, or of the stand-in of local/plugins, whichever was found. */
const bench = eachInAwsStack();

const listWith =
  (cidrs: string[], more: Partial<aws.ec2.ManagedPrefixListArgs> = {}) =>
  () => {
    const list = new aws.ec2.ManagedPrefixList("list", {
      name: "offices",
      addressFamily: "IPv4",
      maxEntries: 3,
      entries: cidrs.map((cidr) => ({ cidr, description: `office ${cidr}` })),
      ...more,
    });
    return Promise.resolve({ list: list.id });
  };

const entriesOf = async (id: unknown) => {
  const answer = await bench.world.ec2.send(
    new GetManagedPrefixListEntriesCommand({ PrefixListId: String(id) }),
  );
  return (answer.Entries ?? []).map(({ Cidr = "", Description = "" }) => `${Cidr} ${Description}`).sort();
};

const [north, south, west] = ["192.0.2.0/26", "192.0.2.64/26", "192.0.2.128/26"] as const;
const shown = (...cidrs: string[]) => cidrs.map((cidr) => `${cidr} office ${cidr}`);

describe("a managed prefix list", () => {
  test(
    "has its entries, and the next up changes nothing, with or without refresh",
    async () => {
      const { outputs } = await bench.stack.up(listWith([north, south]));
      expect(await entriesOf(outputs.list)).toEqual(shown(north, south));
      expect((await bench.stack.up(listWith([north, south]))).changes).toEqual(UNCHANGED);
      expect((await bench.stack.up(listWith([north, south]), { refresh: true })).changes).toEqual(UNCHANGED);
    },
    within,
  );

  test(
    "gets different entries and a different name in place, and keeps its id",
    async () => {
      await bench.stack.up(listWith([north, south]));
      const ids = await bench.stack.ids();
      const grown = await bench.stack.up(listWith([north, south, west]));
      expect(grown.changes).toEqual(["same", "update"]);
      expect(await entriesOf(ids.list)).toEqual(shown(north, west, south).sort());
      await bench.stack.up(listWith([west], { name: "headquarters" }));
      expect(await bench.stack.ids()).toEqual(ids);
      expect(await entriesOf(ids.list)).toEqual(shown(west));
      const { PrefixLists } = await bench.world.ec2.send(
        new DescribeManagedPrefixListsCommand({ PrefixListIds: [ids.list ?? ""] }),
      );
      expect(PrefixLists).toEqual([
        expect.objectContaining({ PrefixListName: "headquarters", MaxEntries: 3 }) as unknown,
      ]);
    },
    within,
  );

  test(
    "is replaced when its address family changes, and is deleted by destroy",
    async () => {
      await bench.stack.up(listWith([north]));
      const before = await bench.stack.ids();
      await bench.stack.up(listWith(["2001:db8::/32"], { addressFamily: "IPv6" }));
      const after = await bench.stack.ids();
      expect(after.list).not.toBe(before.list);
      await bench.stack.destroy();
      const { PrefixLists = [] } = await bench.world.ec2.send(new DescribeManagedPrefixListsCommand({}));
      const left = PrefixLists.filter(({ State }) => !State?.startsWith("delete")).map(
        ({ PrefixListId }) => PrefixListId,
      );
      expect(left).not.toContain(before.list);
      expect(left).not.toContain(after.list);
    },
    within,
  );
});
