import { UNKNOWN, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { portMissing } from "../../../src/securityGroups/rules/portMissing";
import {
  group,
  hostedCluster,
  judge,
  resource,
  stating,
  tags,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

const cluster = hostedCluster();

/** An entry of a network ACL, with TCP and everybody unless said otherwise. */
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

describe("port-missing, network ACLs before the hosts", () => {
  it("an ACL that lets everything pass both ways is no finding", () => {
    expect(violations(portMissing, [cluster, acl([every], [every])])).toEqual([]);
    expect(unknowns(portMissing, [cluster, acl([every], [every])])).toEqual([]);
  });

  it("M5 names the rule that denies half of the workers, and where an allow has to stand", () => {
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

  it("names the one of two ACLs of the workers that drops packets, and not the one that lets everything pass", () => {
    const workers = (name: string, ...egress: Properties[]): Resource => ({
      ...acl([every], [...egress, every], { tags: tags("workers") }),
      origin: { urn: `urn:${name}` },
      name,
    });
    const two = [workers("closed", entry(1, [443, 443], { action: "deny" })), workers("open")];
    const found = violations(portMissing, [cluster, ...two]);
    expect(found.map(({ message }) => /ACL (\w+) drops/.exec(message)?.[1])).toEqual(["closed"]);
  });

  it("a deny behind the allow decides nothing", () => {
    const deny = entry(110, [6443, 6443], { action: "deny" });
    expect(violations(portMissing, [cluster, acl([every, deny], [every])])).toEqual([]);
  });

  it("the answers have to pass too: an ACL keeps no state", () => {
    const outward = [
      entry(1, [443, 443]),
      entry(2, [6443, 6443]),
      entry(3, [53, 53]),
      entry(4, [53, 53], { protocol: "17" }),
    ];
    const found = violations(portMissing, [cluster, acl([every], outward)]);
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
    expect(violations(portMissing, [cluster, acl([every], [...outward, answers])])).toEqual([]);
  });

  it("what workers send to their proxy passes the ACL of their subnets, and no group is asked for it", () => {
    const proxied = hostedCluster({ configuration: { proxy: { httpsProxy: "http://198.51.100.9:3128" } } });
    const nodes = (egress: Properties[]) => [proxied, acl([every], egress, { tags: tags("workers") })];
    const isProxy = ({ message }: { message: string }) => message.includes("3128");
    expect(violations(portMissing, nodes([every])).filter(isProxy)).toEqual([]);
    const deny = entry(90, [3128, 3128], { action: "deny" });
    expect(violations(portMissing, nodes([deny, every])).filter(isProxy)).toMatchObject([
      { path: "egress[0]", flow: ["workers-https-proxy"], hop: "workers/egress/https-proxy" },
    ]);
    const own = group("nodes", [], { tags: tags("workers"), egress: [] });
    expect(violations(portMissing, [proxied, own]).filter(isProxy)).toEqual([]);
    expect(violations(portMissing, [proxied, acl([every], [deny, every])]).filter(isProxy)).toEqual([]);
  });

  describe("what load balancers send to node ports", () => {
    const deny = (cidrBlock: string) => [entry(90, [30000, 32767], { action: "deny", cidrBlock }), every];
    const named = { loadBalancerSubnetCidrs: ["10.1.0.0/24"], externalClientCidrs: ["203.0.113.0/24"] };
    const open = hostedCluster({
      platform: { type: "AWS", aws: { region: "us-east-1", endpointAccess: "Public" } },
    });
    const hops = (cidrBlock: string, topology: object) =>
      violations(portMissing, [open, acl(deny(cidrBlock), [every])], stating(topology)).map(
        ({ hop, message }) => `${hop} from ${/ (\S+) to control-plane hosts/.exec(message)?.[1]}`,
      );

    it("passes the ACL with instance targets, users with their own addresses included", () => {
      const topology = { ...named, loadBalancerTargets: "instance" };
      expect(hops("203.0.113.128/25", topology)).toEqual([
        "control-plane/ingress/load-balancer-clients from 203.0.113.128/25",
      ]);
      expect(hops("198.51.100.0/24", topology)).toEqual([]);
      const { externalClientCidrs: _, ...nobody } = topology;
      expect(hops("203.0.113.128/25", nobody)).toEqual([]);
    });

    it("is one finding for health checks and for the workers' packets, which come from the same addresses", () => {
      expect(hops("10.1.0.0/24", { ...named, loadBalancerTargets: "instance" })).toEqual([
        "control-plane/ingress/load-balancer-node-ports from 10.1.0.0/24",
      ]);
    });

    it("is health checks where the kind of target is not stated, and nothing with IP targets", () => {
      expect(hops("0.0.0.0/0", named)).toEqual([
        "control-plane/ingress/load-balancer-health from 10.1.0.0/24",
      ]);
      expect(hops("0.0.0.0/0", { ...named, loadBalancerTargets: "ip" })).toEqual([]);
    });

    it("is not asked of groups, which the controller of the load balancers opens", () => {
      const own = group("hosts", [], { tags: tags() });
      const found = violations(
        portMissing,
        [open, own],
        stating({ ...named, loadBalancerTargets: "instance" }),
      );
      expect(found.filter(({ hop }) => hop?.endsWith("load-balancer-clients"))).toEqual([]);
    });
  });

  it("of HTTPS everywhere, which is assumed for want of registryCidrs, what is stated of endpoints has to pass whole", () => {
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

  it("rules that are resources of their own count by their numbers", () => {
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

  it("an unknown value decides nothing, and is counted", () => {
    const unsure = entry(90, [6443, 6443], { action: UNKNOWN });
    const resources = [cluster, acl([unsure, every], [every])];
    expect(violations(portMissing, resources)).toEqual([]);
    expect(unknowns(portMissing, resources)).toMatchObject([{ path: "ingress[0].action" }]);
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
    ["number, in a resource of its own,", [], [own({ ruleNumber: UNKNOWN })], ["ruleNumber"]],
    ["action, in a resource of its own,", [], [own({ ruleAction: UNKNOWN })], ["ruleAction"]],
    [
      "number, which another rule has,",
      [entry(90, [6443, 6443], { action: "deny" }), entry(90, [6443, 6443])],
      [],
      ["ingress[0].ruleNo", "ingress[1].ruleNo"],
    ],
  ])("a %s that is not known is named as its rule writes it", (_, inline, others, paths) => {
    const one = acl([...inline, every], [every], { id: "acl-1" });
    expect(unknowns(portMissing, [cluster, one, ...others]).map(({ path }) => path)).toEqual(paths);
  });

  it("of an ACL that is elsewhere other rules may decide first: what its own drop is unknown", () => {
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

  it("a rule that may stand in the ACL, before its others, leaves open what it drops", () => {
    const stray = resource(TYPE.networkAclRule, "stray", {
      ...{ networkAclId: UNKNOWN, egress: false, ruleNumber: 1, ruleAction: "deny" },
      ...{ protocol: "tcp", fromPort: 6443, toPort: 6443, cidrBlock: "10.0.0.0/16" },
    });
    const resources = [cluster, acl([every], [every]), stray];
    expect(violations(portMissing, resources)).toEqual([]);
    expect(unknowns(portMissing, resources).map(({ path }) => path)).toEqual(["networkAclId"]);
  });

  it("an action that is a secret is said as that: no later run can tell", () => {
    const secret = { ...own({ ruleAction: UNKNOWN }), secrets: ["ruleAction"] };
    const one = acl([every], [every], { id: "acl-1" });
    expect(judge(portMissing, [cluster, one, secret]).map(({ status, path }) => `${status} ${path}`)).toEqual(
      ["unknown (secret) ruleAction"],
    );
  });

  it("ACLs without a role, and those of other clusters, are not judged", () => {
    expect(violations(portMissing, [cluster, acl([], [], { tags: {} })])).toEqual([]);
    const other = acl([], [], { tags: tags("control-plane", "tenant-b") });
    expect(violations(portMissing, [cluster, other])).toEqual([]);
    expect(unknowns(portMissing, [cluster, other])[0]?.message).toContain("no topology of cluster tenant-b");
  });

  it("the ACL of the workers' subnets stands before the VPC endpoint too", () => {
    const found = violations(portMissing, [cluster, acl([], [every], { tags: tags("workers") })]);
    expect(found.map(({ requirement }) => requirement)).toContain("up-aws-vpce-443");
    expect(found.map(({ message }) => message).join()).toContain("the private endpoint of clusters/tenant-a");
  });
});
