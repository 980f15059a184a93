import { hosts, overlap, readPrefix, type Prefix } from "../address";
import type { PortRange } from "../requirements/requirement";
import { Zone, Role } from "../requirements/vocabulary";

/** `6443`, `30000-32767`, `every port`. */
export function portText(ports: PortRange | undefined): string {
  if (!ports) return "every port";
  return ports.from === ports.to ? `${ports.from}` : `${ports.from}-${ports.to}`;
}

/** Some blocks in a sentence, not more than a reader takes in. */
export function prefixText(prefixes: readonly Prefix[], most = 3): string {
  const shown = prefixes.slice(0, most).join(", ");
  return prefixes.length > most ? `${shown} and ${prefixes.length - most} more` : shown;
}

/** An address that a host can have. */
export const hostOf = (prefix: Prefix): string => hosts(prefix).first.text;

/** An address that belongs to no worker: from the ranges for documentation, where the block has them. */
export function outsider(block: Prefix): string {
  const documentation = readPrefix(block.family === 4 ? "203.0.113.0/24" : "2001:db8::/32")!;
  const isWide = block.length < documentation.length && overlap(block, documentation);
  return hostOf(isWide ? documentation : block);
}

/** The hosts of a role, as the subject of a sentence. */
export const HOSTS: Readonly<Record<Role, string>> = {
  [Role.ControlPlane]: "control-plane hosts",
  [Role.Workers]: "workers",
  [Role.PrivateEndpoint]: "the private endpoint",
};

/** The other end of a flow in a sentence. */
export function zoneText(zone: Zone): string {
  return zoneNames[zone] ?? zone.replaceAll("-", " ");
}

const zoneNames: Readonly<Partial<Record<Zone, string>>> = {
  [Zone.Workers]: "workers",
  [Zone.ExternalClients]: "external clients",
  [Zone.ManagementApi]: "the management cluster's API",
  [Zone.LoadBalancers]: "load balancers",
  [Zone.DnsServers]: "DNS servers",
  [Zone.ContainerRegistry]: "container registries",
  [Zone.ExternalHttps]: "HTTPS services outside",
  [Zone.ControlPlane]: "the control plane",
  [Zone.Routes]: "routes",
  [Zone.MachineNetwork]: "the machine network",
  [Zone.SameSecurityGroup]: "hosts of the same group",
};

export { labelText } from "../reachability/isolation/excess";
