import { cidrInvalid } from "../../../src/addressRanges/rules/cidrInvalid";
import { cidrOverlap, cidrReservedOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { egressIpInvalid } from "../../../src/egressIp/rules";
import { egressRouterInvalid } from "../../../src/egressRouter/rules";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import type { Rule } from "../../../src/gate/rule";
import {
  egressIp,
  hostedCluster,
  judge,
  linesOf,
  loadBalancerPool as pool,
  networking,
  node,
  resource,
  standaloneNetwork,
  unknowns,
  violations,
} from "../../rules/builders";

const cluster = hostedCluster({ platform: { type: "Agent" }, networking: networking("10.0.0.0/16") });
const found = (...others: Resource[]) =>
  [cidrOverlap, cidrReservedOverlap].flatMap((rule) =>
    violations(rule, [cluster, ...others]).map(({ path, message }) => `${path} ${message}`),
  );

/** Whole findings, a line each. */
const lines = (rule: Rule, ...resources: Resource[]) => judge(rule, resources).map((one) => linesOf([one]));

describe("load-balancer addresses", () => {
  test.each([
    ["a block", "10.132.7.0/24", "lb 10.132.7.0/24", "10.132.7.0"],
    // A range needs several blocks: the finding names the first of them, with the range.
    ["a range", "10.132.7.5-10.132.7.20", "lb (10.132.7.5-10.132.7.20) 10.132.7.5/32", "10.132.7.5"],
  ])("in %s are reported with the range to move", (_, addresses, said, witness) => {
    expect(lines(cidrOverlap, cluster, pool([addresses]))).toEqual([
      `violated spec.networking.clusterNetwork[0].cidr | the cluster network 10.132.0.0/14 of clusters/tenant-a shares addresses with the load-balancer pool ${said} | move the cluster network or the load-balancer pool ${said.replace(/ [^ ]*$/, "")} to addresses that nothing else uses | ${witness} is in both`,
    ]);
  });

  test.each([
    ["cluster network", "10.132.7.0/24"],
    ["cluster network", "10.132.7.5 - 10.132.7.20"],
    ["service network", "172.31.0.9-172.31.0.9"],
    ["join subnet", "100.64.9.0/24"],
    ["the address at which nodes reach the API server", "172.20.0.1/32"],
  ])("in the %s are reported: %s", (range, addresses) => {
    const words: unknown = expect.stringMatching(
      new RegExp(`(${range}.*load-balancer pool lb|pool lb.*${range})`),
    );
    expect(found(pool([addresses]))).toEqual([words]);
    expect(found(pool([addresses], "AddressPool"))).toEqual([words]);
  });

  test("among the machines or elsewhere are not reported", () => {
    expect(found(pool(["10.0.0.240/28", "10.0.0.5-10.0.0.9", "192.0.2.7/32", "fd00:1::/120"]))).toEqual([]);
  });

  test("of two kinds with one name are reported separately, and are compared with their own cluster's networks", () => {
    const [one, other] = [pool(["10.132.1.0/24"]), pool(["10.132.2.0/24"], "AddressPool")];
    expect(found(one, other)).toHaveLength(2);
    expect(violations(cidrOverlap, [standaloneNetwork(), pool(["10.128.9.0/24"])])).toMatchObject([
      { path: "spec.clusterNetwork[0].cidr" },
    ]);
  });

  test("are compared only with the hosted clusters of their folder if several folders have hosted clusters", () => {
    const inFolder = (folder: string, one: Resource): Resource => ({
      ...one,
      origin: { file: `${folder}/objects.yaml`, line: 1 },
    });
    const others = (...folders: [string, string, string]) => {
      const [first, second, third] = folders;
      const tenants = [
        inFolder(first, cluster),
        inFolder(second, hostedCluster({ platform: { type: "Agent" } }, "tenant-b")),
      ];
      return violations(cidrOverlap, [...tenants, inFolder(third, pool(["10.132.7.0/24"]))]).length;
    };
    expect(others("stage", "prod", "prod")).toBe(1);
    expect(others("prod", "prod", "prod")).toBe(2);
    const alone = [inFolder("stage", cluster), inFolder("prod", pool(["10.132.7.0/24"]))];
    expect(violations(cidrOverlap, alone)).toHaveLength(1);
  });

  test("that are unknown are reported as unknown", () => {
    expect(found(pool(UNKNOWN))).toEqual([]);
    expect(unknowns(cidrOverlap, [cluster, pool(UNKNOWN)])).toMatchObject([{ path: "spec.addresses" }]);
    expect(unknowns(cidrOverlap, [cluster, pool([UNKNOWN])])).toMatchObject([{ path: "spec.addresses[0]" }]);
  });

  test.each<[PropertyValue, boolean]>([
    ["10.0.0.240/28", true],
    ["10.0.0.241/28", true],
    ["10.0.0.5-10.0.0.9", true],
    ["fd00::5-fd00::9", true],
    ["10.0.0.9-10.0.0.5", false],
    ["10.0.0.5-fd00::9", false],
    ["10.0.0.5-10.0.0.9-10.0.0.11", false],
    ["10.0.0.300/24", false],
    ["10.0.0.7", false],
    [7, false],
  ])("%j is accepted by MetalLB: %s", (entry, isTaken) => {
    expect(violations(cidrInvalid, [pool([entry])]).map(({ path }) => path)).toEqual(
      isTaken ? [] : ["spec.addresses[0]"],
    );
  });
});

test("an entry that MetalLB cannot parse is reported with the forms that it accepts", () => {
  expect(lines(cidrInvalid, pool(["10.0.0.9-10.0.0.5", UNKNOWN]))).toEqual([
    `violated spec.addresses[0] | "10.0.0.9-10.0.0.5" is neither a CIDR block nor a range from one address to a later one of its family | write a block such as 10.0.0.240/28, or a range such as 10.0.0.240-10.0.0.250`,
  ]);
});

test.each<[string, string, PropertyValue, string | undefined]>([
  ["a pool without addresses", "IPAddressPool", { autoAssign: false }, "missing"],
  ["a pool with an empty list", "IPAddressPool", { addresses: [] }, "is empty"],
  [
    "a pool with a block in place of the list",
    "IPAddressPool",
    { addresses: "10.0.0.0/24" },
    "is not a list",
  ],
  ["an older pool without addresses", "AddressPool", { protocol: "layer2" }, "missing"],
  ["a patch with an empty list", "IPAddressPoolPatch", { addresses: [] }, "is empty"],
  ["a patch without addresses", "IPAddressPoolPatch", { autoAssign: false }, undefined],
  ["a pool with unknown addresses", "IPAddressPool", { addresses: UNKNOWN }, undefined],
  ["a pool with an unknown address", "IPAddressPool", { addresses: [UNKNOWN] }, undefined],
])("%s", (_, kind, spec, problem) => {
  const object = resource(`kubernetes:metallb.io/v1beta1:${kind}`, "lb", { metadata: { name: "lb" }, spec });
  expect(lines(cidrInvalid, object)).toEqual(
    problem === undefined
      ? []
      : [
          `violated spec.addresses | ${problem} | write a block such as 10.0.0.240/28, or a range such as 10.0.0.240-10.0.0.250`,
        ],
  );
});

describe("pools of one cluster", () => {
  const named = (name: string, ...addresses: string[]) => pool(addresses, "IPAddressPool", name);

  test.each([
    [
      "in two objects",
      [named("a", "10.0.0.100-10.0.0.150"), named("b", "10.0.0.144/28")],
      "spec.addresses[0]",
    ],
    ["with the same block", [named("a", "10.0.0.64/28"), named("b", "10.0.0.64/28")], "spec.addresses[0]"],
    ["in one object", [named("a", "10.0.0.0/28", "10.0.0.5-10.0.0.9")], "spec.addresses[1]"],
    ["with IPv6", [named("a", "fd00::/120"), named("b", "fd00::9-fd00::1:9")], "spec.addresses[0]"],
  ])("must not share addresses: %s", (_, pools, path) => {
    expect(violations(cidrOverlap, pools)).toMatchObject([
      { path, message: expect.stringContaining("MetalLB refuses") as string },
    ]);
  });

  /** The path, both entries and the shared address of each finding. */
  const shared = (...pools: Resource[]) => {
    const text =
      /^violated (\S+) \| the load-balancer pool (.*) shares addresses with the load-balancer pool (.*), and MetalLB refuses one of the two \| keep the shared addresses in only one of them \| (\S+) is in both$/;
    return lines(cidrOverlap, ...pools).map((line) => text.exec(line)?.slice(1).join(", ") ?? line);
  };

  test.each<[string, Resource[], string[]]>([
    [
      "with the narrowest entry around each",
      [named("c", "10.0.0.0/28"), named("a", "10.0.0.0/24", "10.0.1.0/24"), named("b", "10.0.0.0/26")],
      [
        "spec.addresses[0], b 10.0.0.0/26, a 10.0.0.0/24, 10.0.0.0",
        "spec.addresses[0], c 10.0.0.0/28, b 10.0.0.0/26, 10.0.0.0",
      ],
    ],
    [
      "by name if both have the same block",
      [named("b", "10.0.0.0/28"), named("a", "10.0.0.0/28")],
      ["spec.addresses[0], b 10.0.0.0/28, a 10.0.0.0/28, 10.0.0.0"],
    ],
    [
      "in two namespaces",
      [
        named("a", "10.0.0.0/28"),
        {
          ...named("a", "10.0.0.8/32"),
          properties: { metadata: { name: "a" }, spec: { addresses: ["10.0.0.8/32"] } },
        },
      ],
      ["spec.addresses[0], a 10.0.0.8/32, a 10.0.0.0/28, 10.0.0.8"],
    ],
    [
      "once for each entry, with the first shared block",
      [named("a", "10.0.0.0/24"), named("b", "10.0.0.5-10.0.0.9")],
      ["spec.addresses[0], b (10.0.0.5-10.0.0.9) 10.0.0.5/32, a 10.0.0.0/24, 10.0.0.5"],
    ],
    [
      "once if each has a block inside a block of the other",
      [named("a", "10.0.0.0-10.0.0.11"), named("b", "10.0.0.4-10.0.0.15")],
      ["spec.addresses[0], b (10.0.0.4-10.0.0.15) 10.0.0.4/30, a (10.0.0.0-10.0.0.11) 10.0.0.0/29, 10.0.0.4"],
    ],
    [
      "but not an EgressIP address in a pool",
      [named("a", "10.0.0.0/24"), egressIp("shop", ["10.0.0.7"])],
      [],
    ],
  ])("are compared with each other: %s", (_, pools, expected) => {
    expect(shared(...pools)).toEqual(expected);
  });

  test("may be adjacent, and an object that appears twice counts once", () => {
    const apart = [
      named("a", "10.0.0.0/28", "10.0.0.16-10.0.0.30"),
      named("b", "10.0.0.31/32", "fd00::/120"),
    ];
    expect(violations(cidrOverlap, apart)).toEqual([]);
    expect(violations(cidrOverlap, [...apart, named("a", "10.0.0.0/28")])).toEqual([]);
  });

  test("yield the same findings in any order of the objects", () => {
    const pools = [
      named("a", "10.0.0.100-10.0.0.150"),
      named("b", "10.0.0.140-10.0.0.170"),
      named("c", "10.0.0.0/26", "10.0.0.64/26"),
      named("d", "10.0.0.8/29"),
      named("e", "10.0.0.8/29"),
    ];
    const said = (some: Resource[]) =>
      violations(cidrOverlap, some)
        .map(({ resource: { urn }, message }) => `${urn} ${message}`)
        .sort();
    expect(said(pools)).toHaveLength(4);
    expect(said(pools.toReversed())).toEqual(said(pools));
  });

  test("of two clusters are each compared with the nodes of their own cluster", () => {
    const of = (provider: string, one: Resource) => ({
      ...one,
      provider: `urn:pulumi:dev::test::pulumi:providers:kubernetes::${provider}`,
    });
    const all = ["a", "b"].flatMap((name, at) => [
      of(name, { ...named("lb", `10.${at}.0.0/28`), origin: { urn: `urn:lb-${name}` } }),
      of(name, node(name, `10.${at}.0.7`)),
    ]);
    expect(violations(cidrOverlap, all).map(({ resource: { urn } }) => urn)).toEqual([
      "urn:lb-a",
      "urn:lb-b",
    ]);
  });

  test("of two providers are unknown, because both may be in one network", () => {
    const provider = (name: string) => `urn:pulumi:dev::test::pulumi:providers:kubernetes::${name}`;
    const two = ["a", "b"].map((name) => ({ ...named(name, "10.0.0.64/28"), provider: provider(name) }));
    expect(violations(cidrOverlap, two)).toEqual([]);
    expect(unknowns(cidrOverlap, two)).toMatchObject([
      { message: expect.stringContaining("if both are in one network") as string },
    ]);
  });

  test.each<[string, Resource[], string]>([
    ["one", [node("a", "10.0.0.7")], ""],
    ["two", [node("a", "10.0.0.7", "fd00::7"), node("b", "10.0.0.8")], ", and 1 other address of nodes"],
    ["three", [node("a", "10.0.0.7"), node("b", "10.0.0.8", "10.0.0.9")], ", and 2 other addresses of nodes"],
  ])("must not contain addresses of nodes, in one finding for all of them: %s", (_, machines, others) => {
    expect(lines(cidrOverlap, named("lb", "10.0.0.0/28"), ...machines)).toEqual([
      `violated spec.addresses[0] | the load-balancer pool lb has 10.0.0.7, an address of Node a${others}: a load balancer may get it | remove the addresses of nodes from the pool | 10.0.0.7`,
    ]);
    expect(violations(cidrOverlap, [named("lb", "10.0.0.16/28"), ...machines])).toEqual([]);
  });
});

describe("an address of a load-balancer pool", () => {
  const ip = (address: string) =>
    resource("kubernetes:k8s.ovn.org/v1:EgressIP", "shop", {
      metadata: { name: "shop" },
      spec: { egressIPs: [address], namespaceSelector: { matchLabels: { team: "shop" } } },
    });
  const router = (address: string) =>
    resource("kubernetes:network.operator.openshift.io/v1:EgressRouter", "legacy", {
      metadata: { name: "legacy", namespace: "shop" },
      spec: {
        mode: "Redirect",
        addresses: [{ ip: `${address}/16`, gateway: "10.0.0.1" }],
        redirect: { redirectRules: [{ port: 80, protocol: "TCP", destinationIP: "192.0.2.1" }] },
      },
    });

  test.each([
    ["EgressIP object", egressIpInvalid, ip, "spec.egressIPs[0]"],
    ["egress router", egressRouterInvalid, router, "spec.addresses[0].ip"],
  ] as const)("must not be used by an %s", (_, rule, make, path) => {
    const lb = pool(["10.0.0.240-10.0.0.250"]);
    const said =
      "10.0.0.249 lies in the load-balancer pool lb (10.0.0.240-10.0.0.250), and a load balancer may get it";
    expect(lines(rule, cluster, lb, make("10.0.0.249"))).toEqual([
      `violated ${path} | ${said} | choose an address that nothing else uses, or remove 10.0.0.249 from the pool | 10.0.0.249`,
    ]);
    expect(violations(rule, [cluster, lb, make("10.0.0.251")])).toEqual([]);
    const provider = (name: string) => `urn:pulumi:dev::test::pulumi:providers:kubernetes::${name}`;
    const apart = [
      cluster,
      { ...lb, provider: provider("management") },
      { ...make("10.0.0.249"), provider: provider("hosted") },
    ];
    expect(violations(rule, apart)).toEqual([]);
    expect(unknowns(rule, apart).map(({ message }) => message)).toContainEqual(
      expect.stringContaining(`${path}, ${said}, if both are in one network`),
    );
  });

  test.each([
    ["the widest pool", ["10.0.0.8/29", "10.0.0.0/28", "10.0.0.8/30"], "10.0.0.9", "a1"],
    ["no pool", ["10.0.0.0/29", "10.0.0.16/28"], "10.0.0.9", undefined],
    ["the third pool", ["10.0.0.0/30", "10.0.0.4/30", "10.0.0.8/30"], "10.0.0.9", "a2"],
  ])("is attributed to the right one of several pools: %s", (_, blocks, address, name) => {
    const pools = blocks.map((block, at) => pool([block], "IPAddressPool", `a${at}`));
    expect(
      violations(egressIpInvalid, [cluster, ...pools, ip(address)]).map(({ message }) => message),
    ).toEqual(
      name === undefined
        ? []
        : [`${address} lies in the load-balancer pool ${name}, and a load balancer may get it`],
    );
  });
});
