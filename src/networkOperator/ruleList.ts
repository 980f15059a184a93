import type { ListedRule } from "../gate/rule";
import { hybridOverlayOverlap, hybridOverlayPlatform, hybridOverlayPort, ipsecDayTwo } from "./rules";

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const networkOperatorRules: readonly ListedRule[] = [
  {
    rule: hybridOverlayOverlap,
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: 10.132.0.0/16, hostPrefix: 24 }] }
`,
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: 10.192.0.0/14, hostPrefix: 24 }] }
`,
  },
  {
    rule: hybridOverlayPort,
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      hybridOverlayConfig: { hybridOverlayVXLANPort: 4789 }
`,
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      hybridOverlayConfig: { hybridOverlayVXLANPort: 9898 }
`,
  },
  {
    rule: hybridOverlayPlatform,
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      hybridOverlayConfig: { hybridOverlayVXLANPort: 9898 }
`,
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      hybridOverlayConfig: {}
`,
  },
  {
    rule: ipsecDayTwo,
    violated: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.10.1-x86_64' }
---
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      ipsecConfig: {}
`,
    mended: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.11.1-x86_64' }
---
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      ipsecConfig: {}
`,
  },
];
