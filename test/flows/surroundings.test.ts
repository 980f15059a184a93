import {
  ALLOWED_LIST,
  keptOut,
  namespaceLabels,
  standingObjects,
  surroundingsOf,
} from "../../src/flows/surroundings";
import { isAnybodyKeptOut } from "../../src/flows/serviceJourneys";
import { Role, Zone } from "../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { prefix } from "../reachability/smallUniverse";
import { pinned, said } from "../reachability/path/clusters";

// Each test has its own topology object, because surroundings are cached per topology.
const bare = () => said({ platform: "None", services: pinned });
const unnamed = () => ({ ...bare(), unknown: ["namespace"] });

const object = (
  kind: string,
  metadata: Record<string, PropertyValue>,
  more: Partial<Omit<Resource, "origin">> & { file?: string; spec?: PropertyValue } = {},
): Resource => {
  const { file = "a.yaml", spec = {}, ...rest } = more;
  return {
    origin: { file, line: 1 },
    type: `kubernetes:${kind}`,
    name: "it",
    properties: { metadata, spec },
    ...rest,
  };
};
const firewall = (namespace: PropertyValue, more: Parameters<typeof object>[2] = {}) =>
  object("k8s.ovn.org/v1:EgressFirewall", { name: "default", namespace }, more);
const hostedCluster = (metadata: Record<string, PropertyValue>, more: Parameters<typeof object>[2] = {}) =>
  object("hypershift.openshift.io/v1beta1:HostedCluster", metadata, more);
const providerUrn = (name: string, stack = "prod") =>
  `urn:pulumi:${stack}::net::pulumi:providers:kubernetes::${name}`;
const PATCH = "k8s.ovn.org/v1:EgressFirewallPatch";
const component = (name: string, properties: Resource["properties"], parent?: string): Resource => ({
  origin: { urn: `urn:${name}` },
  type: "hypershift-network:index:EgressFirewall",
  name,
  properties,
  ...(parent !== undefined && { parent }),
});

describe("namespaces with an egress firewall", () => {
  const governed = (plan: Resource[], topology = bare()) =>
    surroundingsOf(new ResourceIndex(plan), topology).namespaces.map(
      ({ cluster, namespace, doubt }) => `${cluster} ${namespace}${doubt ? `, by ${doubt.path}` : ""}`,
    );
  const ofComponent = (topology: PropertyValue) => [
    component("outer", { topology }),
    component("inner", {}, "urn:outer"),
    firewall("shop", { parent: "urn:inner" }),
  ];
  const other = hostedCluster({ name: "b", namespace: "fleet" });
  const inDefault = hostedCluster({ name: "b", namespace: "default" });

  test.each<[string, Resource[], string[]]>([
    ["of any name belong to the hosted cluster", [firewall("shop")], ["hosted shop"]],
    [
      "of a control plane belong to the management cluster",
      [firewall("clusters-tenant-a")],
      ["management clusters-tenant-a"],
    ],
    ["of HostedCluster objects are ignored", [firewall("clusters")], []],
    ["of operators are ignored", [firewall("hypershift"), firewall("multicluster-engine")], []],
    [
      "that both clusters have may be in the hosted cluster",
      [firewall("openshift-dns")],
      ["hosted openshift-dns, by metadata.namespace"],
    ],
    ["of other clusters are ignored", [other, firewall("fleet"), firewall("fleet-b")], []],
    [
      "that every cluster has may be in the hosted cluster",
      [inDefault, firewall("default")],
      ["hosted default"],
    ],
    ["of other control planes are ignored", [inDefault, firewall("default-b")], []],
    [
      "below a component with the cluster's topology belong to the hosted cluster",
      ofComponent({ name: "tenant-a" }),
      ["hosted shop"],
    ],
    [
      "below a component with the cluster's topology and namespace belong to it, too",
      ofComponent({ name: "tenant-a", namespace: "clusters" }),
      ["hosted shop"],
    ],
    [
      "below a component with another cluster's topology are ignored",
      ofComponent({ name: "tenant-a", namespace: "fleet" }),
      [],
    ],
    [
      "below a component with a topology of unknown name may belong to the hosted cluster",
      ofComponent({ name: UNKNOWN }),
      ["hosted shop"],
    ],
    [
      "that a topology identifies as another control plane's are ignored",
      [component("outer", { topology: { name: "b", namespace: "fleet" } }), firewall("fleet-b")],
      [],
    ],
    [
      "are another control plane's in the default namespace if its topology states none",
      [component("outer", { topology: { name: "b" } }), firewall("clusters-b"), firewall("fleet-b")],
      ["hosted fleet-b"],
    ],
    [
      "that are unknown may be the hosted cluster's or the control plane's",
      [firewall(UNKNOWN)],
      ["hosted of it, by metadata.namespace", "management clusters-tenant-a, by metadata.namespace"],
    ],
    [
      "with a firewall of another name are ignored",
      [object("k8s.ovn.org/v1:EgressFirewall", { name: "mine" })],
      [],
    ],
  ])("%s", (_, plan, expected) => {
    expect(governed(plan)).toEqual(expected);
  });

  test("may be an unknown control plane's, unless they belong to a HostedCluster elsewhere", () => {
    const clusters = hostedCluster({ name: "b", namespace: "clusters" });
    expect(governed([clusters, firewall("clusters-b")], unnamed())).toEqual([
      "management clusters-tenant-a, by metadata.namespace",
    ]);
    const named = { ...bare(), unknown: ["name"] };
    expect(governed([clusters, other, firewall("clusters-b"), firewall("fleet-b")], named)).toEqual([
      "management clusters-tenant-a, by metadata.namespace",
    ]);
  });

  test("that are written twice are one, with both versions of the firewall", () => {
    const egress = (...destinations: string[]): PropertyValue => ({
      egress: destinations.map((cidrSelector) => ({ type: "Deny", to: { cidrSelector } })),
    });
    const twice = [
      firewall("shop", { spec: egress("10.0.0.0/8") }),
      firewall("web"),
      firewall("shop", { spec: egress("192.0.2.0/24"), file: "b.yaml" }),
    ];
    expect(governed(twice)).toEqual(["hosted shop", "hosted web"]);
    const [shop] = surroundingsOf(new ResourceIndex(twice), bare()).namespaces;
    expect(shop?.firewall.versions).toHaveLength(2);
    const patch = object(PATCH, { name: "default", namespace: "shop" }, { spec: egress("10.0.0.0/8") });
    expect(governed([firewall("shop"), patch])).toEqual(["hosted shop", "hosted shop"]);
    expect(governed([...twice, firewall(UNKNOWN)])).toEqual([
      "hosted of it, by metadata.namespace",
      "management clusters-tenant-a, by metadata.namespace",
      "hosted shop",
      "hosted web",
    ]);
  });

  test.each<[string, PropertyValue, boolean]>([
    ["rules", { egress: [] }, true],
    ["rules that are not known yet", { egress: UNKNOWN }, true],
    ["nothing that is known", UNKNOWN, true],
    ["no rules", {}, false],
    ["null, which leaves the rules as they are,", { egress: null }, false],
  ])(
    "with a patch that states %s: it counts if it may replace the rules of its object",
    (_, spec, counts) => {
      const patch = object(PATCH, { name: "default", namespace: "shop" }, { spec });
      expect(governed([firewall("shop"), patch])).toHaveLength(counts ? 2 : 1);
      expect(governed([firewall("web"), patch])).toEqual(["hosted web", "hosted shop"]);
    },
  );

  test("are absent, as are encryption and allowed blocks, in an empty plan", () => {
    expect(surroundingsOf(new ResourceIndex([]), bare())).toEqual({ namespaces: [], ipsec: {} });
  });
});

const PLACES = ["east", "west"].map((is) => ({ by: "folder", is }) as const);
const placed = (folder: string) => ({
  ...bare(),
  placement: { own: PLACES.find(({ is }) => is === folder)!, all: PLACES },
});

describe("the objects in one of two management clusters", () => {
  const [east, west] = ["east/a.yaml", "west/a.yaml"];

  test("include only its own egress firewalls", () => {
    const plan = [firewall("clusters-tenant-a", { file: east }), firewall("shop", { file: west })];
    const namespaces = (folder: string) =>
      surroundingsOf(new ResourceIndex(plan), placed(folder)).namespaces.map(({ namespace }) => namespace);
    expect([namespaces("east"), namespaces("west")]).toEqual([["clusters-tenant-a"], ["shop"]]);
  });

  test("include only its own objects, each once", () => {
    const written = [east, west, east].map((file) =>
      object(
        "networking.k8s.io/v1:NetworkPolicy",
        { name: "deny", namespace: "clusters-tenant-a" },
        { file },
      ),
    );
    const standing = (topology: ReturnType<typeof bare>) =>
      standingObjects(new ResourceIndex(written), topology, written).map(({ origin }) => origin.file);
    expect(standing(placed("east"))).toEqual([east]);
    expect(standing(placed("west"))).toEqual([west]);
  });

  test("include only its own namespaces with their labels", () => {
    const plan = [
      object("core/v1:Namespace", { name: "shop", labels: { team: "a" } }, { file: east }),
      object("core/v1:Namespace", { name: "shop", labels: { team: "b" } }, { file: west }),
    ];
    const labels = (topology: ReturnType<typeof bare>, name = "shop") =>
      namespaceLabels(new ResourceIndex(plan), topology)(name)?.labels;
    const name = { "kubernetes.io/metadata.name": "shop" };
    expect(labels(placed("east"))).toEqual({ team: "a", ...name });
    expect(labels(placed("west"))).toEqual({ team: "b", ...name });
    expect(labels(bare())).toEqual(name);
    expect(labels(bare(), "web")).toBeUndefined();
  });
});

describe("encryption between nodes of a management cluster, if", () => {
  const ENCRYPTED = "encrypted";
  const network = (mode: PropertyValue, more: Parameters<typeof object>[2] = {}) =>
    object(
      "operator.openshift.io/v1:Network",
      { name: "cluster" },
      {
        spec: { defaultNetwork: { ovnKubernetesConfig: mode === null ? {} : { ipsecConfig: { mode } } } },
        ...more,
      },
    );
  const of = (name: string, more: Parameters<typeof object>[2]) =>
    hostedCluster({ name, namespace: "clusters" }, more);
  const encryption = (plan: Resource[]) => {
    const { ipsec } = surroundingsOf(new ResourceIndex(plan), bare());
    const ports = ipsec[Role.ControlPlane];
    if (ports === undefined || ports === UNKNOWN) return ports === UNKNOWN ? "unknown" : "nothing";
    return ports.length > 0 ? ENCRYPTED : "nothing";
  };
  const own = of("tenant-a", { file: "east/a.yaml" });
  const [provider, other] = ["east", "west"].map((name) => providerUrn(name));

  test.each<[string, string, Resource[]]>([
    ["the only object turns it on", ENCRYPTED, [own, network("Full", { file: "network.yaml" })]],
    [
      "the object in its folder turns it on, and another one turns it off",
      ENCRYPTED,
      [own, network("Full", { file: "east/n.yaml" }), network("Disabled", { file: "west/n.yaml" })],
    ],
    [
      "the object in its folder does not state it, and another one turns it on",
      "nothing",
      [own, network(null, { file: "east/n.yaml" }), network("Full", { file: "west/n.yaml" })],
    ],
    [
      "the object is of another provider",
      "nothing",
      [of("tenant-a", { provider }), network("Full", { provider: other })],
    ],
    [
      "the object is of a provider of another stack, which may be the same cluster",
      ENCRYPTED,
      [of("tenant-a", { provider }), network("Full", { provider: providerUrn("east", "base") })],
    ],
    [
      "the object is of its provider",
      ENCRYPTED,
      [of("tenant-a", { provider }), network("Full", { provider })],
    ],
    ["two objects of one folder differ", "unknown", [own, network("Full"), network("Disabled")]],
    ["two objects of one folder agree", ENCRYPTED, [own, network("Full"), network("Full")]],
    ["one of two objects of one folder is unknown", "unknown", [own, network("Full"), network(UNKNOWN)]],
    ["one of two objects of one folder does not state it", ENCRYPTED, [own, network(null), network("Full")]],
  ])("%s: %s", (_, expected, plan) => {
    expect(encryption(plan)).toBe(expected);
    const [first, ...rest] = plan;
    expect(encryption([first!, ...rest.reverse()])).toBe(expected);
  });
});

test.each<[string, string | undefined, string | undefined]>([
  ["the HostedCluster's own provider", providerUrn("east"), "a"],
  ["no known provider", undefined, "a"],
  ["another provider", providerUrn("west"), undefined],
])("reads namespace labels only from the management cluster: object of %s", (_, provider, team) => {
  const plan = [
    hostedCluster({ name: "tenant-a", namespace: "clusters" }, { provider: providerUrn("east") }),
    object("core/v1:Namespace", { name: "shop", labels: { team: "a" } }, provider ? { provider } : {}),
  ];
  expect(namespaceLabels(new ResourceIndex(plan), bare())("shop")?.labels?.team).toBe(team);
});

test("a namespace has no labels if its name is only assumed for the unknown namespace", () => {
  const own = object("core/v1:Namespace", { name: "clusters-tenant-a", labels: { team: "a" } });
  const labels = (topology: ReturnType<typeof bare>) =>
    namespaceLabels(new ResourceIndex([own]), topology)("clusters-tenant-a")?.labels;
  expect(labels(bare())).toEqual({ team: "a", "kubernetes.io/metadata.name": "clusters-tenant-a" });
  expect(labels(unnamed())).toBeUndefined();
});

describe("the blocks that public load balancers allow", () => {
  const lists = (metadata: Record<string, PropertyValue>, topology = bare()) => {
    const spec = { networking: { apiServer: { allowedCIDRBlocks: ["10.0.0.0/9", "10.128.0.0/9"] } } };
    const { allowedBlocks } = surroundingsOf(
      new ResourceIndex([hostedCluster(metadata, { spec })]),
      topology,
    );
    return allowedBlocks === UNKNOWN ? "unknown" : allowedBlocks?.blocks.map(({ text }) => text);
  };

  test.each<[string, Record<string, PropertyValue>, boolean]>([
    ["its own HostedCluster", { name: "tenant-a", namespace: "clusters" }, true],
    ["a HostedCluster without a namespace", { name: "tenant-a" }, true],
    ["a HostedCluster of unknown namespace", { name: "tenant-a", namespace: UNKNOWN }, true],
    ["a HostedCluster of unknown name", { name: UNKNOWN, namespace: "clusters" }, true],
    ["no HostedCluster of another name", { name: "tenant-b", namespace: "clusters" }, false],
    ["no HostedCluster in another namespace", { name: "tenant-a", namespace: "fleet" }, false],
    ["no HostedCluster without a name in another namespace", { namespace: "fleet" }, false],
  ])("are read from %s", (_, metadata, isMeant) => {
    expect(lists(metadata)).toEqual(isMeant ? ["10.0.0.0/8"] : undefined);
  });

  test("are read from the own one of two HostedClusters of one name", () => {
    const [east, west] = [["10.0.0.0/8"], ["203.0.113.0/24"]].map((allowedCIDRBlocks, at) =>
      hostedCluster(
        { name: "tenant-a", namespace: "clusters" },
        {
          file: ["east/a.yaml", "west/a.yaml"][at]!,
          spec: { networking: { apiServer: { allowedCIDRBlocks } } },
        },
      ),
    );
    const blocks = (topology: ReturnType<typeof bare>) => {
      const { allowedBlocks } = surroundingsOf(new ResourceIndex([east!, west!]), topology);
      return allowedBlocks === UNKNOWN ? "unknown" : allowedBlocks?.blocks.map(({ text }) => text);
    };
    expect(blocks(placed("east"))).toEqual(["10.0.0.0/8"]);
    expect(blocks(placed("west"))).toEqual(["203.0.113.0/24"]);
    expect(blocks(bare())).toBe("unknown");
  });

  test("are read from a HostedCluster in any namespace if its own is unknown", () => {
    expect(lists({ name: "tenant-a", namespace: "fleet" }, unnamed())).toEqual(["10.0.0.0/8"]);
  });

  test.each<[string, object, PropertyValue, boolean]>([
    ["users are not listed", {}, ["198.51.100.7/32"], true],
    ["the workers' NAT addresses are not listed", {}, ["203.0.113.0/24"], true],
    ["both are listed", {}, ["203.0.113.0/24", "198.51.100.7/32"], false],
    ["the list is unknown", {}, UNKNOWN, false],
    ["there is no list", {}, null, false],
    ["all access is private", { endpointAccess: "Private" }, ["192.0.2.0/24"], false],
    [
      "services are published by NodePort",
      { platform: "None", endpointAccess: undefined, services: pinned },
      ["192.0.2.0/24"],
      false,
    ],
    [
      "no client addresses are stated",
      { workerNatCidrs: [], externalClientCidrs: [] },
      ["192.0.2.0/24"],
      false,
    ],
  ])("tells whether they keep out a known client if %s", (_, raw, allowedCIDRBlocks, isKept) => {
    const topology = said({ platform: "AWS", endpointAccess: "Public", ...raw });
    const spec: PropertyValue = { networking: { apiServer: { allowedCIDRBlocks } } };
    const index = new ResourceIndex([hostedCluster({ name: "tenant-a", namespace: "clusters" }, { spec })]);
    expect(isAnybodyKeptOut(topology, surroundingsOf(index, topology))).toBe(isKept);
  });

  test("keep out all clients that are not listed, and names their addresses", () => {
    const allowed = { blocks: [prefix("10.0.0.0/8")], listedBy: hostedCluster({}) };
    const from = (...texts: string[]) => ({ zone: Zone.Workers, input: "", prefixes: texts.map(prefix) });
    const input = ALLOWED_LIST;
    const why = (who: string) =>
      `public load balancers allow only the addresses in this list: add ${who} to it`;
    expect(keptOut(from("10.1.0.0/16"), allowed)).toBeUndefined();
    expect(keptOut(from("10.1.0.0/16", "192.0.2.0/24", "198.51.100.7/32"), allowed)).toEqual({
      input,
      why: why("192.0.2.0/24, 198.51.100.7/32"),
      add: "192.0.2.0/24, 198.51.100.7/32",
    });
    const unsaid = keptOut({ zone: Zone.Workers, input: "" }, allowed);
    expect(unsaid).toEqual({ input, why: why("the clients' addresses") });
    expect(unsaid).not.toHaveProperty("add");
  });
});
