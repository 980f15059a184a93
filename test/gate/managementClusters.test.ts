import { cidrReservedOverlap } from "../../src/addressRanges/rules/cidrOverlap";
import { networkCapacity } from "../../src/addressRanges/rules/networkCapacity";
import type { Configuration } from "../../src/gate/configuration";
import { coverageGaps } from "../../src/gate/coverage";
import { JudgedResources } from "../../src/gate/judgedResources";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { verdictOf } from "../../src/gate/verdict";
import { Level, type Rule } from "../../src/gate/rule";
import { egressFirewallApiBlocked } from "../../src/egressFirewall/rules/blocked";
import { egressFirewallDuplicate } from "../../src/egressFirewall/rules/nameAndRules";
import { hostedClusterName } from "../../src/hostedCluster/rules/identity";
import { publishedTwice } from "../../src/hostedCluster/rules/publishing";
import type { Resource } from "../../src/resources/resource";
import { rules } from "../../src/rules";
import {
  group,
  hostedCluster,
  judge,
  networking,
  resource,
  tags,
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
  const tagged = group("tagged", [], { tags: tags("workers") });
  const twins = new JudgedResources([clusterIn("prod"), clusterIn("stage"), tagged]);
  expect(twins.groupsInRoles()).toHaveLength(2);
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
