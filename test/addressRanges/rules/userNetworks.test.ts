import { cidrOverlap, cidrReservedOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { UNKNOWN, type Resource } from "../../../src/resources/resource";
import {
  hostedCluster,
  judge,
  linesOf,
  networking,
  type Properties,
  userNetwork,
} from "../../rules/builders";

const cluster = hostedCluster({
  networking: networking("10.0.0.0/16", { clusterNetwork: [{ cidr: "10.200.0.0/16" }] }),
});
const layer2 = (more: Properties) => userNetwork({ layer2: { role: "Primary", ...more } });
const layer3 = (more: Properties) => userNetwork({ layer3: { role: "Primary", ...more } });
const lines = (...resources: Resource[]) =>
  [cidrOverlap, cidrReservedOverlap].flatMap((rule) => judge(rule, resources).map((one) => linesOf([one])));
const AT = "spec.layer2";
const refused = (path: string, words: string, name: string, witness: string) =>
  `violated ${path} | ${words}: OVN-Kubernetes does not create the network | move ${name} to addresses that its cluster does not use | ${witness} is in both`;
const NAME = "the user-defined network blue";
const JOIN = "the join subnet of user-defined network blue";
const DEFAULT_JOIN = "the join subnet of user-defined networks 100.65.0.0/16";

test.each<[string, Resource, string[]]>([
  [
    "reports a range of its cluster",
    layer2({ subnets: ["10.9.0.0/16", "10.200.4.0/24"], joinSubnets: ["100.99.0.0/16"] }),
    [
      refused(
        `${AT}.subnets[1]`,
        `${NAME} 10.200.4.0/24 shares addresses with the cluster network 10.200.0.0/16 of clusters/tenant-a`,
        NAME,
        "10.200.4.0",
      ),
    ],
  ],
  [
    "reports its own join subnet",
    layer2({ subnets: ["10.9.0.0/16"], joinSubnets: ["10.9.1.0/24"] }),
    [
      refused(
        `${AT}.joinSubnets[0]`,
        `${JOIN} 10.9.1.0/24 shares addresses with ${NAME} 10.9.0.0/16`,
        JOIN,
        "10.9.1.0",
      ),
    ],
  ],
  [
    "reports the join subnet that it uses by default",
    layer2({ subnets: ["100.65.3.0/24"] }),
    [
      refused(
        `${AT}.subnets[0]`,
        `${NAME} 100.65.3.0/24 shares addresses with ${DEFAULT_JOIN}`,
        NAME,
        "100.65.3.0",
      ),
    ],
  ],
  [
    "ignores the default join subnet if it states its own",
    layer2({ subnets: ["100.65.3.0/24"], joinSubnets: ["100.99.0.0/16"] }),
    [],
  ],
  [
    "ignores the default join subnet for a secondary network",
    userNetwork({ layer2: { role: "Secondary", subnets: ["100.65.3.0/24"] } }),
    [],
  ],
  [
    "leaves the default join subnet open if its own is unknown",
    layer2({ subnets: ["100.65.3.0/24"], joinSubnets: UNKNOWN }),
    [expect.stringMatching(/^unknown spec\.layer2\.joinSubnets /) as string],
  ],
  [
    "reports the transit switch subnet on layer 3",
    layer3({ subnets: [{ cidr: "100.88.3.0/24" }] }),
    [
      refused(
        "spec.layer3.subnets[0].cidr",
        `${NAME} 100.88.3.0/24 shares addresses with OVN's default transit switch subnet 100.88.0.0/16 of clusters/tenant-a`,
        NAME,
        "100.88.3.0",
      ),
    ],
  ],
  ["ignores the transit switch subnet on layer 2", layer2({ subnets: ["100.88.3.0/24"] }), []],
  ["ignores the machine network", layer2({ subnets: ["10.0.4.0/24"] }), []],
  ["ignores the address of the API server at nodes", layer3({ subnets: [{ cidr: "172.20.0.0/24" }] }), []],
  ["ignores loopback addresses", layer2({ subnets: ["127.0.0.0/24"] }), []],
  [
    "leaves the masquerade subnet of old releases unknown",
    layer2({ subnets: ["169.254.169.0/30"], joinSubnets: ["100.99.0.0/16"] }),
    [
      expect.stringContaining(
        `unknown ${AT}.subnets[0] | UserDefinedNetwork blue: ${AT}.subnets[0], ${NAME} 169.254.169.0/30 shares addresses with OVN's masquerade subnet before 4.17, kept by upgraded clusters 169.254.169.0/29 of clusters/tenant-a, if it is in that cluster |`,
      ) as string,
    ],
  ],
])("the overlap check of a user-defined network %s", (_, one, expected) => {
  // The masquerade subnet of new clusters contains that of old ones.
  const found = lines(cluster, one).filter(
    (line) => !line.includes("OVN's masquerade subnet 169.254.0.0/17"),
  );
  expect(found).toEqual(expected);
});

test.each<[string, Properties, string[]]>([
  ["a list", { layer2: { subnets: UNKNOWN } }, ["spec.layer2.subnets"]],
  ["an entry", { layer3: { subnets: [{ cidr: "10.9.0.0/16" }, UNKNOWN] } }, ["spec.layer3.subnets[1]"]],
  ["a block of an entry", { layer3: { subnets: [{ cidr: UNKNOWN }] } }, ["spec.layer3.subnets[0].cidr"]],
  ["a join subnet", { layer2: { joinSubnets: [UNKNOWN] } }, ["spec.layer2.joinSubnets[0]"]],
  ["everything, once", { layer2: UNKNOWN }, ["spec.layer2"]],
  ["a block of a localnet, which is not compared", { localnet: { subnets: [UNKNOWN] } }, []],
])("unknown parts of a user-defined network are unknown: %s", (_, spec, paths) => {
  const found = judge(cidrOverlap, [cluster, userNetwork(spec)]).map(
    ({ status, path }) => `${status} ${path}`,
  );
  expect(found).toEqual(paths.map((path) => `unknown ${path}`));
  expect(judge(cidrOverlap, [userNetwork(spec)])).toEqual([]);
});

describe("a network with addresses of a hosted cluster", () => {
  const spec = { layer2: { role: "Secondary", subnets: ["10.200.4.0/24"] } };
  const provider = (name: string) => ({
    provider: `urn:pulumi:dev::test::pulumi:providers:kubernetes::${name}`,
  });
  const server = (runsIn: string) => ({ origin: { file: "all.yaml", runsIn } });
  const file = (folder: string) => ({ origin: { file: `${folder}/all.yaml` } });
  const onKubeVirt = hostedCluster({
    ...(cluster.properties.spec as Properties),
    platform: { type: "KubeVirt" },
  });
  const inDefault = hostedCluster(cluster.properties.spec as Properties);
  const metadata = { name: "tenant-a", namespace: "default" };
  const statuses = (one: Resource, own: Resource) => lines(one, own).map((line) => line.split(" ")[0]);

  test.each<[string, Resource, Resource, string[]]>([
    ["is inside the hosted cluster", cluster, userNetwork(spec), ["violated"]],
    [
      "is in the management cluster if it is in the control plane's namespace",
      cluster,
      userNetwork(spec, "clusters-tenant-a"),
      [],
    ],
    [
      "is in the management cluster if it is in the namespace of the HostedCluster",
      cluster,
      userNetwork(spec, "clusters"),
      [],
    ],
    [
      "is inside the hosted cluster if it is in a namespace that every cluster has",
      { ...inDefault, properties: { ...inDefault.properties, metadata } },
      userNetwork(spec, "default"),
      ["violated"],
    ],
    [
      "is in the management cluster with the same provider",
      { ...cluster, ...provider("a") },
      { ...userNetwork(spec), ...provider("a") },
      [],
    ],
    [
      "is inside the hosted cluster with another provider",
      { ...cluster, ...provider("a") },
      { ...userNetwork(spec), ...provider("b") },
      ["violated"],
    ],
    [
      "is in the management cluster on the same server",
      { ...cluster, ...server("a") },
      { ...userNetwork(spec), ...server("a") },
      [],
    ],
    [
      "is inside the hosted cluster on another server",
      { ...cluster, ...server("a") },
      { ...userNetwork(spec), ...server("b") },
      ["violated"],
    ],
    [
      "is inside the hosted cluster in the same folder",
      { ...cluster, ...file("a") },
      { ...userNetwork(spec), ...file("a") },
      ["violated"],
    ],
    ["is inside a hosted cluster on KubeVirt", onKubeVirt, userNetwork(spec), ["violated"]],
    [
      "may be the network of KubeVirt virtual machines if it is in the same folder",
      { ...onKubeVirt, ...file("a") },
      { ...userNetwork(spec), ...file("a") },
      ["unknown"],
    ],
    [
      "is inside the hosted cluster if only one of them states its provider",
      cluster,
      { ...userNetwork(spec), ...provider("a") },
      ["violated"],
    ],
  ])("%s", (_, one, own, expected) => {
    expect(statuses(one, own)).toEqual(expected);
  });
});
