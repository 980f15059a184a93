import { D4, OCP_OVN, OVN_KUBERNETES, at } from "./documents";
import type { DocumentReference } from "./documents";
import { PORT } from "./ports";
import { since, type Since } from "./release";
import { InfrastructurePlatform } from "./vocabulary";

const inDocument = at(D4, "15.15.1. Configuring hybrid networking with OVN-Kubernetes");
const today = at(OCP_OVN, "Configuring hybrid networking");

/** The first releases in which parts of hybrid networking work. */
export const HYBRID_OVERLAY_SINCE = {
  /** On a cluster that runs. Before it only at installation. */
  runningCluster: since(4, 13, inDocument, today),
} as const satisfies Record<string, Since>;

/** Where the additional overlay network can have a VXLAN port of its own. Everywhere else it uses the usual one. */
export const customVxlanPort: {
  platforms: readonly InfrastructurePlatform[];
  documents: readonly DocumentReference[];
} = {
  platforms: [InfrastructurePlatform.VSphere],
  documents: [inDocument, today],
};

/** UDP ports of nodes that the additional overlay network cannot have, and what has them. */
export const portsTakenOnNodes: readonly {
  port: number;
  by: string;
  documents: readonly DocumentReference[];
}[] = [
  { port: PORT.vxlan, by: "the port of VXLAN that holds without a custom one", documents: [inDocument] },
  {
    port: PORT.geneve,
    by: "the port of Geneve, by which nodes with OVN reach each other",
    documents: [today],
  },
];

/** How large a part of the additional overlay network each node gets: the operator hands over only the range. */
export const hybridNodePart = {
  length: 24,
  documents: [at(OVN_KUBERNETES, "go-controller/pkg/config/utils.go")],
} as const;

/** Versions of Windows Server, by the name that Microsoft sells them under. */
export enum WindowsServerVersion {
  Server2019 = "2019",
  Server2004 = "2004",
  Server20H2 = "20H2",
  Server2022 = "2022",
  Server2025 = "2025",
}

/** Versions that cannot choose a VXLAN port. */
export const withoutCustomVxlanPort: {
  versions: readonly WindowsServerVersion[];
  documents: readonly DocumentReference[];
} = { versions: [WindowsServerVersion.Server2019], documents: [inDocument, today] };
