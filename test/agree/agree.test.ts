import { caseOf } from "../../local/agree/cases";
import { breachesOf } from "../../local/agree/invariants";
import { KNOWN } from "../../local/agree/known";
import { minimised } from "../../local/agree/minimise";
import { EndpointAccess, Platform, PublishingType } from "../../src/requirements/vocabulary";
import type { Case } from "../../local/agree/case";

const SEED = 7;
const CASES = 100;

test("commands agree on every flow of random clusters, and what is known to differ still does", () => {
  const cases = Array.from({ length: CASES }, (_, at) => caseOf(SEED, at + 1));
  const breaches = cases.flatMap((given) =>
    breachesOf(given).map((breach) => ({ place: given.place, ...breach })),
  );
  expect(breaches.filter(({ known }) => known === undefined)).toEqual([]);
  const known = new Set(breaches.map((breach) => breach.known));
  expect(Object.keys(KNOWN).filter((one) => !known.has(one as keyof typeof KNOWN))).toEqual([]);
});

test("the same seed and place give the same case, others another", () => {
  expect(caseOf(3, 5)).toEqual(caseOf(3, 5));
  expect(caseOf(3, 5)).not.toEqual(caseOf(3, 6));
  expect(caseOf(3, 5)).not.toEqual(caseOf(4, 5));
});

test("what breaks an invariant is made as small as it can be", () => {
  const given = {
    ...caseOf(SEED, 1),
    topology: { ...caseOf(SEED, 1).topology, machineNetwork: [{ cidr: "none" }] },
  };
  const [breach] = breachesOf(given);
  const smallest = minimised(given, breach!).given;
  expect(smallest.form).toEqual({ writer: "split", shape: "single" });
  expect(Object.keys(smallest.topology).length).toBeLessThanOrEqual(Object.keys(given.topology).length);
});

describe("cases on which commands differed stay mended", () => {
  const form: Case["form"] = { writer: "split", shape: "single" };
  const named = { name: "tenant-a", platform: Platform.AWS };
  test.each<[string, Case["topology"], Partial<Case>?]>([
    [
      "a private cluster that says its workers and no machine network",
      { ...named, endpointAccess: EndpointAccess.Private, workerCidrs: ["10.0.4.7/32", "10.0.4.8/32"] },
    ],
    [
      "workers with only the plan's group, whose addresses are not stated",
      { ...named, defaultWorkerRules: true },
    ],
    [
      "an ACL that drops a part of the stated endpoint, where HTTPS is open to everywhere",
      {
        ...named,
        platform: Platform.None,
        services: {
          apiServer: { type: PublishingType.NodePort },
          oauthServer: { type: PublishingType.Route, hostname: "oauth.example.com" },
        },
        workerCidrs: ["10.0.0.0/18"],
        controlPlaneEndpointCidrs: ["198.51.0.0/16"],
      },
      { acls: "both", denied: "198.51.100.0/24" },
    ],
    [
      "a flow that the user disables, whose other end is not stated, in a cluster of both families",
      {
        ...named,
        platform: Platform.KubeVirt,
        machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd00:10::/64" }],
        clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48" }],
        serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
      },
      { disabledRules: ["workers/egress/kube-apiserver"] },
    ],
  ])("%s", (_, topology, filters = {}) => {
    const found = breachesOf({ seed: 8, place: 1352, topology, form, ...filters });
    expect(found.filter(({ known }) => known === undefined)).toEqual([]);
  });
});
