import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { rules } from "../../../src/rules";
import { findings } from "../../../src/gate/rule";
import { JudgedResources } from "../../../src/gate/judgedResources";
import { hostedClusterName } from "../../../src/hostedCluster/rules/identity";
import { cidrOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { portPublic } from "../../../src/securityGroups/rules/portPublic";
import { podPrivileged } from "../../../src/isolation/rules/podRules";
import { isolationDefaultDeny } from "../../../src/isolation/rules/networkPolicies";
import {
  group,
  hostedCluster,
  networking,
  resource,
  tcp,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";
import type { Configuration } from "../../../src/gate/configuration";

/** A machine network that overlaps the cluster network. */
const OVERLAPPING = { networking: networking("10.133.0.0/16") };

/** A HostedCluster at a line of a file. */
function inFile(metadata: PropertyValue, spec: Properties = {}, file = "clusters.yaml", line = 1): Resource {
  const { urn: _, ...origin } = { ...hostedCluster().origin, file, line };
  const { properties, ...rest } = hostedCluster(spec);
  return { ...rest, origin, name: "named", properties: { ...properties, metadata } };
}

const placesOf = (resources: Resource[], configuration?: Configuration) =>
  violations(hostedClusterName, resources, configuration).map(
    ({ resource: at, path }) => `${at.file}:${at.line} ${path}`,
  );
const pathsOf = (metadata: PropertyValue) =>
  violations(hostedClusterName, [inFile(metadata)]).map(({ path }) => path);

/** All permutations of a list. */
const ordersOf = <T>(things: readonly T[]): T[][] =>
  things.length < 2
    ? [[...things]]
    : things.flatMap((one) =>
        ordersOf(things.filter((other) => other !== one)).map((rest) => [one, ...rest]),
      );

const namespace = "clusters";
const long = (length: number) => "a".repeat(length);

describe("the name of a HostedCluster", () => {
  test.each<[string, PropertyValue, string[]]>([
    ["a label", { name: "tenant-a", namespace }, []],
    ["a subdomain", { name: "tenant.a", namespace }, []],
    ["only digits", { name: "1", namespace }, []],
    ["no namespace", { name: "tenant-a" }, []],
    ["capitals and underscores", { name: "Tenant_A", namespace }, ["metadata.name"]],
    ["a capital", { name: "tenant-A", namespace }, ["metadata.name"]],
    ["a hyphen at the end", { name: "tenant-", namespace }, ["metadata.name"]],
    ["a dot at the end", { name: "tenant.", namespace }, ["metadata.name"]],
    ["two dots", { name: "tenant..a", namespace }, ["metadata.name"]],
    ["a blank", { name: "tenant a", namespace }, ["metadata.name"]],
    ["a line break", { name: "tenant-a\n", namespace }, ["metadata.name"]],
    ["a number", { name: 5, namespace }, ["metadata.name"]],
    ["true", { name: true, namespace }, ["metadata.name"]],
    ["64 characters", { name: long(64), namespace }, ["metadata.name"]],
    ["254 characters", { name: long(254), namespace }, ["metadata.name"]],
    ["a namespace of 63 characters for the control plane", { name: long(54), namespace }, []],
    ["a namespace of 64 for the control plane", { name: long(55), namespace }, ["metadata.name"]],
    [
      "a namespace of 64 for the control plane, with dots in the name",
      { name: `${long(50)}.${long(4)}`, namespace },
      ["metadata.name"],
    ],
    [
      "a namespace of 64 for the control plane in the default namespace, clusters",
      { name: long(55) },
      ["metadata.name"],
    ],
    ["a namespace with a dot", { name: "tenant-a", namespace: "my.clusters" }, ["metadata.namespace"]],
    ["a namespace with a capital", { name: "tenant-a", namespace: "Clusters" }, ["metadata.namespace"]],
    ["a namespace of 64 characters", { name: "a", namespace: long(64) }, ["metadata.namespace"]],
    ["a number as a namespace", { name: "tenant-a", namespace: 1 }, ["metadata.namespace"]],
    ["no name", { namespace }, ["metadata.name"]],
    ["an empty name", { name: "", namespace }, ["metadata.name"]],
    ["no metadata", null, ["metadata.name"]],
    ["a generateName", { generateName: "tenant-", namespace }, []],
    ["a generateName with dots", { generateName: "tenant.a-", namespace }, []],
    ["a generateName with capitals", { generateName: "Tenant-", namespace }, ["metadata.generateName"]],
    [
      "a generateName that ends with a dot",
      { generateName: "tenant.", namespace },
      ["metadata.generateName"],
    ],
    ["a number as generateName", { generateName: 1, namespace }, ["metadata.generateName"]],
    ["a generateName of which five more characters fit", { generateName: long(49), namespace }, []],
    [
      "a generateName of which five more characters are too many",
      { generateName: long(50), namespace },
      ["metadata.generateName"],
    ],
    [
      "a valid name with an invalid generateName",
      { name: "a", generateName: "A", namespace },
      ["metadata.generateName"],
    ],
  ])("is accepted, or refused with the path of the fault: %s", (_, metadata, paths) =>
    expect(pathsOf(metadata)).toEqual(paths),
  );

  test("reports the value, what refuses it, and the fix", () => {
    expect(violations(hostedClusterName, [inFile({ name: "Tenant_A", namespace })])).toMatchObject([
      {
        level: "error",
        message: '"Tenant_A" is not a Kubernetes name, and the API server refuses the object',
        fix: "write at most 253 lowercase letters, digits, hyphens and dots",
      },
    ]);
    expect(violations(hostedClusterName, [inFile({ name: long(55), namespace })])).toMatchObject([
      {
        message: `clusters-${long(55)}, the namespace of the control plane, has 64 characters, and HyperShift cannot create it`,
        fix: "shorten name or namespace: 63 characters at most",
      },
    ]);
  });

  test("a program may omit the name, which Pulumi then generates", () => {
    const { urn } = hostedCluster().origin;
    const own = { ...inFile({ namespace }), origin: { urn: urn! } };
    expect(violations(hostedClusterName, [own])).toEqual([]);
  });

  test.each<[string, PropertyValue, string]>([
    ["a name that is not known yet", { name: UNKNOWN, namespace }, "metadata.name"],
    ["a namespace that is not known yet", { name: "tenant-a", namespace: UNKNOWN }, "metadata.namespace"],
    ["metadata that are not known yet", UNKNOWN, "metadata.name"],
    ["a name that the API server generates", { generateName: "tenant-", namespace }, "metadata.generateName"],
    [
      "a generateName in a namespace that is not known yet",
      { generateName: "tenant-", namespace: UNKNOWN },
      "metadata.namespace",
    ],
  ])("%s is counted as unknown", (_, metadata, path) => {
    expect(unknowns(hostedClusterName, [inFile(metadata)]).map((one) => one.path)).toEqual([path]);
    expect(violations(hostedClusterName, [inFile(metadata)])).toEqual([]);
  });
});

describe("a cluster whose name is invalid or unknown is still judged", () => {
  const names: [string, PropertyValue][] = [
    ["a subdomain", { name: "tenant.a", namespace }],
    ["capitals", { name: "Tenant_A", namespace }],
    ["64 characters", { name: long(64), namespace }],
    ["a control plane's namespace that is too long", { name: long(60), namespace }],
    ["generateName", { generateName: "tenant-", namespace }],
    ["a name that is not known yet", { name: UNKNOWN, namespace }],
    ["a namespace that is not known yet", { name: "tenant-a", namespace: UNKNOWN }],
    ["a number", { name: 5, namespace }],
    ["no name", { namespace }],
    ["a wrong namespace", { name: "tenant-a", namespace: "A B" }],
  ];

  test.each(names)("%s: overlapping networks are found", (_, metadata) => {
    const paths = violations(cidrOverlap, [inFile(metadata, OVERLAPPING)]).map(({ path }) => path);
    expect(paths).toEqual(["spec.networking.machineNetwork[0].cidr"]);
  });

  test.each(names)("%s: a port that is open to everybody is found", (_, metadata) => {
    const hosts = group("hosts", [tcp(8091, "0.0.0.0/0")], {
      tags: { "hypershift-network/role": "control-plane" },
    });
    expect(violations(portPublic, [inFile(metadata), hosts])).toHaveLength(1);
  });

  test("every rule except that on the name has the same findings for each name", () => {
    const found = (metadata: PropertyValue) =>
      rules
        .filter(({ id }) => id !== hostedClusterName.id)
        .flatMap((rule) => violations(rule, [inFile(metadata, { ...OVERLAPPING, services: [] })]))
        .map(({ rule, path }) => `${rule} ${path}`);
    const usual = found({ name: "tenant-a", namespace });
    expect(usual.length).toBeGreaterThan(1);
    for (const [, metadata] of names) expect(found(metadata)).toEqual(usual);
  });
});

describe("the namespace of a control plane", () => {
  const pod = (where: string) =>
    resource("kubernetes:core/v1:Pod", "pod", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "pod", namespace: where },
      spec: { containers: [{ name: "a", securityContext: { privileged: true } }] },
    });
  const policy = (where: string) =>
    resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", "web", {
      metadata: { name: "web", namespace: where },
      spec: { podSelector: { matchLabels: { app: "web" } }, policyTypes: ["Ingress"] },
    });

  test("has dashes instead of the dots in the name", () => {
    const cluster = inFile({ name: "tenant.a", namespace });
    expect(violations(podPrivileged, [cluster, pod("clusters-tenant-a")])).toHaveLength(1);
    expect(violations(podPrivileged, [cluster, pod("clusters-tenant.a")])).toEqual([]);
    expect(violations(isolationDefaultDeny, [cluster, policy("clusters-tenant-a")])).toHaveLength(1);
  });

  test("is unknown if the name is", () => {
    const cluster = inFile({ generateName: "tenant-", namespace });
    for (const [rule, one] of [
      [podPrivileged, pod],
      [isolationDefaultDeny, policy],
    ] as const) {
      expect(unknowns(rule, [cluster, one("clusters-tenant-x7k2p")]).map(({ path }) => path)).toEqual([
        "metadata.namespace",
      ]);
      expect(violations(rule, [cluster, one("clusters-tenant-x7k2p")])).toEqual([]);
      expect(unknowns(rule, [cluster, one("shop")])).toEqual([]);
    }
  });
});

describe("HostedClusters with the same name or control plane namespace", () => {
  const a = inFile({ name: "tenant-a", namespace }, OVERLAPPING, "a.yaml");
  const b = inFile({ name: "tenant-a", namespace }, { services: [] }, "b.yaml");
  const c = inFile({ name: "tenant-a", namespace }, {}, "b.yaml", 40);

  const everything = (resources: readonly Resource[]) =>
    rules
      .flatMap((rule) => findings(rule, new JudgedResources(resources)))
      .map(
        ({ rule, status, resource: at, path, message }) =>
          `${rule} ${status} ${at.file}:${at.line} ${path} ${message}`,
      )
      .sort();

  test("have one finding each, which names the others", () => {
    expect(violations(hostedClusterName, [a, b, c])).toMatchObject([
      { message: expect.stringContaining("b.yaml:1, b.yaml:40") as string },
      { message: expect.stringContaining("a.yaml:1, b.yaml:40") as string },
      { message: expect.stringContaining("a.yaml:1, b.yaml:1") as string },
    ]);
  });

  test("are named up to a limit, followed by the number of the others", () => {
    const at = (line: number) => inFile({ name: "tenant-a", namespace }, {}, "many.yaml", line);
    const strangers = [inFile({ name: "tenant.a", namespace }, {}, "other.yaml")];
    const many = [1, 2, 3, 4, 5, 6, 7].map(at);
    const said = violations(hostedClusterName, [...many, ...strangers]).map(({ message }) => message);
    const listed = (text: string) => said.filter((message) => message.includes(text));
    const lines = (...of: number[]) => of.map((line) => `many.yaml:${line}`).join(", ");
    expect(listed(`: ${lines(2, 3, 4, 5, 6)} and 1 more; each`)).toHaveLength(1);
    expect(listed(`: ${lines(1, 2, 3, 4, 6)} and 1 more; each`)).toHaveLength(1);
    expect(listed(`: ${lines(1, 2, 3, 4, 5)} and 1 more; each`)).toHaveLength(2);
    expect(listed("that of another cluster: clusters/tenant.a")).toHaveLength(7);
    expect(listed("that of another cluster: clusters/tenant-a")).toHaveLength(1);
    expect(said).toHaveLength(15);
  });

  test("are all judged, with the same findings in every order of the files", () => {
    const hosts = group("hosts", [tcp(8091, "0.0.0.0/0")]);
    const orders = ordersOf([a, b, c, hosts]).map(everything);
    expect(orders[0]!.some((text) => text.startsWith("cidr-overlap violated a.yaml:1"))).toBe(true);
    expect(orders[0]!.some((text) => text.startsWith("publishing-unsupported violated b.yaml:1"))).toBe(true);
    expect(orders[0]!.some((text) => text.startsWith("port-public violated"))).toBe(true);
    for (const order of orders) expect(order).toEqual(orders[0]);
  });

  test("have a finding each if they are in one file and have the same fault", () => {
    const one = { services: [] };
    const both = [
      inFile({ name: "x", namespace }, one),
      inFile({ name: "y", namespace }, one, "clusters.yaml", 9),
    ];
    const lines = everything(both).filter((text) => text.startsWith("publishing-unsupported"));
    expect(new Set(lines.map((text) => text.split(" ")[2]))).toEqual(
      new Set(["clusters.yaml:1", "clusters.yaml:9"]),
    );
  });

  test.each<[string, PropertyValue, PropertyValue, boolean]>([
    [
      "a name with dots and one with dashes",
      { name: "tenant.a", namespace },
      { name: "tenant-a", namespace },
      true,
    ],
    ["dots at other places", { name: "t.a-b", namespace }, { name: "t-a.b", namespace }, true],
    ["b-c in a, c in a-b", { name: "b-c", namespace: "a" }, { name: "c", namespace: "a-b" }, true],
    ["the default namespace and clusters", { name: "a" }, { name: "a", namespace }, true],
    ["two namespaces", { name: "a", namespace: "b" }, { name: "a", namespace: "c" }, false],
    ["two names", { name: "a", namespace }, { name: "b", namespace }, false],
    ["two made-up names", { generateName: "a", namespace }, { generateName: "a", namespace }, false],
  ])("are found exactly if names or namespaces collide: %s", (_, one, other, meet) => {
    const first = inFile(one, {}, "1.yaml");
    const second = inFile(other, {}, "2.yaml");
    const places = meet ? ["1.yaml:1 metadata.name", "2.yaml:1 metadata.name"] : [];
    for (const order of ordersOf([first, second])) expect(placesOf(order).sort()).toEqual(places);
  });

  test("are not found in two management clusters, nor for a plan and its running object", () => {
    const by = (provider: string) => ({ ...hostedCluster(), origin: { urn: provider }, provider });
    expect(violations(hostedClusterName, [by("east"), by("west")])).toEqual([]);
    expect(
      violations(hostedClusterName, [by("east"), { ...by("east"), origin: { urn: "other" } }]),
    ).toHaveLength(2);
    const running = {
      ...hostedCluster(),
      origin: { live: "HostedCluster clusters/tenant-a", runsIn: "cluster/x" },
    };
    expect(violations(hostedClusterName, [hostedCluster(), running])).toEqual([]);
    const elsewhere = { ...running, origin: { ...running.origin, runsIn: "cluster/y" } };
    expect(violations(hostedClusterName, [running, elsewhere])).toEqual([]);
  });

  test("include a cluster of the configuration whose control plane namespace is that of another", () => {
    const configuration: Configuration = {
      file: "hypershift-network.yaml",
      levels: {},
      clusters: [
        { path: "hostedClusters[0]", topology: { name: "tenant.a", platform: "AWS" }, securityGroups: {} },
      ],
    };
    const found = violations(hostedClusterName, [hostedCluster()], configuration);
    expect(found.map(({ path }) => path).sort()).toEqual(["hostedClusters[0].name", "metadata.name"]);
    const own = {
      ...configuration,
      clusters: [{ ...configuration.clusters[0]!, topology: { name: "tenant-a" } }],
    };
    expect(violations(hostedClusterName, [hostedCluster()], own)).toEqual([]);
  });
});

describe("a patch of a HostedCluster", () => {
  const patch = (metadata: PropertyValue) =>
    resource(`${hostedCluster().type}Patch`, "patch", {
      metadata,
      spec: { networking: { machineNetwork: [{ cidr: "10.133.0.0/16" }] } },
    });
  const clustersOf = (resources: Resource[], configuration?: Configuration) =>
    new JudgedResources(resources, configuration).clusters
      .map(({ key, sources }) => `${key} ${sources.length}`)
      .sort();

  test("belongs to the object in its namespace, in every order", () => {
    const objects = [
      inFile({ name: "a", namespace: "x" }),
      inFile({ name: "a", namespace: "y" }, {}, "y.yaml"),
    ];
    for (const order of ordersOf([...objects, patch({ name: "a", namespace: "y" })]))
      expect(clustersOf(order)).toEqual(["x/a 1", "y/a 2"]);
    for (const order of ordersOf([...objects, patch({ name: "a", namespace: UNKNOWN })]))
      expect(clustersOf(order)).toEqual(["x/a 2", "y/a 2"]);
  });

  test("without an object is one cluster per namespace", () => {
    const patches = ["x", "y", "x"].map((own) => patch({ name: "a", namespace: own }));
    for (const order of ordersOf(patches)) expect(clustersOf(order)).toEqual(["x/a 2", "y/a 1"]);
  });
});

test("no rule throws for a malformed name or metadata", () => {
  for (const metadata of [
    null,
    5,
    "a",
    [],
    { name: [] },
    { name: {} },
    { namespace: {} },
    { generateName: [] },
  ])
    for (const rule of rules)
      expect(() => violations(rule, [inFile(metadata as PropertyValue), group("hosts", [])])).not.toThrow();
});
