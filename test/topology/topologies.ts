import { EndpointAccess, PublishingType, type Platform } from "../../src/requirements/vocabulary";
import { endpointAccessModes } from "../../src/requirements/platforms";
import { describeFaults, type Fault } from "../../src/fault";
import type { RequiredFlow } from "../../src/flows/model";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";

const { Route, NodePort, LoadBalancer } = PublishingType;

/** All services by one strategy, as far as HyperShift publishes them that way. */
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

/** The access that is open to most, which is not the default everywhere; nothing on platforms without the choice. */
export const openly = (platform: Platform): { endpointAccess?: EndpointAccess } => {
  const endpointAccess = endpointAccessModes(platform).find((mode) => mode !== EndpointAccess.Private);
  return endpointAccess ? { endpointAccess } : {};
};

/** The least that is a topology. */
export const least = { name: "tenant-a", platform: "AWS" };

/** A topology in its normal form; the test fails with its faults where it has any. */
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

/** Everything that is said of a topology, one line each, with the rule that finds the same in plans. */
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
