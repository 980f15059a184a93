import type { Hop, PodHop, SenderHop } from "../../../src/flows/model";
import { readPrefix } from "../../../src/address";
import {
  describeRule,
  directionAt,
  identityOf,
  isWrittenAt,
  otherPodsAt,
  packetLines,
  packetsInWords,
  placeKey,
  placeOf,
  podsAt,
  podsText,
  serviceText,
  type Written,
} from "../../../src/reachability/answers/places";
import {
  EVERY_PACKET,
  NO_PACKETS,
  difference,
  packets,
  type Box,
} from "../../../src/reachability/packets/packetSet";
import { PROTOCOL_NUMBER, icmp, service } from "../../../src/reachability/packets/service";
import { Direction, Protocol, Role } from "../../../src/requirements/vocabulary";
import type { Resource } from "../../../src/resources/resource";

const seen = { protocol: Protocol.Tcp, sources: [], destinations: [] };
const etcd: PodHop = { ...seen, kind: "pods", app: "etcd", from: "addresses" };
const senders: SenderHop = { ...seen, kind: "senders", to: "addresses" };
const dns = { "kubernetes.io/metadata.name": "openshift-dns" };
const nowhere = { listedBy: {} as Resource, allowed: [] };

describe("a place", () => {
  test.each<[string, Direction, Hop]>([
    [
      "egress of workers",
      Direction.Egress,
      { ...seen, kind: "hosts", role: Role.Workers, direction: Direction.Egress },
    ],
    ["pods etcd", Direction.Ingress, etcd],
    ["egress of pods of the control plane to addresses", Direction.Egress, senders],
    ["egress of pods of the control plane to pods elsewhere", Direction.Egress, { ...senders, to: dns }],
    [
      "egress of namespace web",
      Direction.Egress,
      { ...seen, kind: "namespace", cluster: "hosted", namespace: "web" },
    ],
    ["public load balancer", Direction.Ingress, { ...seen, ...nowhere, kind: "balancer" }],
    ["haproxy on each node", Direction.Ingress, { ...seen, kind: "node", listener: "haproxy" }],
  ])("%s: its rules match %s packets", (name, direction, hop) => {
    expect(placeOf(hop)).toBe(name);
    expect(directionAt(hop)).toBe(direction);
  });

  test.each<[Hop, ReturnType<typeof podsAt>]>([
    [etcd, { destination: "pods etcd" }],
    [
      { ...etcd, from: { labels: { app: "router" } } },
      { source: "pods with app=router", destination: "pods etcd" },
    ],
    [senders, { source: "pods of the control plane" }],
    [
      { ...senders, to: dns },
      {
        source: "pods of the control plane",
        destination: "pods of namespaces with kubernetes.io/metadata.name=openshift-dns",
      },
    ],
    [{ ...seen, kind: "hosts", role: Role.Workers, direction: Direction.Egress }, {}],
  ])("names pods at the ends that policies see as pods: %#", (hop, ends) => {
    expect(podsAt(hop)).toEqual(ends);
    expect(otherPodsAt(hop, Direction.Ingress)).toBe(ends.source);
    expect(otherPodsAt(hop, Direction.Egress)).toBe(ends.destination);
  });

  test.each([
    [{ app: "etcd", tier: "a" }, undefined, "pods with app=etcd, tier=a"],
    [{}, undefined, "pods without labels that a policy names"],
    [{}, dns, "pods of namespaces with kubernetes.io/metadata.name=openshift-dns"],
    [{ app: "a" }, { team: "b" }, "pods with app=a of namespaces with team=b"],
  ])("%j of namespaces %j are %s", (labels, namespace, text) => {
    expect(podsText(labels, namespace)).toBe(text);
  });
});

describe("the place where something is written", () => {
  const one: Written = { type: "aws:ec2/securityGroup:SecurityGroup", name: "workers" };
  const named = (origin: Partial<Written>, more: Partial<Written> = {}): Written => ({
    ...one,
    ...origin,
    ...more,
  });

  test("is named together with the rule, unless the rule is a resource of its own", () => {
    expect(describeRule({ ...one, path: "ingress[2]" })).toBe("ingress[2] of SecurityGroup workers");
    expect(describeRule({ ...one, path: "" })).toBe("SecurityGroup workers");
  });

  test.each<[string, Written, Written, boolean]>([
    ["one URN", named({ urn: "urn:a" }), named({ urn: "urn:a" }, { name: "other" }), true],
    ["two URNs", named({ urn: "urn:a" }), named({ urn: "urn:b" }), false],
    ["one line of a file", named({ file: "a.yaml", line: 1 }), named({ file: "a.yaml", line: 1 }), true],
    ["two lines of a file", named({ file: "a.yaml", line: 1 }), named({ file: "a.yaml", line: 2 }), false],
    ["two files", named({ file: "a.yaml", line: 1 }), named({ file: "b.yaml", line: 1 }), false],
    ["two names", one, named({}, { name: "other" }), false],
    ["two types", one, named({}, { type: "aws:ec2/networkAcl:NetworkAcl" }), false],
  ])("%s identify the same place or different ones", (_, a, b, isSame) => {
    expect(placeKey(a) === placeKey(b)).toBe(isSame);
    const { type, name, ...origin } = b;
    expect(isWrittenAt(a, { type, name, origin, properties: {} })).toBe(isSame);
    expect(identityOf({ ...a, path: "x" }) === identityOf({ ...b, path: "x" })).toBe(isSame);
    expect(identityOf({ ...a, path: "x" })).not.toBe(identityOf({ ...a, path: "y" }));
  });

  test("is undefined only if both sides are undefined", () => {
    expect(isWrittenAt(one, undefined)).toBe(false);
    expect(isWrittenAt(undefined, undefined)).toBe(true);
  });
});

describe("the text of packets", () => {
  const { tcp, udp, esp, icmp: icmpV4, icmpV6 } = PROTOCOL_NUMBER;
  const at = (port: number) => service(tcp, { from: port, to: port });
  const prefixes = (...texts: string[]) => texts.map((text) => readPrefix(text)!);
  const four = prefixes("0.0.0.0/0");
  const [here, there] = [prefixes("10.0.0.0/16"), prefixes("10.1.0.0/16")];

  test.each([
    [tcp, 6443, "TCP 6443"],
    [udp, 0, "UDP 0"],
    [icmpV4, 8 * 256, "ICMP type 8 code 0"],
    [icmpV6, 128 * 256, "ICMPv6 type 128 code 0"],
    [esp, 0, "ESP"],
    [47, 0, "protocol 47"],
  ])("protocol %d and port %d are %s", (protocol, port, text) => {
    expect(serviceText({ protocol, port })).toBe(text);
  });

  test.each<[Direction, Box, string[]]>([
    [
      Direction.Ingress,
      { services: [at(22)], sources: here, destinations: four },
      ["TCP 22 from 10.0.0.0/16"],
    ],
    [
      Direction.Ingress,
      { services: [at(22)], sources: here, destinations: there },
      ["TCP 22 from 10.0.0.0/16 to 10.1.0.0/16"],
    ],
    [Direction.Ingress, { services: [at(22)], sources: four, destinations: four }, ["TCP 22 from 0.0.0.0/0"]],
    [Direction.Egress, { services: [at(22)], sources: four, destinations: here }, ["TCP 22 to 10.0.0.0/16"]],
    [
      Direction.Egress,
      { services: [at(22)], sources: here, destinations: four },
      ["TCP 22 from 10.0.0.0/16 to 0.0.0.0/0"],
    ],
    [Direction.Egress, { services: [at(80), icmp(4)], destinations: here }, ["ICMP, TCP 80 to 10.0.0.0/16"]],
  ])(
    "%s names the side that rules match, and the other side unless it is everything: %j",
    (way, box, lines) => {
      expect(packetLines(packets(box), way)).toEqual(lines);
      expect(packetsInWords(packets(box), way).packets).toEqual(lines);
    },
  );

  test("names the pods at the other end once, instead of addresses", () => {
    const both = packets({ services: [at(22)] });
    expect(packetLines(both, Direction.Ingress, "pods with app=a")).toEqual(["TCP 22 from pods with app=a"]);
    expect(packetLines(both, Direction.Egress, "pods with app=a")).toEqual(["TCP 22 to pods with app=a"]);
    expect(packetLines(NO_PACKETS, Direction.Egress, "pods with app=a")).toEqual([]);
  });

  test("names what is left out of nearly everything", () => {
    const without = (box: Box) => packetLines(difference(EVERY_PACKET, packets(box)), Direction.Ingress);
    expect(without({ services: [at(22)] })).toEqual([
      "every protocol except TCP 22 from 0.0.0.0/0",
      "every protocol except TCP 22 from ::/0",
    ]);
    expect(without({ sources: prefixes("10.0.0.0/16") })).toEqual([
      "every protocol from 0.0.0.0/0 except 10.0.0.0/16",
      "every protocol from ::/0",
    ]);
    // No shorter than the list of what is allowed.
    expect(without({ services: [service(47)] })[0]).toBe("protocols 0-46, protocols 48-255 from 0.0.0.0/0");
    expect(without({ services: [{ from: 0, to: service(5).to }] })[0]).toBe("protocols 6-255 from 0.0.0.0/0");
  });

  test("also lists each side separately, for programs", () => {
    expect(
      packetsInWords(
        packets({ services: [at(22), at(80)], sources: here, destinations: there }),
        Direction.Ingress,
      ),
    ).toEqual({
      packets: ["TCP 22, TCP 80 from 10.0.0.0/16 to 10.1.0.0/16"],
      blocks: [{ services: ["TCP 22", "TCP 80"], sources: ["10.0.0.0/16"], destinations: ["10.1.0.0/16"] }],
    });
  });
});
