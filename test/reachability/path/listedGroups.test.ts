import { JudgedResources } from "../../../src/gate/judgedResources";
import { readConfiguration } from "../../../src/gate/readConfiguration";
import { isUnguarded, planGuards } from "../../../src/reachability/path/planGuards";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import { answerPlan } from "../../../src/reachability/answers/answerPlan";
import { explainWritten } from "../../../src/reachability/answers/explain/explainWritten";
import type { Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { planQuestion } from "../../../src/rules/conclusion";
import { portMissing } from "../../../src/securityGroups/rules/portMissing";
import { portPublic } from "../../../src/securityGroups/rules/portPublic";
import { bootstrapPortOpen, portExcess } from "../../../src/securityGroups/rules/portExcess";
import {
  group,
  hostedCluster,
  networking,
  resource,
  services,
  tags,
  tcp,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

/** The groups that guard the workers of each configured cluster. */
function guardsOf(...entries: { name: string; namespace?: string; workers: string[] }[]) {
  const hostedClusters = entries.map(({ workers, ...entry }) => ({
    ...entry,
    platform: "AWS",
    machineNetwork: [{ cidr: "10.0.0.0/16" }],
    securityGroups: { workers },
  }));
  const groups = [1, 2].map((port) => group(`g-${port}`, [tcp(port, "10.0.0.0/8")], { tags: {} }));
  const { configuration } = readConfiguration({ hostedClusters }, "c.yaml");
  const { clusters, index, configuredGroups } = new JudgedResources(groups, configuration);
  return clusters.map(({ key, topology }) => {
    const guards = planGuards(index, topology!, configuredGroups).hosts(Role.Workers, Direction.Ingress);
    expect(isUnguarded(index, topology!, configuredGroups)).toBe(guards.length === 0);
    const names = guards.flatMap(({ standing }) =>
      standing?.kind === "securityGroups" ? standing.groups.map(({ resource }) => resource?.name) : [],
    );
    return [key, ...names].join(" ");
  });
}

describe("security groups that a configuration lists", () => {
  it("guard each cluster that lists them", () => {
    expect(
      guardsOf(
        { name: "a", workers: ["g-1"] },
        { name: "b", workers: ["g-1", "g-2"] },
        { name: "c", workers: [] },
      ),
    ).toEqual(["clusters/a g-1", "clusters/b g-1 g-2", "clusters/c"]);
  });

  it("guard the cluster of their namespace, and no other of the same name", () => {
    expect(
      guardsOf(
        { name: "a", namespace: "x", workers: ["g-1"] },
        { name: "a", namespace: "y", workers: ["g-2"] },
      ),
    ).toEqual(["x/a g-1", "y/a g-2"]);
  });
});

describe("a role that tags may give in several clusters", () => {
  const role = { "hypershift-network/role": "workers" };
  const https = { ...tcp(443, "0.0.0.0/0") };
  const everything = { protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["0.0.0.0/0"] };
  const nodes = (its: Properties, name = "nodes") =>
    group(name, [tcp(10250, "0.0.0.0/0")], { tags: its, egress: [https] });
  const inNamespace = (namespace: string, name: string): Resource => {
    const made = hostedCluster({}, name);
    const { properties, origin } = made;
    return {
      ...made,
      origin: { urn: `${origin.urn}-${namespace}` },
      properties: { ...properties, metadata: { name, namespace } },
    };
  };
  const two = [hostedCluster({}, "tenant-a"), hostedCluster({}, "tenant-b")];
  const alike = [inNamespace("prod", "tenant-a"), inNamespace("stage", "tenant-a")];
  const NO_CLUSTER = "it names the role workers, but none of the hosted clusters";
  const OF_SEVERAL =
    "it names the role workers of cluster tenant-a, but several hosted clusters have that name";
  const drop = resource(TYPE.networkAcl, "drop", { tags: role, ingress: [], egress: [] });
  const endpoints = group("endpoint", [], { tags: { "hypershift-network/role": "private-endpoint" } });

  /** What `prove` and `check` say about the first cluster. */
  function verdicts(...resources: Resource[]) {
    const judged = new JudgedResources(resources);
    const answer = answerPlan(planQuestion(judged, judged.clusters[0]!.topology!));
    const dns = answer.flows.find(({ key }) => key === "workers-egress-dns-tcp")!;
    const reasons = unknowns(portMissing, resources).map(({ message }) => message);
    return {
      prove: dns.proof,
      refuted: answer.summary.refuted > 0,
      check: violations(portMissing, resources).length > 0,
      reasons: [NO_CLUSTER, OF_SEVERAL].filter((one) => reasons.some((reason) => reason.includes(one))),
    };
  }
  const UNKNOWN_CLUSTER = { refuted: false, check: false };

  it.each<[string, Resource[], object]>([
    [
      "is certain if there is only one cluster",
      [two[0]!, nodes(role)],
      { prove: "refuted", refuted: true, check: true, reasons: [] },
    ],
    [
      "is certain with a namespace",
      [...alike, nodes(tags("workers", "prod/tenant-a"))],
      { prove: "refuted", refuted: true, check: true, reasons: [] },
    ],
    [
      "is unknown without a name",
      [...two, nodes(role)],
      { ...UNKNOWN_CLUSTER, prove: "unknown", reasons: [NO_CLUSTER] },
    ],
    [
      "is unknown with a name in two namespaces",
      [...alike, nodes(tags("workers"))],
      { ...UNKNOWN_CLUSTER, prove: "unknown", reasons: [OF_SEVERAL] },
    ],
    [
      "is unknown beside groups of the cluster, to which it may add",
      [...two, nodes(tags("workers")), group("more", [], { tags: role, egress: [everything] })],
      { ...UNKNOWN_CLUSTER, prove: "unknown", reasons: [NO_CLUSTER] },
    ],
    [
      "is refuted beside groups of the cluster if it allows no more than those",
      [...two, nodes(tags("workers")), nodes(role, "more")],
      { refuted: true, check: true, prove: "refuted", reasons: [NO_CLUSTER] },
    ],
    [
      "is unknown for a network ACL",
      [...two, drop],
      { ...UNKNOWN_CLUSTER, prove: "unknown", reasons: [NO_CLUSTER] },
    ],
    [
      "leaves other roles alone",
      [...two, nodes(tags("workers")), endpoints],
      { refuted: true, check: true, prove: "refuted", reasons: [] },
    ],
  ])("%s", (_, resources, expected) => {
    expect(verdicts(...resources)).toEqual(expected);
  });

  it("does not hide a port that is open to everybody in each of the clusters", () => {
    const found = (...resources: Resource[]) =>
      violations(portPublic, resources).map(({ path, message }) => `${path}: ${message.split(". ")[0]}`);
    const open = "ingress[0].cidrBlocks[0]: workers of clusters/tenant-a or clusters/tenant-b are open";
    expect(found(...two, nodes(role))).toEqual([expect.stringContaining(open)]);
    expect(found(...[...two].reverse(), nodes(role))).toEqual([expect.stringContaining(open)]);
    expect(found(...alike, nodes(tags("workers")))).toHaveLength(1);
    expect(found(...two, group("nodes", [tcp(10250, "10.0.0.0/16")], { tags: role }))).toEqual([]);
    expect(found(...two, nodes({}))).toEqual([]);
  });
});

describe("what clusters need that share their hosts", () => {
  const from = (...blocks: string[]) => [6443, 443].map((port) => ({ ...tcp(port, ""), cidrBlocks: blocks }));
  const [a, b] = ["10.0.0.0/16", "10.2.0.0/16"];
  const clusters = [
    hostedCluster({ networking: networking(a) }, "tenant-a"),
    hostedCluster({ networking: networking(b) }, "tenant-b"),
  ];
  const entries = (listing: string[], more: object = {}) =>
    ["tenant-a", "tenant-b"].map((name) => ({
      name,
      managementClusterCidrs: ["10.1.0.0/16"],
      externalClientCidrs: ["203.0.113.0/24"],
      loadBalancerTargets: "ip",
      loadBalancerSubnetCidrs: ["10.1.0.0/20"],
      ...(listing.includes(name) && { securityGroups: { controlPlane: ["hosts"] } }),
      ...(name === "tenant-a" && more),
    }));
  const BOTH = ["tenant-a", "tenant-b"];

  /** What `check`, `prove` and `explain` call excess: the clusters of findings, and the packets in answers. */
  function excessOf(filter: Resource, listing: string[], hosted = clusters) {
    const resources = [...hosted, filter];
    const { configuration } = readConfiguration({ hostedClusters: entries(listing) }, "c.yaml");
    const judged = new JudgedResources(resources, configuration);
    const questions = judged.clusters.map(({ topology }) => planQuestion(judged, topology!));
    const packets = (places: readonly { packets: readonly string[] }[]) =>
      places.flatMap((place) => place.packets);
    return {
      check: violations(portExcess, resources, configuration).map(
        ({ message }) => /tenant-./.exec(message)?.[0],
      ),
      prove: questions.flatMap((one) => answerPlan(one).excess.flatMap(({ places }) => packets(places))),
      explain: questions.flatMap((one) =>
        explainWritten(one, filter).places.flatMap(({ excess = [] }) => excess),
      ),
    };
  }
  const NOTHING = { check: [], prove: [], explain: [] };

  it("is no excess in a group of both", () => {
    expect(excessOf(group("hosts", from(a, b), { tags: {} }), BOTH)).toEqual(NOTHING);
  });

  it("is excess in a group of one of them", () => {
    const lines = ["TCP 6443 from 10.2.0.0/16", "TCP 443 from 10.2.0.0/16"];
    expect(excessOf(group("hosts", from(a, b), { tags: {} }), ["tenant-a"])).toEqual({
      check: ["tenant-a", "tenant-a"],
      prove: lines,
      explain: lines,
    });
  });

  it("does not hide what none of them needs", () => {
    const lines = ["TCP 6443 from 10.9.0.0/16", "TCP 443 from 10.9.0.0/16"];
    const wide = group("hosts", from(a, b, "10.9.0.0/16"), { tags: {} });
    expect(excessOf(wide, BOTH)).toEqual({
      check: ["tenant-a", "tenant-a", "tenant-b", "tenant-b"],
      prove: [...lines, ...lines],
      explain: [...lines, ...lines],
    });
    const { configuration } = readConfiguration({ hostedClusters: entries(BOTH) }, "c.yaml");
    expect(violations(portExcess, [...clusters, wide], configuration)[0]?.fix).toMatch(
      /^narrow it to TCP 6443 from 10\.0\.0\.0\/16, 10\.2\.0\.0\/16; /,
    );
  });

  it("is no excess at an ACL before the subnets of both", () => {
    const subnets = BOTH.map((name) =>
      resource(TYPE.subnet, name, { id: `subnet-${name}`, tags: tags("control-plane", name) }),
    );
    const entry = (number: number, cidrBlock: string): Properties => ({
      ruleNo: number,
      action: "allow",
      protocol: "tcp",
      fromPort: 443,
      toPort: 443,
      cidrBlock,
    });
    const acl = resource(TYPE.networkAcl, "acl", {
      subnetIds: BOTH.map((name) => `subnet-${name}`),
      ingress: [entry(1, a), entry(2, b)],
      egress: [],
    });
    expect(excessOf(acl, [], [...clusters, ...subnets])).toEqual(NOTHING);
    expect(excessOf(acl, [], [...clusters, subnets[0]!]).prove).toEqual(["TCP 443 from 10.2.0.0/16"]);
  });

  it("keeps the ignition port open to blocks from which nodes of one of them join", () => {
    const routed = services({ APIServer: "LoadBalancer", Ignition: "NodePort" });
    const hosted = BOTH.map((name) => hostedCluster({ networking: networking(a), services: routed }, name));
    const open = group("hosts", [{ ...tcp(30000, "10.0.0.0/8"), toPort: 32767 }], { tags: {} });
    const found = (listing: string[]) => {
      const hostedClusters = entries(listing, { bootstrap: false });
      const { configuration } = readConfiguration({ hostedClusters }, "c.yaml");
      return violations(bootstrapPortOpen, [...hosted, open], configuration).map(({ witness }) => witness);
    };
    expect(found(["tenant-a"])).toHaveLength(1);
    expect(found(BOTH)).toEqual([]);
  });
});
