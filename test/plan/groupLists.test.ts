import { inlineFacts } from "../../src/gate/securityGroupRules";
import { JsonBytes } from "../../src/plan/scan/jsonBytes";
import { listAt, ListFinder, LISTS, withoutLists } from "../../src/plan/scan/groupLists";
import { Direction } from "../../src/requirements/vocabulary";
import type { Resource } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { NOT_KNOWN } from "./plans";

const FIRST = 3;

/** What the finder reports for properties as text. */
function found(text: string) {
  // Zero means no position.
  const json = new JsonBytes(Buffer.from(` ${text} `));
  const numbers = new Int32Array(FIRST + LISTS);
  const end = new ListFinder(json).find(1, numbers, FIRST);
  const lists = [Direction.Ingress, Direction.Egress].map((direction) => listAt(numbers, FIRST, direction));
  return { json, end, numbers, lists, whole: { from: 1, to: 1 + Buffer.byteLength(text) } };
}

const parsedFacts = (list: string) => {
  const properties = JSON.parse(`{"ingress": ${list}}`) as Resource["properties"];
  return inlineFacts({ origin: {}, type: TYPE.securityGroup, name: "a", properties }, Direction.Ingress);
};

describe("a list of rules", () => {
  test.each([
    '[{"cidrBlocks": ["10.0.0.0/8"], "fromPort": 443, "toPort": 443, "protocol": "tcp"}]',
    '[{"cidrBlocks": ["10.0.0.0/8", "10.0.0.1/8"]}]',
    '[{"cidrBlocks": ["10.0.0.1/8"]}, {"cidrBlocks": ["10.0.0.0/8"]}]',
    '[{"cidrBlocks": ["2001:db8::/32"]}]',
    '[{"ipv6CidrBlocks": ["2001:db8::/32", "::/0"], "cidrBlocks": null}]',
    '[{"ipv6CidrBlocks": ["10.0.0.0/8"]}]',
    '[{"cidrBlocks": ["", null], "ipv6CidrBlocks": []}]',
    '[{"securityGroups": ["sg-1", "sg-2"], "self": true}]',
    '[{"securityGroups": [], "self": null, "prefixListIds": null}]',
    '[{"self": false}]',
    '[{"prefixListIds": ["pl-1"], "cidrBlocks": ["10.0.0.0/8"]}]',
    '[{"prefixListIds": []}]',
    '[{"__defaults": ["self", "description"], "description": ""}]',
    '[{"protocol": "tcp", "fromPort": 443, "toPort": 80}]',
    '[{"fromPort": 443, "protocol": "tcp", "toPort": 443}, {"fromPort": 8, "protocol": "icmp", "toPort": -1}]',
    '[{"fromPort": 443, "protocol": "tcp", "toPort": 80}, {"fromPort": 80, "protocol": "tcp", "toPort": 443}]',
    '[{"fromPort": 443, "protocol": "tcp", "toPort": 443}, {"fromPort": 8, "toPort": -1}]',
    '[{"protocol": "udp", "fromPort": 443}, {"toPort": 80}]',
    '[{"protocol": "udp", "toPort": 443}]',
    '[{"protocol": 6, "fromPort": null, "toPort": 80}]',
    '[{"protocol": null, "fromPort": -1, "toPort": -1}]',
    '[{"protocol": "TCP", "fromPort": -5, "toPort": -3}, {"fromPort": 0, "toPort": 10}]',
    '[{"protocol": "tcp", "fromPort": 0, "toPort": 65536}]',
    '[{"protocol": "tcp", "fromPort": 0, "toPort": 65535}]',
    '[{"protocol": "-1", "fromPort": 0, "toPort": 70000}]',
    '[{"protocol": "t\\u0063p", "fromPort": 0, "toPort": -1}]',
    '[{"protocol": "tcp", "fromPort": "443", "toPort": 443}]',
    '[{"protocol": "tcp", "fromPort": 443, "toPort": "http"}]',
    '[{"protocol": "tcp", "fromPort": 443, "toPort": 443.5}]',
    "[{ }, {}]",
    '[ { "description" : "a \\"b\\"" } , { "protocol": "-1" } ]',
    '[{"description": "eight --"}, {"description": "a text of exactly thirty-six letters"}]',
  ])("has the same facts as the parsed list if it is plain: %s", (list) => {
    const { lists, end, whole } = found(`{"ingress": ${list}}`);
    const from = 1 + '{"ingress": '.length;
    expect(lists).toEqual([
      {
        from,
        to: from + list.length,
        count: (JSON.parse(list) as unknown[]).length,
        facts: parsedFacts(list),
      },
      undefined,
    ]);
    expect(end).toBe(whole.to);
  });

  test.each([
    ["is empty", "[]"],
    ["is null", "null"],
    ["is an object", "{}"],
    ["contains something other than rules", '[{}, "a"]'],
    ["has a property that providers do not write", '[{"more": 1}]'],
    ["has a property twice", '[{"self": true, "self": null}]'],
    ["has an escaped name", '[{"sel\\u0066": true}]'],
    ["is unknown", `"${NOT_KNOWN}"`],
    ["has an unknown block", `[{"cidrBlocks": ["${NOT_KNOWN}"]}]`],
    ["has a secret block", '[{"cidrBlocks": ["[secret]"]}]'],
    ["has a block that is not a string", '[{"cidrBlocks": [7]}]'],
    ["has an escaped block", '[{"cidrBlocks": ["10.0.0.0\\/8"]}]'],
    ["has blocks that are not a list", '[{"cidrBlocks": "10.0.0.0/8"}]'],
    ["has groups that are not a list", '[{"securityGroups": "sg-1"}]'],
    ["has an unknown group", `[{"securityGroups": ["${NOT_KNOWN}"]}]`],
    ["has a secret group", '[{"securityGroups": ["[secret]"]}]'],
    ["has an escaped marker of a secret", '[{"description": "\\u005bsecret]"}]'],
    ["has an unknown port", `[{"fromPort": "${NOT_KNOWN}"}]`],
    ["has a secret port", '[{"toPort": "[secret]"}]'],
    ["has an unknown self", `[{"self": "${NOT_KNOWN}"}]`],
    ["has a description that is an object", '[{"description": {"a": 1}}]'],
    ["has a list in place of a string", '[{"protocol": ["tcp"]}]'],
  ])("that %s is not plain, and its position is not kept", (_, list) => {
    const { lists, numbers, end, whole } = found(`{"name": "a", "ingress": ${list}}`);
    expect(lists).toEqual([undefined, undefined]);
    expect(end === whole.to || numbers.every((number) => number === 0)).toBe(true);
  });

  test.each([
    "{",
    '{"ingress": [{}',
    '{"ingress": [{}], "ingress": [{}]}',
    '{"\\u0069ngress": [{}]}',
    "[]",
    '"a"',
  ])("is not searched in unusual text, and no position is kept: %s", (text) => {
    const { end, numbers } = found(text);
    expect(end).toBeLessThan(0);
    expect([...numbers]).toEqual(Array<number>(numbers.length).fill(0));
  });

  test("of each direction has its own facts in any order, and other properties are skipped", () => {
    const ingress = '[{"cidrBlocks": ["10.0.0.1/8"], "protocol": "tcp", "fromPort": 2, "toPort": 1}]';
    const egress = '[{"self": true}, {"prefixListIds": ["pl-1"]}]';
    const { lists } = found(`{"egress": ${egress}, "tags": {"ingress": [{}]}, "ingress": ${ingress}}`);
    expect(lists.map((list) => list && [list.count, list.facts])).toEqual([
      [1, { ends: 1, areBlocksRight: false, arePortsRight: false }],
      [2, { ends: Infinity, areBlocksRight: true, arePortsRight: true }],
    ]);
  });

  test("of a rule for every protocol is right only without ports, and of others whatever they are", () => {
    const areRight = (rule: string) => found(`{"egress": [{${rule}}]}`).lists[1]?.facts.arePortsRight;
    const every = '"fromPort": 0, "toPort": 65535';
    expect(areRight(`"protocol": "-1", ${every}`)).toBe(false);
    expect(areRight(`"protocol": "all", ${every}`)).toBe(false);
    expect(areRight('"protocol": "-1", "fromPort": 0, "toPort": 0')).toBe(true);
    expect(areRight(`"protocol": "tcp", ${every}`)).toBe(true);
    expect(areRight(`"protocol": "50", ${every}`)).toBe(true);
  });

  test("that is not plain leaves the other list unchanged", () => {
    const { lists } = found('{"ingress": [{"more": 1}], "egress": [{"self": true}]}');
    expect(lists.map((list) => list?.count)).toEqual([undefined, 1]);
  });
});

test("properties without their lists are read with empty lists, in the order of the text", () => {
  const text = '{"a": [1], "egress": [{"self": true}], "name": "é", "ingress": [{}, {}]}';
  const { json, lists, whole } = found(text);
  const [ingress, egress] = lists as [NonNullable<(typeof lists)[0]>, NonNullable<(typeof lists)[0]>];
  const rest = { a: [1], name: "é" };
  expect(withoutLists(json, whole, [ingress, egress])).toEqual({ ...rest, egress: [], ingress: [] });
  expect(withoutLists(json, whole, [egress])).toEqual({ ...rest, egress: [], ingress: [{}, {}] });
  expect(withoutLists(json, whole, [])).toEqual(JSON.parse(text));
});
