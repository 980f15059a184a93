import {
  CreateManagedPrefixListCommand,
  DeleteManagedPrefixListCommand,
  DescribeManagedPrefixListsCommand,
  type EC2Client,
  ModifyManagedPrefixListCommand,
  type ModifyManagedPrefixListCommandInput,
  paginateGetManagedPrefixListEntries,
} from "@aws-sdk/client-ec2";

import { errorCode, unlessGone } from "../awsError";
import type { Kind, Tags } from "../kind";
import { anyCidr, between, blocks, number, oneOf, region, tags, text } from "../properties";
import { required } from "./required";

export interface PrefixEntry {
  cidr: string;
  description?: string;
}
export interface ManagedPrefixList {
  name?: string;
  addressFamily: string;
  maxEntries: number;
  entries?: PrefixEntry[];
  region?: string;
  tags?: Tags;
  arn?: string;
  ownerId?: string;
  version?: number;
}

const ENTRIES_A_CALL = 100;

export const managedPrefixList: Kind<ManagedPrefixList> = {
  token: "aws:ec2/managedPrefixList:ManagedPrefixList",
  tagged: true,
  properties: {
    name: text({
      autonamed: true,
      check: (value: string) =>
        value.startsWith("com.amazonaws") ? 'cannot begin with "com.amazonaws"' : undefined,
    }),
    addressFamily: text({ required: true, replaces: true, check: oneOf("IPv4", "IPv6") }),
    maxEntries: number({ required: true, check: between(1, 1000) }),
    // If omitted, entry resources manage the entries.
    entries: blocks(
      { cidr: text({ required: true, check: anyCidr }), description: text({ default: "" }) },
      { computed: true },
    ),
    region,
    tags,
  },
  outputs: ["arn", "ownerId", "version"],

  async create({ ec2, tagSpecifications }, wanted) {
    const { PrefixList } = await ec2.send(
      new CreateManagedPrefixListCommand({
        PrefixListName: wanted.name,
        AddressFamily: wanted.addressFamily,
        MaxEntries: wanted.maxEntries,
        Entries: wanted.entries?.slice(0, ENTRIES_A_CALL).map(request),
        TagSpecifications: tagSpecifications("prefix-list"),
      }),
    );
    return required(PrefixList?.PrefixListId, "PrefixListId");
  },

  async read({ ec2 }, id) {
    const list = await describePrefixList(ec2, id);
    if (list === undefined) return undefined;
    return {
      tags: list.Tags,
      state: {
        name: list.PrefixListName,
        addressFamily: list.AddressFamily,
        maxEntries: list.MaxEntries,
        entries: await entriesOf(ec2, id),
        version: list.Version,
        ownerId: list.OwnerId,
        arn: list.PrefixListArn,
      },
    };
  },

  async settle({ ec2 }, id, wanted, actual) {
    const key = ({ cidr, description = "" }: PrefixEntry) => `${cidr} ${description}`;
    const have = new Map((actual.entries ?? []).map((entry) => [key(entry), entry]));
    const want = new Map((wanted.entries ?? actual.entries ?? []).map((entry) => [key(entry), entry]));
    const surplus = [...have].filter(([name]) => !want.has(name)).map(([, entry]) => entry);
    const missing = [...want].filter(([name]) => !have.has(name)).map(([, entry]) => entry);
    // A list grows before its entries do and shrinks after them; EC2 requires a separate call for the size.
    const grows = wanted.maxEntries > actual.maxEntries;
    const resize = { MaxEntries: wanted.maxEntries };
    if (grows) await modify(ec2, id, wanted.name, resize);
    // An entry whose description changes must be removed before it is added again.
    await modifyEntries(ec2, id, wanted.name, surplus, []);
    await modifyEntries(ec2, id, wanted.name, [], missing);
    const renamed = wanted.name !== undefined && wanted.name !== actual.name;
    if (renamed) await modify(ec2, id, wanted.name, {});
    if (!grows && wanted.maxEntries !== actual.maxEntries) await modify(ec2, id, wanted.name, resize);
    return renamed || surplus.length + missing.length > 0 || wanted.maxEntries !== actual.maxEntries;
  },

  async remove({ ec2, untilFree }, id) {
    await unlessGone(() =>
      untilFree(() => ec2.send(new DeleteManagedPrefixListCommand({ PrefixListId: id }))),
    );
  },
};

const request = ({ cidr, description }: PrefixEntry) => ({
  Cidr: cidr,
  Description: description || undefined,
});

export async function describePrefixList(ec2: EC2Client, id: string) {
  const found = await unlessGone(() =>
    ec2.send(new DescribeManagedPrefixListsCommand({ PrefixListIds: [id] })),
  );
  const list = found?.PrefixLists?.[0];
  return list?.State?.startsWith("delete") ? undefined : list;
}

export async function entriesOf(ec2: EC2Client, id: string): Promise<PrefixEntry[]> {
  const entries: PrefixEntry[] = [];
  for await (const page of paginateGetManagedPrefixListEntries({ client: ec2 }, { PrefixListId: id })) {
    for (const { Cidr = "", Description = "" } of page.Entries ?? [])
      entries.push({ cidr: Cidr, description: Description });
  }
  return entries;
}

type Modification = Omit<ModifyManagedPrefixListCommandInput, "PrefixListId">;

/** Changes a list. Each change creates a new version, and EC2 accepts a change only for the version that it names. */
export async function modify(
  ec2: EC2Client,
  id: string,
  name: string | undefined,
  change: Modification,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const list = await describePrefixList(ec2, id);
    const version = change.AddEntries || change.RemoveEntries ? { CurrentVersion: list?.Version } : {};
    try {
      await ec2.send(
        new ModifyManagedPrefixListCommand({
          PrefixListId: id,
          PrefixListName: name ?? list?.PrefixListName,
          ...version,
          ...change,
        }),
      );
      return await untilComplete(ec2, id);
    } catch (error) {
      const busy = ["PrefixListVersionMismatch", "IncorrectState"].includes(errorCode(error) ?? "");
      if (!busy || attempt >= 10) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200 * attempt));
    }
  }
}

async function untilComplete(ec2: EC2Client, id: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const state = (await describePrefixList(ec2, id))?.State ?? "";
    if (state.endsWith("-complete")) return;
    if (state.endsWith("-failed")) throw new Error(`${id}: ${state}`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function modifyEntries(
  ec2: EC2Client,
  id: string,
  name: string | undefined,
  remove: PrefixEntry[],
  add: PrefixEntry[],
) {
  for (let start = 0; start < Math.max(remove.length, add.length); start += ENTRIES_A_CALL) {
    const part = <T>(all: T[]) => all.slice(start, start + ENTRIES_A_CALL);
    await modify(ec2, id, name, {
      ...(remove.length > 0 && { RemoveEntries: part(remove).map(({ cidr }) => ({ Cidr: cidr })) }),
      ...(add.length > 0 && { AddEntries: part(add).map(request) }),
    });
  }
}
