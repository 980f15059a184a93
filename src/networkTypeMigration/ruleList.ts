import type { ListedRule } from "../gate/rule";
import { migrationIsolationMode, migrationMtu, migrationOrder, migrationPorts } from "./rules";

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const networkTypeMigrationRules: readonly ListedRule[] = [
  {
    rule: migrationMtu,
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  migration: { mtu: { network: { from: 1400, to: 8950 }, machine: { to: 9000 } } }
`,
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  migration: { mtu: { network: { from: 1400, to: 8900 }, machine: { to: 9000 } } }
`,
  },
  {
    rule: migrationPorts,
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  migration: { networkType: OVNKubernetes }
  defaultNetwork: { ovnKubernetesConfig: { genevePort: 4789 } }
`,
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  migration: { networkType: OVNKubernetes }
  defaultNetwork: { ovnKubernetesConfig: { genevePort: 6081 } }
`,
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
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster, annotations: { networkoperator.openshift.io/network-migration: "" } }
spec:
  defaultNetwork: { type: OpenShiftSDN, openshiftSDNConfig: { mode: NetworkPolicy } }
`,
  },
  {
    rule: migrationOrder,
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  migration: { networkType: OVNKubernetes }
---
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfigPool
metadata: { name: worker }
spec: { paused: false }
`,
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  migration: { networkType: OVNKubernetes }
---
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfigPool
metadata: { name: worker }
spec: { paused: true }
`,
  },
];
