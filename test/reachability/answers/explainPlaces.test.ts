import {
  explainPacket,
  matches,
  readPacketQuery,
} from "../../../src/reachability/answers/explain/explainPacket";
import type { FlowPeer, SeenPackets } from "../../../src/flows/model";
import { NO_SURROUNDINGS, type Surroundings } from "../../../src/flows/surroundings";
import { readPrefix } from "../../../src/address";
import { Protocol, Zone } from "../../../src/requirements/vocabulary";
import { placesAsked } from "../../../src/reachability/answers/explain/placesAsked";
import { pinned, said } from "../path/clusters";
import { combinations } from "./plans";

const node = said({ platform: "None", services: pinned });
const aws = said({ platform: "AWS", endpointAccess: "Public" });
const firewall = {
  origin: {},
  type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
  name: "default",
  properties: {},
};
const surroundings: Surroundings = {
  ipsec: {},
  namespaces: [
    { cluster: "hosted", namespace: "web", firewall },
    { cluster: "management", namespace: "clusters-tenant-a", firewall },
  ],
};
const ask = (text: string, topology = node) => explainPacket(readPacketQuery(text)!, topology, surroundings);
const flowsOf = (text: string, topology = node) =>
  ask(text, topology).flows.map(({ key, place }) => `${key} at ${place}`);

describe("packets that leave pods", () => {
  test("of the control plane have a node's address, also in a namespace with an egress firewall", () => {
    expect(flowsOf("10.1.3.4 -> 192.0.2.5, TCP 443")).toEqual([
      "control-plane/egress/https at egress of control-plane",
      "control-plane-egress-https at egress of pods of the control plane to addresses",
      "control-plane-egress-https at egress of control-plane",
      "namespace-clusters-tenant-a-https at egress of namespace clusters-tenant-a",
      "namespace-clusters-tenant-a-https at egress of control-plane",
    ]);
  });

  test("may have any source address if policies match the pods by label", () => {
    expect(flowsOf("192.0.2.77 -> , TCP 8090")).toContain(
      "control-plane-kubelet at pods konnectivity-server",
    );
  });

  test("of a hosted-cluster namespace have a worker's address outside and a pod's address inside", () => {
    expect(flowsOf("10.0.3.4 -> 10.1.0.2, UDP 53")).toEqual([
      "workers/egress/dns-udp at egress of workers",
      "workers-egress-dns-udp at egress of workers",
      "namespace-web-dns-udp at egress of namespace web",
      "namespace-web-dns-udp at egress of workers",
    ]);
    expect(flowsOf("10.132.0.5 -> 10.1.0.2, UDP 53")).toEqual([
      "namespace-web-dns-udp at egress of namespace web",
    ]);
  });
});

describe("packets from outside the cluster", () => {
  const DIALLED = "load balancer or router before the control plane";

  test("come from users or from the NAT in front of workers, at the load balancer or router of the service", () => {
    expect(flowsOf("203.0.113.5 -> , TCP 443", aws)).toEqual([
      "control-plane/ingress/router-clients at ingress of control-plane",
      `users-oauth at ${DIALLED}`,
    ]);
    expect(flowsOf("198.51.100.7 -> , TCP 6443", aws)).toContain(`workers-kube-apiserver at ${DIALLED}`);
    const found = ask("198.51.100.7 -> , TCP 6443", aws).flows.find(({ place }) => place === DIALLED);
    expect(found).toEqual({
      key: "workers-kube-apiserver",
      purpose: "Workers reach APIServer by LoadBalancer",
      place: DIALLED,
      requirements: ["wk-out-kas", "cp-in-kas"],
      sure: true,
    });
  });

  test("list the rows of what users and workers dial, and of what arrives behind the load balancer", () => {
    expect(ask("203.0.113.5 -> , TCP 443", aws).flows.filter(({ place }) => place === DIALLED)).toEqual([
      {
        key: "users-oauth",
        purpose: "Users reach OAuthServer by Route",
        place: DIALLED,
        requirements: ["wk-out-443", "cp-in-route-443"],
        sure: true,
      },
    ]);
  });

  test("use the port of each publishing strategy, whatever the platform", () => {
    const asked = combinations.flatMap(([, topology]) =>
      placesAsked(topology, NO_SURROUNDINGS)
        .filter(({ place }) => place === DIALLED)
        .map(({ key, seen, requirements }) => `${key} ${seen.ports?.from}: ${requirements().join(", ")}`),
    );
    expect([...new Set(asked)].sort()).toEqual([
      "users-kube-apiserver 2040: wk-out-kas-ibm, cp-in-kas-ibm",
      "users-kube-apiserver 2040: wk-out-kas-ibm, cp-in-kas-ibm, cp-in-kas",
      "users-kube-apiserver 443: wk-out-443, cp-in-route-443",
      "users-kube-apiserver 6443: wk-out-kas, cp-in-kas",
      "users-oauth 443: wk-out-443, cp-in-route-443",
      "workers-ignition 443: wk-out-443, cp-in-route-443",
      "workers-konnectivity 443: wk-out-443, cp-in-route-443",
      "workers-konnectivity 8091: wk-out-konn, cp-in-konn-lb",
      "workers-kube-apiserver 2040: wk-out-kas-ibm, cp-in-kas-ibm",
      "workers-kube-apiserver 2040: wk-out-kas-ibm, cp-in-kas-ibm, cp-in-kas",
      "workers-kube-apiserver 443: wk-out-443, cp-in-route-443",
      "workers-kube-apiserver 6443: wk-out-kas, cp-in-kas",
      "workers-oauth 443: wk-out-443, cp-in-route-443",
    ]);
  });

  test("do not pass a load balancer for node ports, or from workers that have a private path", () => {
    expect(flowsOf("203.0.113.5 -> , TCP 443")).toEqual([]);
    const both = said({ platform: "AWS", endpointAccess: "PublicAndPrivate" });
    const ways = (source: string) =>
      flowsOf(`${source} -> , TCP 443`, both).filter((line) => line.endsWith(DIALLED));
    expect(ways("203.0.113.5")).toEqual([`users-oauth at ${DIALLED}`]);
    // OAuth by Route is public, whatever private path there is.
    expect(ways("198.51.100.7")).toEqual([`workers-oauth at ${DIALLED}`]);
  });
});

describe("whether packets are among those that must pass a place", () => {
  const peer = (zone: Zone, block?: string, more: Partial<FlowPeer> = {}): FlowPeer => ({
    zone,
    input: "",
    ...(block !== undefined && { prefixes: [readPrefix(block)!] }),
    ...more,
  });
  const seen = (sources: FlowPeer[], more: Partial<SeenPackets> = {}): SeenPackets => ({
    protocol: Protocol.Tcp,
    ports: { from: 440, to: 450 },
    sources,
    destinations: [],
    ...more,
  });
  const workers = peer(Zone.Workers, "10.0.0.0/16");
  const nat = [readPrefix("198.51.100.7/32")!];

  test.each<[string, string, SeenPackets]>([
    ["yes", "TCP 440", seen([workers])],
    ["yes", "450", seen([workers])],
    ["no", "TCP 439", seen([workers])],
    ["no", "TCP 451", seen([workers])],
    ["no", "UDP 440", seen([workers])],
    ["yes", "any 440", seen([workers])],
    ["yes", "UDP 440", seen([workers], { protocol: Protocol.Any })],
    ["no", "440", seen([workers], { protocol: Protocol.Icmp })],
    ["yes", "icmp", seen([workers], { protocol: Protocol.Icmp, ports: undefined as never })],
    ["yes", "10.0.3.4 -> , TCP 440", seen([workers])],
    ["yes", "10.0.0.0/8 -> , TCP 440", seen([workers])],
    ["no", "10.1.3.4 -> , TCP 440", seen([workers])],
    ["yes", "10.1.3.4 -> , TCP 440", seen([])],
    ["perhaps", "10.1.3.4 -> , TCP 440", seen([workers, peer(Zone.ControlPlane)])],
    ["yes", "10.0.3.4 -> , TCP 440", seen([workers, peer(Zone.ControlPlane)])],
    ["perhaps", "10.1.3.4 -> , TCP 440", seen([peer(Zone.Any, "0.0.0.0/0", { assumed: true })])],
    ["perhaps", "198.51.100.7 -> , TCP 440", seen([workers])],
    ["no", "198.51.100.7 -> , TCP 440", seen([peer(Zone.ControlPlane, "10.1.0.0/16")])],
    ["yes", "worker -> , TCP 440", seen([workers])],
    ["no", "control-plane -> , TCP 440", seen([workers])],
    ["yes", "control-plane -> , TCP 440", seen([peer(Zone.Any, "0.0.0.0/0")])],
    ["no", "10.0.3.4 -> 10.1.3.4, TCP 440", seen([workers], { destinations: [workers] })],
    [
      "perhaps",
      "10.0.3.4 -> 10.1.3.4, TCP 440",
      seen([workers], { destinations: [peer(Zone.ControlPlane)] }),
    ],
    ["no", "10.1.3.4 -> 10.1.3.4, TCP 440", seen([workers], { destinations: [peer(Zone.ControlPlane)] })],
    ["no", "10.0.3.4 -> 198.51.100.7, TCP 440", seen([workers], { destinations: [workers] })],
  ])("%s: %s", (match, text, place) => {
    expect(matches(readPacketQuery(text)!, place, nat)).toBe(match);
  });

  test("a query for a NAT source has a note that other places see other packets", () => {
    const notes = (source: string, topology = node) => ask(`${source} -> , TCP 8091`, topology).notes;
    expect(notes("198.51.100.7")).toEqual([
      "the source is a NAT address in front of the workers: documents name workers as the source, and hosts behind load balancers see node ports or ports of pods instead",
    ]);
    expect(notes("10.0.3.4")).toEqual([]);
    expect(ask("198.51.100.7 -> , TCP 31091").notes).toEqual([]);
    expect(ask("8091").notes).toEqual([]);
  });
});

test("packets to the address of a node port are documented, from workers, their NAT, and users", () => {
  const at = (address: string) => ({ ...pinned, apiServer: { ...pinned.apiServer, address } });
  const balanced = said({ platform: "None", services: at("10.9.0.5") });
  const toBalancer = (source: string) => flowsOf(`${source} -> 10.9.0.5, TCP 31443`, balanced);
  expect(toBalancer("10.0.3.4")).toContain("workers/egress/kube-apiserver-node-port at egress of workers");
  expect(toBalancer("10.0.3.4")).toContain("workers-kube-apiserver at egress of workers");
  expect(toBalancer("198.51.100.7")).toEqual(["workers-kube-apiserver at address of the node port"]);
  expect(toBalancer("203.0.113.9")).toEqual(["users-kube-apiserver at address of the node port"]);
  const onNode = said({ platform: "None", services: at("10.1.0.10") });
  expect(flowsOf("10.0.3.4 -> 10.9.0.5, TCP 31443", onNode)).toEqual([]);
  expect(flowsOf("203.0.113.9 -> 10.1.0.10, TCP 31443", onNode)).toContain(
    "users-kube-apiserver at ingress of control-plane",
  );
});

test("with public and private access, workers and users dial where their own paths lead", () => {
  const both = said({ platform: "AWS", endpointAccess: "PublicAndPrivate" });
  const place = "load balancer or router before the control plane";
  expect(flowsOf("203.0.113.9 -> 192.0.2.5, TCP 6443", both)).toContain(`users-kube-apiserver at ${place}`);
  expect(flowsOf("203.0.113.9 -> 10.0.0.5, TCP 6443", both)).not.toContain(
    `users-kube-apiserver at ${place}`,
  );
  expect(flowsOf("198.51.100.7 -> 192.0.2.5, TCP 443", both)).toContain(`workers-oauth at ${place}`);
  expect(flowsOf("10.0.3.4 -> 10.0.9.9, TCP 6443", both)).toContain(
    "workers-kube-apiserver at egress of workers",
  );
});
