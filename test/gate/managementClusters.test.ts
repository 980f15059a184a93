import { cidrReservedOverlap } from "../../src/addressRanges/rules/cidrOverlap";
import { networkCapacity } from "../../src/addressRanges/rules/networkCapacity";
import type { Configuration } from "../../src/gate/configuration";
import { coverageGaps } from "../../src/gate/coverage";
import { JudgedResources } from "../../src/gate/judgedResources";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { verdictOf } from "../../src/gate/verdict";
import { Level, type Rule, Status } from "../../src/gate/rule";
import { egressFirewallApiBlocked } from "../../src/egressFirewall/rules/blocked";
import { egressFirewallDuplicate } from "../../src/egressFirewall/rules/nameAndRules";
import { hostedClusterName } from "../../src/hostedCluster/rules/identity";
import { publishedTwice } from "../../src/hostedCluster/rules/publishing";
import { planGuards } from "../../src/reachability/path/planGuards";
import { Direction, Role } from "../../src/requirements/vocabulary";
import { type PropertyValue, type Resource, UNKNOWN } from "../../src/resources/resource";
import { portMissing } from "../../src/securityGroups/rules/portMissing";
import { rules } from "../../src/rules";
import {
  COMPONENT,
  group,
  hostedCluster,
  judge,
  networking,
  resource,
  tags,
  tcp,
  violations,
  type Properties,
} from "../rules/builders";

/** The resource as an object read from a file. */
const inFile = (file: string, { origin: _, ...resource }: Resource): Resource => ({
  ...resource,
  origin: { file, line: 1 },
});
const clusterIn = (folder: string, clusterNetwork = "10.132.0.0/14", spec: Properties = {}) =>
  inFile(
    `fleet/${folder}/tenant-a.yaml`,
    hostedCluster({
      networking: networking("10.0.0.0/16", { clusterNetwork: [{ cidr: clusterNetwork }] }),
      ...spec,
    }),
  );
const poolIn = (folder: string, replicas: number): Resource => ({
  origin: { file: `fleet/${folder}/pools/workers.yaml`, line: 1 },
  type: "kubernetes:hypershift.openshift.io/v1beta1:NodePool",
  name: "workers",
  properties: {
    metadata: { name: "workers", namespace: "clusters" },
    spec: { clusterName: "tenant-a", replicas, platform: { type: "AWS" } },
  },
});
const keysOf = (resources: readonly Resource[], configuration?: Configuration) =>
  new JudgedResources(resources, configuration).clusters.map(({ key }) => key);
const findingsOf = (rule: Rule, resources: readonly Resource[], configuration?: Configuration) =>
  judge(rule, resources, configuration).map(({ status, message }) => `${status} ${message}`);
const configured = (document: object) => readConfiguration(document, "hypershift-network.yaml");

describe("clusters with the same namespace and name", () => {
  const [prod, stage] = [clusterIn("prod"), clusterIn("stage", "100.64.0.0/14")];

  test("in two folders are two clusters, each judged by its own networks, in either order", () => {
    for (const both of [
      [prod, stage],
      [stage, prod],
    ]) {
      expect(keysOf(both).sort()).toEqual(["clusters/tenant-a (prod)", "clusters/tenant-a (stage)"]);
      expect(violations(hostedClusterName, both)).toEqual([]);
      const found = violations(cidrReservedOverlap, both).filter(({ level }) => level === Level.Error);
      expect(found.map(({ resource }) => resource.file)).toEqual(["fleet/stage/tenant-a.yaml"]);
    }
  });

  test("in one folder are both judged, and a note states how to distinguish them", () => {
    const again = inFile("fleet/prod/again.yaml", clusterIn("prod", "100.64.0.0/14"));
    const found = violations(hostedClusterName, [prod, again]);
    expect(found).toHaveLength(2);
    expect(found.map(({ level }) => level)).toEqual([Level.Note, Level.Note]);
    expect(found[0]?.message).toContain("fleet/prod/again.yaml:1");
    expect(found[0]?.fix).toContain("a folder for each management cluster");
    expect(violations(cidrReservedOverlap, [prod, again])).not.toEqual([]);
  });

  test.each([
    ["of one provider", { urn: "a" }, "urn:pulumi:s::p::pulumi:providers:kubernetes::x::1"],
    ["of one stack without a stated provider", { urn: "a" }, undefined],
    ["read from one server", { live: "HostedCluster clusters/tenant-a", runsIn: "cluster/x" }, undefined],
  ])("%s are one object, which is an error", (_, origin, provider) => {
    const one = { ...clusterIn("prod"), origin, ...(provider !== undefined && { provider }) };
    const found = violations(hostedClusterName, [one, { ...one, origin: { ...origin } }]);
    expect(found.map(({ level }) => level)).toEqual([Level.Error]);
    expect(found[0]?.message).toContain("the API server treats all definitions as one object");
  });

  test("have the egress firewalls of their own folder", () => {
    const firewallIn = (folder: string, namespace: string, cidrSelector: string) =>
      inFile(
        `fleet/${folder}/firewalls/default.yaml`,
        resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", "default", {
          metadata: { name: "default", namespace },
          spec: { egress: [{ type: "Deny", to: { cidrSelector } }] },
        }),
      );
    const managed = (managementCluster: string, cidr: string) => ({
      name: "tenant-a",
      managementCluster,
      managementClusterCidrs: [cidr],
    });
    const both = [clusterIn("stage"), clusterIn("prod")];
    const { configuration } = configured({
      hostedClusters: [managed("stage", "10.1.0.0/16"), managed("prod", "10.2.0.0/16")],
    });
    const found = (...firewalls: Resource[]) =>
      findingsOf(egressFirewallApiBlocked, [...both, ...firewalls], configuration);
    const inStage = firewallIn("stage", "clusters-tenant-a", "10.1.0.0/16");
    expect(found(inStage)).toEqual([expect.stringMatching(/^violated denies 10\.1\.0\.0\/16/)]);
    expect(found(firewallIn("prod", "clusters-tenant-a", "10.1.0.0/16"))).toEqual([]);
    // Another folder is near both.
    expect(found(firewallIn("shared", "clusters-tenant-a", "10.1.0.0/16"))).toEqual([
      expect.stringMatching(/^unknown .* the addresses of the management cluster's API server are not known/),
    ]);

    const own = { apiServer: { advertiseAddress: "10.9.9.9" } };
    const advertising = clusterIn("stage", "10.132.0.0/14", { networking: networking("10.0.0.0/16", own) });
    const ofTenant = (folder: string) =>
      findingsOf(egressFirewallApiBlocked, [
        advertising,
        clusterIn("prod"),
        firewallIn(folder, "shop", "10.9.9.9/32"),
      ]);
    expect(ofTenant("stage")).toEqual([expect.stringMatching(/^violated .* the API server at 10\.9\.9\.9/)]);
    expect(ofTenant("prod")).toEqual([]);
    expect(ofTenant("shared")).toEqual([
      expect.stringContaining("no input states to which cluster it belongs"),
    ]);

    const two = ["stage", "prod"].map((folder) => firewallIn(folder, "shop", "192.0.2.0/24"));
    expect(findingsOf(egressFirewallDuplicate, [...both, ...two])).toEqual([]);
    expect(findingsOf(egressFirewallDuplicate, [...both, two[0]!, two[0]!])).toEqual([
      "violated shop has another egress firewall: EgressFirewall default",
    ]);
  });

  test("have the NodePools of their own folder", () => {
    const small = { clusterNetwork: [{ cidr: "10.132.0.0/22", hostPrefix: 23 }] };
    const cluster = inFile(
      "fleet/stage/tenant-a.yaml",
      hostedCluster({ networking: networking("10.0.0.0/16", small) }),
    );
    expect(violations(networkCapacity, [prod, cluster, poolIn("prod", 40), poolIn("stage", 2)])).toEqual([]);
    const [finding] = violations(networkCapacity, [prod, cluster, poolIn("prod", 2), poolIn("stage", 40)]);
    expect(finding?.resource.file).toBe("fleet/stage/tenant-a.yaml");
  });

  test("get the configuration entries that name their management cluster, and those that name none", () => {
    const entry = (cidr: string, managementCluster?: string) => ({
      name: "tenant-a",
      infrastructureCidrs: [{ name: "corporate", cidr }],
      ...(managementCluster !== undefined && { managementCluster }),
    });
    const both = [clusterIn("prod"), clusterIn("stage")];
    const found = (...hostedClusters: object[]) => {
      const { configuration, faults } = configured({ hostedClusters });
      expect(faults).toEqual([]);
      return violations(cidrReservedOverlap, both, configuration).map(({ message }) =>
        /of (clusters.*?):/.exec(message)?.at(1),
      );
    };
    expect(found(entry("100.64.0.0/24", "stage"))).toEqual(["clusters/tenant-a (stage)"]);
    expect(found(entry("100.64.0.0/24", "stage"), entry("10.77.0.0/24", "prod"))).toHaveLength(1);
    expect(found(entry("100.64.0.0/24"))).toHaveLength(2);
  });

  const named = (managementCluster: string, platform?: string) => ({
    name: "tenant-a",
    managementCluster,
    ...(platform !== undefined && { platform }),
  });
  const meeting = (resources: Resource[], ...hostedClusters: object[]) => {
    const { configuration } = configured({ hostedClusters });
    return violations(hostedClusterName, resources, configuration).map(({ message }) => message);
  };

  test("do not conflict if the configuration names different management clusters", () => {
    expect(meeting([], named("east", "None"), named("west", "None"))).toEqual([]);
    expect(meeting([prod, stage], named("prod"), named("stage"))).toEqual([]);
    // A name that matches no cluster that was read.
    expect(meeting([prod, stage], named("stag"))).toEqual([]);
    expect(meeting([prod], named("stage", "None"))).toEqual([]);
    // tenant.a may have the same control-plane namespace as tenant-a, unless it is in another management cluster.
    const dotted = (more: object) => ({ name: "tenant.a", platform: "None", ...more });
    expect(meeting([prod], dotted({ managementCluster: "prod" }))).toHaveLength(2);
    expect(meeting([prod], dotted({ managementCluster: "stage" }))).toEqual([]);
    expect(meeting([prod], dotted({}))).toHaveLength(2);
    expect(meeting([], named("east", "None"), dotted({ managementCluster: "east" }))).toHaveLength(2);
    expect(meeting([], named("east", "None"), dotted({}))).toHaveLength(2);
  });

  test.each([
    ["two were read", [prod, stage], named("stag"), "prod, stage"],
    ["one was read", [prod], named("prd", "AWS"), "prod"],
    ["the entry names the one that was read", [prod], named("prod", "AWS"), undefined],
    ["none was read", [], named("prd", "AWS"), undefined],
  ])(
    "are noted if an entry names a management cluster in which they were not read: %s",
    (_, read, entry, there) => {
      const { configuration } = configured({ hostedClusters: [entry] });
      const notes = coverageGaps(new JudgedResources(read, configuration));
      expect(notes.filter((note) => note.includes("names a management cluster"))).toEqual(
        there === undefined
          ? []
          : [
              `the configuration names a management cluster in which a hosted cluster was not read: clusters/tenant-a (${entry.managementCluster}) (hostedClusters[0].name of hypershift-network.yaml): it is in ${there}`,
            ],
      );
    },
  );

  test("conflict if their locations allow it, whatever the configuration names", () => {
    const beside = inFile("manifests/tenant.a.yaml", hostedCluster({}, "tenant.a"));
    expect(meeting([prod, beside])).toHaveLength(2);
    expect(meeting([prod, beside], named("prod"))).toHaveLength(2);
  });

  test("are rejected in a configuration that does not distinguish them", () => {
    const { faults } = configured({ hostedClusters: [{ name: "a" }, { name: "a", managementCluster: 7 }] });
    expect(faults.map(({ path }) => path).sort()).toEqual([
      "hostedClusters[1].managementCluster",
      "hostedClusters[1].name",
    ]);
  });

  test("are reported if both publish the same host name", () => {
    const services = [
      {
        service: "APIServer",
        servicePublishingStrategy: { type: "LoadBalancer", loadBalancer: { hostname: "api.example.com" } },
      },
    ];
    const both = [clusterIn("prod", undefined, { services }), clusterIn("stage", undefined, { services })];
    expect(violations(publishedTwice, both)).toHaveLength(2);
  });
});

test("a security group that two clusters share is judged for each", () => {
  const shared = group("shared", [], { tags: {}, id: "sg-1" });
  const { configuration } = configured({
    hostedClusters: ["tenant-a", "tenant-b"].map((name) => ({
      name,
      securityGroups: { workers: ["shared"] },
    })),
  });
  const judged = new JudgedResources([hostedCluster(), hostedCluster({}, "tenant-b"), shared], configuration);
  expect(judged.groupsInRoles().map(({ role, cluster }) => `${role} ${cluster.key}`)).toEqual([
    "workers clusters/tenant-a",
    "workers clusters/tenant-b",
  ]);
  const again = inFile("fleet/prod/again.yaml", clusterIn("prod"));
  const tagged = group("tagged", [], { tags: tags("workers") });
  const twice = new JudgedResources([clusterIn("prod"), again, tagged]);
  expect(twice.groupsInRoles()).toHaveLength(2);
});

describe("a security group is of the cluster in the management cluster of what states its role", () => {
  /** The resource in a program of another stack, whose Kubernetes objects have one provider. */
  const inStack = (stack: string, one: Resource, provider = "mgmt"): Resource => ({
    ...one,
    origin: { urn: one.origin.urn!.replace("urn:pulumi:dev::", `urn:pulumi:${stack}::`) },
    ...(one.parent !== undefined && {
      parent: one.parent.replace("urn:pulumi:dev::", `urn:pulumi:${stack}::`),
    }),
    ...(one.type.startsWith("kubernetes:") && {
      provider: `urn:pulumi:${stack}::test::pulumi:providers:kubernetes::${provider}`,
    }),
  });
  const rolesIn = (resources: readonly Resource[], configuration?: Configuration) => {
    const judged = new JudgedResources(resources, configuration);
    const { index, configuredGroups: listed } = judged;
    const checked = judged
      .groupsInRoles()
      .map(({ group: { resource: one }, cluster }) => `${one?.name} ${cluster.key}`);
    const proved = judged.clusters.flatMap(({ key, topology }) =>
      planGuards(index, topology!, listed)
        .hosts(Role.Workers, Direction.Egress)
        .filter(({ doubtful = [] }) => doubtful.length === 0)
        .flatMap(({ standing }) => (standing?.kind === "securityGroups" ? standing.groups : []))
        .map(({ resource: one }) => `${one?.name} ${key}`),
    );
    expect(proved.sort()).toEqual([...checked].sort());
    return checked.sort();
  };
  const unknownsOf = (resources: readonly Resource[], configuration?: Configuration) =>
    judge(portMissing, resources, configuration).flatMap(({ status, message }) =>
      status === Status.Unknown ? [message] : [],
    );
  const untagged = (name: string, id: string) => group(name, [], { id, tags: {} });
  const [prod, stage] = [clusterIn("prod"), clusterIn("stage")];
  const each = ["open clusters/tenant-a (stage)", "shut clusters/tenant-a (prod)"];

  test("its tags, in the stack of the cluster", () => {
    const stack = (name: string) => [
      inStack(name, hostedCluster()),
      inStack(name, group(`of-${name}`, [], { tags: tags("workers") })),
    ];
    expect(rolesIn([...stack("east"), ...stack("west")])).toEqual([
      "of-east clusters/tenant-a (east/test/mgmt)",
      "of-west clusters/tenant-a (west/test/mgmt)",
    ]);
    const full = tags("workers", "clusters/tenant-a (west/test/mgmt)");
    const named = inStack("east", group("named", [], { tags: full }));
    expect(rolesIn([...stack("east"), ...stack("west"), named])).toContain(
      "named clusters/tenant-a (west/test/mgmt)",
    );
  });

  test.each([
    ["of another stack", inStack("net", group("shared", [], { tags: tags("workers") }))],
    [
      "with the namespace",
      inStack("net", group("shared", [], { tags: tags("workers", "clusters/tenant-a") })),
    ],
    [
      "without a cluster",
      inStack("east", group("shared", [], { tags: { "hypershift-network/role": "workers" } })),
    ],
  ])("tags that do not tell which is meant leave the flows of all unknown: %s", (_, shared) => {
    const all = [...["east", "west"].map((name) => inStack(name, hostedCluster())), shared];
    expect(rolesIn(all)).toEqual([]);
    expect(unknownsOf(all).join()).toContain("hosted clusters");
    expect(violations(portMissing, all)).toEqual([]);
  });

  test("the provider tells two clusters of one stack apart; a tag does not", () => {
    const all = ["one", "two"].map((provider) => inStack("east", hostedCluster(), provider));
    const tagged = inStack("east", group("tagged", [], { tags: tags("workers") }));
    expect(rolesIn([...all, tagged])).toEqual([]);
    const attaching = inStack(
      "east",
      resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", "pool", {
        metadata: { name: "pool", namespace: "clusters" },
        spec: {
          clusterName: "tenant-a",
          platform: { type: "AWS", aws: { securityGroups: [{ id: "sg-1" }] } },
        },
      }),
      "two",
    );
    expect(rolesIn([...all, attaching, inStack("east", untagged("pooled", "sg-1"))])).toEqual([
      "pooled clusters/tenant-a (two)",
    ]);
  });

  const attaching = (folder: string, id: PropertyValue): Resource => ({
    ...poolIn(folder, 2),
    properties: {
      metadata: { name: "workers", namespace: "clusters" },
      spec: { clusterName: "tenant-a", platform: { type: "AWS", aws: { securityGroups: [{ id }] } } },
    },
  });
  const groups = [untagged("shut", "sg-shut"), untagged("open", "sg-open")];

  test("the NodePool that attaches it, also if the folder above both has the NodePool", () => {
    const pools = [attaching("prod", "sg-shut"), attaching("stage", "sg-open")];
    expect(rolesIn([prod, stage, ...pools, ...groups])).toEqual(each);
    const above = inFile("fleet/pool.yaml", attaching("prod", "sg-shut"));
    expect(rolesIn([prod, stage, above, ...groups])).toEqual([]);
    expect(rolesIn([prod, stage, attaching("prod", UNKNOWN), ...groups])).toEqual([]);
  });

  test("the status of the HostedCluster", () => {
    const stating = (one: Resource, id: string): Resource => ({
      ...one,
      properties: { ...one.properties, status: { platform: { aws: { defaultWorkerSecurityGroupID: id } } } },
    });
    expect(rolesIn([stating(prod, "sg-shut"), stating(stage, "sg-open"), ...groups])).toEqual(each);
  });

  test("the component that creates it", () => {
    const stack = (name: string) => {
      const component = inStack(name, resource(COMPONENT, "hosts", { topology: { name: "tenant-a" } }));
      const own = { ...untagged("hosts-workers", `sg-${name}`), parent: component.origin.urn! };
      return [inStack(name, hostedCluster()), component, { ...inStack(name, own), name: "hosts-workers" }];
    };
    const found = new JudgedResources([...stack("east"), ...stack("west")]).groupsInRoles();
    expect(found.map(({ group: { resource: one }, cluster: { key } }) => [one?.properties.id, key])).toEqual([
      ["sg-east", "clusters/tenant-a (east/test/mgmt)"],
      ["sg-west", "clusters/tenant-a (west/test/mgmt)"],
    ]);
  });

  describe("the component that creates it, if only components tell of the cluster", () => {
    const stack = (name: string, machines: string, role = "workers") => {
      const topology = { name: "tenant-a", platform: "AWS", machineNetwork: [{ cidr: machines }] };
      const component = inStack(name, resource(COMPONENT, "hosts", { topology }));
      const made = group(`hosts-${role}`, [tcp(6443, "10.0.0.0/16"), tcp(443, "10.0.0.0/16")], { tags: {} });
      return [component, { ...inStack(name, made), parent: component.origin.urn! }];
    };
    const dev = stack("dev", "10.0.0.0/16");
    const prd = stack("prd", "10.1.0.0/16");
    const both = ["hosts-workers clusters/tenant-a (dev/test)", "hosts-workers clusters/tenant-a (prd/test)"];

    test("each stack has its own, whatever the order of the files", () => {
      const ours = stack("dev", "10.0.0.0/16", "control-plane");
      // Copied from the other stack: its group lets the workers of that one in.
      const theirs = stack("prd", "10.1.0.0/16", "control-plane");
      const blocked = (plan: readonly Resource[]) =>
        violations(portMissing, plan)
          .filter(({ message }) => message.startsWith("no rule lets workers"))
          .map(({ resource: { urn } }) => urn!.slice(0, 14));
      expect(blocked(ours)).toEqual([]);
      expect(blocked(theirs)).toHaveLength(2);
      for (const plan of [
        [...ours, ...theirs],
        [...theirs, ...ours],
      ]) {
        expect(blocked(plan)).toEqual(["urn:pulumi:prd", "urn:pulumi:prd"]);
        expect(violations(hostedClusterName, plan)).toEqual([]);
      }
      for (const order of [
        [...dev, ...prd],
        [...prd, ...dev],
      ])
        expect(rolesIn(order)).toEqual(both);
    });

    test("an entry may state the namespace of both, or what holds for one of them", () => {
      const plan = [...dev, ...prd];
      expect(
        rolesIn(plan, configured({ hostedClusters: [{ name: "tenant-a", namespace: "x" }] }).configuration),
      ).toEqual(both.map((text) => text.replace("clusters/", "x/")));
      const { configuration } = configured({
        hostedClusters: [
          { name: "tenant-a", managementCluster: "dev/test", securityGroups: { workers: ["sg-dev"] } },
        ],
      });
      const more = inStack("net", untagged("listed", "sg-dev"));
      expect(rolesIn([...plan, more], configuration)).toEqual([
        both[0],
        both[1],
        "listed clusters/tenant-a (dev/test)",
      ]);
    });

    test("a tag in another stack does not tell which is meant, one with the stack does", () => {
      const tagged = (name: string) => inStack("net", group("tagged", [], { tags: tags("workers", name) }));
      expect(rolesIn([...dev, ...prd, tagged("tenant-a")])).toEqual(both);
      expect(unknownsOf([...dev, ...prd, tagged("tenant-a")]).join()).toContain("several hosted clusters");
      expect(rolesIn([...dev, ...prd, tagged("clusters/tenant-a (prd/test)")])).toEqual([
        ...both,
        "tagged clusters/tenant-a (prd/test)",
      ]);
    });

    test("beside a HostedCluster in one of the stacks", () => {
      const hosted = inStack("dev", hostedCluster());
      expect(rolesIn([...prd, hosted, ...dev])).toEqual([
        "hosts-workers clusters/tenant-a (mgmt)",
        "hosts-workers clusters/tenant-a (prd/test)",
      ]);
      expect(violations(hostedClusterName, [...prd, hosted, ...dev])).toEqual([]);
    });

    test("one cluster if there is a manifest of only one, and unknown where the stacks differ", () => {
      const manifest = inFile(
        "clusters/tenant-a.yaml",
        hostedCluster({ networking: networking("", { machineNetwork: UNKNOWN }) }),
      );
      for (const order of [
        [manifest, ...dev, ...prd],
        [...prd, ...dev, manifest],
      ]) {
        expect(rolesIn(order)).toHaveLength(2);
        const [only, ...others] = new JudgedResources(order).clusters;
        expect(others).toEqual([]);
        expect(only!.key).toBe("clusters/tenant-a");
        expect(only!.raw.machineNetwork).toBe(UNKNOWN);
      }
    });
  });

  const listing = (managementCluster: string | undefined, ...workers: string[]) => ({
    name: "tenant-a",
    ...(managementCluster !== undefined && { managementCluster }),
    securityGroups: { workers },
  });
  const withEntries = (...hostedClusters: object[]) => configured({ hostedClusters }).configuration;

  test("the entry that names the management cluster; one that names none is about both", () => {
    const entries = [listing("prod", "shut"), listing("stage", "open")];
    expect(rolesIn([prod, stage, ...groups], withEntries(...entries))).toEqual(each);
    expect(rolesIn([stage, prod, ...groups], withEntries(...entries.toReversed()))).toEqual(each);
    expect(rolesIn([prod, stage, ...groups], withEntries(listing(undefined, "shut")))).toEqual([
      "shut clusters/tenant-a (prod)",
      "shut clusters/tenant-a (stage)",
    ]);
  });

  test("an entry about a management cluster that was not read says nothing of one that was", () => {
    const tagged = group("tagged", [], { tags: tags("workers") });
    const entries = withEntries(listing("prod", "shut"), { ...listing("stage", "open"), platform: "AWS" });
    expect(rolesIn([prod, ...groups, tagged], entries)).toEqual([
      "open clusters/tenant-a (stage)",
      "shut clusters/tenant-a (prod)",
      "tagged clusters/tenant-a (prod)",
    ]);
  });

  test("if neither was read, entries tell groups apart, and tags do not", () => {
    const tagged = group("tagged", [], { tags: tags("workers") });
    const about = (where: string, name: string) => ({ ...listing(where, name), platform: "AWS" });
    const entries = withEntries(about("prod", "shut"), about("stage", "open"));
    expect(rolesIn([...groups, tagged], entries)).toEqual(each);
    expect(unknownsOf([...groups, tagged], entries).join()).toContain("several hosted clusters");
    expect(rolesIn([...groups, tagged], withEntries(about("prod", "shut")))).toHaveLength(2);
  });
});

test("the order of files, objects and entries changes no finding", () => {
  const resources = [
    clusterIn("prod"),
    clusterIn("stage", "100.64.0.0/14"),
    inFile("fleet/prod/again.yaml", clusterIn("prod", "10.0.0.0/15")),
    hostedCluster({ networking: networking("10.7.0.0/16") }, "tenant-b"),
    poolIn("prod", 3),
    poolIn("stage", 900),
    group("workers", [], { tags: tags("workers") }),
  ];
  const entries = [
    { name: "tenant-a", managementCluster: "stage", dnsServerCidrs: ["100.88.0.10/32"] },
    { name: "tenant-a", managementCluster: "prod", registryCidrs: ["10.132.7.0/24"] },
    { name: "tenant-b", workerCidrs: ["10.9.0.0/24", "10.7.0.0/24"] },
  ];
  const found = (order: readonly Resource[], hostedClusters: readonly object[]) => {
    const { configuration } = configured({ hostedClusters });
    return verdictOf(new JudgedResources(order, configuration), rules)
      .findings.map(({ rule, level, status, resource, message }) =>
        [rule, level, status, resource.file ?? resource.urn, message].join(" "),
      )
      .sort();
  };
  const expected = found(resources, entries);
  expect(expected.length).toBeGreaterThan(5);
  for (let turn = 1; turn < resources.length; turn += 1) {
    const turned = [...resources.slice(turn), ...resources.slice(0, turn)];
    const other = turn % 2 === 0 ? [...entries].reverse() : entries;
    expect(found(turned, other)).toEqual(expected);
    expect(found([...turned].reverse(), other)).toEqual(expected);
  }
});
