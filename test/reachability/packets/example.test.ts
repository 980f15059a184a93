import { readPrefix } from "../../../src/address";
import { PROTOCOL_NUMBER, service } from "../../../src/reachability/packets/service";
import { exampleOf } from "../../../src/reachability/packets/example";
import { packets, type Box } from "../../../src/reachability/packets/packetSet";

const prefixes = (...texts: string[]) => texts.map((text) => readPrefix(text)!);
const { tcp: TCP, udp: UDP, sctp: SCTP } = PROTOCOL_NUMBER;
const tcp = service(TCP, { from: 443, to: 443 });
const dns = prefixes("10.9.0.10/32");
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
      "everybody without the addresses for documentation has the first of the others",
      { services: [tcp], sources: prefixes("204.0.0.0/6"), destinations: prefixes("128.0.0.0/2") },
      "204.0.0.1 -> 128.0.0.1, 6 443",
    ],
    [
      "a network that has the addresses for documentation is not everybody",
      { services: [tcp], sources: prefixes("203.0.0.0/8"), destinations: prefixes("202.0.0.0/7") },
      "203.0.0.1 -> 203.0.113.1, 6 443",
    ],
    [
      "nor is one of IPv6",
      { services: [tcp], sources: prefixes("2001:db8::/32"), destinations: prefixes("2001::/16") },
      "2001:db8::1 -> 2001:db8::2, 6 443",
    ],
    [
      "neither the last address of a /24 nor the first of the next one is a host",
      { services: [tcp], sources: prefixes("10.0.0.254/31", "10.0.1.0/30"), destinations: dns },
      "10.0.1.1 -> 10.9.0.10, 6 443",
    ],
    [
      "but for want of others",
      {
        services: [tcp],
        sources: prefixes("10.0.0.255/32", "10.0.1.0/32"),
        destinations: prefixes("10.0.0.255/32", "10.0.1.0/32"),
      },
      "10.0.0.255 -> 10.0.1.0, 6 443",
    ],
    [
      "IPv6 has no such addresses",
      {
        services: [tcp],
        sources: prefixes("fd00::fe/127", "fd00::100/127"),
        destinations: prefixes("fd00::100/128"),
      },
      "fd00::ff -> fd00::100, 6 443",
    ],
    [
      "another sender, where the first one has only the address of the receiver",
      {
        services: [tcp],
        sources: prefixes("10.9.0.10/32", "10.9.0.20/32"),
        destinations: dns,
      },
      "10.9.0.20 -> 10.9.0.10, 6 443",
    ],
    [
      "or another receiver",
      { services: [tcp], sources: dns, destinations: prefixes("10.9.0.10/32", "10.9.0.20/32") },
      "10.9.0.10 -> 10.9.0.20, 6 443",
    ],
    [
      "or one host that talks to itself",
      { services: [tcp], sources: dns, destinations: dns },
      "10.9.0.10 -> 10.9.0.10, 6 443",
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

  const one = (protocol: number, port: number) => service(protocol, { from: port, to: port });
  test.each<[string, Box["services"], string]>([
    ["TCP comes before UDP", [service(UDP), service(TCP)], "6 1"],
    ["TCP comes before ICMP, whatever its port", [service(1), one(TCP, 65_535), one(UDP, 53)], "6 65535"],
    ["UDP comes before SCTP and ICMP", [service(1), service(UDP), service(SCTP)], "17 1"],
    ["SCTP comes before GRE", [service(47), service(SCTP)], "132 1"],
    ["GRE comes before protocol 0", [service(0), service(47)], "47 0"],
    ["port 0 is not taken where there is another one", [service(TCP, { from: 0, to: 1 })], "6 1"],
    ["not even where another protocol has it", [one(TCP, 0), service(UDP, { from: 7, to: 9 })], "17 7"],
    ["port 0 is taken for want of others", [one(TCP, 0)], "6 0"],
    ["so is protocol 0", [service(0)], "0 0"],
  ])("%s", (_, services, expected) => {
    const { protocol, port } = exampleOf(packets({ services }))!;
    expect(`${protocol} ${port}`).toBe(expected);
  });

  test("nothing has none", () => expect(exampleOf(packets({ services: [] }))).toBeUndefined());
});
