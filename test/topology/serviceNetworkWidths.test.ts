import { cidrInvalid } from "../../src/addressRanges/rules/cidrInvalid";
import type { PropertyValue } from "../../src/resources/resource";
import { hostedCluster, networking, unknowns } from "../rules/builders";
import { normalizeTopology } from "../../src/topology/normalizeTopology";

/** The problems of a service network, next to a separate cluster network of the same address family. */
const problems = (cidr: string, release?: string) =>
  normalizeTopology({
    name: "tenant-a",
    platform: "None",
    ...(release !== undefined && { release }),
    clusterNetwork: [{ cidr: cidr.includes(":") ? "2001:db8::/48" : "192.168.0.0/16" }],
    serviceNetwork: [{ cidr }],
  })
    .faults.filter(({ path, rule }) => path.startsWith("topology.serviceNetwork") && rule === "cidr-invalid")
    .map(({ problem }) => problem);

test.each([
  ["10.0.0.0/11", "4.20", "10.0.0.0/11 is wider than /12, and the API server of 4.20 does not start with it"],
  ["fd02::/107", "4.20", "fd02::/107 is wider than /108, and the API server of 4.20 does not start with it"],
  ["fd02::/63", "4.21", "fd02::/63 is wider than /64, and the API server of 4.21 does not start with it"],
  ["fd02::/63", undefined, "fd02::/63 is wider than /64, and the API server does not start with it"],
  [
    "10.0.0.0/30",
    "4.21",
    "10.0.0.0/30 is narrower than /29, and the API server of 4.21 does not start with it",
  ],
  [
    "fd02::1/128",
    "4.20",
    "fd02::1/128 is narrower than /125, and the API server of 4.20 does not start with it",
  ],
])("a service network %s of release %s is refused", (cidr, release, problem) => {
  expect(problems(cidr, release)).toEqual([problem]);
});

test.each([
  ["10.0.0.0/12", "4.20"],
  ["10.0.0.0/11", "4.21"],
  ["10.0.0.0/29", "4.20"],
  ["fd02::/108", "4.20"],
  ["fd02::/64", "4.21"],
  // The limit depends on the release, which is unknown here.
  ["10.0.0.0/11", undefined],
  ["fd02::/107", undefined],
])("a service network %s of release %s is accepted", (cidr, release) => {
  expect(problems(cidr, release)).toEqual([]);
});

describe("for a HostedCluster whose image does not state the release", () => {
  const digest = `quay.io/openshift-release-dev/ocp-release@sha256:${"0".repeat(64)}`;
  const found = (cidr: string, image: PropertyValue = digest) => {
    const isLater = cidr.includes(":");
    const networks = networking("10.0.0.0/16", {
      serviceNetwork: [{ cidr: "172.30.0.0/16" }, { cidr }].slice(isLater ? 0 : 1),
      ...(isLater && { clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48" }] }),
    });
    return unknowns(cidrInvalid, [hostedCluster({ networking: networks, release: { image } })]).map(
      ({ path, message }) => [path, message.includes("from 4.21 on")],
    );
  };

  test("a wide service network is unknown, with its path and the release that first supports it", () => {
    expect(found("172.0.0.0/11")).toEqual([["spec.networking.serviceNetwork[0].cidr", true]]);
    expect(found("fd02::/107")).toEqual([["spec.networking.serviceNetwork[1].cidr", true]]);
  });

  test("other service networks, and those of a known release, are not unknown", () => {
    expect(found("172.16.0.0/12")).toEqual([]);
    expect(found("fd02::/112")).toEqual([]);
    expect(found("172.0.0.0/11", "quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64")).toEqual([]);
  });
});
