import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journeys } from "../../src/flows/journeys";
import type { FlowPeer, Hop, Journey } from "../../src/flows/model";
import { surroundingsOf } from "../../src/flows/surroundings";
import type { PropertyValue, Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { everything, placeOf } from "../reachability/path/clusters";
import { published } from "../topology/topologies";

const blocks = ({ prefixes, unknown, assumed, input }: FlowPeer) =>
  [
    ...(prefixes?.map(({ text }) => text) ?? [unknown ? `unknown ${input}` : `?${input}`]),
    ...(assumed ? ["assumed"] : []),
  ].join(" ");
const peers = (all: readonly FlowPeer[]) =>
  all.map((peer) => `${peer.zone} ${blocks(peer)}`).join(", ") || "...";

/** A hop with all that is known of its packets. */
function lineOf(hop: Hop): string {
  const { protocol, ports, portInput, samePortBothWays, sources, destinations } = hop;
  const more = {
    ...(hop.kind === "hosts" && { flow: hop.flow?.key, duty: hop.duty, carries: hop.carries }),
    ...(hop.kind === "pods" && { from: hop.from, service: hop.service }),
    ...(hop.kind === "senders" && { to: hop.to }),
    ...(hop.kind === "namespace" && { cluster: hop.cluster }),
    ...(hop.kind === "balancer" && { allowed: hop.allowed.map(({ text }) => text) }),
    ...(samePortBothWays && { samePortBothWays }),
  };
  const range = ports ? ` ${ports.from === ports.to ? ports.from : `${ports.from}-${ports.to}`}` : "";
  const which = portInput === undefined ? "" : ` (which: ${portInput || "not stated"})`;
  const particulars = Object.keys(more).length > 0 ? ` ${JSON.stringify(more)}` : "";
  return `  ${placeOf(hop)}: ${protocol}${range}${which}, ${peers(sources)} -> ${peers(destinations)}${particulars}`;
}

const textOf = ({ key, title, from, phase, service, optional, hops, missing, outside }: Journey): string =>
  [
    `${key}: ${title}`,
    `  from ${from}, ${phase}${service ? `, ${service}` : ""}${optional ? ", optional" : ""}`,
    ...hops.map(lineOf),
    ...missing.map(
      ({ input, why, add }) => `  missing ${input}: ${why}${add === undefined ? "" : ` [${add}]`}`,
    ),
    `  outside ${outside.join(", ")}`,
  ].join("\n");

const object = (type: string, metadata: PropertyValue, spec: PropertyValue): Resource => ({
  origin: { file: "a.yaml", line: 1 },
  type: `kubernetes:${type}`,
  name: "it",
  properties: { metadata, spec },
});
const firewall = (namespace: string) =>
  object("k8s.ovn.org/v1:EgressFirewall", { name: "default", namespace }, { egress: [] });
const listing = (...allowedCIDRBlocks: string[]) =>
  object(
    "hypershift.openshift.io/v1beta1:HostedCluster",
    { name: "tenant-a", namespace: "clusters" },
    { networking: { apiServer: { allowedCIDRBlocks } } },
  );
const ipsec = object(
  "operator.openshift.io/v1:Network",
  { name: "cluster" },
  { defaultNetwork: { ovnKubernetesConfig: { ipsecConfig: { mode: "Full" } } } },
);
const proxies = { httpProxy: "http://10.9.0.1:3128", httpsProxy: "http://proxy.example.com:3129" };
const machineNetwork = [{ cidr: "10.0.0.0/16" }];

/** Clusters that together have every kind of hop, with the resources around them. */
const clusters: [string, object, readonly Resource[]][] = [
  [
    "both-ways-on-AWS",
    { ...everything, platform: "AWS", endpointAccess: "PublicAndPrivate", proxy: proxies },
    [firewall("shop"), firewall("clusters-tenant-a"), listing("203.0.113.0/25")],
  ],
  [
    "public-on-Azure",
    { ...everything, platform: "Azure", endpointAccess: "Public", proxy: proxies, loadBalancerTargets: "ip" },
    [listing("198.51.100.7/32")],
  ],
  [
    "private-on-AWS",
    {
      ...everything,
      platform: "AWS",
      endpointAccess: "Private",
      services: published.Route,
      loadBalancerTargets: "ip",
    },
    [listing("192.0.2.0/24")],
  ],
  ["nothing-stated-on-OpenStack", { platform: "OpenStack", machineNetwork }, [firewall("shop"), ipsec]],
  [
    "node-ports-of-which-one-is-pinned",
    {
      platform: "None",
      machineNetwork,
      externalClientCidrs: ["203.0.113.0/24"],
      services: { ...published.NodePort, konnectivity: { type: "NodePort", nodePort: 31_091 } },
    },
    [],
  ],
];

test.each(clusters)("the reviewed hops of all flows: %s", (name, raw, plan) => {
  const { topology } = normalizeTopology({ name: "tenant-a", ...raw });
  const all = journeys(topology!, surroundingsOf(new ResourceIndex(plan), topology!)).filter(
    ({ key }) => !/-nodes-/.test(key),
  );
  const text = `${all.map(textOf).join("\n")}\n`;
  const file = join(__dirname, "ways.golden", `${name}.txt`);
  if (process.env.UPDATE_GOLDEN && !process.env.CI) writeFileSync(file, text);
  expect(existsSync(file)).toBe(true);
  expect(text).toBe(readFileSync(file, "utf8"));
});
