import type { DocumentReference } from "./documents";
import {
  IPSEC_SINCE,
  ipsecFacts,
  ipsecOnHostedClusters,
  ipsecPorts,
  ipsecUpgrade,
  withoutEsp,
  type DocumentedFact,
} from "./networkOperator";
import { podConstraints, podSecurity, selinuxContexts } from "./podIsolation";
import { proxyFacts } from "./proxyFacts";
import { formatRelease } from "./release";

/** What the documents state about one subject, in addition to flows. */
export interface Topic {
  /** Its id: `ipsec`. */
  id: string;
  /** The subject. */
  title: string;
  /** Synonyms of the id. */
  words: readonly string[];
  facts: readonly DocumentedFact[];
  /** Prefixes of the ids of the gate's rules that check plans for it. */
  rulesBegin: readonly string[];
}

const fact = (id: string, statement: string, documents: readonly DocumentReference[]): DocumentedFact => ({
  id,
  statement,
  documents,
});

const { installation, runningCluster, mode } = IPSEC_SINCE;
const ipsec = [
  fact(
    "ipsec-installation",
    `From ${formatRelease(installation.release)} on IPsec can be turned on while a cluster is installed; on a cluster that runs, and off again, from ${formatRelease(runningCluster.release)} on.`,
    [...new Set([...installation.documents, ...runningCluster.documents])],
  ),
  fact(
    "ipsec-modes",
    `From ${formatRelease(mode.release)} on it has a mode: Disabled, External or Full. Before, the setting is an empty object, which means Full.`,
    mode.documents,
  ),
  ...ipsecFacts,
  ...ipsecPorts.map(({ id, protocol, port, purpose, whenEncapsulated, documents }) =>
    fact(
      `${id}-port`,
      `Nodes allow ${protocol}${port === undefined ? "" : ` ${port}`} from each other: ${purpose}${whenEncapsulated ? "" : ", unless ESP is always encapsulated in UDP"}.`,
      documents,
    ),
  ),
  fact(
    "ipsec-without-esp",
    `Networks of ${withoutEsp.platforms.join(", ")} do not carry ESP.`,
    withoutEsp.documents,
  ),
  fact(
    "ipsec-hosted-clusters",
    "Red Hat does not support IPsec in hosted clusters.",
    ipsecOnHostedClusters.documents,
  ),
  fact(
    "ipsec-upgrade",
    `Pods may be unable to reach each other while a cluster with IPsec is upgraded to ${formatRelease(ipsecUpgrade.to)} (${ipsecUpgrade.issue}).`,
    ipsecUpgrade.documents,
  ),
];

const isolation = [
  ...podConstraints.map(({ id, demand, allocatedBy, documents }) =>
    fact(
      id,
      `${demand}${allocatedBy === undefined ? "" : `; the annotation ${allocatedBy} of the namespace states which`}.`,
      documents,
    ),
  ),
  ...selinuxContexts.map(({ subject, context }) =>
    fact(`selinux-${subject}`, `SELinux context of ${subject}: ${context}`, podConstraints[0]!.documents),
  ),
  fact(
    "pod-security-labels",
    `HyperShift labels the namespace of a control plane ${podSecurity.defaultLevel} at every reconcile; the annotation ${podSecurity.overrideAnnotation} of the HostedCluster changes it. ${podSecurity.note}`,
    podSecurity.documents,
  ),
];

/** Every topic. */
export const topics: readonly Topic[] = [
  {
    id: "ipsec",
    title: "encryption of pod traffic between nodes",
    words: ["encryption"],
    facts: ipsec,
    rulesBegin: ["ipsec-"],
  },
  {
    id: "proxy",
    title: "the HTTP proxy of a hosted cluster, and who goes through it",
    words: ["noproxy", "http-proxy", "https-proxy"],
    facts: proxyFacts,
    rulesBegin: ["proxy-"],
  },
  {
    id: "selinux",
    title: "what keeps pods of hosted control planes apart from each other and from their node",
    words: ["pod-isolation", "pod-security", "mcs"],
    facts: isolation,
    rulesBegin: ["pod-"],
  },
];

/** The topic of a word, ignoring case. */
export const topicOf = (word: string): Topic | undefined =>
  topics.find(({ id, words }) => [id, ...words].includes(word.toLowerCase()));
