import { readPrefix } from "../../address";
import { IpFamily } from "../../probes/requests";
import { read } from "../../resources/read";
import type { LiveObject } from "../../cluster/liveCluster";

/** The families of a HostedCluster's cluster network; undefined where it does not say one. */
export function familiesOf(hostedCluster: LiveObject): IpFamily[] | undefined {
  const families = read(hostedCluster, "spec.networking.clusterNetwork[].cidr").flatMap(({ value }) => {
    const prefix = typeof value === "string" ? readPrefix(value) : undefined;
    return prefix ? [prefix.family === 4 ? IpFamily.IPv4 : IpFamily.IPv6] : [];
  });
  return families.length > 0 ? [...new Set(families)] : undefined;
}
