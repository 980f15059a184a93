import { connections } from "../../src/resources/connections";
import type { Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { type RemoteRange, vpcs } from "../../src/resources/vpcs";
import { vpcOf } from "../addressRanges/vpcs";

/** Three VPCs of an existing stack: 10.0.0.0/16, 10.1.0.0/16 and 10.2.0.0/16. */
export const [a, b, c] = ["a", "b", "c"].map((name, at) => vpcOf(name, `10.${at}.0.0/16`)[0]!) as [
  Resource,
  Resource,
  Resource,
];
export const nameIn = (index: ResourceIndex) => (key: string | undefined) =>
  key === undefined ? "any" : (index.at(key)?.name ?? key);

/** A remote range as text: the VPC that it applies to, the VPCs that it excludes, its block, name and origin. */
function rangeText(
  index: ResourceIndex,
  { vpc, butNot = [], name, prefix, resource: at, path }: RemoteRange,
) {
  const nameOf = nameIn(index);
  const without = butNot.length > 0 ? ` but ${butNot.map(nameOf).join(", ")}` : "";
  return `${nameOf(vpc)}${without} to ${prefix.text}: ${name}, ${at.name} ${path}`;
}

/** What connects the VPCs of a stack, as text. */
export function connected(...resources: Resource[]) {
  const index = new ResourceIndex(resources);
  const nameOf = nameIn(index);
  const found = connections(index, () => vpcs(index));
  const keys = [...found.ends];
  return {
    pairs: keys.flatMap((one) =>
      keys
        .filter((other) => one < other && found.connected(one, other))
        .map((other) => [one, other].map(nameOf).join("-")),
    ),
    ends: keys.map(nameOf).sort(),
    remote: found.remote.map((range) => rangeText(index, range)),
    doubtful: found.doubtful.map((range) => rangeText(index, range)),
    unknown: found.unknown.map(({ resource: { name }, path, reason }) =>
      [name, path, reason].join(" ").trim(),
    ),
  };
}
