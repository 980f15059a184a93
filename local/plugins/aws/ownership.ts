import { createHash } from "node:crypto";

import {
  CreateTagsCommand,
  DeleteTagsCommand,
  type EC2Client,
  paginateDescribeTags,
  type Tag,
} from "@aws-sdk/client-ec2";

import { errorCode } from "./awsError";

/**
 * A create whose reply was lost leaves an object behind that the engine does not know. So every object carries a mark, from the
 * create call until the engine is known to have the object's id; the next create of the same URN finds the object and adopts it.
 *
 * The mark is removed when the engine ends normally (it sends `Cancel` after it has written every reply to its state), and from
 * objects that the engine names by id. An object that still has a mark comes from a create whose reply was lost, or from a run that
 * was killed; the latter are recognized by their ids as soon as the engine names them.
 */
const PREFIX = "hypershift-network-stand-in/";
const MARK = `${PREFIX}urn`;
const CHILD = `${PREFIX}child-`;

/** The most child marks on one parent, as an object has room for 50 tags; the oldest are removed first. */
const CHILD_MARKS = 16;

export const isMark = (key: string): boolean => key.startsWith(PREFIX);

export function markOf(urn: string): Tag {
  return { Key: MARK, Value: hash(urn) };
}

const childKey = (urn: string): string => CHILD + hash(urn);
const hash = (urn: string) => createHash("sha256").update(urn).digest("hex").slice(0, 32);

/** The marks in a region, as this process found and changes them. */
export class Ownership {
  private found?: Promise<{ objects: Map<string, string[]>; children: Set<string> }>;
  /** Ids that the engine has named, so they are in its state. */
  private readonly known = new Set<string>();
  /** Keys of the marks of children that the engine has named. */
  private readonly knownChildren = new Set<string>();
  /** Ids that this process has returned to the engine. */
  private readonly replied = new Set<string>();
  private readonly childMarks = new Map<string, string[]>();

  constructor(private readonly ec2: EC2Client) {}

  /** The engine has named this object, so its state contains it. */
  names(id: string, urn: string): void {
    this.known.add(id);
    this.knownChildren.add(childKey(urn));
  }

  /** The id is about to be returned to the engine. */
  replies(id: string): void {
    this.replied.add(id);
  }

  /** The object is gone, and its marks too. */
  forgets(id: string): void {
    this.replied.delete(id);
    this.known.delete(id);
    this.childMarks.delete(id);
  }

  /** Ids of objects that earlier runs created for this URN and that are not known to be in the engine's state. */
  async lostBy(urn: string): Promise<string[]> {
    const ids = (await this.marks()).objects.get(hash(urn)) ?? [];
    // An object that the engine names during this create is the old side of a replacement, never a lost object.
    await this.unmark(ids.filter((id) => this.known.has(id)));
    return ids.filter((id) => !this.known.has(id) && !this.replied.has(id));
  }

  /** Marks on the parent that a child is being created for this URN. True if an earlier run had already done so. */
  async beginChild(parent: string, urn: string): Promise<boolean> {
    const key = childKey(urn);
    const begunBefore = (await this.marks()).children.has(`${parent} ${key}`);
    const keys = this.childMarks.get(parent) ?? [];
    this.childMarks.set(parent, keys);
    if (keys.length >= CHILD_MARKS) await this.untag([parent], keys.splice(0, keys.length - CHILD_MARKS + 1));
    keys.push(key);
    if (begunBefore) return true;
    await this.ec2.send(
      new CreateTagsCommand({ Resources: [parent], Tags: [{ Key: key, Value: "being created" }] }),
    );
    return false;
  }

  /** The child's create was rejected: an existing object is not its own. */
  async abandonChild(parent: string, urn: string): Promise<void> {
    await this.untag([parent], [childKey(urn)]);
  }

  /** Removes the marks of everything that the engine knows. Called when it ends normally. */
  async confirm(): Promise<void> {
    if (this.known.size + this.replied.size + this.childMarks.size === 0) return;
    const { objects, children } = await this.marks();
    const marked = [...objects.values()].flat().filter((id) => this.known.has(id));
    await this.unmark([...new Set([...marked, ...this.replied])]);
    this.replied.clear();
    for (const [parent, keys] of this.childMarks) await this.untag([parent], keys);
    this.childMarks.clear();
    for (const child of children) {
      const [parent = "", key = ""] = child.split(" ");
      if (this.knownChildren.has(key)) await this.untag([parent], [key]);
    }
  }

  private async unmark(ids: string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += 200)
      await this.untag(ids.slice(start, start + 200), [MARK]);
  }

  private async untag(ids: string[], keys: string[]): Promise<void> {
    if (ids.length === 0 || keys.length === 0) return;
    const Tags = keys.map((Key) => ({ Key }));
    try {
      await this.ec2.send(new DeleteTagsCommand({ Resources: ids, Tags }));
    } catch (error) {
      // If another program removed one object, the marks on the others must still go.
      if (!(errorCode(error) ?? "").startsWith("Invalid")) throw error;
      if (ids.length > 1) await Promise.all(ids.map((id) => this.untag([id], keys)));
    }
  }

  private marks() {
    this.found ??= this.readMarks();
    return this.found;
  }

  private async readMarks() {
    const objects = new Map<string, string[]>();
    const children = new Set<string>();
    const filter = [{ Name: "key", Values: [`${PREFIX}*`] }];
    for await (const page of paginateDescribeTags({ client: this.ec2 }, { Filters: filter })) {
      for (const { Key = "", Value = "", ResourceId = "" } of page.Tags ?? []) {
        if (Key === MARK) objects.set(Value, [...(objects.get(Value) ?? []), ResourceId]);
        else children.add(`${ResourceId} ${Key}`);
      }
    }
    return { objects, children };
  }
}
