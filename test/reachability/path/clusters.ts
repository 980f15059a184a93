import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import type { Hop } from "../../../src/flows/model";
import { normalizeTopology } from "../../../src/topology/normalizeTopology";

/** Everything that a topology can state about the networks around a cluster. */
export const everything = {
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  workerNatCidrs: ["198.51.100.7/32"],
  externalClientCidrs: ["203.0.113.0/24"],
  controlPlaneEndpointCidrs: ["192.0.2.0/24"],
  dnsServerCidrs: ["10.1.0.2/32"],
  registryCidrs: ["198.51.100.128/25"],
  loadBalancerTargets: "instance",
};

/** Every service at a known node port. */
export const pinned = {
  apiServer: { type: "NodePort", nodePort: 31_443 },
  oauthServer: { type: "NodePort", nodePort: 31_444 },
  konnectivity: { type: "NodePort", nodePort: 31_091 },
  ignition: { type: "NodePort", nodePort: 31_090 },
};

/** A topology that states everything, with the given fields replaced. */
export function said(raw: object): NormalizedTopology {
  const { topology, faults } = normalizeTopology({ ...everything, name: "tenant-a", ...raw });
  if (!topology) throw new Error(JSON.stringify(faults));
  return topology;
}

/** A short text for a hop. */
export function placeOf(hop: Hop): string {
  switch (hop.kind) {
    case "hosts":
      return `${hop.role} ${hop.direction}`;
    case "pods":
      return `pods ${hop.app}`;
    case "senders":
      return "senders";
    case "namespace":
      return `namespace ${hop.namespace}`;
    case "balancer":
      return "balancer";
    case "node":
      return `node ${hop.listener}`;
  }
}
