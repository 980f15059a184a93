import { isDeepStrictEqual } from "node:util";

import { textAt } from "./objectText";
import { isObject, readValue } from "./read";
import { UNKNOWN, type Origin, type PropertyValue, type Resource } from "./resource";
import {
  isClusterProxy,
  isEgressFirewall,
  isEgressIp,
  isEgressRouter,
  isHostedCluster,
  isNetwork,
  isNetworkPolicy,
} from "./resourceTypes";

/** A value of a plan that is another one where the object runs. */
export interface DriftedValue {
  /** The object of the plan. */
  resource: Origin;
  /** `HostedCluster clusters/tenant-a` */
  object: string;
  /** `spec.networking.machineNetwork[0].cidr` */
  path: string;
  /** As JSON. */
  planned: string;
  /** As JSON; `absent` where nothing is. */
  found: string;
}

/** What belongs to the network of a HostedCluster: the rest is nothing that this package judges. */
const HOSTED_CLUSTER_PATHS = [
  "spec.networking",
  "spec.services",
  "spec.configuration.proxy",
  "spec.operatorConfiguration.clusterNetworkOperator",
  "spec.additionalTrustBundle",
  "spec.platform.aws.endpointAccess",
  "spec.platform.gcp.endpointAccess",
];

/** The kinds of which values are compared, and where. */
const COMPARED: readonly { isKind: (type: string) => boolean; paths: readonly string[] }[] = [
  { isKind: isHostedCluster, paths: HOSTED_CLUSTER_PATHS },
  ...[isNetwork, isClusterProxy, isEgressFirewall, isEgressIp, isEgressRouter, isNetworkPolicy].map(
    (isKind) => ({ isKind, paths: ["spec"] }),
  ),
];

/**
 * The values that a plan states and that are others where its objects run. What the plan leaves open is left alone: servers
 * and operators fill it in. Objects that are not there are left out, too: their packets are compared, and a plan may be one
 * that nobody has applied yet.
 */
export function driftedValues(plan: readonly Resource[], live: readonly Resource[]): DriftedValue[] {
  const running = new Map(live.map((resource) => [keyOf(resource), resource]));
  return plan.flatMap((resource) => {
    const paths = COMPARED.find(({ isKind }) => isKind(resource.type))?.paths ?? [];
    const key = paths.length > 0 ? keyOf(resource) : undefined;
    const found = key === undefined ? undefined : running.get(key);
    if (!found) return [];
    return paths.flatMap((path) =>
      differences(path, readValue(resource.properties, path), readValue(found.properties, path)).map(
        (difference) => ({
          resource: resource.origin,
          object: found.origin.live ?? found.name,
          ...difference,
        }),
      ),
    );
  });
}

/** Group, kind, namespace and name; undefined where the plan does not know them. A patch is on the object of its name. */
function keyOf({ type, properties }: Resource): string | undefined {
  const [, group = "", kind = ""] = /^kubernetes:(.*)\/[^/:]+:([^:]+?)(?:Patch)?$/.exec(type) ?? [];
  const [name, namespace] = ["metadata.name", "metadata.namespace"].map((path) => textAt(properties, path));
  return name === "" ? undefined : [group, kind, namespace, name].join(" ");
}

type Difference = Pick<DriftedValue, "path" | "planned" | "found">;

function differences(
  path: string,
  planned: PropertyValue | undefined,
  found: PropertyValue | undefined,
): Difference[] {
  if (planned === undefined || planned === null || planned === UNKNOWN) return [];
  if (isObject(planned)) {
    const within = isObject(found) ? found : {};
    return Object.entries(planned).flatMap(([key, value]) =>
      differences(`${path}.${key}`, value, within[key]),
    );
  }
  if (isList(planned) && isList(found) && planned.length === found.length)
    return planned.flatMap((value, position) => differences(`${path}[${position}]`, value, found[position]));
  if (isDeepStrictEqual(planned, found) || (isEmptyList(planned) && found === undefined)) return [];
  return [{ path, planned: shown(path, planned), found: shown(path, found) }];
}

const isList = (value: PropertyValue | undefined): value is readonly PropertyValue[] => Array.isArray(value);
const isEmptyList = (value: PropertyValue): boolean => isList(value) && value.length === 0;

/** URLs of proxies may hold credentials. */
const MAY_HOLD_CREDENTIALS = /\.(httpProxy|httpsProxy)$/;

function shown(path: string, value: PropertyValue | undefined): string {
  if (value === undefined) return "absent";
  if (MAY_HOLD_CREDENTIALS.test(path)) return "not shown, because it may hold credentials";
  return JSON.stringify(value, (_, one: unknown) => (one === UNKNOWN ? "unknown" : one));
}
