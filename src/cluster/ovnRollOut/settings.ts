import { sameValue } from "./sameSubnet";
import { describeReference } from "../../requirements/documents";
import { internalSubnet, type InternalSubnetProperty } from "../../requirements/internalSubnets";
import { rollOutSource } from "../../requirements/ovnNodes";
import { readValue } from "../../resources/read";
import { LiveStatus, type LiveCheck } from "../liveCheck";
import type { LiveObject } from "../liveCluster";

/** The internal subnets that are wanted, by the topology property that says them. */
export type WantedSubnets = Partial<Record<InternalSubnetProperty, string>>;

/** Where one of the objects holds the settings of OVN-Kubernetes. */
export interface SettingsPlace {
  id: string;
  /** `HostedCluster clusters/tenant-a` */
  object: string;
  /** Path of `ovnKubernetesConfig` in it. */
  path: string;
  /** What to do where it has something else. */
  fix: string;
}

export const hostedClusterPlace = (key: string): SettingsPlace => ({
  id: "hosted-cluster-value",
  object: `HostedCluster ${key}`,
  path: "spec.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig",
  fix: "patch the HostedCluster; OvnSubnetConfig does",
});

export const OPERATOR_PLACE: SettingsPlace = {
  id: "network-operator-value",
  object: "Network cluster of operator.openshift.io",
  path: "spec.defaultNetwork.ovnKubernetesConfig",
  fix: "look at the conditions of the HostedCluster and at the pods hosted-cluster-config-operator and cluster-network-operator in the control plane's namespace: they carry the value over",
};

/** One subnet in one object. */
export function settingCheck(
  object: LiveObject | undefined,
  place: SettingsPlace,
  property: InternalSubnetProperty,
  wanted: string,
): LiveCheck {
  const { name, field } = internalSubnet(property);
  const found = object && readValue(object, [place.path, ...field].join("."));
  const isThere = typeof found === "string" && sameValue(found, wanted);
  return {
    id: `${place.id}/${property}`,
    what: `${name} in ${place.object}`,
    expected: wanted,
    found: !object ? "no such object" : typeof found === "string" ? found : "nothing is set",
    status: isThere ? LiveStatus.Passed : LiveStatus.Failed,
    ...(!isThere && { fix: place.fix }),
    documented: describeReference(rollOutSource),
  };
}
