import { answerPlan } from "../../../src/reachability/answers/answerPlan";
import { explainWritten } from "../../../src/reachability/answers/explain/explainWritten";
import { diffPlans } from "../../../src/reachability/answers/diff/diffPlans";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { judgedJourneys } from "../../../src/reachability/path/judge";
import { JudgedResources } from "../../../src/gate/judgedResources";
import { readConfiguration } from "../../../src/gate/readConfiguration";
import { portExcess } from "../../../src/securityGroups/rules/portExcess";
import { portMissing } from "../../../src/securityGroups/rules/portMissing";
import { portPublic } from "../../../src/securityGroups/rules/portPublic";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import {
  group,
  hostedCluster,
  networking,
  nodePool,
  tags,
  tcp,
  type Properties,
  violations,
} from "../../rules/builders";

const { configuration } = readConfiguration(
  {
    hostedClusters: [
      {
        name: "tenant-a",
        managementClusterCidrs: ["10.1.0.0/16"],
        loadBalancerSubnetCidrs: ["10.1.0.0/20"],
        dnsServerCidrs: ["10.1.0.2/32"],
        loadBalancerTargets: "ip",
      },
    ],
  },
  "c.yaml",
);
const cluster = hostedCluster({
  networking: networking("10.0.0.0/16"),
  platform: { type: "AWS", aws: { region: "eu-west-1", endpointAccess: "Private" } },
});
const everything = (more: Properties): Properties => ({ protocol: "-1", fromPort: 0, toPort: 0, ...more });
const OPEN = everything({ cidrBlocks: ["0.0.0.0/0"] });
const SELF = everything({ self: true });
const naming = (name: string) => everything({ securityGroups: [`sg-${name}`] });
const hosts = (name: string, role: string, rules: Partial<Record<"ingress" | "egress", PropertyValue>>) =>
  group(name, [OPEN], { id: `sg-${name}`, tags: tags(role), egress: [OPEN], ...rules });

/** Security groups of another hosted cluster, by role. */
const others = ["workers", "private-endpoint", "control-plane"].map((role) =>
  group(`other-${role}`, [], { id: `sg-other-${role}`, tags: tags(role, "tenant-b") }),
);

/** A plan with groups that allow everything, one of them replaced. */
function planWith(changed: Resource): Resource[] {
  const open = ["control-plane", "workers", "private-endpoint"].map((role) => hosts(role, role, {}));
  return [cluster, ...others, ...open.map((one) => (one.name === changed.name ? changed : one))];
}

/** The verdict on a flow, and whether `check` finds that a group drops it. */
function verdicts(flow: string, changed: Resource): string {
  const resources = planWith(changed);
  const { clusters, index, configuredGroups } = new JudgedResources(resources, configuration);
  const topology = clusters[0]!.topology!;
  const judged = judgedJourneys(
    index,
    topology,
    planGuards(index, topology, configuredGroups),
    configuredGroups,
  );
  const found = violations(portMissing, resources, configuration).filter((finding) =>
    finding.flow?.some((key) => key.includes(flow)),
  );
  return `${judged.find(({ journey }) => journey.key === flow)!.proof}, ${found.length > 0 ? "found" : "not found"}`;
}

describe("a rule that names a security group covers the hosts with that group, whatever their addresses", () => {
  const API = "workers-kube-apiserver";
  test.each<[string, string, Resource, string]>([
    [
      "drops workers at an endpoint whose rule names itself",
      API,
      hosts("private-endpoint", "private-endpoint", { ingress: [SELF] }),
      "refuted",
    ],
    [
      "allows workers at an endpoint whose rule names their group",
      API,
      hosts("private-endpoint", "private-endpoint", { ingress: [naming("workers")] }),
      "assumed",
    ],
    [
      "drops egress to the endpoint if the workers' rule names themselves",
      API,
      hosts("workers", "workers", { egress: [SELF, tcp(443, "0.0.0.0/0")] }),
      "refuted",
    ],
    [
      "drops egress to the endpoint if the workers' rule names control-plane hosts",
      API,
      hosts("workers", "workers", { egress: [naming("control-plane"), tcp(443, "0.0.0.0/0")] }),
      "refuted",
    ],
    [
      "allows egress to the endpoint if the workers' rule names its group",
      API,
      hosts("workers", "workers", { egress: [naming("private-endpoint"), tcp(443, "0.0.0.0/0")] }),
      "assumed",
    ],
    [
      "drops load balancers at hosts whose rule names themselves",
      API,
      hosts("control-plane", "control-plane", { ingress: [SELF] }),
      "refuted",
    ],
    [
      "allows load balancers at hosts whose rule has their addresses",
      API,
      hosts("control-plane", "control-plane", { ingress: [everything({ cidrBlocks: ["10.1.0.0/20"] })] }),
      "assumed",
    ],
    [
      "leaves workers unknown at an endpoint whose rule names an unknown group",
      API,
      hosts("private-endpoint", "private-endpoint", { ingress: [everything({ securityGroups: [UNKNOWN] })] }),
      "unknown",
    ],
  ])("%s", (_, flow, changed, expected) => {
    expect(verdicts(flow, changed)).toBe(`${expected}, ${expected === "refuted" ? "found" : "not found"}`);
  });
});

describe("the groups of a NodePool add up", () => {
  const DNS = "workers-egress-dns-tcp";
  const dns = { protocol: "tcp", fromPort: 53, toPort: 53, cidrBlocks: ["0.0.0.0/0"] };
  const kubelet = tcp(10250, "0.0.0.0/0");
  const untagged = group("more", [kubelet], { id: "sg-more", tags: {}, egress: [dns] });
  const nodes = hosts("nodes", "workers", { ingress: [], egress: [] });
  const pool = (...ids: PropertyValue[]) =>
    nodePool("np", { platform: { aws: { securityGroups: ids.map((id) => ({ id })) } } });
  const created = (name: string, egress: Properties[]) => group(name, [], { tags: {}, egress });
  const [silent, open] = [created("silent", []), created("open", [dns])];
  const choosing = (ids: PropertyValue) =>
    nodePool("np", { platform: { aws: { securityGroups: ids } } }, "clusters", { spec: [silent, open] });

  const [EAST, WEST] = ["east", "west"].map(
    (name) => `urn:pulumi:dev::net::pulumi:providers:kubernetes::${name}`,
  ) as [string, string];
  const unclaimed = (namespace?: string) =>
    nodePool(
      "np",
      { clusterName: UNKNOWN, platform: { aws: { securityGroups: [{ id: "sg-elsewhere" }] } } },
      namespace,
    );
  const withSpec = (spec: PropertyValue): Resource => {
    const made = nodePool("np");
    return { ...made, properties: { ...made.properties, spec } };
  };

  test.each<[string, Resource[], object]>([
    [
      "with a group that has no tags",
      [nodes, untagged, pool("sg-nodes", "sg-more")],
      { proof: "proved", missing: false, open: ["ingress[0].cidrBlocks[0]"] },
    ],
    [
      "even if all of them have no tags",
      [untagged, pool("sg-more")],
      { proof: "proved", missing: false, open: ["ingress[0].cidrBlocks[0]"] },
    ],
    [
      "but not with a group that no NodePool attaches",
      [nodes, untagged, pool("sg-nodes")],
      { proof: "refuted", missing: true, open: [] },
    ],
    [
      "but not with a group that another cluster's NodePool attaches",
      [
        nodes,
        untagged,
        nodePool("np", {
          clusterName: "tenant-b",
          platform: { aws: { securityGroups: [{ id: "sg-more" }] } },
        }),
      ],
      { proof: "refuted", missing: true, open: [] },
    ],
    [
      "and what one of them allows that is not in the stack is unknown",
      [nodes, pool("sg-nodes", "sg-elsewhere")],
      { proof: "unknown", missing: false, open: [] },
    ],
    [
      "and it is unknown which of those are attached that an unknown id may name",
      [nodes, silent, open, choosing([{ id: "sg-nodes" }, { id: UNKNOWN }])],
      { proof: "unknown", missing: false, open: [] },
    ],
    [
      "and it is unknown which of those are attached that an unknown list may name",
      [nodes, silent, open, choosing(UNKNOWN)],
      { proof: "unknown", missing: false, open: [] },
    ],
    [
      "even if nothing else is known to be attached",
      [silent, open, choosing([{ id: UNKNOWN }])],
      { proof: "unknown", missing: false, open: [] },
    ],
    [
      "and it is unknown which group an unknown id is that no group of the stack explains",
      [nodes, silent, open, pool("sg-nodes", UNKNOWN)],
      { proof: "unknown", missing: false, open: [] },
    ],
    [
      "and a NodePool without filters has no others",
      [nodes, nodePool("np", { platform: { aws: { securityGroups: [{ id: "sg-nodes", filters: [] }] } } })],
      { proof: "refuted", missing: true, open: [] },
    ],
    [
      "and it is unknown which group a filter finds",
      [
        nodes,
        nodePool("np", {
          platform: { aws: { securityGroups: [{ filters: [{ name: "tag:a", values: ["b"] }] }] } },
        }),
      ],
      { proof: "unknown", missing: false, open: [] },
    ],
    ["and an empty id is none", [nodes, pool("")], { proof: "refuted", missing: true, open: [] }],
    [
      "and a NodePool of a cluster that is not known may be any cluster's",
      [nodes, unclaimed()],
      { proof: "unknown", missing: false, open: [] },
    ],
    [
      "and so may a NodePool of which nothing is known",
      [nodes, withSpec(UNKNOWN)],
      { proof: "unknown", missing: false, open: [] },
    ],
    [
      "but not in another namespace",
      [nodes, unclaimed("elsewhere")],
      { proof: "refuted", missing: true, open: [] },
    ],
    [
      "but not in another management cluster",
      [nodes, { ...unclaimed(), provider: WEST }],
      { proof: "refuted", missing: true, open: [] },
    ],
    [
      "but not if all groups that it attaches are those of the workers already",
      [
        { ...nodes, properties: { ...nodes.properties, id: "sg-nodes" } },
        nodePool("np", { clusterName: UNKNOWN, platform: { aws: { securityGroups: [{ id: "sg-nodes" }] } } }),
      ],
      { proof: "refuted", missing: true, open: [] },
    ],
    [
      "but not if it attaches no groups",
      [nodes, nodePool("np", { clusterName: UNKNOWN, platform: { aws: {} } })],
      { proof: "refuted", missing: true, open: [] },
    ],
    [
      "but as many unknown ids as groups are all of them",
      [nodes, silent, open, choosing([{ id: UNKNOWN }, { id: UNKNOWN }])],
      { proof: "proved", missing: false, open: [] },
    ],
  ])("%s", (_, more, expected) => {
    const resources = [{ ...cluster, provider: EAST }, ...more];
    const { clusters, index, configuredGroups } = new JudgedResources(resources, configuration);
    const topology = clusters.find(({ name }) => name === "tenant-a")!.topology!;
    const guards = planGuards(index, topology, configuredGroups);
    const judged = judgedJourneys(index, topology, guards, configuredGroups);
    const missing = violations(portMissing, resources, configuration);
    expect({
      proof: judged.find(({ journey }) => journey.key === DNS)!.proof,
      missing: missing.some(({ flow }) => flow?.some((key) => key.includes(DNS))),
      open: violations(portPublic, resources, configuration).map(({ path }) => path),
    }).toEqual(expected);
  });
});

describe("a group whose tags are not known", () => {
  const DNS = "workers-egress-dns-tcp";
  const shut = hosts("nodes", "workers", { ingress: [], egress: [] });
  const tagged = (given: PropertyValue, more: Properties = {}) =>
    group("later", [], { id: "sg-later", tags: given, egress: [OPEN], ...more });
  const ROLE = "hypershift-network/role";
  const CLUSTER = "hypershift-network/cluster";

  test.each<[string, Resource, string]>([
    ["may be one of any hosts", tagged(UNKNOWN), "unknown, not found"],
    [
      "may be one of any hosts, with a role that is no role",
      tagged({ [ROLE]: "master" }),
      "unknown, not found",
    ],
    [
      "may be one of the hosts in any cluster",
      tagged({ [ROLE]: "workers", [CLUSTER]: UNKNOWN }),
      "unknown, not found",
    ],
    [
      "is none of the hosts in another role",
      tagged({ [ROLE]: "control-plane", [CLUSTER]: UNKNOWN }),
      "refuted, found",
    ],
    ["is none of the hosts without tags", tagged({}), "refuted, found"],
    ["changes nothing if it allows nothing", tagged(UNKNOWN, { egress: [] }), "refuted, found"],
    [
      "is none of the hosts if it is of another cluster",
      tagged({ [ROLE]: UNKNOWN, [CLUSTER]: "tenant-b" }),
      "refuted, found",
    ],
    ["may be one of the cluster's", tagged({ [ROLE]: UNKNOWN, [CLUSTER]: "tenant-a" }), "unknown, not found"],
  ])("%s", (_, later, expected) => {
    expect(verdictsWith([later])).toBe(expected);
  });

  test("are one of any hosts if there are too many to read their rules", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => group(`later-${n}`, [], { tags: UNKNOWN, egress: [] }));
    expect([50, 51].map((count) => verdictsWith(many(count)))).toEqual([
      "refuted, found",
      "unknown, not found",
    ]);
  });

  test("is counted by role, in `check` and in `prove`", () => {
    const many = (role: string) =>
      Array.from({ length: 30 }, (_, n) =>
        group(`${role}-${n}`, [], { tags: { [ROLE]: role, [CLUSTER]: UNKNOWN }, egress: [] }),
      );
    expect(verdictsWith([...many("workers"), ...many("control-plane")])).toBe("refuted, found");
  });

  test("is counted once, however many NodePools may attach it", () => {
    const two = ["a", "b"].map((name) => group(name, [], { tags: {}, egress: [] }));
    const pools = Array.from({ length: 30 }, (_, n) =>
      nodePool(`np-${n}`, { platform: { aws: { securityGroups: [{ id: UNKNOWN }] } } }, "clusters", {
        spec: two,
      }),
    );
    expect(verdictsWith([...two, ...pools])).toBe("refuted, found");
  });

  test("is named as a group, not as a host", () => {
    const judged = new JudgedResources([cluster, shut, tagged(UNKNOWN)], configuration);
    const messages = portMissing.judge(judged).map((one) => ("message" in one ? one.message : undefined));
    expect(messages).toContain("clusters/tenant-a: security group later may belong to these hosts");
  });

  function verdictsWith(later: readonly Resource[]): string {
    const resources = [cluster, shut, ...later];
    const judged = new JudgedResources(resources, configuration);
    const { topology } = judged.clusters[0]!;
    const guards = planGuards(judged.index, topology!, judged.configuredGroups);
    const found = judgedJourneys(judged.index, topology!, guards, judged.configuredGroups);
    const missing = violations(portMissing, resources, configuration).filter(({ flow }) =>
      flow?.some((key) => key.includes(DNS)),
    );
    return `${found.find(({ journey }) => journey.key === DNS)!.proof}, ${missing.length > 0 ? "found" : "not found"}`;
  }
});

describe("a rule that names the security group of another cluster's hosts", () => {
  const asked = { protocol: "tcp", fromPort: 2022, toPort: 2022 };
  const narrow = (source: Properties, more: Properties = {}) =>
    hosts("control-plane", "control-plane", { ingress: [{ ...asked, ...source }], egress: [], ...more });
  const tenants = (...clusters: object[]) =>
    readConfiguration({ hostedClusters: clusters }, "c.yaml").configuration;
  const named = { name: "tenant-a", managementClusterCidrs: ["10.1.0.0/16"] };
  const other = { name: "tenant-b" };
  const naming = (...names: string[]): Properties => ({ securityGroups: names.map((name) => `sg-${name}`) });

  interface Case {
    changed: Resource;
    configured?: ReturnType<typeof tenants>;
    more?: Resource[];
    hosted?: Resource;
  }

  /** What `check` finds and `prove` lists of what the changed group opens to another cluster's hosts. */
  function opened({ changed, configured = tenants(named, other), more = [], hosted = cluster }: Case) {
    const resources = [...planWith(changed).map((one) => (one === cluster ? hosted : one)), ...more];
    const { clusters, index, configuredGroups } = new JudgedResources(resources, configured);
    const { topology } = clusters.find(({ name }) => name === "tenant-a")!;
    const { excess } = answerPlan({ index, topology: topology!, configured: configuredGroups });
    const ofGroup = ({ name }: { name: string }) => name === changed.name;
    const found = violations(portExcess, resources, configured);
    return {
      check: found.flatMap(({ resource, path, message }) =>
        resource.urn === changed.origin.urn && message.includes("tenant-b") ? [`${path}: ${message}`] : [],
      ),
      prove: excess.flatMap(({ rule, places }) =>
        rule && ofGroup(rule)
          ? places
              .flatMap(({ place, packets }) => packets.map((line) => `${line}, ${place}`))
              .filter((line) => line.includes("tenant-b"))
          : [],
      ),
    };
  }
  const NOTHING = { check: [], prove: [] };

  test.each([
    ["workers", "workers"],
    ["private-endpoint", "the private endpoint"],
  ])("%s", (role, words) => {
    const line = `TCP 2022 from ${words} of clusters/tenant-b`;
    expect(opened({ changed: narrow(naming("workers", `other-${role}`)) })).toEqual({
      check: [
        `ingress[0].securityGroups[1]: lets ${line} reach control-plane hosts of clusters/tenant-a, which no documented flow needs`,
      ],
      prove: [`${line}, ingress of control-plane`],
    });
  });

  test("is excess for egress too, and for groups that only the configuration lists", () => {
    const changed = hosts("control-plane", "control-plane", {
      ingress: [],
      egress: [{ ...asked, ...naming("elsewhere") }],
    });
    const listing = { name: "tenant-b", namespace: "others", securityGroups: { workers: ["sg-elsewhere"] } };
    const line = "TCP 2022 to workers of others/tenant-b";
    expect(opened({ changed, configured: tenants(named, listing) })).toEqual({
      check: [
        `egress[0].securityGroups[0]: lets control-plane hosts of clusters/tenant-a send ${line}, which no documented flow needs`,
      ],
      prove: [`${line}, egress of control-plane`],
    });
    expect(opened({ changed })).toEqual(NOTHING);
  });

  const listing = (cluster: object, role: string, id: string) => ({
    ...cluster,
    securityGroups: { [role]: [`sg-${id}`] },
  });
  test.each<[string, Case]>([
    ["its own workers", { changed: narrow(naming("workers")) }],
    [
      "nodes of another control plane, which may be the same nodes",
      { changed: narrow(naming("other-control-plane")) },
    ],
    [
      "hosts that both clusters share",
      {
        changed: narrow(naming("elsewhere")),
        configured: tenants(listing(named, "workers", "elsewhere"), listing(other, "workers", "elsewhere")),
      },
    ],
    [
      "workers of a cluster that are nodes of this one's control plane",
      {
        changed: narrow(naming("elsewhere")),
        configured: tenants(
          listing(other, "workers", "elsewhere"),
          listing(named, "controlPlane", "elsewhere"),
        ),
      },
    ],
    [
      "workers of a cluster whose control plane is on the same nodes",
      {
        changed: narrow(naming("other-workers")),
        configured: tenants(
          listing(named, "controlPlane", "control-plane"),
          listing(other, "controlPlane", "control-plane"),
        ),
      },
    ],
    [
      "workers, in a node group whose cluster is not stated",
      {
        changed: narrow(naming("other-workers"), { tags: { "hypershift-network/role": "control-plane" } }),
      },
    ],
    [
      "a cluster without a description, whose name may be misspelled",
      { changed: narrow(naming("other-workers")), configured: tenants(named) },
    ],
    [
      "workers at the API server, which any client may use",
      { changed: narrow({ ...naming("other-workers"), fromPort: 6443, toPort: 6443 }) },
    ],
    [
      "workers whose group a NodePool of the judged cluster uses too",
      {
        changed: narrow(naming("other-workers")),
        more: [nodePool("extra", { platform: { aws: { securityGroups: [{ id: "sg-other-workers" }] } } })],
      },
    ],
    [
      "machines on KubeVirt nodes, which guests share",
      { changed: narrow(naming("other-workers")), hosted: hostedCluster({ platform: { type: "KubeVirt" } }) },
    ],
    [
      "hosts, in a rule with an unknown port",
      { changed: narrow({ ...naming("other-workers"), fromPort: UNKNOWN }) },
    ],
    [
      "hosts, in a rule whose first port is above its last",
      { changed: narrow({ ...naming("other-workers"), fromPort: 9, toPort: 8 }) },
    ],
    [
      "hosts, in a rule that a controller writes",
      { changed: narrow({ ...naming("other-workers"), description: "kubernetes.io/rule/nlb/health=api" }) },
    ],
    [
      "hosts, in a group that a controller owns",
      {
        changed: narrow(naming("other-workers"), {
          tags: { ...tags("control-plane"), "kubernetes.io/cluster/x": "owned" },
        }),
      },
    ],
  ])("is no excess for %s", (_, one) => {
    expect(opened(one)).toEqual(NOTHING);
  });

  test("is no excess if its tag has no namespace and may mean either of two clusters", () => {
    const twice = tenants(named, { ...other, namespace: "east" }, { ...other, namespace: "west" });
    expect(opened({ changed: narrow(naming("other-workers")), configured: twice })).toEqual(NOTHING);
  });

  test.each<[string, Properties, string[]]>([
    [
      "clients of any address",
      { ...naming("other-workers"), fromPort: 443, toPort: 6443 },
      ["control-plane/ingress/kube-apiserver", "control-plane/ingress/router-clients"],
    ],
    [
      "the workers that the rule also names",
      { ...naming("other-workers", "workers"), fromPort: 443, toPort: 2022 },
      ["control-plane/ingress/router", "control-plane/ingress/router-clients"],
    ],
    [
      "users at the router's port",
      { ...naming("other-workers"), fromPort: 443, toPort: 443 },
      ["control-plane/ingress/router-clients"],
    ],
    [
      "users of the API server",
      { ...naming("other-workers"), fromPort: 6443, toPort: 6443 },
      ["control-plane/ingress/kube-apiserver"],
    ],
  ])("is explained as needed by %s", (_, rule, flows) => {
    const { clusters, index, configuredGroups } = new JudgedResources(
      planWith(narrow(rule)),
      tenants(named, other),
    );
    const { topology } = clusters.find(({ name }) => name === "tenant-a")!;
    const group = index.resources.find(({ name }) => name === "control-plane")!;
    const question = { index, topology: topology!, configured: configuredGroups };
    const { places } = explainWritten(question, group, "ingress[0]");
    expect(places.flatMap((place) => place.flows.map(({ key }) => key))).toEqual(flows);
  });

  test("may open everything if a change adds it", () => {
    const side = (changed: Resource) => {
      const { clusters, index } = new JudgedResources(planWith(changed), tenants(named, other));
      return { index, topology: clusters.find(({ name }) => name === "tenant-a")!.topology! };
    };
    const { changes, unknown } = diffPlans(
      side(narrow(naming("workers"))),
      side(narrow(naming("other-workers"))),
    );
    expect(changes.map(({ kind, place }) => `${kind} ${place}`)).toContain(
      "new-principal ingress of control-plane",
    );
    expect(unknown).toMatchObject([{ path: "ingress[0].securityGroups[0]" }]);
  });
});
