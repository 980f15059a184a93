import { caseOf } from "../../local/agree/cases";
import { breachesOf } from "../../local/agree/invariants";
import { minimised } from "../../local/agree/minimise";
import {
  EndpointAccess,
  LoadBalancerTargets,
  Platform,
  PublishingType,
} from "../../src/requirements/vocabulary";
import type { Case } from "../../local/agree/case";

const SEED = 7;
const CASES = 100;

test("commands agree on every flow of random clusters", () => {
  const cases = Array.from({ length: CASES }, (_, at) => caseOf(SEED, at + 1));
  const breaches = cases.flatMap((given) =>
    breachesOf(given).map((breach) => ({ place: given.place, ...breach })),
  );
  expect(breaches).toEqual([]);
});

test("the same seed and position give the same case, and others give another", () => {
  expect(caseOf(3, 5)).toEqual(caseOf(3, 5));
  expect(caseOf(3, 5)).not.toEqual(caseOf(3, 6));
  expect(caseOf(3, 5)).not.toEqual(caseOf(4, 5));
});

test("a case that breaks an invariant is minimised", () => {
  const given = {
    ...caseOf(SEED, 1),
    topology: { ...caseOf(SEED, 1).topology, machineNetwork: [{ cidr: "none" }] },
  };
  const [breach] = breachesOf(given);
  const smallest = minimised(given, breach!).given;
  expect(smallest.form).toEqual({ writer: "split", shape: "single" });
  expect(Object.keys(smallest.topology).length).toBeLessThanOrEqual(Object.keys(given.topology).length);
});

describe("former differences between commands stay fixed", () => {
  const form: Case["form"] = { writer: "split", shape: "single" };
  const named = { name: "tenant-a", platform: Platform.AWS };
  test.each<[string, Case["topology"], Partial<Case>?]>([
    [
      "a private cluster that states its workers but no machine network",
      { ...named, endpointAccess: EndpointAccess.Private, workerCidrs: ["10.0.4.7/32", "10.0.4.8/32"] },
    ],
    [
      "workers with only the plan's group, whose addresses are not stated",
      { ...named, defaultWorkerRules: true },
    ],
    [
      "an ACL that drops a part of the stated endpoint while HTTPS is open to all addresses",
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
      "a disabled flow whose other end is not stated, in a dual-stack cluster",
      {
        ...named,
        platform: Platform.KubeVirt,
        machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd00:10::/64" }],
        clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48" }],
        serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
      },
      { disabledRules: ["workers/egress/kube-apiserver"] },
    ],
    [
      "network ACLs around workers with only the plan's group",
      { ...named, machineNetwork: [{ cidr: "10.0.0.0/16" }], defaultWorkerRules: true },
      { acls: "both" },
    ],
    [
      "private load balancers before node ports, of which the topology states no address",
      {
        ...named,
        endpointAccess: EndpointAccess.PublicAndPrivate,
        loadBalancerTargets: LoadBalancerTargets.Instance,
      },
    ],
    [
      "a disabled flow that has a peer which is not stated among stated ones",
      {
        ...named,
        platform: Platform.Azure,
        endpointAccess: EndpointAccess.PublicAndPrivate,
        machineNetwork: [{ cidr: "10.0.0.0/16" }],
        registryCidrs: ["198.51.100.64/26"],
      },
      { disabledRules: ["workers/egress/https"] },
    ],
  ])("%s", (_, topology, filters = {}) => {
    expect(breachesOf({ seed: 8, place: 1352, topology, form, ...filters })).toEqual([]);
  });
});
