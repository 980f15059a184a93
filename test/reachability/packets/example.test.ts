import { readPrefix } from "../../../src/address";
import { PROTOCOL_NUMBER, service } from "../../../src/reachability/packets/service";
import { exampleOf } from "../../../src/reachability/packets/example";
import { packets, type Box } from "../../../src/reachability/packets/packetSet";

const prefixes = (...texts: string[]) => texts.map((text) => readPrefix(text)!);
const tcp = service(PROTOCOL_NUMBER.tcp, { from: 443, to: 443 });
const shown = (box: Box) => {
  const { source, destination, protocol, port } = exampleOf(packets(box))!;
  return `${source} -> ${destination}, ${protocol} ${port}`;
};

describe("a packet that shows something can exist", () => {
  test.each<[string, Box, string]>([
    [
      "no network address is a host",
      { services: [tcp], sources: prefixes("10.0.0.0/16"), destinations: prefixes("10.1.0.0/16") },
      "10.0.0.1 -> 10.1.0.1, 6 443",
    ],
    [
      "nor of a subnet that starts anywhere",
      {
        services: [tcp],
        sources: prefixes("10.0.0.64/26"),
        destinations: prefixes("fd00::/48", "10.0.1.0/24"),
      },
      "10.0.0.65 -> 10.0.1.1, 6 443",
    ],
    [
      "source and destination are two hosts",
      { services: [tcp], sources: prefixes("10.0.0.0/16"), destinations: prefixes("10.0.0.0/16") },
      "10.0.0.1 -> 10.0.0.2, 6 443",
    ],
    [
      "the one address of the other end is left to it",
      { services: [tcp], sources: prefixes("10.0.0.0/16"), destinations: prefixes("10.0.0.1/32") },
      "10.0.0.2 -> 10.0.0.1, 6 443",
    ],
    [
      "single addresses are taken as they are",
      { services: [tcp], sources: prefixes("198.51.100.7/32"), destinations: prefixes("10.1.0.0/32") },
      "198.51.100.7 -> 10.1.0.0, 6 443",
    ],
    [
      "both addresses of a /31 are hosts",
      { services: [tcp], sources: prefixes("192.0.2.6/31"), destinations: prefixes("192.0.2.6/31") },
      "192.0.2.6 -> 192.0.2.7, 6 443",
    ],
    [
      "anybody has an address for documentation, and the first protocol is one with ports",
      {},
      "203.0.113.1 -> 203.0.113.2, 6 1",
    ],
    [
      "IPv6",
      { services: [tcp], sources: prefixes("fd00::/64"), destinations: prefixes("::/0") },
      "fd00::1 -> 2001:db8::1, 6 443",
    ],
    [
      "protocol 0 is none that hosts speak",
      {
        services: [{ from: 0, to: service(5).to }],
        sources: prefixes("10.0.0.0/24"),
        destinations: prefixes("10.0.1.0/24"),
      },
      "10.0.0.1 -> 10.0.1.1, 1 0",
    ],
  ])("%s", (_, box, expected) => expect(shown(box)).toBe(expected));

  test("nothing has none", () => expect(exampleOf(packets({ services: [] }))).toBeUndefined());
});
