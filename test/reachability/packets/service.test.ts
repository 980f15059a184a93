import {
  EVERY_SERVICE,
  icmp,
  service,
  servicesOf,
  describeServices,
  protocolName,
  protocolOf,
} from "../../../src/reachability/packets/service";
import { packets } from "../../../src/reachability/packets/packetSet";
import { Protocol } from "../../../src/requirements/vocabulary";

const [ICMP, TCP, UDP, ESP, ICMP_V6, SCTP] = [1, 6, 17, 50, 58, 132];
/** From a number of one protocol to a number of another one. */
const across = (first: number, from: number, last: number, to: number) => ({
  from: service(first, { from, to: from }).from,
  to: service(last, { from: to, to }).to,
});

describe("the text of services", () => {
  test.each([
    [EVERY_SERVICE, ["every protocol"]],
    [service(TCP), ["TCP"]],
    [service(TCP, { from: 443, to: 443 }), ["TCP 443"]],
    [service(TCP, { from: 0, to: 0 }), ["TCP 0"]],
    [service(TCP, { from: 65_535, to: 65_535 }), ["TCP 65535"]],
    [service(UDP, { from: 53, to: 54 }), ["UDP 53-54"]],
    [service(SCTP, { from: 0, to: 65_534 }), ["SCTP 0-65534"]],
    [service(SCTP, { from: 1, to: 65_535 }), ["SCTP 1-65535"]],
    [service(ESP), ["ESP"]],
    [service(47), ["protocol 47"]],
    [icmp(4), ["ICMP"]],
    [icmp(6), ["ICMPv6"]],
    [icmp(4, 8), ["ICMP type 8"]],
    [icmp(6, 128, 0), ["ICMPv6 type 128 code 0"]],
    [icmp(4, 0, 0), ["ICMP type 0 code 0"]],
    [icmp(4, -1, 4), ["ICMP"]],
    [service(ICMP, { from: 3 * 256, to: 5 * 256 + 255 }), ["ICMP types 3-5"]],
    [service(ICMP, { from: 3 * 256, to: 5 * 256 + 254 }), ["ICMP from type 3 code 0 to type 5 code 254"]],
    [service(ICMP, { from: 3 * 256 + 1, to: 3 * 256 + 255 }), ["ICMP from type 3 code 1 to type 3 code 255"]],
    [across(TCP, 0, 7, 65_535), ["protocols 6-7"]],
    [across(TCP, 1, 7, 65_535), ["TCP 1-65535", "protocol 7"]],
    [across(5, 0, TCP, 80), ["protocol 5", "TCP 0-80"]],
    [across(TCP, 65_535, UDP, 0), ["TCP 65535", "protocols 7-16", "UDP 0"]],
    [across(16, 65_535, UDP, 53), ["protocol 16", "UDP 0-53"]],
    [across(0, 0, 255, 65_534), ["protocols 0-254", "protocol 255 from type 0 code 0 to type 255 code 254"]],
    [across(0, 1, 255, 65_535), ["protocol 0 from type 0 code 1 to type 255 code 255", "protocols 1-255"]],
  ])("%j: %j", (one, expected) => {
    expect(describeServices(one)).toEqual(expected);
  });

  test("names the type and code of one ICMP packet, and nothing more of one ESP packet", () => {
    const first = (protocol: number) => describeServices(service(protocol, { from: 0, to: 0 }));
    expect([ICMP, ICMP_V6, ESP].flatMap(first)).toEqual([
      "ICMP type 0 code 0",
      "ICMPv6 type 0 code 0",
      "ESP",
    ]);
  });

  test.each([
    [ICMP, "ICMP"],
    [TCP, "TCP"],
    [UDP, "UDP"],
    [ESP, "ESP"],
    [ICMP_V6, "ICMPv6"],
    [SCTP, "SCTP"],
    [2, "protocol 2"],
  ])("names number %d %s", (number, name) => expect(protocolName(number)).toBe(name));
});

describe("the services of a requirement", () => {
  const web = { from: 443, to: 445 };
  test.each([
    [Protocol.Any, EVERY_SERVICE, EVERY_SERVICE],
    [Protocol.Icmp, icmp(4), icmp(6)],
    [Protocol.Esp, service(ESP), service(ESP)],
    [Protocol.Tcp, service(TCP, web), service(TCP, web)],
    [Protocol.Udp, service(UDP, web), service(UDP, web)],
    [Protocol.Sctp, service(SCTP, web), service(SCTP, web)],
  ])("%s", (protocol, four, six) => {
    expect(servicesOf(protocol, web, 4)).toEqual(four);
    expect(servicesOf(protocol, web, 6)).toEqual(six);
  });

  test("are all ports if the requirement names none", () => {
    expect(servicesOf(Protocol.Tcp, undefined, 4)).toEqual(service(TCP));
  });

  test("encode the protocol and the port in one number", () => {
    expect(protocolOf(service(UDP, web).from)).toEqual({ protocol: UDP, port: 443 });
    expect(protocolOf(service(UDP).to)).toEqual({ protocol: UDP, port: 65_535 });
  });

  test("are empty for a range whose first port is after its last", () => {
    expect(packets({ services: [service(TCP, { from: 2, to: 1 })] })).toEqual({ 4: [], 6: [] });
    expect(packets({ services: [service(TCP, { from: 2, to: 2 })] })[4]).toHaveLength(1);
  });
});
