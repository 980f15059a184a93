import { configuredCluster, type ConfiguredCluster } from "../cluster";
import { INSTALL_MANIFEST_FILE } from "../network";
import { readValue } from "../../resources/read";
import type { PropertyValue, Resource } from "../../resources/resource";
import { isNetworkOperator } from "../../resources/resourceTypes";
import type { JudgedCluster } from "../../gate/clusters";
import { guestCluster, guestInputs } from "../../gate/guestCluster";
import type { JudgedResources } from "../../gate/judgedResources";

/** Where the Network operator's object holds the settings of OVN-Kubernetes. */
export const OVN_CONFIG = "spec.defaultNetwork.ovnKubernetesConfig";

/** The settings of a Network operator, or a patch on them. */
export interface WrittenOperator {
  resource: Resource;
  /** The value at a path. */
  value: (path: string) => PropertyValue | undefined;
}

/** The settings of Network operators; with a path those that hold something there. */
export const networkOperators = (judged: JudgedResources, path?: string): WrittenOperator[] =>
  judged.ofKind(isNetworkOperator).flatMap((resource) => {
    const value = (at: string) => readValue(resource.properties, at);
    return path !== undefined && value(path) === undefined ? [] : [{ resource, value }];
  });

/** The cluster in which a Network operator runs: the only hosted one that the stack speaks of. */
export interface OperatorCluster {
  hosted: JudgedCluster | undefined;
  cluster: ConfiguredCluster;
}

/**
 * What is known of that cluster. A manifest of the installer's name configures one that does not run yet; what stands in a
 * running cluster may be there since its installation.
 */
export function operatorCluster(judged: JudgedResources, { origin }: Resource): OperatorCluster {
  const isManifest = origin.urn === undefined && origin.file?.endsWith(INSTALL_MANIFEST_FILE) === true;
  const isOld = isManifest || origin.live !== undefined;
  const inputs = guestInputs(judged);
  const hosted = inputs.topology ? guestCluster(judged) : undefined;
  return { hosted, cluster: configuredCluster({ ...inputs, ...(isOld && { fragmentOnly: true }) }) };
}
