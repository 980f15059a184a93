import {
  clusterFaults,
  clustersThatMeet,
  disagreements,
  faultsTogether,
  namesIn,
  objectFaults,
  objectNameFaults,
  unreadableTopologies,
} from "../../src/gate/clusterFaults";
import { hostedClusters } from "../../src/gate/clusters";
import { Level, type Judgement } from "../../src/gate/finding";
import { JudgedResources } from "../../src/gate/judgedResources";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { type Origin, type PropertyValue, type Resource, UNKNOWN } from "../../src/resources/resource";
import { COMPONENT, hostedCluster, networking, resource, services, type Properties } from "../rules/builders";

const lines = (found: readonly Judgement[]) =>
  found.map(({ level = Level.Error, resource: at, path, message, fix }) =>
    [
      `${level} ${at.urn ?? at.live ?? `${at.file}:${at.line}`} ${path}`,
      message,
      ...(fix === undefined ? [] : [fix]),
    ].join(" | "),
  );

describe("faults that the configuration has only together with an object", () => {
  const found = (spec: Properties, said: object) => {
    const hostedClusters = [{ name: "tenant-a", namespace: "clusters", ...said }];
    const { configuration, faults } = readConfiguration({ hostedClusters }, "c.yaml", []);
    expect(faults).toEqual([]);
    return faultsTogether(new JudgedResources([hostedCluster(spec)], configuration)).map(({ path }) => path);
  };
  const everybody = { externalClientCidrs: ["0.0.0.0/0"] };
  const aws = (endpointAccess: PropertyValue): Properties => ({
    platform: { type: "AWS", aws: { endpointAccess } },
  });

  it.each<[string, Properties, object, string[]]>([
    ["a private cluster for everybody", aws("Private"), everybody, ["hostedClusters[0].externalClientCidrs"]],
    ["a public cluster for everybody", aws("PublicAndPrivate"), everybody, []],
    ["an access that is not known yet", aws(UNKNOWN), everybody, []],
    ["a platform that is not known yet", { platform: UNKNOWN }, { defaultWorkerRules: true }, []],
    ["services that are not known yet", { ...aws("Private"), services: UNKNOWN }, { bootstrap: false }, []],
  ])("%s", (_, spec, said, paths) => {
    expect(found(spec, said)).toEqual(paths);
  });
});

describe("components of one hosted cluster", () => {
  const stating = (name: string, topology: Properties): Resource =>
    resource(COMPONENT, name, { topology: { name: "a", platform: "AWS", ...topology } });
  const found = (...resources: Resource[]) => lines(disagreements(new JudgedResources(resources)));
  const [one, other] = [
    stating("one", { dnsServerCidrs: ["10.0.0.2/32"] }),
    stating("other", { dnsServerCidrs: ["10.1.0.2/32"] }),
  ];

  it("that state different values are named, in any order, unless an object decides", () => {
    const said = (name: string) =>
      `error urn:pulumi:dev::test::${COMPONENT}::${name} topology.dnsServerCidrs | HostedControlPlaneSecurityGroups ${name}: topology.dnsServerCidrs, 2 components of clusters/a state it, with different values, and which one holds is not known`;
    expect(found(one, other)).toEqual([said("one"), said("other")]);
    expect(found(other, one)).toEqual([said("one"), said("other")]);
    const [first, second] = ["10.0.0.0/16", "10.1.0.0/16"].map((cidr) =>
      stating(cidr, { namespace: "clusters", machineNetwork: [{ cidr }] }),
    ) as [Resource, Resource];
    expect(found(first, second)).toHaveLength(2);
    expect(found(first, second, hostedCluster({}, "a"))).toEqual([]);
  });

  it("that state the same, something else or a value that is not known yet are not named", () => {
    expect(found(one, stating("copy", { dnsServerCidrs: ["10.0.0.2/32"] }))).toEqual([]);
    expect(found(one, stating("more", { registryCidrs: ["10.1.0.2/32"] }))).toEqual([]);
    expect(found(one, stating("pending", { dnsServerCidrs: UNKNOWN }))).toEqual([]);
    expect(found(one)).toEqual([]);
  });
});

describe("hosted clusters that share a control-plane namespace", () => {
  const cluster = (
    namespace: PropertyValue,
    name: PropertyValue,
    origin: Origin,
    provider?: string,
  ): Resource => {
    const { properties, ...rest } = hostedCluster({}, "made");
    const metadata: PropertyValue = { namespace, name };
    return {
      ...rest,
      properties: { ...properties, metadata },
      origin,
      ...(provider !== undefined && { provider }),
    };
  };
  const inFile = (folder: string, name = "a.yaml", line = 1): Origin => ({ file: `${folder}/${name}`, line });
  const live = { live: "HostedCluster x/a", runsIn: "cluster/api" };
  const meet = (...resources: Resource[]) =>
    lines(clustersThatMeet(hostedClusters(resources, { clusters: [], levels: {} })));
  const twice = (place: string, other: string) =>
    `error ${place} metadata.name | x/a is defined more than once, and the API server treats all definitions as one object: ${other} | keep only one of them, or give the others different names`;
  const perhaps = (place: string, others: string) =>
    `note ${place} metadata.name | x/a is defined more than once, and the input does not show whether these clusters are in different management clusters: ${others}; each is judged | use a folder for each management cluster, or keep only one of them: in one management cluster they are one object`;
  const shared = (place: string, one: string, namespace: string, other: string) =>
    `error ${place} metadata.name | the control plane of ${one} goes into ${namespace}, and so does that of another cluster: ${other} | give one of them another name or namespace`;
  const [u, v, w] = ["u", "v", "w"].map((urn) => ({ urn })) as [Origin, Origin, Origin];

  it.each<[string, Resource[], string[]]>([
    ["a single cluster is no conflict", [cluster("x", "a", u)], []],
    [
      "clusters of different names or namespaces do not conflict",
      [cluster("x", "a", u), cluster("x", "b", v), cluster("y", "a", w)],
      [],
    ],
    [
      "two of the same name in one stack are an error",
      [cluster("x", "a", u), cluster("x", "a", v)],
      [twice("u", "HostedCluster made"), twice("v", "HostedCluster made")],
    ],
    [
      "two of the same name with one provider are an error",
      [cluster("x", "a", u, "p"), cluster("x", "a", v, "p")],
      [twice("u", "HostedCluster made"), twice("v", "HostedCluster made")],
    ],
    [
      "two of the same name with different providers do not conflict",
      [cluster("x", "a", u, "p"), cluster("x", "a", v, "q")],
      [],
    ],
    [
      "two of the same name, one of them without a provider, are a note",
      [cluster("x", "a", u, "p"), cluster("x", "a", v)],
      [perhaps("u", "HostedCluster made"), perhaps("v", "HostedCluster made")],
    ],
    [
      "three of the same name in one folder are a note",
      ["c.yaml", "a.yaml", "b.yaml"].map((name) => cluster("x", "a", inFile("d", name))),
      [
        perhaps("d/c.yaml:1", "d/a.yaml:1, d/b.yaml:1"),
        perhaps("d/a.yaml:1", "d/b.yaml:1, d/c.yaml:1"),
        perhaps("d/b.yaml:1", "d/a.yaml:1, d/c.yaml:1"),
      ],
    ],
    [
      "two of the same name in different folders do not conflict",
      [cluster("x", "a", inFile("d")), cluster("x", "a", inFile("e"))],
      [],
    ],
    [
      "two of the same name, in a file and in a stack, are a note",
      [cluster("x", "a", inFile("d")), cluster("x", "a", u)],
      [perhaps("d/a.yaml:1", "HostedCluster made"), perhaps("u", "d/a.yaml:1")],
    ],
    ["a running cluster and its plan do not conflict", [cluster("x", "a", live), cluster("x", "a", u)], []],
    [
      "names that yield the same control-plane namespace are an error",
      [cluster("x", "a.b", u), cluster("x", "a-b", v)],
      [shared("u", "x/a.b", "x-a-b", "x/a-b"), shared("v", "x/a-b", "x-a-b", "x/a.b")],
    ],
    [
      "pairs of namespace and name that yield the same control-plane namespace are an error",
      [cluster("x", "y-a", u), cluster("x-y", "a", v)],
      [shared("u", "x/y-a", "x-y-a", "x-y/a"), shared("v", "x-y/a", "x-y-a", "x/y-a")],
    ],
    [
      "names that yield the same control-plane namespace in two folders are an error",
      [cluster("x", "a.b", inFile("d")), cluster("x", "a-b", inFile("e"))],
      [shared("d/a.yaml:1", "x/a.b", "x-a-b", "x/a-b"), shared("e/a.yaml:1", "x/a-b", "x-a-b", "x/a.b")],
    ],
    [
      "names that yield the same control-plane namespace with different providers do not conflict",
      [cluster("x", "a.b", u, "p"), cluster("x", "a-b", v, "q")],
      [],
    ],
    ["an unknown namespace does not conflict", [cluster(UNKNOWN, "a", u), cluster("x", "a", v)], []],
    ["unknown names do not conflict", [cluster("x", UNKNOWN, u), cluster("x", UNKNOWN, v)], []],
  ])("%s", (_, resources, expected) => expect(meet(...resources)).toEqual(expected));

  it("an object without a namespace counts as one in the default namespace", () => {
    expect(meet(cluster(null, "a", u), cluster("clusters", "a", v))).toHaveLength(2);
  });

  it("two read from one server are an error, and a long list of places ends with a count", () => {
    expect(meet(cluster("x", "a", live), cluster("x", "a", { ...live }))).toEqual([
      twice("HostedCluster x/a", "HostedCluster made"),
      twice("HostedCluster x/a", "HostedCluster made"),
    ]);
    const many = Array.from({ length: 7 }, (_, n) => cluster("x", "a", inFile("d", `${n}.yaml`)));
    expect(meet(...many)[0]).toContain(
      ": d/1.yaml:1, d/2.yaml:1, d/3.yaml:1, d/4.yaml:1, d/5.yaml:1 and 1 more; each",
    );
  });

  it("entries of a configuration conflict too", () => {
    const names = ["a-b", "a.b"].map((name) => ({ name, namespace: "x" }));
    const { configuration } = readConfiguration({ hostedClusters: names }, "c.yaml");
    expect(clustersThatMeet(hostedClusters([], configuration))).toMatchObject([
      { resource: { file: "c.yaml" }, path: "hostedClusters[0].name" },
      { resource: { file: "c.yaml" }, path: "hostedClusters[1].name" },
    ]);
  });
});

test("the namespace of a cluster-scoped object is ignored, as the API server clears it", () => {
  const metadata = { name: "a", namespace: "Foo_X" };
  const found = (type: string) => objectNameFaults(resource(type, "n", { metadata }), "thing").length;
  expect(found("kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy")).toBe(0);
  expect(found("kubernetes:k8s.ovn.org/v1:EgressIP")).toBe(0);
  expect(found("kubernetes:networking.k8s.io/v1:NetworkPolicy")).toBe(1);
});

describe("the names of an object", () => {
  const found = (metadata: Properties, origin: Origin = { file: "a.yaml", line: 2 }) =>
    lines(objectNameFaults({ ...resource("a:b:Thing", "n", { metadata }), origin }, "thing")).map((line) =>
      line.replace("error a.yaml:2 metadata.", ""),
    );
  const refused = "and the API server refuses the object";
  const subdomain = `is not a Kubernetes name, ${refused} | write at most 253 lowercase letters, digits, hyphens and dots`;
  const label = `is not a Kubernetes name, ${refused} | write at most 63 lowercase letters, digits and hyphens`;
  const long = (length: number) => `${"a.".repeat(126)}a`.slice(0, length);
  const missing = `name | missing, ${refused} | write the name of the thing`;

  it.each<[Properties, string[]]>([
    [{ name: "a-1.b" }, []],
    [{ name: long(253), namespace: "a".repeat(63) }, []],
    [{ generateName: "a-" }, []],
    [{ generateName: "a.b-" }, []],
    [{ generateName: "a" }, []],
    [{ name: UNKNOWN }, []],
    [{ name: "a", namespace: UNKNOWN }, []],
    [{}, [missing]],
    [{ name: "", generateName: "" }, [missing]],
    [{ name: "A" }, [`name | "A" ${subdomain}`]],
    [{ name: "a." }, [`name | "a." ${subdomain}`]],
    [{ name: "a-" }, [`name | "a-" ${subdomain}`]],
    [{ generateName: "a." }, [`generateName | "a." ${subdomain}`]],
    [{ generateName: "-a" }, [`generateName | "-a" ${subdomain}`]],
    [{ name: "a", namespace: "a.b" }, [`namespace | "a.b" ${label}`]],
    [{ name: 5 }, [`name | 5 is not a string, ${refused} | write it in quotes`]],
    [{ name: "a", namespace: true }, [`namespace | true is not a string, ${refused} | write it in quotes`]],
    [{ name: ["a"] }, [`name | a list is not a string, ${refused} | write a string`]],
    [{ name: {} }, [expect.stringMatching(/^name \| .* is not a string, .* \| write a string$/) as string]],
  ])("have the expected faults: %j", (metadata, expected) => expect(found(metadata)).toEqual(expected));

  it("may be missing in a program, because Pulumi creates them", () => {
    expect(found({}, { urn: "u" })).toEqual([]);
    expect(found({ name: "A" }, { urn: "u" })).toHaveLength(1);
  });

  it("may not be longer than the API server accepts", () => {
    expect(found({ name: `${long(253)}b` })).toHaveLength(1);
    expect(found({ name: "a", namespace: "a".repeat(64) })).toHaveLength(1);
  });
});

describe("faults of an object", () => {
  it("keep their paths in the object, and faults of other inputs are omitted", () => {
    const object = resource("a:b:Thing", "n", {});
    const fault = (path: string) => ({ path, problem: "is wrong", remedy: "mend it" });
    const paths = [
      "spec",
      "spec.a",
      "metadata.name",
      "specs",
      "topology.spec",
      "machineNetwork of the HostedCluster",
    ];
    const found = objectFaults(object, paths.map(fault));
    expect(found.map(({ path }) => path)).toEqual(["spec", "spec.a", "metadata.name"]);
    expect(lines(found)[0]).toBe(`error ${object.origin.urn} spec | is wrong | mend it`);
  });

  it("use the property names of the object", () => {
    const nameOf = namesIn({ addresses: "spec.egressIPs" });
    expect(["addresses", "nodeSubnets", "other", "constructor"].map(nameOf)).toEqual([
      "spec.egressIPs",
      "machineNetwork of the HostedCluster",
      "other",
      "constructor",
    ]);
  });
});

describe("faults found while reading a cluster", () => {
  const faultsOf = (rule: string, resources: Resource[], deciding: string[] = []) =>
    clusterFaults(new JudgedResources(resources), rule, deciding).map(
      ({ status, path, message }) => `${status} ${path}: ${message}`,
    );

  it("are reported for objects only, under their own rule, with the name of the service", () => {
    const rule = "publishing-unsupported";
    const wrong: Properties = { services: services({ APIServer: "NodePort" }) };
    expect(faultsOf(rule, [hostedCluster(wrong)])).toEqual([
      "violated spec.services[0].servicePublishingStrategy.type: APIServer type: NodePort is refused on AWS: on AWS the API server is published by LoadBalancer, or by Route with a host name",
    ]);
    expect(faultsOf("node-port-range", [hostedCluster(wrong)])).toEqual([]);
    const topology = { name: "b", platform: "AWS", services: { apiServer: { type: "NodePort" } } };
    expect(faultsOf(rule, [resource(COMPONENT, "b", { topology })])).toEqual([]);
    const patched = resource(`${hostedCluster().type}Patch`, "p", {
      metadata: { name: "tenant-a", namespace: "clusters" },
      spec: { platform: { type: "AWS" }, ...wrong },
    });
    expect(faultsOf(rule, [patched], ["machineNetwork"])).toEqual([]);
    expect(faultsOf(rule, [hostedCluster(), patched])).toHaveLength(1);
  });

  it("are counted as unknown if a deciding property is unknown", () => {
    const unsaid = hostedCluster({ networking: networking("", { machineNetwork: UNKNOWN }) });
    const path = "spec.networking.machineNetwork";
    expect(faultsOf("cidr-invalid", [unsaid], ["machineNetwork", "serviceNetwork"])).toEqual([
      `unknown ${path}: HostedCluster tenant-a: ${path}`,
    ]);
    expect(faultsOf("cidr-invalid", [unsaid])).toEqual([]);
  });

  const unreadable = (topology: PropertyValue) =>
    lines(unreadableTopologies(new JudgedResources([resource(COMPONENT, "a", { topology })]))).map(
      (line) => line.split("HostedControlPlaneSecurityGroups a: ")[1],
    );

  it.each<[PropertyValue, string[]]>([
    [null, []],
    [{ name: "a", platform: "AWS" }, []],
    [{ name: "a", platform: "AWS", namespace: UNKNOWN }, []],
    [UNKNOWN, ["topology"]],
    ["a", ["topology, cannot be read: it is not an object"]],
    [["a"], ["topology, cannot be read: it is not an object"]],
    [{ name: "a", platform: UNKNOWN }, ["topology.platform"]],
    [{ name: 5, platform: "AWS" }, ["topology.name, cannot be read: it is not a string"]],
    [
      { name: "a", namespace: {}, platform: "AWS" },
      ["topology.namespace, cannot be read: it is not a string"],
    ],
    [
      { name: "a", platform: "AWS", machineNetwork: 5 },
      ["topology.machineNetwork, cannot be read: 5 is not a list"],
    ],
  ])("name what is unknown or unreadable in the topology of a component: %j", (topology, expected) => {
    expect(unreadable(topology)).toEqual(expected);
  });

  it("are not reported as an unreadable topology if the object is wrong", () => {
    const judged = new JudgedResources([hostedCluster({ networking: networking("10.0.0.0/33") })]);
    expect(unreadableTopologies(judged)).toEqual([]);
  });
});
