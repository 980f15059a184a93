import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { portMissing } from "../../../src/securityGroups/rules/portMissing";
import {
  group,
  hostedCluster,
  judge,
  networking,
  resource,
  stating,
  tags,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

const cluster = hostedCluster();
const withNodes = stating({ managementClusterCidrs: ["10.1.0.0/16"] });

/** An entry of a network ACL, by default for TCP and everybody. */
const entry = (ruleNo: number, ports: [number, number], more: Properties = {}): Properties => ({
  ruleNo,
  action: "allow",
  protocol: "tcp",
  fromPort: ports[0],
  toPort: ports[1],
  cidrBlock: "0.0.0.0/0",
  ...more,
});
const every = entry(100, [0, 0], { protocol: "-1" });
const acl = (ingress: Properties[], egress: Properties[], more: Properties = {}): Resource =>
  resource(TYPE.networkAcl, "hosts", { ingress, egress, tags: tags(), ...more });

describe("port-missing, network ACLs of the hosts' subnets", () => {
  it("accepts an ACL that allows everything in both directions", () => {
    expect(violations(portMissing, [cluster, acl([every], [every])])).toEqual([]);
    expect(unknowns(portMissing, [cluster, acl([every], [every])])).toEqual([]);
  });

  it("M5 names the rule that denies half of the workers, and the number below which to allow them", () => {
    const deny = entry(90, [6443, 6443], { action: "deny", cidrBlock: "10.0.128.0/17" });
    const found = violations(portMissing, [cluster, acl([deny, every], [every])]);
    expect(found).toMatchObject([
      {
        path: "ingress[0]",
        requirement: "cp-in-kas",
        message: expect.stringMatching(
          /^network ACL hosts drops packets from workers 10\.0\.128\.0\/17 to control-plane hosts of clusters\/tenant-a at TCP 6443: rule 90 denies it\./,
        ) as string,
        witness: "10.0.128.1 -> control-plane hosts, TCP 6443",
        fix: expect.stringMatching(
          /^allow TCP 6443 from 10\.0\.128\.0\/17 in its inbound rules, with a number below 90;/,
        ) as string,
      },
    ]);
  });

  it("names only the one of two ACLs of the workers that drops packets", () => {
    const workers = (name: string, ...egress: Properties[]): Resource => ({
      ...acl([every], [...egress, every], { tags: tags("workers") }),
      origin: { urn: `urn:${name}` },
      name,
    });
    const two = [workers("closed", entry(1, [443, 443], { action: "deny" })), workers("open")];
    const found = violations(portMissing, [cluster, ...two]);
    expect(found.map(({ message }) => /ACL (\w+) drops/.exec(message)?.[1])).toEqual(["closed"]);
  });

  it("requires what only the group of workers allows of groups, and traffic among nodes of both", () => {
    const own = stating({ defaultWorkerRules: true });
    const all = { protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["0.0.0.0/0"] };
    const workers = group("workers", [all], { tags: tags("workers"), egress: [all] });
    const found = (entries: Properties[]) =>
      violations(portMissing, [cluster, workers, acl([every], entries, { tags: tags("workers") })], own).map(
        ({ message }) => message,
      );
    const documented = [
      entry(1, [443, 443]),
      entry(2, [6443, 6443]),
      entry(3, [53, 53]),
      entry(4, [53, 53], { protocol: "17" }),
      entry(5, [0, 0], { protocol: "-1", cidrBlock: "10.0.0.0/16" }),
    ];
    expect(found(documented)).toEqual([]);
    const kubelet = entry(0, [10250, 10250], { action: "deny", ruleNo: 1, cidrBlock: "10.0.0.0/16" });
    const [first] = found([
      kubelet,
      ...documented.map((one) => ({ ...one, ruleNo: Number(one.ruleNo) + 1 })),
    ]);
    expect(first).toMatch(/^network ACL hosts drops .* at TCP 10250: rule 1 denies it/);
  });

  it("ignores a deny after the allow", () => {
    const deny = entry(110, [6443, 6443], { action: "deny" });
    expect(violations(portMissing, [cluster, acl([every, deny], [every])])).toEqual([]);
  });

  it("requires that answers pass too, because an ACL keeps no state", () => {
    const outward = [
      entry(1, [443, 443]),
      entry(2, [6443, 6443]),
      entry(3, [53, 53]),
      entry(4, [53, 53], { protocol: "17" }),
    ];
    const ofOthers = (egress: Properties[]) =>
      violations(portMissing, [cluster, acl([every], egress)]).filter(
        ({ hop }) => !/\/(nodes|load-balancer)-/.test(hop ?? ""),
      );
    const found = ofOthers(outward);
    expect(found.map(({ requirement }) => requirement).sort()).toEqual(["cp-in-kas", "cp-in-route-443"]);
    expect(found[0]).toMatchObject({
      path: "egress",
      message: expect.stringContaining(
        "drops the answers from control-plane hosts of clusters/tenant-a to workers 10.0.0.0/16 at TCP 32768-65535: no rule allows it",
      ) as string,
      witness: "control-plane hosts -> 10.0.0.1, TCP 32768, an answer",
      fix: expect.stringContaining("allow TCP 32768-65535 to 10.0.0.0/16 in its outbound rules;") as string,
    });
    const answers = entry(5, [32768, 65535]);
    expect(ofOthers([...outward, answers])).toEqual([]);
  });

  it("requires proxy traffic of workers only in the ACL of their subnets, and in no group", () => {
    const proxied = hostedCluster({ configuration: { proxy: { httpsProxy: "http://198.51.100.9:3128" } } });
    const nodes = (egress: Properties[]) => [proxied, acl([every], egress, { tags: tags("workers") })];
    const isProxy = ({ hop }: { hop?: string }) => hop?.endsWith("-proxy") === true;
    expect(violations(portMissing, nodes([every])).filter(isProxy)).toEqual([]);
    const deny = entry(90, [3128, 3128], { action: "deny" });
    expect(violations(portMissing, nodes([deny, every])).filter(isProxy)).toMatchObject([
      { path: "egress[0]", flow: ["workers-https-proxy"], hop: "workers/egress/https-proxy" },
    ]);
    const own = group("nodes", [], { tags: tags("workers"), egress: [] });
    expect(violations(portMissing, [proxied, own]).filter(isProxy)).toEqual([]);
    expect(violations(portMissing, [proxied, acl([every], [deny, every])]).filter(isProxy)).toEqual([]);
  });

  describe("traffic from load balancers to node ports", () => {
    const deny = (cidrBlock: string) => [entry(90, [30000, 32767], { action: "deny", cidrBlock }), every];
    const named = { loadBalancerSubnetCidrs: ["10.1.0.0/24"], externalClientCidrs: ["203.0.113.0/24"] };
    const open = hostedCluster({
      platform: { type: "AWS", aws: { region: "us-east-1", endpointAccess: "Public" } },
    });
    const hops = (cidrBlock: string, topology: object) =>
      violations(portMissing, [open, acl(deny(cidrBlock), [every])], stating(topology))
        .filter(({ hop }) => hop?.includes("/load-balancer-"))
        .map(({ hop, message }) => `${hop} from ${/ (\S+) to control-plane hosts/.exec(message)?.[1]}`);

    it("must pass the ACL with instance targets, including users with their own addresses", () => {
      const topology = { ...named, loadBalancerTargets: "instance" };
      expect(hops("203.0.113.128/25", topology)).toEqual([
        "control-plane/ingress/load-balancer-clients from 203.0.113.128/25",
      ]);
      expect(hops("198.51.100.0/24", topology)).toEqual([]);
      const { externalClientCidrs: _, ...nobody } = topology;
      expect(hops("203.0.113.128/25", nobody)).toEqual([]);
    });

    it("causes one finding for health checks and workers' packets from the same addresses", () => {
      expect(hops("10.1.0.0/24", { ...named, loadBalancerTargets: "instance" })).toEqual([
        "control-plane/ingress/load-balancer-node-ports from 10.1.0.0/24",
      ]);
    });

    it("must pass for health checks if the target type is not stated, and not with IP targets", () => {
      expect(hops("0.0.0.0/0", named)).toEqual([
        "control-plane/ingress/load-balancer-health from 10.1.0.0/24",
      ]);
      expect(hops("0.0.0.0/0", { ...named, loadBalancerTargets: "ip" })).toEqual([]);
    });

    it("is not required in groups, which the load balancer controller opens", () => {
      const own = group("hosts", [], { tags: tags() });
      const found = violations(
        portMissing,
        [open, own],
        stating({ ...named, loadBalancerTargets: "instance" }),
      );
      expect(found.filter(({ hop }) => hop?.endsWith("load-balancer-clients"))).toEqual([]);
    });
  });

  it("requires HTTPS to all stated endpoints, but not everywhere, if registryCidrs is missing", () => {
    const nodes = (deny: Properties) => [cluster, acl([every], [deny, every], { tags: tags("workers") })];
    const https = (cidrBlock: string) =>
      violations(portMissing, nodes(entry(90, [443, 443], { action: "deny", cidrBlock }))).filter(
        ({ hop }) => hop === "workers/egress/https",
      );
    expect(https("198.51.100.0/24")).toEqual([]);
    expect(https("10.0.128.0/17")).toMatchObject([
      {
        code: "acl-drops-flow",
        flow: expect.arrayContaining(["workers-oauth", "workers-ignition"]) as string[],
        message: expect.stringContaining("10.0.128.0/17 at TCP 443: rule 90 denies it") as string,
      },
    ]);
  });

  it("reads rule resources in the order of their numbers", () => {
    const own = resource(TYPE.networkAcl, "hosts", { id: "acl-1", tags: tags() });
    const rule = (name: string, egress: boolean, more: Properties = {}) =>
      resource(TYPE.networkAclRule, name, {
        networkAclId: "acl-1",
        egress,
        ruleNumber: 100,
        ruleAction: "allow",
        protocol: "-1",
        cidrBlock: "0.0.0.0/0",
        ...more,
      });
    const open = [rule("in", false), rule("out", true)];
    expect(violations(portMissing, [cluster, own, ...open])).toEqual([]);
    const deny = rule("deny", false, { ruleNumber: 7, ruleAction: "deny", cidrBlock: "10.0.9.0/24" });
    const found = violations(portMissing, [cluster, own, ...open, deny]);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((one) => one.resource.urn === deny.origin.urn)).toBe(true);
    expect(new Set(found.map(({ path }) => path))).toEqual(new Set(["ingress"]));
  });

  it("reports unknown values as unknown, and not as violations", () => {
    const unsure = entry(90, [6443, 6443], { action: UNKNOWN });
    const resources = [cluster, acl([unsure, every], [every])];
    expect(violations(portMissing, resources)).toEqual([]);
    expect(unknowns(portMissing, resources, withNodes)).toMatchObject([{ path: "ingress[0].action" }]);
    const lost = resource(TYPE.networkAclRule, "lost", { networkAclId: UNKNOWN });
    expect(unknowns(portMissing, [cluster, lost])).toMatchObject([{ path: "networkAclId" }]);
    expect(unknowns(portMissing, [cluster, acl([], [], { tags: UNKNOWN })])).toMatchObject([
      { path: "tags" },
    ]);
  });

  const own = (more: Properties) =>
    resource(TYPE.networkAclRule, "deny", {
      ...{ networkAclId: "acl-1", egress: false, ruleNumber: 90, ruleAction: "deny" },
      ...{ protocol: "tcp", fromPort: 6443, toPort: 6443, cidrBlock: "10.0.0.0/16", ...more },
    });
  it.each<[string, Properties[], Resource[], string[]]>([
    ["number", [entry(90, [6443, 6443], { action: "deny", ruleNo: UNKNOWN })], [], ["ingress[0].ruleNo"]],
    ["action", [entry(90, [6443, 6443], { action: UNKNOWN })], [], ["ingress[0].action"]],
    ["number of a rule resource", [], [own({ ruleNumber: UNKNOWN })], ["ruleNumber"]],
    ["action of a rule resource", [], [own({ ruleAction: UNKNOWN })], ["ruleAction"]],
    [
      "number that another rule has",
      [entry(90, [6443, 6443], { action: "deny" }), entry(90, [6443, 6443])],
      [],
      ["ingress[0].ruleNo", "ingress[1].ruleNo"],
    ],
  ])("reports an unknown %s at the property of its rule", (_, inline, others, paths) => {
    const one = acl([...inline, every], [every], { id: "acl-1" });
    expect(unknowns(portMissing, [cluster, one, ...others], withNodes).map(({ path }) => path)).toEqual(
      paths,
    );
  });

  it("reports a deny in an ACL outside the stack as unknown, because other rules may decide first", () => {
    const component = resource("hypershift-network:index:HostedControlPlaneNetworkAcls", "net", {
      topology: { name: "tenant-a", namespace: "clusters" },
    });
    const rule = (name: string, egress: boolean, ruleAction = "allow"): Resource => ({
      ...resource(TYPE.networkAclRule, `net-control-plane-${name}`, {
        ...{ networkAclId: "acl-far", egress, ruleNumber: 100, ruleAction },
        ...{ protocol: "-1", cidrBlock: "0.0.0.0/0" },
      }),
      parent: component.origin.urn!,
    });
    const far = [rule("ingress-100", false, "deny"), rule("egress-100", true)];
    expect(violations(portMissing, [cluster, component, ...far])).toEqual([]);
    const said = unknowns(portMissing, [cluster, component, ...far]).map(({ message }) => message);
    expect(said).toContain(
      "NetworkAclRule net-control-plane-egress-100: networkAclId, the other rules of a network ACL that is not in this stack",
    );
  });

  it("reports unknown if a rule that denies a flow may be in the ACL", () => {
    const stray = resource(TYPE.networkAclRule, "stray", {
      ...{ networkAclId: UNKNOWN, egress: false, ruleNumber: 1, ruleAction: "deny" },
      ...{ protocol: "tcp", fromPort: 6443, toPort: 6443, cidrBlock: "10.0.0.0/16" },
    });
    const resources = [cluster, acl([every], [every]), stray];
    expect(violations(portMissing, resources)).toEqual([]);
    expect(unknowns(portMissing, resources, withNodes).map(({ path }) => path)).toEqual(["networkAclId"]);
  });

  it.each<[string, string, number]>([
    ["another protocol", "255", 0],
    ["a number that no protocol has, so that EC2 may have another rule", "256", 1],
  ])("reports a deny as unknown or not: %s", (_, protocol, count) => {
    const deny = entry(90, [0, 0], { action: "deny", protocol, cidrBlock: "10.0.0.0/16" });
    const resources = [cluster, acl([deny, every], [every])];
    expect(violations(portMissing, resources, withNodes)).toEqual([]);
    const reasons = unknowns(portMissing, resources, withNodes).map(({ message }) => message);
    expect(new Set(reasons.filter((message) => message.includes("unknown protocol"))).size).toBe(count);
  });

  it("reports a secret action as a secret", () => {
    const secret = { ...own({ ruleAction: UNKNOWN }), secrets: ["ruleAction"] };
    const one = acl([every], [every], { id: "acl-1" });
    const found = judge(portMissing, [cluster, one, secret], withNodes);
    expect(found.map(({ status, path }) => `${status} ${path}`)).toEqual(["unknown (secret) ruleAction"]);
  });

  it("requires traffic among nodes of the same role, which groups outside the plan allow", () => {
    const deny = (ports: [number, number], protocol: string, cidrBlock: string) =>
      violations(
        portMissing,
        [cluster, acl([entry(90, ports, { action: "deny", protocol, cidrBlock }), every], [every])],
        withNodes,
      ).map(({ hop, flow, path }) => [path, hop, ...(flow ?? [])]);
    expect(deny([6081, 6081], "17", "10.1.0.0/16")).toEqual([
      ["ingress[0]", "control-plane/ingress/nodes-geneve", "control-plane-pods-between-nodes"],
      ["ingress[0]", "control-plane/egress/nodes-geneve", "control-plane-pods-between-nodes"],
    ]);
    expect(deny([2379, 2379], "6", "10.1.128.0/17")).toEqual([
      ["ingress[0]", "control-plane/ingress/nodes-etcd-client", "control-plane-ingress-nodes-etcd-client"],
    ]);
    expect(deny([2379, 2379], "6", "10.2.0.0/16")).toEqual([]);
  });

  it.each<[string, PropertyValue, string[]]>([
    ["OVN-Kubernetes", "OVNKubernetes", ["UDP 6081"]],
    ["Calico", "Calico", ["UDP 4789"]],
    ["third-party software", "Other", []],
    ["a network type that is not known", UNKNOWN, []],
  ])("requires the tunnels of %s among workers", (_, networkType, dropped) => {
    const own = hostedCluster({ networking: networking("10.0.0.0/16", { networkType }) });
    const tunnels = [6081, 4789].map((port, at) =>
      entry(at + 1, [port, port], { action: "deny", protocol: "udp" }),
    );
    const found = violations(portMissing, [
      own,
      acl([...tunnels, every], [every], { tags: tags("workers") }),
    ]);
    const ports = found.map(({ message }) => /at (UDP \d+):/.exec(message)?.[1]);
    expect([...new Set(ports)]).toEqual(dropped);
  });

  it("does not judge ACLs without a role, or of other clusters", () => {
    expect(violations(portMissing, [cluster, acl([], [], { tags: {} })])).toEqual([]);
    const other = acl([], [], { tags: tags("control-plane", "tenant-b") });
    expect(violations(portMissing, [cluster, other])).toEqual([]);
    expect(unknowns(portMissing, [cluster, other])[0]?.message).toContain("no topology of cluster tenant-b");
  });

  it("reports an ACL with a role that no subnet has as unknown", () => {
    const idle = [cluster, acl([], [], { subnetIds: [] })];
    expect(violations(portMissing, idle)).toEqual([]);
    expect(unknowns(portMissing, idle)).toMatchObject([
      {
        path: "subnetIds",
        message: expect.stringContaining("no subnet of the stack has this network ACL") as string,
      },
    ]);
    expect(violations(portMissing, [cluster, acl([], [])])).not.toEqual([]);
  });

  it("checks the VPC endpoint against the ACL of the workers' subnets", () => {
    const found = violations(portMissing, [cluster, acl([], [every], { tags: tags("workers") })]);
    expect(found.map(({ requirement }) => requirement)).toContain("up-aws-vpce-443");
    expect(found.map(({ message }) => message).join()).toContain("the private endpoint of clusters/tenant-a");
  });
});
