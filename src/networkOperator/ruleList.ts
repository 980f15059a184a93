import type { ListedRule } from "../gate/rule";
import { hybridOverlayOverlap, hybridOverlayPlatform, hybridOverlayPort, ipsecDayTwo } from "./rules";

const OVN_CONFIG = `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:`;

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const networkOperatorRules: readonly ListedRule[] = [
  {
    rule: hybridOverlayOverlap,
    violated: `${OVN_CONFIG}
      hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: 10.132.0.0/16, hostPrefix: 24 }] }
`,
    mended: { "10.132.0.0/16": "10.192.0.0/14" },
  },
  {
    rule: hybridOverlayPort,
    violated: `${OVN_CONFIG}
      hybridOverlayConfig: { hybridOverlayVXLANPort: 4789 }
`,
    mended: { 4789: "9898" },
  },
  {
    rule: hybridOverlayPlatform,
    violated: `${OVN_CONFIG}
      hybridOverlayConfig: { hybridOverlayVXLANPort: 9898 }
`,
    mended: { "{ hybridOverlayVXLANPort: 9898 }": "{}" },
  },
  {
    rule: ipsecDayTwo,
    violated: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.10.1-x86_64' }
---${OVN_CONFIG}
      ipsecConfig: {}
`,
    mended: { "4.10.1": "4.11.1" },
  },
];
