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

describe("the example packet of a set can exist", () => {
  test.each<[string, Box, string]>([
    [
      "a network address is not used as a host",
      { services: [tcp], sources: prefixes("10.0.0.0/16"), destinations: prefixes("10.1.0.0/16") },
      "10.0.0.1 -> 10.1.0.1, 6 443",
    ],
    [
      "the network address of a subnet inside a larger block is not used as a host",
      {
        services: [tcp],
        sources: prefixes("10.0.0.64/26"),
        destinations: prefixes("fd00::/48", "10.0.1.0/24"),
      },
      "10.0.0.65 -> 10.0.1.1, 6 443",
    ],
    [
      "source and destination are different hosts",
      { services: [tcp], sources: prefixes("10.0.0.0/16"), destinations: prefixes("10.0.0.0/16") },
      "10.0.0.1 -> 10.0.0.2, 6 443",
    ],
    [
      "the only address of the other end is not used",
      { services: [tcp], sources: prefixes("10.0.0.0/16"), destinations: prefixes("10.0.0.1/32") },
      "10.0.0.2 -> 10.0.0.1, 6 443",
    ],
    [
      "single addresses are used as they are",
      { services: [tcp], sources: prefixes("198.51.100.7/32"), destinations: prefixes("10.1.0.0/32") },
      "198.51.100.7 -> 10.1.0.0, 6 443",
    ],
    [
      "both addresses of a /31 are hosts",
      { services: [tcp], sources: prefixes("192.0.2.6/31"), destinations: prefixes("192.0.2.6/31") },
      "192.0.2.6 -> 192.0.2.7, 6 443",
    ],
    [
      "the set of all packets has documentation addresses and a protocol with ports",
      {},
      "203.0.113.1 -> 203.0.113.2, 6 1",
    ],
    [
      "an IPv6 set has IPv6 addresses",
      { services: [tcp], sources: prefixes("fd00::/64"), destinations: prefixes("::/0") },
      "fd00::1 -> 2001:db8::1, 6 443",
    ],
    [
      "a large block without the documentation addresses has its first host address",
      { services: [tcp], sources: prefixes("204.0.0.0/6"), destinations: prefixes("128.0.0.0/2") },
      "204.0.0.1 -> 128.0.0.1, 6 443",
    ],
    [
      "only a very large block that contains the documentation addresses uses them",
      { services: [tcp], sources: prefixes("203.0.0.0/8"), destinations: prefixes("202.0.0.0/7") },
      "203.0.0.1 -> 203.0.113.1, 6 443",
    ],
    [
      "a smaller IPv6 block that contains the documentation addresses has its first host address",
      { services: [tcp], sources: prefixes("2001:db8::/32"), destinations: prefixes("2001::/16") },
      "2001:db8::1 -> 2001:db8::2, 6 443",
    ],
    [
      "the last address of a /24 and the first of the next one are not used",
      { services: [tcp], sources: prefixes("10.0.0.254/31", "10.0.1.0/30"), destinations: dns },
      "10.0.1.1 -> 10.9.0.10, 6 443",
    ],
    [
      "the last address of a /24 and the first of the next one are used if there is no other",
      {
        services: [tcp],
        sources: prefixes("10.0.0.255/32", "10.0.1.0/32"),
        destinations: prefixes("10.0.0.255/32", "10.0.1.0/32"),
      },
      "10.0.0.255 -> 10.0.1.0, 6 443",
    ],
    [
      "IPv6 addresses at such boundaries are used",
      {
        services: [tcp],
        sources: prefixes("fd00::fe/127", "fd00::100/127"),
        destinations: prefixes("fd00::100/128"),
      },
      "fd00::ff -> fd00::100, 6 443",
    ],
    [
      "another sender is used if the first one has only the receiver's address",
      {
        services: [tcp],
        sources: prefixes("10.9.0.10/32", "10.9.0.20/32"),
        destinations: dns,
      },
      "10.9.0.20 -> 10.9.0.10, 6 443",
    ],
    [
      "another receiver is used if the first one has only the sender's address",
      { services: [tcp], sources: dns, destinations: prefixes("10.9.0.10/32", "10.9.0.20/32") },
      "10.9.0.10 -> 10.9.0.20, 6 443",
    ],
    [
      "a host sends to itself if there is no other address",
      { services: [tcp], sources: dns, destinations: dns },
      "10.9.0.10 -> 10.9.0.10, 6 443",
    ],
    [
      "protocol 0 is not used if there is another",
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
    ["port 0 is not used if there is another port", [service(TCP, { from: 0, to: 1 })], "6 1"],
    [
      "port 0 is not used if another protocol has another port",
      [one(TCP, 0), service(UDP, { from: 7, to: 9 })],
      "17 7",
    ],
    ["port 0 is used if there is no other", [one(TCP, 0)], "6 0"],
    ["protocol 0 is used if there is no other", [service(0)], "0 0"],
  ])("%s", (_, services, expected) => {
    const { protocol, port } = exampleOf(packets({ services }))!;
    expect(`${protocol} ${port}`).toBe(expected);
  });

  test("an empty set has no example packet", () =>
    expect(exampleOf(packets({ services: [] }))).toBeUndefined());
});
