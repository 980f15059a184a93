import { atInstallationFaults } from "../cluster";
import { D4, OCP_RELEASE_NOTES, at } from "../../requirements/documents";
import { IPSEC_SINCE } from "../../requirements/ipsec";
import { formatRelease } from "../../requirements/release";
import { placesOf } from "../../gate/clusters";
import type { JudgedResources } from "../../gate/judgedResources";
import { networkOperators, operatorCluster, OVN_CONFIG, type WrittenOperator } from "./networkOperators";
import { objectFaults } from "../../gate/objectFaults";
import { Level, unknown, type Judgement, type Rule } from "../../gate/rule";

const IPSEC_CONFIG = `${OVN_CONFIG}.ipsecConfig`;
const FIRST = formatRelease(IPSEC_SINCE.runningCluster.release);

/** IPsec on a running cluster whose release takes it at installation alone. */
export const ipsecDayTwo: Rule = {
  id: "ipsec-day-two",
  title: "IPsec is turned on at installation where the release takes it then alone",
  level: Level.Error,
  description: `ipsecConfig of Network operators against the release of the only hosted cluster of the stack: before ${FIRST} the network operator takes it at installation, and refuses it on a cluster that runs. A manifest named as openshift-install wants it is left alone. Of a cluster that is not hosted nothing says the release: that is counted.`,
  documents: [
    at(D4, "15.4. IPsec encryption configuration"),
    at(OCP_RELEASE_NOTES, "4.11, OVN-Kubernetes network provider: Enable IPsec at runtime"),
  ],
  remediation: `Write it into the installation's manifests, or upgrade to ${FIRST} or newer first.`,
  judge: (judged) =>
    networkOperators(judged, IPSEC_CONFIG).flatMap((operator) => judgeOperator(judged, operator)),
};

function judgeOperator(judged: JudgedResources, { resource }: WrittenOperator): Judgement[] {
  const { cluster, hosted } = operatorCluster(judged, resource);
  if (!cluster.running) return [];
  const reason = `whether the release of its cluster is ${FIRST} or newer`;
  const because = hosted ? placesOf(hosted, "release") : [];
  if (!cluster.release) return [unknown({ resource, path: IPSEC_CONFIG, reason, because })];
  const faults = atInstallationFaults(cluster, "ipsecConfig", "IPsec", IPSEC_SINCE.runningCluster);
  return objectFaults(resource, faults, { ipsecConfig: IPSEC_CONFIG });
}
