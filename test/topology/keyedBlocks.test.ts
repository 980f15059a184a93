import { UNKNOWN } from "../../src/resources/resource";
import { hasStandIns, plannedTopology } from "../../src/topology/addressBlocks";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { least, spoken } from "./topologies";

const block = (more: object = {}) => ({ cidr: "10.0.0.0/16", ...more });

describe("blocks that a topology names by keys", () => {
  test.each<[string, object, string[]]>([
    ["nothing of one that is right", { addresses: { vpc: block() }, machineNetwork: [{ cidr: "vpc" }] }, []],
    ["nothing of a former key", { addresses: { vpc: block({ formerKey: "old" }) } }, []],
    [
      "nothing of the block of one that had no key",
      { addresses: { vpc: block({ formerKey: "10.1.0.0/16" }) } },
      [],
    ],
    [
      "a key that begins with a digit",
      { addresses: { "1a": block() } },
      [
        'topology.addresses.1a  the key "1a" cannot be part of a resource name: use letters, digits, dots, hyphens and underscores, beginning with a letter',
      ],
    ],
    [
      "a key with a slash in it",
      { addresses: { "a/b": block() } },
      [
        'topology.addresses.a/b  the key "a/b" cannot be part of a resource name: use letters, digits, dots, hyphens and underscores, beginning with a letter',
      ],
    ],
    [
      "a family that is not that of the block",
      { addresses: { vpc: block({ family: "IPv6" }) } },
      [
        "topology.addresses.vpc.cidr  10.0.0.0/16 is IPv4, and the block is IPv6: add family: IPv4, or an IPv6 block",
      ],
    ],
    [
      "IPv6 without its family",
      { addresses: { vpc: block({ cidr: "2001:db8::/48" }) } },
      [
        "topology.addresses.vpc.cidr  2001:db8::/48 is IPv6, and the block is IPv4: add family: IPv6, or an IPv4 block",
      ],
    ],
    [
      "a former key that another block has",
      { addresses: { vpc: block({ formerKey: "nat" }), nat: block({ cidr: "10.1.0.0/16" }) } },
      [
        "topology.addresses.vpc.formerKey  nat is the key of another block: write the previous key of this block, or its CIDR block if it had no key",
      ],
    ],
    [
      "a former key that is none",
      { addresses: { vpc: block({ formerKey: "-old" }) } },
      [
        'topology.addresses.vpc.formerKey  "-old" is not a key: write the previous key of this block, or its CIDR block if it had no key',
      ],
    ],
  ])("say %s", (_, topology, expected) => expect(spoken(topology)).toEqual(expected));

  test.each<[string, unknown, boolean]>([
    ["a block that is not known yet", { addresses: { vpc: { cidr: UNKNOWN } } }, true],
    ["one beside a known one", { addresses: { nat: block(), vpc: { cidr: UNKNOWN } } }, true],
    ["known blocks", { addresses: { vpc: block() } }, false],
    ["no blocks", { addresses: {} }, false],
    ["a list in their place", { addresses: [{ cidr: UNKNOWN }] }, false],
    ["a text in the place of one", { addresses: { vpc: "10.0.0.0/16" } }, false],
    ["nothing in their place", { addresses: null }, false],
    ["blocks that are not known at all", { addresses: UNKNOWN }, false],
    ["no topology", undefined, false],
  ])("are planned by their keys where there is %s", (_, topology, expected) =>
    expect(hasStandIns(plannedTopology(topology))).toBe(expected),
  );

  test("stand in a plan under a block of their own, which no list that is judged has", () => {
    const raw = { ...least, addresses: { vpc: { cidr: UNKNOWN } }, machineNetwork: [{ cidr: "vpc" }] };
    expect(normalizeTopology(raw).topology?.unknown).toContain("machineNetwork[0].cidr");
    const planned = normalizeTopology(plannedTopology(raw));
    expect(planned.faults).toEqual([]);
    expect(planned.topology?.machineNetwork.map(({ text }) => text)).toEqual(["0.1.0.0/16"]);
  });
});
