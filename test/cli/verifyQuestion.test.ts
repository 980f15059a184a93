import { Unusable } from "../../src/cli/plans";
import { askedOf } from "../../src/cli/verifyQuestion";

/** Options as the command-line parser passes them. */
const options = (more: object = {}) =>
  ({ timeout: "300", probes: true, format: "text", ...more }) as never as Record<string, string | undefined>;
const plain = {
  ...{ namespace: "clusters", name: "tenant-a", timeout: 300 },
  ...{ probes: true, flows: false, bootstrap: false },
};

test.each<[string, object, object]>([
  ["nothing else", {}, {}],
  ["a generation", { since: "3" }, { since: 3 }],
  ["multicast", { multicast: "shop" }, { multicast: "shop" }],
  [
    "an egress router without probes",
    { egressRouter: "shop/egress.example", probes: false },
    { egressRouter: { namespace: "shop", name: "egress.example" }, probes: false },
  ],
  [
    "both multicast and an egress router",
    { multicast: "shop", egressRouter: "shop/egress" },
    { multicast: "shop", egressRouter: { namespace: "shop", name: "egress" } },
  ],
])("M7 verify accepts a hosted cluster and %s", (_, given, expected) => {
  expect(askedOf(["clusters/tenant-a"], options(given))).toEqual({ ...plain, ...expected });
});

test.each<[string, object, string[]]>([
  [
    "tenant-a",
    { since: "x", timeout: "y" },
    ["name one HostedCluster", "--since x: write", "--timeout y: write"],
  ],
  ["a/b/c", { namespace: "A" }, ["name one HostedCluster", "--namespace"]],
  ["S/e?x", { timeout: "y" }, ['S/e?x "S"', 'S/e?x "e?x"', "--timeout y: write"]],
  ["a/b", { flows: true, probes: false }, ["--flows --no-probes"]],
  ["a/b", { flows: true, bootstrap: true, since: "3" }, ["--flows --bootstrap", "--flows --since"]],
  [
    "a/b",
    { multicast: "shop", flows: true, bootstrap: true, since: "3", probes: false, namespace: "probes" },
    [
      "--flows --no-probes",
      "--flows --bootstrap",
      "--flows --since",
      "--multicast --flows",
      "--multicast --bootstrap",
      "--multicast --since",
      "--multicast --no-probes",
      "--multicast --namespace",
    ],
  ],
  [
    "a/b",
    { egressRouter: "shop/egress", flows: true, namespace: "shop" },
    ["--egress-router --flows", "--egress-router --namespace"],
  ],
  ["a/b", { multicast: "Shop" }, ['--multicast "Shop" is not a Kubernetes name']],
  ["a/b", { egressRouter: "egress" }, ["--egress-router egress: write namespace/name"]],
  ["a/b", { egressRouter: "shop/egress/x" }, ["--egress-router shop/egress/x: write namespace/name"]],
  ["a/b", { egressRouter: "S/e?x" }, ['--egress-router "S"', '--egress-router "e?x"']],
  ["a/b", { probeImage: "a b" }, ["--probe-image a b"]],
])("verify %s with %j is rejected with all its faults", (key, given, starts) => {
  let lines: readonly string[] = [];
  try {
    askedOf([key], options(given));
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    ({ lines } = error);
  }
  const expected = starts.map(
    (start) => expect.stringContaining(`hypershift-network verify: ${start}`) as string,
  );
  expect(lines).toEqual(expected);
});
