import type { ListedRule } from "../gate/rule";
import { ovnSubnetCapacity, ovnSubnetInvalid, ovnSubnetRelease } from "./rules";

const joinSubnet = (subnet: string) => `
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: ${subnet} }
`;

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const ovnSubnetsRules: readonly ListedRule[] = [
  { rule: ovnSubnetInvalid, violated: joinSubnet("0.99.0.0/16"), mended: joinSubnet("100.99.0.0/16") },
  { rule: ovnSubnetCapacity, violated: joinSubnet("100.99.0.0/24"), mended: joinSubnet("100.99.0.0/16") },
  {
    rule: ovnSubnetRelease,
    violated: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.19.1-x86_64' }${joinSubnet("100.99.0.0/16")}`,
    mended: { "4.19.1": "4.20.1" },
  },
];
