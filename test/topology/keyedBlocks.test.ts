import { UNKNOWN } from "../../src/resources/resource";
import { hasStandIns, plannedTopology } from "../../src/topology/addressBlocks";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { least, spoken } from "./topologies";

const block = (more: object = {}) => ({ cidr: "10.0.0.0/16", ...more });

describe("blocks that a topology names by keys", () => {
  test.each<[string, object, string[]]>([
    ["none for a valid block", { addresses: { vpc: block() }, machineNetwork: [{ cidr: "vpc" }] }, []],
    ["none for a former key", { addresses: { vpc: block({ formerKey: "old" }) } }, []],
    ["none for a CIDR block as former key", { addresses: { vpc: block({ formerKey: "10.1.0.0/16" }) } }, []],
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
      "a stated address family that is not that of the block",
      { addresses: { vpc: block({ family: "IPv6" }) } },
      [
        "topology.addresses.vpc.cidr  10.0.0.0/16 is IPv4, and the block is IPv6: add family: IPv4, or an IPv6 block",
      ],
    ],
    [
      "an IPv6 block without its family",
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
      "an invalid former key",
      { addresses: { vpc: block({ formerKey: "-old" }) } },
      [
        'topology.addresses.vpc.formerKey  "-old" is not a key: write the previous key of this block, or its CIDR block if it had no key',
      ],
    ],
  ])("have faults: %s", (_, topology, expected) => expect(spoken(topology)).toEqual(expected));

  test.each<[string, unknown, boolean]>([
    ["a block that is not known yet", { addresses: { vpc: { cidr: UNKNOWN } } }, true],
    ["an unknown block next to a known one", { addresses: { nat: block(), vpc: { cidr: UNKNOWN } } }, true],
    ["known blocks", { addresses: { vpc: block() } }, false],
    ["no blocks", { addresses: {} }, false],
    ["a list instead of the object", { addresses: [{ cidr: UNKNOWN }] }, false],
    ["a string instead of a block", { addresses: { vpc: "10.0.0.0/16" } }, false],
    ["null instead of the object", { addresses: null }, false],
    ["an unknown object of blocks", { addresses: UNKNOWN }, false],
    ["no topology", undefined, false],
  ])("have placeholders in a plan only for unknown blocks with keys: %s", (_, topology, expected) =>
    expect(hasStandIns(plannedTopology(topology))).toBe(expected),
  );

  test("have a placeholder of their own in a plan, and stay unknown for checks", () => {
    const raw = { ...least, addresses: { vpc: { cidr: UNKNOWN } }, machineNetwork: [{ cidr: "vpc" }] };
    expect(normalizeTopology(raw).topology?.unknown).toContain("machineNetwork[0].cidr");
    const planned = normalizeTopology(plannedTopology(raw));
    expect(planned.faults).toEqual([]);
    expect(planned.topology?.machineNetwork.map(({ text }) => text)).toEqual(["0.1.0.0/16"]);
  });
});
