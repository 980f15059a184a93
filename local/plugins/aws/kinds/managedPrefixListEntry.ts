import { refusal } from "../awsError";
import type { Kind } from "../kind";
import { anyCidr, region, text } from "../properties";
import { describePrefixList, entriesOf, modify } from "./managedPrefixList";

export interface ManagedPrefixListEntry {
  prefixListId: string;
  cidr: string;
  description?: string;
  region?: string;
}

export const managedPrefixListEntry: Kind<ManagedPrefixListEntry> = {
  token: "aws:ec2/managedPrefixListEntry:ManagedPrefixListEntry",
  properties: {
    prefixListId: text({ required: true, replaces: true }),
    cidr: text({ required: true, replaces: true, check: anyCidr }),
    description: text({ replaces: true }),
    region,
  },
  outputs: [],
  // The list contains a CIDR block at most once, whatever its description.
  deleteBeforeReplace: (wanted, actual) =>
    wanted.prefixListId === actual.prefixListId && wanted.cidr === actual.cidr,

  markedParent: ({ prefixListId }) => prefixListId,
  async findLost({ ec2 }, { prefixListId, cidr }) {
    const there = (await entriesOf(ec2, prefixListId)).some((entry) => entry.cidr === cidr);
    return there ? `${prefixListId},${cidr}` : undefined;
  },

  async create({ ec2 }, { prefixListId, cidr, description }) {
    // EC2 rejects an existing entry; its local substitute adds it again.
    if ((await entriesOf(ec2, prefixListId)).some((entry) => entry.cidr === cidr)) {
      throw refusal(
        "InvalidPrefixListModification",
        `the prefix list ${prefixListId} already has an entry for ${cidr}`,
      );
    }
    await modify(ec2, prefixListId, undefined, {
      AddEntries: [{ Cidr: cidr, Description: description || undefined }],
    });
    return `${prefixListId},${cidr}`;
  },

  async read({ ec2 }, id) {
    const [prefixListId = "", cidr] = id.split(",");
    if ((await describePrefixList(ec2, prefixListId)) === undefined) return undefined;
    const entry = (await entriesOf(ec2, prefixListId)).find((candidate) => candidate.cidr === cidr);
    return entry && { state: { prefixListId, cidr: entry.cidr, description: entry.description } };
  },

  async remove({ ec2 }, _id, { prefixListId, cidr }) {
    const there =
      (await describePrefixList(ec2, prefixListId)) !== undefined &&
      (await entriesOf(ec2, prefixListId)).some((entry) => entry.cidr === cidr);
    if (there) await modify(ec2, prefixListId, undefined, { RemoveEntries: [{ Cidr: cidr }] });
  },
};
