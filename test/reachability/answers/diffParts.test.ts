import { byService, splitByPrincipals } from "../../../src/reachability/answers/diff/diff";
import type { ComparedPlace } from "../../../src/reachability/answers/diff/comparedPlaces";
import { passingBoth } from "../../../src/reachability/answers/diff/passing";
import { diffPlans } from "../../../src/reachability/answers/diff/diffPlans";
import { packetLines } from "../../../src/reachability/answers/places";
import type { Hop, Journey } from "../../../src/flows/model";
import { readPrefix } from "../../../src/address";
import { Action, type Filter } from "../../../src/reachability/filters/filter";
import {
  EVERY_PACKET,
  NO_PACKETS,
  difference,
  equal,
  packets,
  union,
} from "../../../src/reachability/packets/packetSet";
import { PROTOCOL_NUMBER, service } from "../../../src/reachability/packets/service";
import { Direction, Protocol, Role, Service } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type Resource, type UnknownValue } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { pinned, said } from "../path/clusters";
import { documentedPlan, rule } from "../path/plan";
import { acl, policy } from "./plans";

const { tcp } = PROTOCOL_NUMBER;
const topology = said({ platform: "None", services: pinned });
const plan = documentedPlan(topology);
const diff = (old: readonly Resource[], now: readonly Resource[]) =>
  diffPlans({ index: new ResourceIndex(old), topology }, { index: new ResourceIndex(now), topology });
const ingress = (role: Role, name: string, port: number, cidrIpv4 = "192.0.2.0/24") =>
  rule(role, Direction.Ingress, name, { ipProtocol: "tcp", fromPort: port, toPort: port, cidrIpv4 });

describe("packets of a place, grouped by service", () => {
  const ports = (from: number, to: number, source = "10.0.0.0/16") =>
    packets({ services: [service(tcp, { from, to })], sources: [readPrefix(source)!] });
  const [other, another] = ["10.2.0.0/16", "10.4.0.0/16"];
  const partsOf = (...sets: ReturnType<typeof ports>[]) =>
    byService(sets.reduce(union), []).map(({ asked, packets: here, services }) => {
      expect(services).toEqual([]);
      return [packetLines(asked, Direction.Ingress)[0], ...packetLines(here, Direction.Ingress)];
    });

  test("ports that touch or overlap form one service, whatever the sources", () => {
    expect(partsOf(ports(30, 39), ports(20, 29, other))).toEqual([
      ["TCP 20-39 from 0.0.0.0/0", "TCP 20-29 from 10.2.0.0/16", "TCP 30-39 from 10.0.0.0/16"],
    ]);
    expect(partsOf(ports(20, 29), ports(22, 23, other))).toEqual([
      ["TCP 20-29 from 0.0.0.0/0", expect.anything(), expect.anything()],
    ]);
    expect(partsOf(ports(20, 29), ports(31, 39, other), ports(41, 49, another))).toEqual([
      ["TCP 20-29 from 0.0.0.0/0", "TCP 20-29 from 10.0.0.0/16"],
      ["TCP 31-39 from 0.0.0.0/0", "TCP 31-39 from 10.2.0.0/16"],
      ["TCP 41-49 from 0.0.0.0/0", "TCP 41-49 from 10.4.0.0/16"],
    ]);
    expect(partsOf(NO_PACKETS)).toEqual([]);
  });

  test("documented services come first, and services without packets are left out", () => {
    const at = (service: Service | undefined, from: number, to = from) => ({
      journey: { ...(service && { service }) } as Journey,
      hop: { kind: "balancer", protocol: Protocol.Tcp, ports: { from, to } } as Hop,
    });
    const flows = [
      at(Service.Konnectivity, 8091),
      at(Service.APIServer, 443),
      at(Service.OAuthServer, 443),
      at(undefined, 443),
      at(Service.Ignition, 9090),
    ];
    const parts = byService(ports(440, 8091), flows);
    expect(parts.map((part) => [part.services, packetLines(part.packets, Direction.Ingress)])).toEqual([
      [["Konnectivity"], ["TCP 8091 from 10.0.0.0/16"]],
      [["APIServer", "OAuthServer"], ["TCP 443 from 10.0.0.0/16"]],
      [[], ["TCP 440-442 from 10.0.0.0/16"]],
      [[], ["TCP 444-8090 from 10.0.0.0/16"]],
    ]);
  });

  test("sources of ingress and destinations of egress that reached nothing of the service before are new", () => {
    const ends = [readPrefix("10.0.0.0/15")!];
    const known = [readPrefix("10.0.0.0/16")!];
    const services = [service(tcp, { from: 20, to: 29 })];
    const split = (direction: Direction, side: "sources" | "destinations") => {
      const opened = packets({ services, [side]: ends });
      const before = packets({ services: [service(tcp, { from: 25, to: 25 })], [side]: known });
      const asked = packets({ services });
      const found = splitByPrincipals({ services: [], asked, packets: opened }, before, direction);
      return [found.fresh, found.widened].map((set) => packetLines(set, direction));
    };
    expect(split(Direction.Ingress, "sources")).toEqual([
      ["TCP 20-29 from 10.1.0.0/16"],
      ["TCP 20-29 from 10.0.0.0/16"],
    ]);
    expect(split(Direction.Egress, "destinations")).toEqual([
      ["TCP 20-29 to 10.1.0.0/16"],
      ["TCP 20-29 to 10.0.0.0/16"],
    ]);
  });
});

describe("the packets that pass a place", () => {
  const ssh = packets({ services: [service(tcp, { from: 22, to: 22 })] });
  const resource: Resource = { origin: {}, type: "test:index:X", name: "x", properties: {} };
  const doubt: UnknownValue = { resource, path: "tags" };
  const clause = { resource, path: "", actions: [Action.Allow], sure: ssh, possible: ssh, unknown: [] };
  const filter: Filter = { clauses: [clause], otherwise: Action.Deny };
  const place = (...guards: ComparedPlace["guards"]): ComparedPlace => ({
    name: "ingress of workers",
    direction: Direction.Ingress,
    guards,
    isOpen: false,
    flows: [],
  });
  const guard = { name: "what stands there", filters: [filter] };
  const openAt = (one: ComparedPlace | undefined, isOpen: boolean) => {
    const [passing] = passingBoth(one, undefined, isOpen);
    expect(passing.cases[0].sure).toEqual(passing.whole.sure);
    return { ...passing.whole, values: passing.values };
  };

  test("are those that every guard allows, possibly more if rules are not shown or a guard is doubtful", () => {
    expect(openAt(place(guard), false)).toEqual({ sure: ssh, possible: ssh, values: [] });
    for (const more of [{ incomplete: doubt }, { doubtful: [doubt] }]) {
      const found = openAt(place({ ...guard, ...more }), false);
      expect(found.values).toEqual([doubt]);
      expect(equal(found.sure, ssh)).toBe(true);
      expect(equal(found.possible, EVERY_PACKET)).toBe(true);
    }
    const rest: Filter = {
      clauses: [{ ...clause, sure: difference(EVERY_PACKET, ssh), possible: difference(EVERY_PACKET, ssh) }],
      otherwise: Action.Deny,
    };
    const both = openAt(place(guard, { ...guard, filters: [rest] }), false);
    expect([both.sure, both.possible].map((set) => equal(set, NO_PACKETS))).toEqual([true, true]);
  });

  test("are all packets at an open place without guards, and no known packets at a closed one", () => {
    for (const nothing of [undefined, place()]) {
      expect(openAt(nothing, true)).toEqual({ sure: EVERY_PACKET, possible: EVERY_PACKET, values: [] });
      expect(openAt(nothing, false)).toEqual({ sure: NO_PACKETS, possible: NO_PACKETS, values: [] });
    }
  });
});

describe("a change of a plan", () => {
  test("lists what opens first, whatever the order of the places", () => {
    const shut = plan.filter(
      ({ properties }) =>
        !(properties.securityGroupId === "sg-control-plane" && properties.fromPort === 31_091),
    );
    const { changes } = diff(plan, [...shut, ingress(Role.Workers, "ssh", 2022)]);
    expect(changes).toEqual([
      {
        kind: "new-principal",
        place: "ingress of workers",
        direction: "ingress",
        services: [],
        packets: ["TCP 2022 from 192.0.2.0/24"],
        blocks: [{ services: ["TCP 2022"], sources: ["192.0.2.0/24"], destinations: ["0.0.0.0/0"] }],
      },
      {
        kind: "closed",
        place: "ingress of control-plane",
        direction: "ingress",
        services: ["Konnectivity"],
        packets: ["TCP 31091 from 10.0.0.0/16, 198.51.100.7/32"],
        blocks: [
          {
            services: ["TCP 31091"],
            sources: ["10.0.0.0/16", "198.51.100.7/32"],
            destinations: ["0.0.0.0/0"],
          },
        ],
      },
    ]);
  });

  test("names no service for documented ports that belong to none", () => {
    const { changes } = diff(plan, [...plan, ingress(Role.Workers, "kubelet", 10_250)]);
    expect(changes.map(({ place, services, packets: lines }) => [place, services, lines])).toEqual([
      ["ingress of workers", [], ["TCP 10250 from 192.0.2.0/24"]],
    ]);
  });

  test("that adds or removes an egress firewall adds or removes flows, without a one-sided place", () => {
    const firewall: Resource = {
      origin: { urn: "urn:firewall" },
      type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
      name: "default",
      properties: {
        metadata: { name: "default", namespace: "web" },
        spec: { egress: [{ type: "Deny", to: { cidrSelector: "10.1.0.2/32" } }] },
      },
    };
    const flow = {
      key: "namespace-web-dns-udp",
      title: "Pods of the namespace web reach DNS servers outside over UDP",
    };
    const [brought, taken] = [diff(plan, [...plan, firewall]), diff([...plan, firewall], plan)];
    expect(brought.flows).toContainEqual({ ...flow, after: "refuted" });
    expect(taken.flows).toContainEqual({ ...flow, before: "refuted" });
    expect(brought.flows.filter(({ key }) => !key.startsWith("namespace-web-"))).toEqual([]);
    expect([brought.oneSided, taken.oneSided]).toEqual([[], []]);
  });

  test("keeps HyperShift's own policies, which allow what a new policy does not", () => {
    const deny = policy("deny", { podSelector: {}, policyTypes: ["Ingress"] });
    expect(diff(plan, [...plan, deny]).flows).toEqual([]);
    const running = { ...deny, origin: { ...deny.origin, live: "NetworkPolicy clusters-tenant-a/deny" } };
    expect(diff(plan, [...plan, running]).flows).toEqual([]);
  });

  test("names each unknown value of both plans once", () => {
    const later = (name: string) =>
      rule(Role.Workers, Direction.Ingress, name, {
        ipProtocol: "tcp",
        fromPort: 2022,
        toPort: 2022,
        cidrIpv4: UNKNOWN,
      });
    const { unknown } = diff([...plan, later("old"), later("both")], [...plan, later("both"), later("new")]);
    expect(unknown.map(({ resource, path }) => `${path} of ${resource.name}`).sort()).toEqual([
      "cidrIpv4 of both",
      "cidrIpv4 of new",
      "cidrIpv4 of old",
    ]);
  });

  test("by an ACL that may apply can close what passed, but opens nothing", () => {
    const shut = acl(Role.Workers, [], []);
    const doubtful: Resource = { ...shut, properties: { ...shut.properties, tags: UNKNOWN } };
    const found = diff(plan, [...plan, doubtful]);
    expect(found.unknown).toMatchObject([{ resource: { name: "acl-workers" }, path: "tags" }]);
    const places = ["control-plane", "workers"].flatMap((role) => [
      `ingress of ${role}`,
      `egress of ${role}`,
    ]);
    expect(new Set(found.changes.map(({ kind, place }) => `${kind} ${place}`))).toEqual(
      new Set(places.map((place) => `closed ${place}`)),
    );
  });
});
