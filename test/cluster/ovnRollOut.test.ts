import { type LiveCheck, type LiveObject, LiveStatus } from "../../src/cluster/liveCluster";
import { until } from "../../src/cluster/interruptible";
import { nodesCheck } from "../../src/cluster/ovnRollOut/nodes";
import { rollOutCheck, hostedClusterPlace, settingCheck } from "../../src/cluster/ovnRollOut/rollOutChecks";

const node = (name: string, annotations: Record<string, string>): LiveObject => ({
  metadata: { name, annotations },
});
const router = (value: unknown, name = "one", plural = "s") =>
  node(name, { [`k8s.ovn.org/node-gateway-router-lrp-ifaddr${plural}`]: JSON.stringify(value) });

describe("M7 the addresses of nodes", () => {
  test.each([
    ["the newest form", router({ default: { ipv4: "100.99.0.2/16", ipv6: "fd99::2/64" } })],
    ["one family", router({ default: "100.99.0.2/16" })],
    ["the older annotation", router({ ipv4: "100.99.0.2/16" }, "one", "")],
  ])("are read from %s", (_, one) => {
    expect(nodesCheck([one], "internalJoinSubnet", "100.99.0.0/16")).toMatchObject({
      found: "1 of 1",
      status: LiveStatus.Passed,
    });
    expect(nodesCheck([one], "v4InternalSubnet", "100.98.0.0/16")).toMatchObject({
      found: "1 of 1 elsewhere: one 100.99.0.2/16",
      status: LiveStatus.Failed,
    });
  });

  test("are checked in both families", () => {
    const both = router({ default: { ipv4: "100.99.0.2/16", ipv6: "fd99::2/64" } });
    expect(nodesCheck([both], "ipv6InternalJoinSubnet", "fd99::/64")?.status).toBe(LiveStatus.Passed);
    expect(nodesCheck([both], "v6InternalSubnet", "fd98::/64")?.status).toBe(LiveStatus.Failed);
    expect(nodesCheck([router({ default: "100.99.0.2/16" })], "v6InternalSubnet", "fd98::/64")?.status).toBe(
      LiveStatus.Unknown,
    );
  });

  test.each([
    ["no node", [], "no node"],
    ["a node without annotations", [{ metadata: { name: "one" } }], "1 of 1 do not state it: one"],
    [
      "text that is not JSON",
      [node("one", { "k8s.ovn.org/node-transit-switch-port-ifaddr": "{" })],
      "1 of 1 do not state it: one",
    ],
  ])("are unknown for %s", (_, nodes, found) => {
    expect(nodesCheck(nodes, "internalTransitSwitchSubnet", "100.69.0.0/16")).toMatchObject({
      found,
      status: LiveStatus.Unknown,
    });
  });

  test("count as failed if some are elsewhere and others are unknown, and long lists are shortened", () => {
    const nodes = [..."abcdefg"].map((name) => router({ ipv4: "100.64.0.2/16" }, name));
    expect(nodesCheck([node("h", {}), ...nodes], "internalJoinSubnet", "100.99.0.0/16")?.found).toMatch(
      /^7 of 8 elsewhere: a 100\.64\.0\.2\/16, .* and 2 more$/,
    );
  });
});

describe("M7 the roll-out", () => {
  const daemonSet = (generation: number, seen: number, wanted = 2, updated = wanted, available = wanted) => ({
    metadata: { generation },
    status: {
      observedGeneration: seen,
      desiredNumberScheduled: wanted,
      updatedNumberScheduled: updated,
      numberAvailable: available,
    },
  });

  test.each([
    ["complete", daemonSet(4, 4), 3, LiveStatus.Passed, "generation 4, 2 of 2 pods updated, 2 available"],
    ["complete in any generation", daemonSet(1, 1), undefined, LiveStatus.Passed, "generation 1"],
    [
      "still of the previous generation",
      daemonSet(3, 3),
      3,
      LiveStatus.Failed,
      "still the generation from before",
    ],
    ["not observed yet", daemonSet(4, 3), 3, LiveStatus.Failed, "has not seen this generation"],
    ["half complete", daemonSet(4, 4, 2, 1), 3, LiveStatus.Failed, "1 of 2 pods updated"],
    ["not available", daemonSet(4, 4, 2, 2, 1), 3, LiveStatus.Failed, "1 available"],
    ["without nodes", daemonSet(4, 4, 0), 3, LiveStatus.Failed, "no node"],
    ["missing", undefined, 3, LiveStatus.Failed, "no such DaemonSet"],
    ["without a status", { metadata: { generation: 1 } }, undefined, LiveStatus.Failed, "has not seen"],
  ])("is %s", (_, object, since, status, found) => {
    const check = rollOutCheck(object, since);
    expect([check.status, check.found]).toEqual([status, expect.stringContaining(found)]);
  });
});

test("M7 a setting is the same block in any notation, and is reported as absent if nothing is set", () => {
  const place = hostedClusterPlace("clusters/tenant-a");
  const object = (value: string) => ({
    spec: {
      operatorConfiguration: {
        clusterNetworkOperator: { ovnKubernetesConfig: { ipv6: { internalJoinSubnet: value } } },
      },
    },
  });
  const check = (one: LiveObject | undefined) =>
    settingCheck(one, place, "ipv6InternalJoinSubnet", "fd99::/64");
  expect(check(object("fd99:0::/64")).status).toBe(LiveStatus.Passed);
  expect(check(object("fd98::/64"))).toMatchObject({ found: "fd98::/64", status: LiveStatus.Failed });
  expect(check({}).found).toBe("nothing is set");
  expect(check(undefined).found).toBe("no such object");
});

describe("waiting", () => {
  const seen = (status: LiveStatus, found = ""): LiveCheck => ({
    id: "x",
    what: "x",
    expected: "",
    found,
    status,
    documented: "",
  });
  const { Passed, Failed } = LiveStatus;

  test.each([
    [
      "ends with the first check that passes",
      [seen(Failed, "a"), seen(Failed, "a"), seen(Passed)],
      60_000,
      Passed,
      ["a"],
    ],
    [
      "reports each change once",
      [seen(Failed, "a"), seen(Failed, "b"), seen(Passed)],
      60_000,
      Passed,
      ["a", "b"],
    ],
    ["ends at the deadline", [seen(Failed, "a"), seen(Failed, "b"), seen(Passed)], 2_000, Failed, ["a"]],
    ["checks once if there is no time", [seen(Failed, "a"), seen(Passed)], 0, Failed, []],
  ])("%s", async (_, looks, deadline, status, told) => {
    let now = 0;
    const progress: string[] = [];
    const check = await until(() => Promise.resolve(looks.shift()!), {
      now: () => now,
      sleep: (time) => Promise.resolve(void (now += time)),
      deadline,
      progress: ({ found }) => void progress.push(found),
    });
    expect([check.status, progress]).toEqual([status, told]);
  });
});
