import { HYPERSHIFT, at } from "../requirements/documents";
import { isHostedCluster } from "../resources/resourceTypes";
import { ServiceRule } from "../topology/normalize/services";
import { clusterFaults } from "./clusterFaults";
import { Level, type Rule } from "./rule";

/** A service of a HostedCluster is published in a way that HyperShift refuses. */
export const publishingUnsupported: Rule = {
  id: ServiceRule.Publishing,
  title: "Services are published in ways that the platform has",
  level: Level.Error,
  description:
    "The publishing strategies of HostedClusters against platform and endpoint access: ignition by load balancer, NodePort on AWS and Azure, a Route of the API server without a host name, one host name for two services. Most of it the API takes and a controller refuses minutes later.",
  documents: [
    at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.services"),
  ],
  remediation: "Publish the service by a strategy that the platform has; spec.services can never change.",
  single: isHostedCluster,
  judge: (judged) =>
    clusterFaults(judged, ServiceRule.Publishing, ["platform", "services", "endpointAccess"]),
};
