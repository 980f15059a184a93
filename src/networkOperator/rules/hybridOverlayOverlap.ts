import { hybridNetworkFaults } from "../hybridOverlay";
import { surroundingRanges, type SurroundingInputs } from "../surroundingRanges";
import { D4, OVN_KUBERNETES, at } from "../../requirements/documents";
import { read } from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { isNetworkOperator } from "../../resources/resourceTypes";
import type { JudgedResources } from "../../gate/judgedResources";
import { networkOperators, operatorCluster, OVN_CONFIG, type WrittenOperator } from "./networkOperators";
import { objectFaults } from "../../gate/objectFaults";
import { Level, unknown, type Judgement, type Rule } from "../../gate/rule";

const HYBRID_NETWORK = `${OVN_CONFIG}.hybridOverlayConfig.hybridClusterNetwork`;

/** An additional overlay network that is none, or that shares addresses with another one. */
export const hybridOverlayOverlap: Rule = {
  id: "hybrid-overlay-overlap",
  title: "The additional overlay network for Windows nodes has addresses of its own",
  level: Level.Error,
  description:
    "hybridClusterNetwork of Network operators: one range with the prefix of each node's part, apart from the cluster, service and machine networks and from what OVN-Kubernetes takes by itself. The networks are those that the object states, or those of the only hosted cluster of the stack. The network operator takes any range; OVN-Kubernetes then fails to start, or packets are lost, and the range can never be edited.",
  documents: [
    at(D4, "15.15.1. Configuring hybrid networking with OVN-Kubernetes"),
    at(OVN_KUBERNETES, "go-controller/pkg/config/config.go"),
  ],
  remediation: "Choose a range that nothing else uses, as if for good.",
  single: isNetworkOperator,
  judge: (judged) =>
    networkOperators(judged, HYBRID_NETWORK).flatMap((operator) => judgeOperator(judged, operator)),
};

function judgeOperator(judged: JudgedResources, { resource, value }: WrittenOperator): Judgement[] {
  const { hosted, cluster } = operatorCluster(judged, resource);
  const hybrid = value(HYBRID_NETWORK);
  const stated: SurroundingInputs = {
    clusterNetwork: blocks(value("spec.clusterNetwork"), "[].cidr"),
    serviceNetwork: blocks(value("spec.serviceNetwork"), "[]"),
    // A cluster whose object does not say it need not have the installer's.
    machineNetwork: UNKNOWN,
  };
  const { ranges } = surroundingRanges(cluster, hosted ? {} : stated);
  const pending = read(resource.properties, `${HYBRID_NETWORK}[].cidr`).filter(
    (each) => each.value === UNKNOWN,
  );
  const isBlind = !hosted && stated.clusterNetwork === UNKNOWN;
  const reason = "the networks of the cluster in which it stands";
  return [
    ...objectFaults(resource, hybridNetworkFaults(hybrid, ranges), { hybridClusterNetwork: HYBRID_NETWORK }),
    ...(pending.length > 0 || hybrid === UNKNOWN
      ? [unknown({ resource, path: pending[0]?.path ?? HYBRID_NETWORK })]
      : isBlind
        ? [unknown({ resource, path: HYBRID_NETWORK, reason })]
        : []),
  ];
}

/** The blocks of a network; UNKNOWN where the object does not say them. */
function blocks(network: PropertyValue | undefined, path: string): PropertyValue {
  const found = read(network, path).map(({ value }) => value);
  return found.length === 0 ? UNKNOWN : found;
}
