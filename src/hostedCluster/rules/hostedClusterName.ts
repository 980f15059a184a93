import { HYPERSHIFT, KUBERNETES, at } from "../../requirements/documents";
import { isHostedCluster } from "../../resources/resourceTypes";
import { clustersThatMeet } from "../../gate/clustersThatMeet";
import { hostedClusterNameFaults } from "./hostedClusterNameFaults";
import { Level, type Rule } from "../../gate/rule";

/** A HostedCluster has a name that cannot be, or the namespace of its control plane is another's too. */
export const hostedClusterName: Rule = {
  id: "hosted-cluster-name",
  title: "Hosted clusters have names that can be, each with a namespace of its own for its control plane",
  level: Level.Error,
  description:
    "Name and namespace of HostedClusters: what the API server refuses, and the namespace of the control plane, <namespace>-<name> with dashes for dots, of 63 characters at most. No two HostedClusters of one management cluster have the same name in the same namespace, or share that namespace: tenant.a beside tenant-a, b-c in a beside c in a-b. Names that the API server makes up (generateName) are counted as unknown.",
  documents: [
    at(KUBERNETES, "Object names and IDs"),
    at(HYPERSHIFT, "hypershift-operator/controllers/manifests/manifests.go"),
  ],
  remediation: "Give each HostedCluster a name of small letters, digits and hyphens, short and of its own.",
  single: isHostedCluster,
  judge: (judged) => [
    ...judged.ofKind(isHostedCluster).flatMap(hostedClusterNameFaults),
    ...clustersThatMeet(judged.clusters),
  ],
};
