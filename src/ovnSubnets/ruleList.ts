import type { ListedRule } from "../gate/rule";
import { ovnSubnetCapacity, ovnSubnetInvalid, ovnSubnetRelease } from "./rules";

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const ovnSubnetsRules: readonly ListedRule[] = [
  {
    rule: ovnSubnetInvalid,
    violated: `
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: 0.99.0.0/16 }
`,
    mended: `
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: 100.99.0.0/16 }
`,
  },
  {
    rule: ovnSubnetCapacity,
    violated: `
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: 100.99.0.0/24 }
`,
    mended: `
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: 100.99.0.0/16 }
`,
  },
  {
    rule: ovnSubnetRelease,
    violated: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.19.1-x86_64' }
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: 100.99.0.0/16 }
`,
    mended: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.20.1-x86_64' }
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: 100.99.0.0/16 }
`,
  },
];
