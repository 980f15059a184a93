import { prefixListAt, prefixListContents, type RuleSource } from "../../src/resources/ruleSources";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { securityGroups } from "../../src/resources/securityGroups";
import { resource, tcp, type Properties } from "../rules/builders";

/** A source as text, such as `10.0.0.0/8 ingress[0].cidrBlocks[0]`. */
function sourceText(source: RuleSource): string {
  const { kind, path } = source;
  switch (kind) {
    case "prefix":
      return `${source.prefix.text} ${path}`;
    case "list":
      return `list ${source.list.name} ${source.blocks.map(({ text }) => text).join(" ")} ${path}`;
    case "group":
      return `group ${source.group.name} ${path}`;
    case "foreignGroup":
      return `group ${source.id} ${path}`;
    case "unknown": {
      const because = source.because?.map((place) => `${place.resource.name} ${place.path}`) ?? [];
      return ["unknown", path, source.reason, ...because].filter((part) => part !== undefined).join(" ");
    }
  }
}

const sourcesIn = (rules: readonly { sources: readonly RuleSource[] }[]) =>
  rules.flatMap(({ sources }) => sources.map(sourceText));
const inline = (more: Properties, from: Resource[] = []) =>
  resource(
    TYPE.securityGroup,
    "hosts",
    { id: "sg-1", ingress: [{ ...tcp(443), ...more }] },
    { ingress: from },
  );
const split = (more: Properties, from: Record<string, Resource[]> = {}) =>
  resource(TYPE.ingressRule, "in", { securityGroupId: "sg-x", ipProtocol: "-1", ...more }, from);
const seen = (...resources: Resource[]) =>
  securityGroups(new ResourceIndex(resources)).groups.flatMap(({ rules }) => sourcesIn(rules));
const other = (id: PropertyValue = "sg-2") => resource(TYPE.securityGroup, "other", { id });
const list = (entries: PropertyValue, id: PropertyValue = "pl-1") =>
  resource(TYPE.prefixList, "list", { id, entries });
const NOT_HERE = "the entries of prefix list pl-1 are not in this stack";

describe("the sources of a rule are", () => {
  test.each<[string, Resource[], string[]]>([
    [
      "blocks of both families",
      [inline({ cidrBlocks: ["10.0.0.0/8", "192.0.2.1/32"], ipv6CidrBlocks: ["fd00::/8"] })],
      [
        "10.0.0.0/8 ingress[0].cidrBlocks[0]",
        "192.0.2.1/32 ingress[0].cidrBlocks[1]",
        "fd00::/8 ingress[0].ipv6CidrBlocks[0]",
      ],
    ],
    ["the block of a rule resource", [split({ cidrIpv4: "10.0.0.0/8" })], ["10.0.0.0/8 cidrIpv4"]],
    ["the IPv6 block of a rule resource", [split({ cidrIpv6: "fd00::/8" })], ["fd00::/8 cidrIpv6"]],
    ["not values that are no CIDR blocks", [inline({ cidrBlocks: ["all", 7] })], []],
    [
      "an unknown block",
      [inline({ cidrBlocks: ["10.0.0.0/8", UNKNOWN] })],
      ["10.0.0.0/8 ingress[0].cidrBlocks[0]", "unknown ingress[0].cidrBlocks[1]"],
    ],
    ["unknown blocks", [inline({ cidrBlocks: UNKNOWN })], ["unknown ingress[0].cidrBlocks"]],
    [
      "unknown if the blocks are not a list",
      [inline({ cidrBlocks: "10.0.0.0/8" })],
      ["unknown ingress[0].cidrBlocks"],
    ],
    ["none without blocks", [inline({ cidrBlocks: null, ipv6CidrBlocks: [] })], []],
    [
      "a group",
      [inline({ securityGroups: ["sg-2"] }), other()],
      ["group other ingress[0].securityGroups[0]"],
    ],
    [
      "a group of another stack",
      [inline({ securityGroups: ["sg-9"] })],
      ["group sg-9 ingress[0].securityGroups[0]"],
    ],
    [
      "a group of a peered account",
      [inline({ securityGroups: ["123456789012/sg-2"] }), other()],
      ["group other ingress[0].securityGroups[0]"],
    ],
    [
      "not a group of a peered account if the account number is malformed",
      [inline({ securityGroups: ["x123456789012/sg-2"] }), other()],
      ["group x123456789012/sg-2 ingress[0].securityGroups[0]"],
    ],
    ["an unknown group", [inline({ securityGroups: [UNKNOWN] })], ["unknown ingress[0].securityGroups[0]"]],
    ["not a group that is not a string", [inline({ securityGroups: [7] })], []],
    ["the group itself", [inline({ self: true })], ["group hosts ingress[0].self"]],
    ["possibly the group itself", [inline({ self: UNKNOWN })], ["unknown ingress[0].self"]],
    ["not the group itself if self is false", [inline({ self: false })], []],
    [
      "a group that a rule resource references",
      [split({ referencedSecurityGroupId: "sg-2" }), other()],
      ["group other referencedSecurityGroupId"],
    ],
    [
      "a group that a legacy rule references",
      [
        resource(TYPE.securityGroupRule, "in", {
          type: "ingress",
          securityGroupId: "sg-x",
          protocol: "-1",
          sourceSecurityGroupId: "sg-2",
        }),
        other(),
      ],
      ["group other sourceSecurityGroupId"],
    ],
    [
      "unknown for a rule with an unknown direction",
      [
        resource(TYPE.securityGroupRule, "in", {
          type: UNKNOWN,
          securityGroupId: "sg-x",
          protocol: "-1",
          cidrBlocks: ["10.0.0.0/8"],
        }),
      ],
      ["unknown type", "unknown type"],
    ],
    [
      "a prefix list",
      [inline({ prefixListIds: ["pl-1"] }), list([{ cidr: "10.0.0.0/8" }])],
      ["list list 10.0.0.0/8 ingress[0].prefixListIds[0]"],
    ],
    [
      "a prefix list with a known and an unknown entry",
      [split({ prefixListId: "pl-1" }), list([{ cidr: "10.0.0.0/8" }, { cidr: UNKNOWN }])],
      ["list list 10.0.0.0/8 prefixListId", "unknown prefixListId list entries[1].cidr"],
    ],
    [
      "a prefix list with unknown entries",
      [split({ prefixListId: "pl-1" }), list(UNKNOWN)],
      ["unknown prefixListId list entries"],
    ],
    ["not a prefix list without entries", [split({ prefixListId: "pl-1" }), list([])], []],
    [
      "a prefix list of another stack",
      [split({ prefixListId: "pl-1" })],
      [`unknown prefixListId ${NOT_HERE}`],
    ],
    [
      "a prefix list without its ID, if the ID may be a misplaced secret",
      [split({ prefixListId: "my pl-1" })],
      ["unknown prefixListId the entries of prefix list that are not in this stack"],
    ],
    ["an unknown prefix list", [split({ prefixListId: UNKNOWN })], ["unknown prefixListId"]],
    [
      "unknown if the rules are unknown",
      [resource(TYPE.securityGroup, "hosts", { ingress: UNKNOWN, egress: [UNKNOWN, null] })],
      ["unknown ingress", "unknown egress[0]"],
    ],
  ])("%s", (_, resources, expected) => {
    expect(seen(...resources)).toEqual(expected);
  });

  test("the resources that unknown IDs come from", () => {
    const [group, made] = [other(UNKNOWN), list([{ cidr: "10.0.0.0/8" }], UNKNOWN)];
    expect(seen(split({ prefixListId: UNKNOWN }, { prefixListId: [made] }), made)).toEqual([
      "list list 10.0.0.0/8 prefixListId",
    ]);
    expect(seen(inline({ prefixListIds: [UNKNOWN] }, [made]), made)).toEqual([
      "list list 10.0.0.0/8 ingress[0].prefixListIds[0]",
    ]);
    expect(seen(inline({ securityGroups: [UNKNOWN] }, [group]), group)).toEqual([
      "group other ingress[0].securityGroups[0]",
    ]);
    // A known ID counts, whatever else the list comes from.
    expect(seen(inline({ securityGroups: ["sg-9"] }, [group]), group)).toEqual([
      "group sg-9 ingress[0].securityGroups[0]",
    ]);
    expect(seen(inline({ securityGroups: [UNKNOWN] }, [group]))).toEqual([
      "unknown ingress[0].securityGroups[0]",
    ]);
  });
});

describe("a prefix list", () => {
  const entry = (cidr: PropertyValue, prefixListId: PropertyValue = "pl-1", from: Resource[] = []) =>
    resource(TYPE.prefixListEntry, "entry", { cidr, prefixListId }, { prefixListId: from });
  const content = (...resources: Resource[]) =>
    [...prefixListContents(new ResourceIndex(resources))].map(([one, { blocks, unknown }]) => ({
      [one.name]: blocks.map(({ text }) => text),
      unknown: unknown.map(({ resource: at, path }) => `${at.name} ${path}`),
    }));

  test.each<[string, Resource[], string[], string[]]>([
    [
      "contains its entries",
      [list([{ cidr: "10.0.0.0/8" }, { cidr: "fd00::/8" }])],
      ["10.0.0.0/8", "fd00::/8"],
      [],
    ],
    [
      "contains entries that are separate resources",
      [list([{ cidr: "10.0.0.0/8" }]), entry("192.0.2.0/24")],
      ["10.0.0.0/8", "192.0.2.0/24"],
      [],
    ],
    ["contains no value that is not a CIDR block", [list([{ cidr: "all" }, { cidr: 7 }, {}])], [], []],
    [
      "may contain more if an entry is unknown",
      [list([{ cidr: UNKNOWN }]), entry(UNKNOWN)],
      [],
      ["list entries[0].cidr", "entry cidr"],
    ],
    ["does not contain entries of another list", [list([]), entry("192.0.2.0/24", "pl-2")], [], []],
    ["does not contain entries without a list", [list([]), entry("192.0.2.0/24", null)], [], []],
    [
      "may contain an entry whose list is unknown",
      [list([]), entry("192.0.2.0/24", UNKNOWN)],
      [],
      ["entry prefixListId"],
    ],
    [
      "contains its entries if it is yet to be created",
      [list([], UNKNOWN), entry("192.0.2.0/24", UNKNOWN, [list([], UNKNOWN)])],
      ["192.0.2.0/24"],
      [],
    ],
  ])("%s", (_, resources, blocks, unknown) => {
    expect(content(...resources)).toEqual([{ list: blocks, unknown }]);
  });

  test("is found by its ID, or as the resource that an unknown ID comes from", () => {
    const [here, made] = [list([]), list([], UNKNOWN)];
    const at = (value: PropertyValue, one: Resource, from: Resource[]) => {
      const holder = resource(TYPE.ingressRule, "in", { prefixListId: value }, { prefixListId: from });
      return prefixListAt(
        { holder, path: "", value: holder.properties },
        "prefixListId",
        value,
        new ResourceIndex([one]),
      )?.name;
    };
    expect([
      at("pl-1", here, []),
      at("pl-2", here, []),
      at(UNKNOWN, made, [made]),
      at(UNKNOWN, made, []),
    ]).toEqual(["list", undefined, "list", undefined]);
  });
});
