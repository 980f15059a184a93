import { EndpointAccess, PublishingType, Service, type Platform } from "../../src/requirements/vocabulary";
import fc from "fast-check";
import { ALL_PLATFORMS } from "../../src/requirements/requirement";
import { serviceProperty } from "../../src/requirements/publishedServices";
import { supportedPublishing } from "../../src/requirements/publishing";
import { defaultEndpointAccess, endpointAccessModes } from "../../src/requirements/platforms";
import { describeFaults, type Fault } from "../../src/fault";
import type { RequiredFlow } from "../../src/flows/model";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";

const { Route, NodePort, LoadBalancer } = PublishingType;

/** All services with one strategy, if HyperShift supports it, and otherwise with Route. */
export const published = {
  Route: {
    apiServer: { type: Route, hostname: "api.tenant-a.example.com" },
    oauthServer: { type: Route },
    konnectivity: { type: Route },
    ignition: { type: Route },
  },
  NodePort: {
    apiServer: { type: NodePort },
    oauthServer: { type: NodePort },
    konnectivity: { type: NodePort },
    ignition: { type: NodePort },
  },
  LoadBalancer: {
    apiServer: { type: LoadBalancer },
    oauthServer: { type: Route },
    konnectivity: { type: LoadBalancer },
    ignition: { type: Route },
  },
} as const;

export const machines = { machineNetwork: [{ cidr: "10.0.0.0/16" }] };

/** A non-private endpoint access, which is not the default on all platforms; empty on platforms without the choice. */
export const openly = (platform: Platform): { endpointAccess?: EndpointAccess } => {
  const endpointAccess = endpointAccessModes(platform).find((mode) => mode !== EndpointAccess.Private);
  return endpointAccess ? { endpointAccess } : {};
};

/** The minimal topology. */
export const least = { name: "tenant-a", platform: "AWS" };

/** A normalized topology; throws with its faults if it has any. */
export function normal(raw: object): NormalizedTopology {
  const { topology, faults } = normalizeTopology({ ...least, ...raw });
  if (!topology) throw new Error(describeFaults("topology", faults));
  return topology;
}

/** The faults of a topology, one line each. */
export function faultsOf(raw: object): string[] {
  return normalizeTopology({ ...least, ...raw }).faults.map(
    ({ path, problem, remedy }) => `${path}  ${problem}: ${remedy}`,
  );
}

/** The warnings of a topology without faults, one line each. */
export function warningsOf(raw: object): string[] {
  const { faults, warnings } = normalizeTopology({ ...least, ...raw });
  expect(faults).toEqual([]);
  return warnings.map(({ path, problem, remedy }) => `${path}  ${problem}: ${remedy}`);
}

/** The faults and warnings of a topology, one line each, with the rule that finds the same in plans. */
export function spoken(raw: object): string[] {
  const { faults, warnings } = normalizeTopology({ ...least, ...raw });
  const line = ({ path, problem, remedy, rule }: Fault) =>
    `${path}  ${problem}: ${remedy}${rule === undefined ? "" : ` [${rule}]`}`;
  return [...faults.map(line), ...warnings.map((warning) => `warning: ${line(warning)}`)];
}

/** A flow as one line: `kube-apiserver 6443/TCP worker 10.0.0.0/16, external-client ? externalClientCidrs`. */
export function lineOf({ key, ports, protocol, peers }: RequiredFlow): string {
  const range = !ports ? "every" : ports.from === ports.to ? `${ports.from}` : `${ports.from}-${ports.to}`;
  const ends = peers.map(({ zone, prefixes, input, assumed }) =>
    prefixes ? `${zone} ${prefixes.join(" ")}${assumed ? " assumed" : ""}` : `${zone} ? ${input}`,
  );
  return `${key} ${range}/${protocol} ${ends.join(", ")}`;
}

const someCidrs = (...cidrs: string[]) => fc.constantFrom(undefined, ...cidrs.map((cidr) => [cidr]));

/** Arbitrary valid topologies. */
export const topologies = fc
  .constantFrom(...ALL_PLATFORMS)
  .chain((platform) => {
    const access = endpointAccessModes(platform);
    return fc.record({
      ...Object.fromEntries(Object.keys(least).map((key) => [key, fc.constant("tenant-a")])),
      platform: fc.constant(platform),
      endpointAccess: fc.constantFrom(undefined, ...access),
      services: fc.record(
        Object.fromEntries(
          Object.values(Service).map((service) => [
            serviceProperty[service],
            fc
              .constantFrom(...supportedPublishing(platform, defaultEndpointAccess(platform), service))
              .map((type) =>
                type === PublishingType.Route
                  ? { type, hostname: `${service.toLowerCase()}.example.com` }
                  : { type },
              ),
          ]),
        ),
      ),
      machineNetwork: fc.constantFrom(undefined, [{ cidr: "10.0.0.0/16" }]),
      loadBalancerTargets: fc.constantFrom(undefined, "instance", "ip"),
      loadBalancerSubnetCidrs: someCidrs("10.1.0.0/24"),
      workerNatCidrs: someCidrs("198.51.100.7/32"),
      externalClientCidrs: someCidrs("203.0.113.0/24", "0.0.0.0/0"),
      managementClusterCidrs: someCidrs("10.1.0.0/16"),
      controlPlaneEndpointCidrs: someCidrs("192.0.2.0/24"),
      dnsServerCidrs: someCidrs("10.1.0.2/32"),
      registryCidrs: someCidrs("198.51.100.0/24"),
    });
  })
  .filter((raw) => normalizeTopology(raw).topology !== undefined);
