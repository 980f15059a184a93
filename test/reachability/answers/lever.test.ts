import type { HostHop, Hop } from "../../../src/flows/model";
import { hostFlows } from "../../../src/flows/hops";
import { leverOf } from "../../../src/reachability/answers/repair/repair";
import type { WrittenGuard } from "../../../src/reachability/path/guards";
import { Direction, Protocol, Role, Zone } from "../../../src/requirements/vocabulary";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import { pinned, said } from "../path/clusters";

const node = said({ platform: "None", services: pinned });
const ours = (name: string, urn: string, properties: Record<string, PropertyValue>): Resource => ({
  origin: { urn },
  type: `hypershift-network:index:${name}`,
  name: urn.slice("urn:".length),
  properties,
});
const network = ours("HostedClusterNetwork", "urn:whole", { topology: { name: "tenant-a" } });
const maker = (name: string, properties: Record<string, PropertyValue> = {}): Resource => ({
  ...ours(name, "urn:own", { topology: { name: "tenant-a" }, ...properties }),
  parent: "urn:whole",
});
const groups = (properties?: Record<string, PropertyValue>) =>
  maker("HostedControlPlaneSecurityGroups", properties);
const madeBy = (type: string): Resource => ({
  origin: { urn: "urn:made" },
  type,
  name: "made",
  properties: {},
  parent: "urn:own",
});
const group: WrittenGuard = {
  kind: "securityGroups",
  groups: [
    { rules: [], ruleResources: [] },
    { resource: madeBy(TYPE.securityGroup), rules: [], ruleResources: [] },
  ],
};
const acl: WrittenGuard = {
  kind: "networkAcl",
  acl: { resource: madeBy(TYPE.networkAcl), rules: [] } as never,
};

/** A dropped packet at workers; by default, between workers. */
const hop = (more: Partial<HostHop> = {}): HostHop => ({
  kind: "hosts",
  role: Role.Workers,
  direction: Direction.Ingress,
  protocol: Protocol.Tcp,
  ports: { from: 10_250, to: 10_250 },
  sources: [{ zone: Zone.Workers, input: "" }],
  destinations: [],
  flow: { key: "workers/ingress/nodes-kubelet", requirement: "up-aws-worker-tcp-10250" },
  ...more,
});
const ask = (
  component: Resource,
  at: Hop = hop(),
  standing: WrittenGuard | undefined = group,
  topology = node,
) =>
  leverOf(
    { hop: at, guard: { name: "what stands there", filters: [], standing } },
    topology,
    new ResourceIndex([network, component]),
  );
const users = hop({
  role: Role.ControlPlane,
  sources: [{ zone: Zone.ExternalClients, input: "externalClientCidrs" }],
  flow: { key: "control-plane/ingress/oauth", requirement: "cp-in-oauth" },
});

describe("the component argument that allows packets", () => {
  test.each<[string, Resource, HostHop, string | undefined]>([
    [
      "enables a disabled rule, on the component that creates the filter",
      groups({ disabledRules: ["workers/ingress/other", "workers/ingress/nodes-kubelet"] }),
      hop(),
      "remove workers/ingress/nodes-kubelet from disabledRules of HostedControlPlaneSecurityGroups own",
    ],
    [
      "sets the default worker rules for traffic among workers, on the component with the topology",
      groups({ disabledRules: ["workers/ingress/other"] }),
      hop(),
      "set defaultWorkerRules: true on HostedClusterNetwork whole",
    ],
    [
      "does not set the default worker rules for traffic from other sources",
      groups(),
      hop({
        sources: [
          { zone: Zone.Workers, input: "" },
          { zone: Zone.ControlPlane, input: "" },
        ],
      }),
      undefined,
    ],
    [
      "does not set the default worker rules for traffic to other destinations",
      groups(),
      hop({ destinations: [{ zone: Zone.ManagementApi, input: "" }] }),
      undefined,
    ],
    [
      "does not set the default worker rules for a flow without a default rule",
      groups(),
      hop({ flow: { key: "workers/ingress/unheard-of", requirement: "x" } }),
      undefined,
    ],
    ["is none for a flow without a known rule", groups(), hop({ flow: undefined as never }), undefined],
    [
      "sets the addresses of an end in the topology that lacks them",
      groups(),
      users,
      "set externalClientCidrs in the topology of HostedClusterNetwork whole",
    ],
    [
      "is none for an end without a topology property",
      groups(),
      { ...users, sources: [{ zone: Zone.Any, input: "" }] },
      undefined,
    ],
  ])("%s", (_, component, at, lever) => {
    expect(ask(component, at)).toBe(lever);
  });

  test("enables an opt-in rule", () => {
    const [key, flow] = [...hostFlows(node)].find(
      ([, { optIn, role }]) => optIn && role === Role.ControlPlane,
    )!;
    const at = hop({ ...flow, sources: [], flow: { key, requirement: flow.requirement } });
    expect(ask(groups(), at)).toBe(`set enabledRules: ["${key}"] on HostedControlPlaneSecurityGroups own`);
  });

  test("is none if the default worker rules are already set", () => {
    const worker = said({ platform: "AWS", defaultWorkerRules: true });
    expect(ask(groups(), hop(), group, worker)).toBeUndefined();
  });

  test("is set on the outermost of our components that has the topology", () => {
    const from = (around: readonly Resource[], own = groups()) =>
      leverOf(
        { hop: users, guard: { name: "", filters: [], standing: group } },
        node,
        new ResourceIndex([...around, own]),
      );
    const write = (whose: string) => `set externalClientCidrs in the topology of ${whose}`;
    const outer = ours("HostedClusters", "urn:outer", { topology: { name: "tenant-a" } });
    expect(from([outer, { ...network, parent: "urn:outer" }])).toBe(write("HostedClusters outer"));
    const without = { ...network, properties: { topology: "tenant-a" } };
    expect(from([without])).toBe(write("HostedControlPlaneSecurityGroups own"));
    const theirs = { ...network, type: "acme:index:Network" };
    expect(from([theirs])).toBe(write("HostedControlPlaneSecurityGroups own"));
    expect(from([])).toBe(write("HostedControlPlaneSecurityGroups own"));
    expect(from([network], groups({ topology: "not known yet" }))).toBe(write("HostedClusterNetwork whole"));
    expect(from([], groups({ topology: "not known yet" }))).toBeUndefined();
  });

  test("names the destinations for egress, not the sources", () => {
    const out = hop({
      role: Role.ControlPlane,
      direction: Direction.Egress,
      sources: [{ zone: Zone.ControlPlane, input: "managementClusterCidrs" }],
      destinations: [{ zone: Zone.ContainerRegistry, input: "registryCidrs" }],
      flow: { key: "control-plane/egress/registries", requirement: "cp-out-443" },
    });
    expect(ask(groups(), out)).toBe("set registryCidrs in the topology of HostedClusterNetwork whole");
  });

  test("exists for network ACLs too", () => {
    const acls = maker("HostedControlPlaneNetworkAcls", { disabledRules: ["workers/ingress/nodes-kubelet"] });
    expect(ask(acls, hop(), acl)).toBe(
      "remove workers/ingress/nodes-kubelet from disabledRules of HostedControlPlaneNetworkAcls own",
    );
  });

  test("is none if no component with such arguments created the filter, or the place is not a host", () => {
    const disabled = { disabledRules: ["workers/ingress/nodes-kubelet"] };
    expect(ask(maker("EgressFirewall", disabled))).toBeUndefined();
    expect(ask({ ...groups(disabled), origin: { urn: "urn:elsewhere" } })).toBeUndefined();
    const policies: WrittenGuard = { kind: "networkPolicies", direction: Direction.Ingress };
    expect(ask(groups(disabled), hop(), policies)).toBeUndefined();
    const pods: Hop = { ...hop(), kind: "pods", app: "etcd", from: "addresses" };
    expect(ask(groups(disabled), pods)).toBeUndefined();
  });
});
