import {
  at,
  OCP_4_7_OVN,
  type DocumentReference,
  NETWORK_OPERATOR,
  OCP_4_14_OVN,
  OCP_OVN,
  OCP_RELEASE_NOTES,
  OCP_SECURITY,
  OVN_KUBERNETES,
} from "./documents";
import { PORT } from "./ports";
import { since, type Since } from "./release";
import { InfrastructurePlatform, Protocol } from "./vocabulary";

const inDocument = at(OCP_4_7_OVN, "15.15.1. Configuring hybrid networking with OVN-Kubernetes");
const hybridPage = at(OCP_OVN, "Configuring hybrid networking");

/** The first releases in which parts of hybrid networking work. */
export const HYBRID_OVERLAY_SINCE = {
  /** On a running cluster. Before, only at installation. */
  runningCluster: since(4, 13, inDocument, hybridPage),
} as const satisfies Record<string, Since>;

/** Where the additional overlay network can have its own VXLAN port. Everywhere else it uses the usual one. */
export const customVxlanPort: {
  platforms: readonly InfrastructurePlatform[];
  documents: readonly DocumentReference[];
} = {
  platforms: [InfrastructurePlatform.VSphere],
  documents: [inDocument, hybridPage],
};

/** UDP ports of nodes that the additional overlay network cannot use, and what uses them. */
export const portsTakenOnNodes: readonly {
  port: number;
  /** The setting of OVN-Kubernetes with another port in its place, if there is one. */
  setBy?: string;
  by: string;
  documents: readonly DocumentReference[];
}[] = [
  { port: PORT.vxlan, by: "the port of VXLAN that holds without a custom one", documents: [inDocument] },
  {
    port: PORT.geneve,
    setBy: "genevePort",
    by: "the port of Geneve, by which nodes with OVN reach each other",
    documents: [hybridPage],
  },
];

/** The size of each node's part of the additional overlay network: the operator passes on only the range. */
export const hybridNodePart = {
  length: 24,
  documents: [at(OVN_KUBERNETES, "go-controller/pkg/config/utils.go")],
} as const;

/** Versions of Windows Server, by their product names. */
export const WindowsServerVersion = {
  Server2019: "2019",
  Server2004: "2004",
  Server20H2: "20H2",
  Server2022: "2022",
  Server2025: "2025",
} as const;
export type WindowsServerVersion = (typeof WindowsServerVersion)[keyof typeof WindowsServerVersion];

/** Versions that do not support a custom VXLAN port. */
export const withoutCustomVxlanPort: {
  versions: readonly WindowsServerVersion[];
  documents: readonly DocumentReference[];
} = { versions: [WindowsServerVersion.Server2019], documents: [inDocument, hybridPage] };

const document47 = at(OCP_4_7_OVN, "15.4. IPsec encryption configuration");
const flows47 = at(OCP_4_7_OVN, "15.4.1. Types of network traffic flows encrypted by IPsec");
const cipher47 = at(OCP_4_7_OVN, "15.4.2. Encryption protocol and tunnel mode for IPsec");
const certificates47 = at(OCP_4_7_OVN, "15.4.3. Security certificate generation and rotation");
const today = (heading: string) => at(OCP_SECURITY, `Configuring IPsec encryption, ${heading}`);

/** The first releases in which parts of IPsec work. */
export const IPSEC_SINCE = {
  /** Between the nodes of a cluster, enabled at installation. */
  installation: since(4, 7, document47),
  /** Enabled and disabled on a running cluster. Before, only at installation, and permanently. */
  runningCluster: since(
    4,
    11,
    document47,
    at(OCP_RELEASE_NOTES, "4.11, OVN-Kubernetes network provider: Enable IPsec at runtime"),
  ),
  /** A mode: Disabled, External or Full. Before, the setting is an empty object, which means Full. */
  mode: since(4, 15, today("Modes of operation"), at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go")),
  /** Wrapping ESP into UDP whether or not there is NAT. */
  encapsulation: since(4, 19, today("Enabling IPsec encryption")),
} as const satisfies Record<string, Since>;

/** How the Cluster Network Operator uses IPsec. The values are those of `ipsecConfig.mode`. */
export const IpsecMode = {
  Disabled: "Disabled",
  External: "External",
  Full: "Full",
} as const;
export type IpsecMode = (typeof IpsecMode)[keyof typeof IpsecMode];

/** When ESP is wrapped into UDP. The values are those of `ipsecConfig.full.encapsulation`. */
export const IpsecEncapsulation = {
  Always: "Always",
  Auto: "Auto",
} as const;
export type IpsecEncapsulation = (typeof IpsecEncapsulation)[keyof typeof IpsecEncapsulation];

/** Traffic of pods, and whether IPsec encrypts it. */
export interface TrafficUnderIpsec {
  id: string;
  from: string;
  to: string;
  encrypted: boolean;
  documents: readonly DocumentReference[];
}

const traffic = (id: string, from: string, to: string, encrypted: boolean): TrafficUnderIpsec => ({
  id,
  from,
  to,
  encrypted,
  documents: [flows47, today("Types of network traffic flows encrypted by pod-to-pod IPsec")],
});

const pod = "a pod on the cluster network";
const hostPod = "a pod on the host network";

/** The pod traffic that IPsec in mode Full encrypts, and the traffic that it does not. */
export const podTraffic: readonly TrafficUnderIpsec[] = [
  traffic("ipsec-pods-of-different-nodes", pod, "a pod on the cluster network of another node", true),
  traffic("ipsec-host-network-to-pod", hostPod, pod, true),
  traffic("ipsec-pods-of-one-node", pod, "a pod on the cluster network of the same node", false),
  traffic("ipsec-between-host-networks", hostPod, hostPod, false),
  traffic("ipsec-pod-to-host-network", pod, hostPod, false),
];

/** How the traffic is encrypted, and how long its certificates are valid. */
export const IPSEC = {
  cipher: "AES-GCM-16-256",
  keyBits: 256,
  integrityCheckValueBytes: 16,
  mode: "transport",
  certificateAuthorityYears: 10,
  nodeCertificateYears: 5,
  nodeCertificateRotationYears: 4.5,
  /** The overhead of each packet in addition to Geneve: the cluster network's MTU is smaller by this number. */
  overheadBytes: 46,
} as const;

/** A documented fact that is not configurable. */
export interface DocumentedFact {
  id: string;
  statement: string;
  documents: readonly DocumentReference[];
}

/** Facts about IPsec between pods, as sentences. */
export const ipsecFacts: readonly DocumentedFact[] = [
  ...podTraffic.map(({ id, from, to, encrypted, documents }) => ({
    id,
    statement: `Traffic from ${from} to ${to} is ${encrypted ? "encrypted" : "not encrypted"}.`,
    documents,
  })),
  {
    id: "ipsec-cipher",
    statement: `The cipher is ${IPSEC.cipher}: keys of ${IPSEC.keyBits} bits, an integrity check value of ${IPSEC.integrityCheckValueBytes} bytes.`,
    documents: [cipher47],
  },
  {
    id: "ipsec-tunnel-mode",
    statement: `Tunnels use ${IPSEC.mode} mode, which encrypts from end to end.`,
    documents: [cipher47],
  },
  {
    id: "ipsec-certificate-authority",
    statement: `The Cluster Network Operator creates its own certificate authority, valid for ${IPSEC.certificateAuthorityYears} years, and signs the nodes' requests itself.`,
    documents: [certificates47],
  },
  {
    id: "ipsec-node-certificates",
    statement: `Certificates of nodes are valid for ${IPSEC.nodeCertificateYears} years and are replaced after ${IPSEC.nodeCertificateRotationYears}.`,
    documents: [certificates47],
  },
  {
    id: "ipsec-overhead",
    statement: `The MTU of the cluster network is smaller by ${IPSEC.overheadBytes} bytes than without IPsec.`,
    documents: [at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"), today("Enabling IPsec encryption")],
  },
];

/** What nodes must allow among each other for IPsec. */
export interface IpsecPort {
  id: string;
  protocol: Protocol;
  /** Absent for ESP, which has no ports. */
  port?: number;
  purpose: string;
  /** False: not needed if ESP is always wrapped into UDP. */
  whenEncapsulated: boolean;
  documents: readonly DocumentReference[];
}

const ports = [today("Network connectivity requirements when IPsec is enabled")];

/** The ports of IPsec among the nodes of one cluster. */
export const ipsecPorts: readonly IpsecPort[] = [
  {
    id: "ipsec-ike",
    protocol: Protocol.Udp,
    port: PORT.ike,
    purpose: "key exchange between nodes",
    whenEncapsulated: true,
    documents: ports,
  },
  {
    id: "ipsec-nat",
    protocol: Protocol.Udp,
    port: PORT.ipsecNat,
    purpose: "encrypted packets between nodes, wrapped into UDP",
    whenEncapsulated: true,
    documents: ports,
  },
  {
    id: "ipsec-esp",
    protocol: Protocol.Esp,
    purpose: "encrypted packets between nodes",
    whenEncapsulated: false,
    documents: ports,
  },
];

/** The ports that nodes must allow among each other; none if the mode does not encrypt between them. */
export function portsOf(mode: IpsecMode, encapsulation: IpsecEncapsulation | undefined): IpsecPort[] {
  if (mode !== IpsecMode.Full) return [];
  return ipsecPorts.filter(
    ({ whenEncapsulated }) => whenEncapsulated || encapsulation !== IpsecEncapsulation.Always,
  );
}

/** Networks that do not carry ESP. */
export const withoutEsp: {
  platforms: readonly InfrastructurePlatform[];
  documents: readonly DocumentReference[];
} = {
  platforms: [InfrastructurePlatform.IBMCloud],
  documents: [today("support limitations")],
};

/** Why hosted clusters cannot use IPsec. */
export const ipsecOnHostedClusters = {
  documents: [today("support limitations"), at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go")],
} as const;

/** The release to which clusters should not be upgraded while IPsec is enabled. */
export const ipsecUpgrade = {
  to: { major: 4, minor: 15 },
  issue: "OCPBUGS-43323",
  documents: [at(OCP_4_14_OVN, "Configuring IPsec encryption")],
} as const;
