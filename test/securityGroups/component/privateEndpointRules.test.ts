import {
  privateEndpointRules,
  type PrivateEndpointOptions,
} from "../../../src/securityGroups/component/privateEndpointRules";
import { describePeer, describePorts, ruleDescription } from "../../../src/components/hostRules/plannedRule";
import { RuleMerging } from "../../../src/securityGroups/component/hostedControlPlaneSecurityGroupsArgs";
import { EndpointAccess, Platform, PublishingType } from "../../../src/requirements/vocabulary";
import { UNKNOWN } from "../../../src/resources/resource";
import type { HostedClusterTopology } from "../../../src/topology/hostedClusterTopology";

const topology: HostedClusterTopology = {
  name: "tenant-a",
  platform: Platform.AWS,
  release: "4.20",
  endpointAccess: EndpointAccess.Private,
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
const byRoute = {
  apiServer: { type: PublishingType.Route, hostname: "api.tenant-a.example.com" },
};

/** The rules, each as `TCP 443 10.0.0.0/16`. */
const table = (more: Partial<HostedClusterTopology> = {}, options: PrivateEndpointOptions = {}): string[] =>
  privateEndpointRules({ ...topology, ...more }, options).rules.map(
    ({ direction, protocol, ports, peer }) => {
      expect(direction).toBe("ingress");
      return `${protocol} ${describePorts(ports)} ${describePeer(peer)}`;
    },
  );
const faults = (more: Partial<HostedClusterTopology>, options: PrivateEndpointOptions = {}): string[] =>
  privateEndpointRules({ ...topology, ...more }, options).faults.map(
    ({ path, problem }) => `${path}: ${problem}`,
  );

describe("M3 machines reach the private control plane through the endpoint", () => {
  it("at 443 for the private router, and at 6443 if a load balancer publishes the API server", () => {
    expect(table()).toEqual(["TCP 443 10.0.0.0/16", "TCP 6443 10.0.0.0/16"]);
  });

  it("only at 443 if a Route publishes the API server", () => {
    expect(table({ services: byRoute })).toEqual(["TCP 443 10.0.0.0/16"]);
  });

  it("with PublicAndPrivate access too", () => {
    expect(table({ endpointAccess: EndpointAccess.PublicAndPrivate })).toEqual(table());
  });

  it("over IPv4 and IPv6", () => {
    const machineNetwork = [{ cidr: "10.0.0.0/16" }, { cidr: "fd00:10::/48" }];
    const networks = {
      clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48" }],
      serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
    };
    expect(table({ machineNetwork, ...networks, services: byRoute })).toEqual([
      "TCP 443 10.0.0.0/16",
      "TCP 443 fd00:10::/48",
    ]);
  });

  it("together with external clients if there is no public access", () => {
    const externalClientCidrs = ["198.51.100.0/24"];
    expect(table({ externalClientCidrs })).toContain("TCP 6443 198.51.100.0/24");
    const { PublicAndPrivate } = EndpointAccess;
    expect(table({ externalClientCidrs, endpointAccess: PublicAndPrivate })).toEqual(table());
  });
});

describe("M3 more callers than the rule quota allows", () => {
  const callers = Object.fromEntries(
    Array.from({ length: 64 }, (_, index) => [`office-${index}`, { cidr: `192.0.${index}.0/24` }]),
  );

  it("are merged into the same addresses, with a warning", () => {
    const { rules, warnings } = privateEndpointRules(topology, { callers });
    expect(table({}, { callers })).toEqual([
      "TCP 443 10.0.0.0/16",
      "TCP 443 192.0.0.0/18",
      "TCP 6443 10.0.0.0/16",
      "TCP 6443 192.0.0.0/18",
    ]);
    expect(rules[1]!.flows).toHaveLength(64);
    expect(warnings.join("\n")).toContain(
      "mergeRules missing: private-endpoint ingress would have 130 IPv4 rules, the quota is 60; 4 merged",
    );
  });

  it("are refused if mergeRules is never", () => {
    expect(faults({}, { callers, mergeRules: RuleMerging.Never })).toEqual([
      expect.stringContaining("ruleQuota: private-endpoint ingress needs 130 IPv4 rules, the quota is 60 ("),
    ]);
  });
});

describe("M3 callers outside the VPC", () => {
  const callers = {
    transit: { cidr: "10.64.0.0/12", description: "Peered networks over the transit gateway" },
    onPremises: { prefixListId: "pl-1", maxEntries: 10 },
    ci: { securityGroupId: "sg-1" },
  };

  it("may be networks, prefix lists and groups, and get a rule for every port of the endpoint", () => {
    expect(table({}, { callers })).toEqual([
      "TCP 443 10.0.0.0/16",
      "TCP 443 security group of callers.ci",
      "TCP 443 prefix list of callers.onPremises",
      "TCP 443 10.64.0.0/12",
      "TCP 6443 10.0.0.0/16",
      "TCP 6443 security group of callers.ci",
      "TCP 6443 prefix list of callers.onPremises",
      "TCP 6443 10.64.0.0/12",
    ]);
  });

  it("are named in the descriptions of their rules", () => {
    const rules = privateEndpointRules(topology, { callers }).rules.map(ruleDescription);
    expect(rules).toContain(
      "Peered networks over the transit gateway, to the private router through the VPC endpoint",
    );
    expect(rules).toContain("ci, to the private API server through the VPC endpoint");
  });

  it("share one rule with the machine network if they are the same block", () => {
    const plan = privateEndpointRules(topology, { callers: { nodes: { cidr: "10.0.0.0/16" } } });
    expect(plan.rules.map(({ flows }) => flows)).toEqual([
      ["private-endpoint/ingress/endpoint-router", "private-endpoint/ingress/endpoint-router-caller-nodes"],
      [
        "private-endpoint/ingress/endpoint-kube-apiserver",
        "private-endpoint/ingress/endpoint-kube-apiserver-caller-nodes",
      ],
    ]);
  });

  it("may be the only rules, because HyperShift's own group already allows the machines", () => {
    const disabledRules = ["endpoint-router", "endpoint-kube-apiserver"].map(
      (key) => `private-endpoint/ingress/${key}`,
    );
    expect(table({}, { callers: { transit: callers.transit }, disabledRules })).toEqual([
      "TCP 443 10.64.0.0/12",
      "TCP 6443 10.64.0.0/12",
    ]);
  });

  it("get their own rules while their values are unknown", () => {
    const later = { network: { cidr: UNKNOWN }, group: { securityGroupId: UNKNOWN } } as const;
    expect(table({ services: byRoute }, { callers: later })).toEqual([
      "TCP 443 10.0.0.0/16",
      "TCP 443 security group of callers.group",
      "TCP 443 CIDR block of callers.network.cidr",
    ]);
  });

  it("cause a warning with Private access if they are missing", () => {
    const warnings = (more: Partial<HostedClusterTopology>, options = {}) =>
      privateEndpointRules({ ...topology, ...more }, options).warnings.join("\n");
    expect(warnings({})).toContain("callers missing: with Private access no client outside");
    expect(warnings({}, { callers })).toBe("");
    expect(warnings({ externalClientCidrs: ["198.51.100.0/24"] })).toBe("");
    expect(warnings({ endpointAccess: EndpointAccess.PublicAndPrivate })).toBe("");
  });
});

describe("M3 the endpoint's group is refused", () => {
  it.each(Object.values(Platform).filter((platform) => platform !== Platform.AWS))(
    "on %s, which has no VPC endpoint",
    (platform) => {
      const found = faults({ platform, endpointAccess: undefined });
      expect(found).toEqual([
        `topology.platform: ${platform} has no VPC endpoint: HyperShift creates one only for hosted clusters on AWS`,
      ]);
    },
  );

  it.each([EndpointAccess.Public, undefined])("with %s access, which has none either", (endpointAccess) => {
    expect(faults({ endpointAccess })).toEqual([
      "topology.endpointAccess: Public access has no VPC endpoint: HyperShift creates one for PublicAndPrivate and Private",
    ]);
  });

  it("with invalid callers, all faults at once", () => {
    const callers = {
      "no key": { cidr: "10.64.0.0/12" },
      nobody: {},
      two: { cidr: "10.64.0.0/12", securityGroupId: "sg-1" },
      hostBits: { cidr: "10.64.0.1/12" },
      group: { securityGroupId: "pl-1" },
      list: { prefixListId: "pl-1", maxEntries: 0 },
      text: { cidr: "10.64.0.0/12", description: " " },
      nothing: null,
    } as unknown as PrivateEndpointOptions["callers"];
    expect(faults({}, { callers })).toEqual([
      'callers.no key: the key "no key" cannot be part of a resource name',
      "callers.nobody: has no peer",
      "callers.two: has 2 peers: cidr, securityGroupId",
      "callers.list.maxEntries: 0 is less than 1",
      'callers.text.description: " " is not a sentence',
      "callers.nothing: missing",
      "callers.hostBits.cidr: 10.64.0.1/12 has host bits",
      "callers.group.securityGroupId: pl-1 is not the id of a security group",
    ]);
    expect(faults({}, { callers: [] as unknown as PrivateEndpointOptions["callers"] })).toEqual([
      "callers: a list is not an object",
    ]);
  });

  it("with callers that open it to everybody", () => {
    expect(faults({}, { callers: { all: { cidr: "0.0.0.0/0" } } })).toEqual([
      "callers.all.cidr: 0.0.0.0/0 would open endpoint-router-caller-all (TCP 443), endpoint-kube-apiserver-caller-all (TCP 6443) to everybody",
    ]);
    expect(faults({ machineNetwork: [{ cidr: "0.0.0.0/0" }] })).not.toEqual([]);
  });

  it("with disabledRules keys that name no rule", () => {
    const [fault] = faults({}, { disabledRules: ["workers/egress/https"] });
    expect(fault).toBe("disabledRules[0]: workers/egress/https names no rule of this topology");
  });

  it("above the quota, for which prefix lists count with all their entries", () => {
    const callers = { list: { prefixListId: "pl-1", maxEntries: 30 } };
    expect(faults({}, { callers })).toEqual([
      "ruleQuota: private-endpoint ingress needs 62 IPv4 rules, the quota is 60 (30 for endpoint-router-caller-list, " +
        "30 for endpoint-kube-apiserver-caller-list, 1 for endpoint-router, 1 for endpoint-kube-apiserver)",
    ]);
    expect(faults({}, { callers, ruleQuota: 62 })).toEqual([]);
  });
});
