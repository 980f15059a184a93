import type { ListedRule } from "../gate/rule";
import { migrationIsolationMode, migrationMtu, migrationOrder, migrationPorts } from "./rules";

const NETWORK = `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:`;

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const networkTypeMigrationRules: readonly ListedRule[] = [
  {
    rule: migrationMtu,
    violated: `${NETWORK}
  migration: { mtu: { network: { from: 1400, to: 8950 }, machine: { to: 9000 } } }
`,
    mended: { "to: 8950": "to: 8900" },
  },
  {
    rule: migrationPorts,
    violated: `${NETWORK}
  migration: { networkType: OVNKubernetes }
  defaultNetwork: { ovnKubernetesConfig: { genevePort: 4789 } }
`,
    mended: { "genevePort: 4789": "genevePort: 6081" },
  },
  {
    rule: migrationIsolationMode,
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster, annotations: { networkoperator.openshift.io/network-migration: "" } }
spec:
  defaultNetwork: { type: OpenShiftSDN, openshiftSDNConfig: { mode: Multitenant } }
`,
    mended: { "mode: Multitenant": "mode: NetworkPolicy" },
  },
  {
    rule: migrationOrder,
    violated: `${NETWORK}
  migration: { networkType: OVNKubernetes }
---
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfigPool
metadata: { name: worker }
spec: { paused: false }
`,
    mended: { "paused: false": "paused: true" },
  },
];
