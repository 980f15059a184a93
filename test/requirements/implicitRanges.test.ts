import { parsePrefix } from "../../src/address/parse";
import { LIMIT, limitSources } from "../../src/requirements/limits";
import { Platform } from "../../src/requirements/vocabulary";
import { implicitRangeOf, implicitRanges } from "../../src/requirements/implicitRanges";

test.each([
  ["ovn-join", "100.64.0.0/16"],
  ["ovn-user-defined-join", "100.65.0.0/16"],
  ["ovn-join-kubevirt", "100.66.0.0/16"],
  ["ovn-transit-switch", "100.88.0.0/16"],
  ["ovn-masquerade", "169.254.0.0/17"],
  ["ovn-masquerade-before-4.17", "169.254.169.0/29"],
  ["advertise-address", "172.20.0.1/32"],
  ["advertise-address-v6", "fd00::1/128"],
  ["ovn-join-v6", "fd98::/64"],
  ["ovn-join-v6-kubevirt", "fd99::/64"],
  ["ovn-transit-switch-v6", "fd97::/64"],
  ["ovn-masquerade-v6", "fd69::/112"],
  ["ovn-masquerade-v6-before-4.17", "fd69::/125"],
  ["cluster-network", "10.132.0.0/14"],
  ["service-network", "172.31.0.0/16"],
])("the implicit range %s is %s", (id, cidr) => {
  expect(implicitRangeOf(id).cidr).toBe(cidr);
});

test("KubeVirt guests have their own join subnets, and not the usual ones", () => {
  for (const id of ["ovn-join", "ovn-join-v6"])
    expect(implicitRangeOf(id).platforms).not.toContain(Platform.KubeVirt);
  for (const id of ["ovn-join-kubevirt", "ovn-join-v6-kubevirt"])
    expect(implicitRangeOf(id).platforms).toEqual([Platform.KubeVirt]);
});

test.each(implicitRanges.map((range) => [range.id, range] as const))("%s is complete", (_, range) => {
  const { prefix } = parsePrefix(range.cidr);
  expect(prefix?.text).toBe(range.cidr);
  expect(prefix?.family).toBe(range.family);
  expect(range.documents.length).toBeGreaterThan(0);
  expect(range.breaks).not.toBe("");
});

test("ids of implicit ranges are unique, and an unknown id is an error", () => {
  expect(new Set(implicitRanges.map(({ id }) => id)).size).toBe(implicitRanges.length);
  expect(() => implicitRangeOf("nothing")).toThrow("nothing");
});

test("every limit has a source", () => {
  expect(Object.keys(limitSources).sort()).toEqual(Object.keys(LIMIT).sort());
});
