import { D0, HYPERSHIFT, at } from "../requirements/documents";
import { NODE_PORTS } from "../requirements/ports";
import { isHostedCluster } from "../resources/resourceTypes";
import { ServiceRule } from "../topology/normalize/services";
import { clusterFaults } from "./clusterFaults";
import { Level, type Rule } from "./rule";

const range = `${NODE_PORTS.from} to ${NODE_PORTS.to}`;

/** A node port of a HostedCluster that no service can have. */
export const nodePortRange: Rule = {
  id: ServiceRule.NodePort,
  title: "Node ports lie in the node-port range, each for one service",
  level: Level.Error,
  description: `The node ports of spec.services of HostedClusters: numbers from ${range}, none of them twice. The API takes every number; the port is refused when the service is made.`,
  documents: [at(D0, "Table 1. Common ingress ports"), at(HYPERSHIFT, "HostedCluster CRD, spec.services")],
  remediation: `Write a number from ${range}, or 0 for any; spec.services can never change.`,
  single: isHostedCluster,
  judge: (judged) => clusterFaults(judged, ServiceRule.NodePort, ["services"]),
};
