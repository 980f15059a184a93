import { CreateTagsCommand, DeleteTagsCommand, type EC2Client, type Tag } from "@aws-sdk/client-ec2";

import type { Tags } from "./kind";
import { isMark } from "./ownership";

/** The tags of an object that users set, without the stand-in's marks and AWS's own tags. */
export function visibleTags(tags: Tag[] | undefined): Tags {
  const pairs = (tags ?? []).map(({ Key = "", Value = "" }): [string, string] => [Key, Value]);
  return Object.fromEntries(pairs.filter(([key]) => !key.startsWith("aws:") && !isMark(key)).sort());
}

export function toTagList(tags: Tags): Tag[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}

/** The tags that belong to the resource, as `tags` shows them: the provider's default tags only if the program repeats them. */
export function ownTags(all: Tags, defaults: Tags, mentioned: Tags): Tags {
  return Object.fromEntries(
    Object.entries(all).filter(([key, value]) => defaults[key] !== value || mentioned[key] === value),
  );
}

/** Makes the visible tags of an object equal the wanted ones. True if it changed something. */
export async function syncTags(ec2: EC2Client, id: string, wanted: Tags, actual: Tags): Promise<boolean> {
  const surplus = Object.keys(actual).filter((key) => wanted[key] === undefined);
  const missing = Object.entries(wanted).filter(([key, value]) => actual[key] !== value);
  if (surplus.length > 0) {
    await ec2.send(new DeleteTagsCommand({ Resources: [id], Tags: surplus.map((Key) => ({ Key })) }));
  }
  if (missing.length > 0) {
    await ec2.send(new CreateTagsCommand({ Resources: [id], Tags: toTagList(Object.fromEntries(missing)) }));
  }
  return surplus.length + missing.length > 0;
}
