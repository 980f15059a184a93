import { inspect } from "node:util";

import fc from "fast-check";

import type { ClusterSource } from "../../src/resources/clusterSources";
import { hostedClusters, placesOf, type JudgedCluster } from "../../src/gate/clusters";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { areTwo, isCalled, managementOf } from "../../src/resources/managementCluster";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import {
  COMPONENT,
  HOSTED_CLUSTER,
  hostedCluster,
  networking,
  resource,
  type Properties,
} from "../rules/builders";

type Text = PropertyValue | undefined;
const named = (name: Text, namespace: Text): Properties => ({
  ...(name !== undefined && { name }),
  ...(namespace !== undefined && { namespace }),
});
const object = (namespace: Text, name: Text = "a", spec: Properties = {}): Resource => {
  const { properties, ...rest } = hostedCluster(spec, "made");
  return { ...rest, properties: { ...properties, metadata: named(name, namespace) } };
};
const patch = (namespace: Text, name: Text = "a", spec: Properties = {}) =>
  resource(`${HOSTED_CLUSTER}Patch`, "patch", { metadata: named(name, namespace), spec });
const component = (namespace: Text, name: Text = "a", more: Properties = {}) =>
  resource(COMPONENT, "groups", { topology: { ...named(name, namespace), platform: "AWS", ...more } });
const clusters = (resources: readonly Resource[], entries: readonly object[] = [], file = "c.yaml") =>
  hostedClusters(resources, {
    ...readConfiguration({ hostedClusters: entries }, file).configuration,
  });
const sources = (...args: Parameters<typeof clusters>) =>
  clusters(...args).map(({ key, sources: all }) => `${key}: ${all.map(({ kind }) => kind).join(" ")}`);

describe("the sources of one hosted cluster are", () => {
  it.each<[string, Resource[], object[], string[]]>([
    ["none without input", [], [], []],
    [
      "all with its name and namespace, in a fixed order",
      [component("clusters"), object("clusters"), patch("clusters")],
      [{ name: "a" }],
      ["clusters/a: patch object component configuration"],
    ],
    [
      "not those with another name",
      [object("clusters"), component(undefined, "b")],
      [{ name: "c" }],
      ["clusters/a: object", "clusters/b: component", "clusters/c: configuration"],
    ],
    [
      "not those with another namespace",
      [object("x"), component("y")],
      [{ name: "a", namespace: "z" }],
      ["x/a: object", "y/a: component", "z/a: configuration"],
    ],
    [
      "each object separately, with the entries that name no namespace",
      [object("x"), object("y")],
      [{ name: "a" }],
      ["x/a: object configuration", "y/a: object configuration"],
    ],
    [
      "a component without a namespace only for the object in the default namespace",
      [object("x"), object("clusters"), component(undefined)],
      [],
      ["x/a: object", "clusters/a: object component"],
    ],
    [
      "an object without a namespace, and the components of its name",
      [object(undefined), component("clusters"), component("y")],
      [],
      ["clusters/a: object component component"],
    ],
    [
      "a patch of unknown namespace for every object of its name",
      [object("x"), object("y"), patch(UNKNOWN)],
      [],
      ["x/a: patch object", "y/a: patch object"],
    ],
    [
      "an object of unknown namespace, with the namespace that others state",
      [object(UNKNOWN), component("y")],
      [],
      ["y/a: object component"],
    ],
    [
      "patches, components and entries together, even without an object",
      [component(undefined), component("x"), patch("x")],
      [{ name: "a", namespace: "x" }],
      ["x/a: patch component component configuration"],
    ],
    [
      "the entries of the same management cluster",
      [],
      ["p", "q", "p"].map((managementCluster) => ({ name: "a", managementCluster })),
      ["clusters/a (p): configuration configuration", "clusters/a (q): configuration"],
    ],
    [
      "those with an invalid namespace, as if they had none",
      [object(5), component(["x"])],
      [],
      ["clusters/a: object component"],
    ],
    [
      "not components without a readable topology",
      ([null, UNKNOWN, "a", [{ name: "a" }]] as PropertyValue[]).map((topology) =>
        resource(COMPONENT, "g", { topology }),
      ),
      [],
      [],
    ],
    [
      "not resources of other packages",
      [resource("other:index:Thing", "t", { topology: { name: "a" } })],
      [],
      [],
    ],
  ])("%s", (_, resources, entries, expected) => {
    expect(sources(resources, entries)).toEqual(expected);
  });

  it("separated by folder or provider if the namespace is the same", () => {
    const at = (folder: string, one: Resource): Resource => ({
      ...one,
      origin: { file: `${folder}/a.yaml`, line: 1 },
    });
    const both = [at("p", object("clusters")), at("q", object("clusters"))];
    expect(sources([...both, at("q", component("clusters"))])).toEqual([
      "clusters/a (p): object",
      "clusters/a (q): object component",
    ]);
    expect(sources([at("p", object("x")), at("q", object("y"))])).toEqual(["x/a: object", "y/a: object"]);
    expect(sources([at("p", object("x")), at("q", object("x", "b"))])).toEqual([
      "x/a: object",
      "x/b: object",
    ]);
    expect(sources([at("p", object(undefined)), at("q", object(7))])).toEqual([
      "clusters/a (p): object",
      "clusters/a (q): object",
    ]);
    expect(sources([at("p", object("x")), object("x")])).toEqual(["x/a: object", "x/a: object"]);
  });
});

/** A resource as another stack has it; its Kubernetes objects have a provider of that stack. */
const inStack = (stack: string, one: Resource): Resource => ({
  ...one,
  origin: { urn: one.origin.urn!.replace("dev::test", stack) },
  ...(one.type.startsWith("kubernetes:") && {
    provider: `urn:pulumi:${stack}::pulumi:providers:kubernetes::mgmt`,
  }),
});

describe("the components of several stacks are of", () => {
  const [dev, prd] = [inStack("dev::net", component(undefined)), inStack("prd::net", component("clusters"))];
  it.each<[string, Resource[], object[], string[]]>([
    [
      "a cluster each",
      [dev, prd],
      [],
      ["clusters/a (dev/net): component", "clusters/a (prd/net): component"],
    ],
    [
      "a cluster each, with the entries that name none of them",
      [dev, prd],
      [{ name: "a" }, { name: "a", namespace: "clusters" }],
      ["dev", "prd"].map((name) => `clusters/a (${name}/net): component configuration configuration`),
    ],
    [
      "a cluster each, with the entry that names its stack",
      [dev, inStack("prd::net", component(undefined))],
      ["dev", "prd"].map((name) => ({ name: "a", managementCluster: `${name}/net`, namespace: "x" })),
      ["dev", "prd"].map((name) => `x/a (${name}/net): component configuration`),
    ],
    [
      "a cluster each, with the namespace that an entry states",
      [dev, inStack("prd::net", component(undefined))],
      [{ name: "a", namespace: "x" }],
      ["dev", "prd"].map((name) => `x/a (${name}/net): component configuration`),
    ],
    [
      "the cluster of their stack, with its patches",
      [dev, prd].flatMap((one, at) => [one, inStack(`${["dev", "prd"][at]}::net`, patch("clusters"))]),
      [],
      ["dev", "prd"].map((name) => `clusters/a (${name}/net): patch component`),
    ],
    [
      "the object of their stack",
      [dev, prd, ...["dev", "prd"].map((name) => inStack(`${name}::net`, object("clusters")))],
      [],
      ["dev", "prd"].map((name) => `clusters/a (${name}/net/mgmt): object component`),
    ],
    [
      "another cluster than the object in another stack of their project",
      [dev, prd, inStack("dev::net", object("clusters"))],
      [],
      ["clusters/a (mgmt): object component", "clusters/a (prd/net): component"],
    ],
    [
      "the only object, of another project",
      [dev, prd, inStack("dev::hosted", object("clusters"))],
      [],
      ["clusters/a: object component component"],
    ],
    [
      "the only object, of a manifest",
      [dev, prd, { ...object("clusters"), origin: { file: "a.yaml" } }],
      [],
      ["clusters/a: object component component"],
    ],
    [
      "clusters of their namespaces",
      [dev, inStack("prd::net", component("x"))],
      [],
      ["clusters/a: component", "x/a: component"],
    ],
  ])("%s", (_, resources, entries, expected) => {
    for (const order of [resources, [...resources].reverse()])
      expect(sources(order, entries).sort()).toEqual([...expected].sort());
  });

  it("the same clusters in any order", () => {
    const stacks = fc.constantFrom("dev::net", "prd::net", "dev::hosted");
    const made = fc
      .tuple(
        fc.constantFrom(object, patch, component, component),
        fc.constantFrom<Text>(undefined, UNKNOWN, "clusters", "x"),
        fc.option(stacks),
        fc.constantFrom("10.1.0.0/16", "10.2.0.0/16"),
      )
      .map(([make, namespace, stack, cidr]): Resource => {
        const one = make(namespace, "a", make === component ? { managementClusterCidrs: [cidr] } : {});
        return make === object && stack === null
          ? { ...one, origin: { file: "fleet/a.yaml" } }
          : inStack(stack ?? "dev::net", one);
      });
    const entries = fc.subarray([
      { name: "a" },
      { name: "a", namespace: "x" },
      { name: "a", namespace: "clusters", managementCluster: "dev/net" },
    ]);
    const shown = (resources: readonly Resource[], all: readonly Resource[], configured: readonly object[]) =>
      clusters(resources, configured)
        .map(({ key, raw, sources: its }) => {
          const from = its.map(({ resource: one, pathOf }) => (one ? all.indexOf(one) : pathOf("name")));
          return inspect([key, raw, from.sort()], { depth: Infinity, sorted: true });
        })
        .sort();
    fc.assert(
      fc.property(
        fc
          .array(made, { maxLength: 6 })
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        entries,
        ([all, other], configured) => {
          expect(shown(other, all, configured)).toEqual(shown(all, all, configured));
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** The groups of one name, source by source: those of its namespace, otherwise those whose namespace is not stated. */
function plainGroups(all: readonly ClusterSource[]): ClusterSource[][] {
  const namespaceOf = ({ raw }: ClusterSource) =>
    typeof raw.namespace === "string" || raw.namespace === UNKNOWN ? raw.namespace : undefined;
  const says = (source: ClusterSource) => typeof namespaceOf(source) === "string";
  const rank = ({ kind }: ClusterSource) => ["patch", "component", "configuration"].indexOf(kind);
  const others = all.filter(({ kind }) => kind !== "object").sort((a, b) => rank(a) - rank(b));
  const groups = all.filter(({ kind }) => kind === "object").map((one) => [one]);
  const entriesWith = new Map<ClusterSource[], ClusterSource>();
  const silent = [undefined, UNKNOWN].flatMap((said) => others.filter((one) => namespaceOf(one) === said));
  for (const source of [...others.filter(says), ...silent]) {
    const wanted = namespaceOf(source);
    const word = source.managementCluster;
    const there = groups.filter(([first]) => {
      const place = first!.resource && managementOf(first!.resource);
      if (word === undefined) return !source.resource || !areTwo(place, managementOf(source.resource));
      return place ? isCalled(place, word) : first!.managementCluster === word;
    });
    const namespaceIn = (group: ClusterSource[]) => namespaceOf(entriesWith.get(group) ?? group[0]!);
    const exact = there.filter((group) => namespaceIn(group) === (wanted ?? "clusters"));
    const free = typeof wanted === "string" ? there.filter(([first]) => !says(first!)) : there;
    const fitting = wanted !== UNKNOWN && exact.length > 0 ? exact : free;
    for (const group of fitting) group.push(source);
    if (fitting.length > 0) continue;
    // An entry that names only the namespace is about all clusters of that name in it, also about one that it found no sign of before.
    const isInStack = source.resource?.origin.urn !== undefined;
    const about = others.filter((one) => !one.resource && one.managementCluster === undefined && says(one));
    const inDefault = about.filter((one) => namespaceOf(one) === "clusters");
    const entries =
      says(source) || !isInStack ? [] : wanted !== UNKNOWN && inDefault.length > 0 ? inDefault : about;
    const namespaces = new Set(entries.map(namespaceOf));
    if (namespaces.size === 0) groups.push([source]);
    for (const one of namespaces) {
      const all = entries.filter((entry) => namespaceOf(entry) === one);
      groups.push([source, ...all]);
      entriesWith.set(groups.at(-1)!, all[0]!);
    }
  }
  return groups;
}

it("sources join the clusters that a look at each of them finds", () => {
  const namespaces = fc.constantFrom<Text>(undefined, UNKNOWN, "clusters", "x", 5);
  const words = fc.constantFrom("p", "q", "fleet/p", "other");
  const places = fc.constantFrom<Partial<Resource>>(
    {},
    ...["fleet/p/a.yaml", "fleet/q/a.yaml", "a.yaml"].map((file) => ({ origin: { file } })),
    ...["p", "q"].map((name) => ({ provider: `urn:pulumi:s::t::pulumi:providers:kubernetes::${name}` })),
    { origin: { live: "HostedCluster a", runsIn: "p" } },
  );
  const resources = fc
    .tuple(fc.constantFrom(object, object, patch, component), namespaces, places)
    .map(([make, namespace, place]) => ({ ...make(namespace), ...place }));
  const entries = fc.record(
    { name: fc.constant("a"), namespace: fc.constantFrom("clusters", "x"), managementCluster: words },
    { requiredKeys: ["name"] },
  );
  fc.assert(
    fc.property(
      fc.array(resources, { maxLength: 8 }),
      fc.array(entries, { maxLength: 4 }),
      (made, configured) => {
        const found = clusters(made, configured).map((cluster) => cluster.sources);
        // Each source as it is before it joins others; those of a component or an entry are the same objects.
        const all = [...new Set(found.flat())];
        const order = (source: ClusterSource) =>
          source.resource
            ? made.indexOf(source.resource)
            : made.length + Number(/\d+/.exec(source.pathOf("name")));
        const plain = plainGroups(all.sort((a, b) => order(a) - order(b)));
        const texts = (groups: readonly (readonly ClusterSource[])[]) =>
          groups.map((group) => group.map(order).sort().join(" ")).sort();
        expect(texts(found)).toEqual(texts(plain));
      },
    ),
    { numRuns: 500 },
  );
});

describe("the name of a cluster", () => {
  const names = (...resources: Resource[]) =>
    clusters(resources).map(({ name, isNamed, topology }) => ({
      name,
      isNamed,
      isUnknown: topology?.unknown.includes("name"),
    }));
  const known = (name: string) => [{ name, isNamed: true, isUnknown: false }];

  it("is that of the object, or of its resource if the object has none", () => {
    expect(names(object("clusters"))).toEqual(known("a"));
    for (const name of [undefined, null, ""])
      expect(names(object("clusters", (name as Text) ?? null))).toEqual(known("made"));
    expect(names(patch("clusters", null))).toEqual(known("patch"));
  });

  it("is unknown if the API server generates it or its value is not known yet", () => {
    const madeUp = object("clusters");
    const generated = { ...madeUp, properties: { ...madeUp.properties, metadata: { generateName: "a-" } } };
    for (const one of [generated, object("clusters", UNKNOWN)])
      expect(names(one)).toEqual([{ name: "made", isNamed: false, isUnknown: true }]);
    expect(names(patch("clusters", UNKNOWN))).toEqual(known("patch"));
    expect(names(component("clusters", UNKNOWN))).toEqual([
      { name: "unknown", isNamed: false, isUnknown: true },
    ]);
  });
});

describe("what is known of a cluster", () => {
  const only = (...args: Parameters<typeof clusters>): JudgedCluster => {
    const [one, ...others] = clusters(...args);
    expect(others).toEqual([]);
    return one!;
  };
  const machines = (cidr: string): PropertyValue => [{ cidr }];

  it("comes from its object and the defaults, whatever other sources state", () => {
    const others = component("clusters", "a", {
      machineNetwork: machines("10.7.0.0/16"),
      networkType: "Calico",
    });
    const { raw, partial } = only([object("clusters"), others], [{ name: "a", networkType: "Other" }]);
    expect(raw.machineNetwork).toEqual(machines("10.0.0.0/16"));
    expect(raw.networkType).toBe("OVNKubernetes");
    expect(partial).toBe(false);
    const bare = object("clusters", "a", {
      networking: { ...networking("10.0.0.0/16"), machineNetwork: null },
    });
    expect(only([bare, others]).raw.machineNetwork).toBeUndefined();
  });

  it("comes from other sources if the object does not know it yet or cannot state it", () => {
    const later = object("clusters", "a", {
      networking: networking("", { machineNetwork: UNKNOWN }),
      release: { image: "quay.io/ocp@sha256:0" },
    });
    const more: Properties = {
      machineNetwork: machines("10.7.0.0/16"),
      release: "4.19",
      managementClusterCidrs: ["10.8.0.0/16"],
    };
    const { raw } = only([later], [{ name: "a", ...more }]);
    expect(raw).toMatchObject(more);
    expect(only([later, component("clusters", "a", more)]).raw).toMatchObject(more);
  });

  it("is partial if only patches describe it", () => {
    const some = only([patch("clusters", "a", { networking: networking("10.0.0.0/33") })]);
    expect(some).toMatchObject({ partial: true, faults: [{ path: "machineNetwork[0].cidr" }] });
    expect(some.raw).not.toHaveProperty("platform");
    expect(only([component("clusters")]).partial).toBe(false);
    const patched = only([
      object("clusters"),
      patch("clusters", "a", { networking: { machineNetwork: machines("10.9.0.0/16") } }),
    ]);
    expect(patched.raw.machineNetwork).toEqual(machines("10.9.0.0/16"));
  });

  it("is unknown where two patches differ, in any order, and comes from both where they do not", () => {
    const one: Properties = {
      networking: { machineNetwork: machines("10.8.0.0/16"), networkType: "Calico" },
    };
    const other: Properties = {
      networking: { machineNetwork: machines("10.9.0.0/16") },
      release: { image: "ocp:4.19.0" },
    };
    const patches = [one, other, one].map((spec) => patch("clusters", "a", spec));
    for (const order of [patches, [...patches].reverse()])
      for (const whole of [[], [object("clusters")]]) {
        const { raw } = only([...whole, ...order]);
        expect(raw).toMatchObject({ machineNetwork: UNKNOWN, networkType: "Calico", release: "4.19" });
        expect(raw.name).toBe("a");
      }
    const stated = only(
      [object("clusters"), ...patches],
      [{ name: "a", machineNetwork: machines("10.7.0.0/16") }],
    );
    expect(stated.raw.machineNetwork).toEqual(machines("10.7.0.0/16"));
  });

  it("is unknown where two components differ, in any order, and comes from both where they do not", () => {
    const ranges = { machineNetwork: [{ cidr: "10.0.0.0/16" }], clusterNetwork: [{ cidr: "10.132.0.0/14" }] };
    const one = component("clusters", "a", { ...ranges, addresses: { nat: "192.0.2.1/32", vpn: UNKNOWN } });
    const other = component("clusters", "a", {
      ...{ machineNetwork: [{ cidr: "10.1.0.0/16" }], clusterNetwork: ranges.clusterNetwork },
      ...{ addresses: { nat: "192.0.2.2/32", vpn: "10.9.0.0/16" }, release: "4.20", bootstrap: null },
    });
    const third = component("clusters", "a", { machineNetwork: [{ cidr: "10.1.0.0/16" }] });
    const expected = {
      machineNetwork: UNKNOWN,
      clusterNetwork: ranges.clusterNetwork,
      addresses: { nat: UNKNOWN, vpn: "10.9.0.0/16" },
      release: "4.20",
    };
    for (const all of [
      [one, other, third],
      [third, other, one],
      [other, third, one],
    ])
      expect(only(all).raw).toMatchObject(expected);
    // What an entry of the configuration or an object states decides.
    expect(only([one, other], [{ name: "a", ...ranges }]).raw).toMatchObject({
      ...expected,
      machineNetwork: ranges.machineNetwork,
    });
    expect(only([one, other, object("clusters")]).raw).toMatchObject({
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
    });
  });

  it("comes from the components of its stack, and from others if its stack has none", () => {
    const inStack = (stack: string, { origin, ...rest }: Resource): Resource => ({
      ...rest,
      origin: { urn: origin.urn!.replace("urn:pulumi:dev::", `urn:pulumi:${stack}::`) },
      ...(rest.type.startsWith("kubernetes:") && {
        provider: `urn:pulumi:${stack}::test::pulumi:providers:kubernetes::mgmt`,
      }),
    });
    const stating = (stack: string, cidr: string) =>
      inStack(stack, component("clusters", "a", { dnsServerCidrs: [cidr] }));
    const [east, west] = ["east", "west"].map((stack) => inStack(stack, object("clusters"))) as [
      Resource,
      Resource,
    ];
    const dns = (...resources: Resource[]) => clusters(resources).map(({ raw }) => raw.dnsServerCidrs);
    const said = [stating("east", "10.0.0.2/32"), stating("west", "10.1.0.2/32")];
    expect(dns(east, west, ...said)).toEqual([["10.0.0.2/32"], ["10.1.0.2/32"]]);
    expect(dns(...said.reverse(), east, west)).toEqual([["10.0.0.2/32"], ["10.1.0.2/32"]]);
    const [besides] = said as [Resource];
    const ofOtherProject = {
      ...besides,
      origin: { urn: besides.origin.urn!.replace("::test::", "::network::") },
    };
    expect(dns(east, ofOtherProject)).toEqual([["10.1.0.2/32"]]);
  });

  it("is unknown where a patch sets an unknown value, or another list of services", () => {
    const unsaid = patch("clusters", "a", { networking: { machineNetwork: UNKNOWN } });
    const { topology } = only([object("clusters"), unsaid]);
    expect(topology!.unknown).toContain("machineNetwork");
    expect(only([object("clusters"), patch("clusters", "a", UNKNOWN as never)]).raw.networkType).toBe(
      UNKNOWN,
    );
    const publishing = (service: string): Properties => ({
      services: [{ service, servicePublishingStrategy: { type: "Route" } }],
    });
    const lists = ["APIServer", "Ignition"].map((service) => patch("clusters", "a", publishing(service)));
    expect(only([object("clusters"), ...lists]).raw.services).toBe(UNKNOWN);
  });

  it("has the path at which it is written or would be written", () => {
    const all = [object("clusters"), patch("clusters", "a", { networking: { networkType: "Calico" } })];
    const groups = component("clusters", "a", { dnsServerCidrs: ["10.0.0.2/32"], machineNetwork: [] });
    const cluster = only([...all, groups], [{ name: "a", registryCidrs: ["192.0.2.0/24"] }]);
    const at = (property: string) => {
      const { resource: origin, holder, path } = cluster.locate(property);
      expect(holder?.origin ?? { file: "c.yaml" }).toEqual(origin);
      expect(placesOf(cluster, property)).toEqual(holder ? [{ resource: holder, path }] : []);
      return `${holder?.name ?? origin.file} ${path}`;
    };
    const services = "made spec.services";
    expect(at("machineNetwork[0].cidr")).toBe("made spec.networking.machineNetwork[0].cidr");
    expect(at("name")).toBe("patch metadata.name");
    expect(at("networkType")).toBe("patch spec.networking.networkType");
    expect(at("endpointAccess")).toBe("made spec.platform.aws.endpointAccess");
    expect(at("services.apiServer.type")).toBe(`${services}[0].servicePublishingStrategy.type`);
    expect(at("services.oauthServer")).toBe(`${services}[1]`);
    expect(at("advertiseAddress")).toBe("made spec.networking.apiServer.advertiseAddress");
    expect(at("dnsServerCidrs[0]")).toBe("groups topology.dnsServerCidrs[0]");
    expect(at("registryCidrs")).toBe("c.yaml hostedClusters[0].registryCidrs");
    expect(at("workerCidrs")).toBe("made spec");
  });

  it("has its path in the component or patch if there is no object, and no file if none is known", () => {
    expect(only([component("clusters")]).locate("machineNetwork").path).toBe("topology.machineNetwork");
    expect(only([patch("clusters", "a", {})]).locate("machineNetwork").path).toBe(
      "spec.networking.machineNetwork",
    );
    const { configuration } = readConfiguration({ hostedClusters: [{ name: "a" }] }, "");
    const [cluster] = hostedClusters([], { clusters: configuration.clusters, levels: {} });
    expect(cluster!.locate("name")).toEqual({ resource: {}, path: "hostedClusters[0].name" });
  });
});

describe("a cluster that is requested again", () => {
  it("is the same instance as long as its sources and the configuration file are the same", () => {
    const [one, other, groups] = [object("x"), object("y"), component("x")];
    const { configuration } = readConfiguration({ hostedClusters: [{ name: "a" }] }, "c.yaml");
    const ask = (resources: Resource[], file = "c.yaml") =>
      hostedClusters(resources, { ...configuration, file })[0]!;
    const first = ask([one, groups]);
    expect(ask([one, groups])).toBe(first);
    expect(ask([one, groups, other])).toBe(first);
    expect(ask([one]).sources).toHaveLength(2);
    expect(ask([one, component("x")]).sources).toHaveLength(3);
    expect(ask([], "c.yaml").locate("name").resource).toEqual({ file: "c.yaml" });
    expect(ask([], "d.yaml").locate("name").resource).toEqual({ file: "d.yaml" });
  });

  it("has another key if clusters of its name exist in other folders", () => {
    const at = (folder: string): Resource => ({
      ...object("x"),
      origin: { file: `${folder}/a.yaml`, line: 1 },
    });
    const [p, q, r] = [at("fleet/p"), at("fleet/q"), at("r")];
    const keys = (...resources: Resource[]) =>
      hostedClusters(resources, { clusters: [], levels: {} })[0]!.key;
    expect([keys(p), keys(p, q), keys(p, r), keys(p)]).toEqual(["x/a", "x/a (p)", "x/a (fleet/p)", "x/a"]);
  });
});
