import { HYPERSHIFT, at } from "../../requirements/documents";
import { isHostedCluster } from "../../resources/resourceTypes";
import { ServiceRule } from "../../topology/normalize/services";
import { clusterFaults, unreadableTopologies } from "../../gate/clusterFaults";
import { Level, type Rule } from "../../gate/rule";
import { withObjectFaults } from "./withObjectFaults";

/** A service of a HostedCluster is published in a way that HyperShift refuses. */
export const publishingUnsupported: Rule = {
  id: ServiceRule.Publishing,
  title: "Services are published in ways that platform and API have",
  level: Level.Error,
  description:
    "The publishing strategies of HostedClusters against platform and endpoint access: ignition by load balancer, NodePort on AWS and Azure, a Route of the API server without a host name, one host name for two services. Also what the API refuses at once: how many services and which, what stands in a strategy, host names and addresses, access modes and the networks of private access, the DNS names of the cluster.",
  documents: [
    at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go"),
    at(HYPERSHIFT, "HostedCluster CRD, spec"),
  ],
  remediation: "Publish the service by a strategy that the platform has; spec.services can never change.",
  single: isHostedCluster,
  judge: (judged) =>
    withObjectFaults(judged, ServiceRule.Publishing, [
      ...clusterFaults(judged, ServiceRule.Publishing, ["platform", "services", "endpointAccess"]),
      ...unreadableTopologies(judged),
    ]),
};
