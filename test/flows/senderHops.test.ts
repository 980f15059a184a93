import { senderHops } from "../../src/flows/hops";
import { Direction, Protocol, Role } from "../../src/requirements/vocabulary";
import { flowKey } from "../../src/flows/model";
import { requiredFlows } from "../../src/flows/required/requiredFlows";
import { pinned, said } from "../reachability/path/clusters";

const flows = requiredFlows(said({ platform: "None", services: pinned }));
const sent = flows.filter((flow) => senderHops(flow).length > 0);
const sentAs = (key: string) => senderHops(flows.find((flow) => flowKey(flow) === key)!);

describe("sender hops of control plane pods", () => {
  test("exist for exactly these egress flows of control-plane hosts", () => {
    expect(sent.map(flowKey).sort()).toEqual([
      "control-plane/egress/dns-tcp",
      "control-plane/egress/dns-udp",
      "control-plane/egress/https",
      "control-plane/egress/management-api",
    ]);
    const [https] = sent.filter(({ key }) => key === "https");
    expect(senderHops({ ...https!, role: Role.Workers })).toEqual([]);
    expect(senderHops({ ...https!, direction: Direction.Ingress })).toEqual([]);
    expect(senderHops({ ...https!, key: "kubelet" })).toEqual([]);
  });

  test.each(["https", "management-api"])("go to addresses for %s", (key) => {
    const { protocol, ports, peers } = sent.find((flow) => flow.key === key)!;
    expect(sentAs(`control-plane/egress/${key}`)).toEqual([
      { kind: "senders", protocol, ports, sources: [], destinations: peers, to: "addresses" },
    ]);
    expect(peers.length).toBeGreaterThan(0);
  });

  test.each([
    ["dns-tcp", Protocol.Tcp],
    ["dns-udp", Protocol.Udp],
  ])("go for %s to the management cluster's DNS pods at their own port", (key, protocol) => {
    expect(sentAs(`control-plane/egress/${key}`)).toEqual([
      {
        kind: "senders",
        protocol,
        ports: { from: 5353, to: 5353 },
        sources: [],
        destinations: [],
        to: { "kubernetes.io/metadata.name": "openshift-dns" },
      },
    ]);
  });

  test("have no ports if the flow has none", () => {
    const [https] = sent.filter(({ key }) => key === "https");
    const { ports, ...everyPort } = https!;
    expect(ports).toEqual({ from: 443, to: 443 });
    expect(senderHops(everyPort)[0]).not.toHaveProperty("ports");
  });
});
