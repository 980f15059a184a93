/**
 * Proof that pods and Services of a hosted cluster reach each other across nodes, after its internal subnets changed: two
 * pods on two nodes, a Service in front of both, and a Job whose result decides whether `pulumi up` succeeds.
 *
 *   pulumi up
 *   pulumi config set team network && pulumi up      labels the namespace in place; what was proved stays
 *
 * Other subnets in the topology below create a new Job, and so does `pulumi up` after a Job that failed. Everything is in the
 * hosted cluster, and is created once its kubeconfig is set:
 *
 *   oc extract -n clusters secret/tenant-a-admin-kubeconfig --keys=kubeconfig --to=- \
 *     | pulumi config set --secret hostedClusterKubeconfig
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { OvnSubnetVerification, Platform, type HostedClusterTopology } from "hypershift-network";

const config = new pulumi.Config();
const kubeconfig = config.getSecret("hostedClusterKubeconfig");

const topology: HostedClusterTopology = {
  name: "tenant-a",
  platform: Platform.None,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  internalJoinSubnet: "100.99.0.0/16",
  internalTransitSwitchSubnet: "100.69.0.0/16",
};

function verification(): OvnSubnetVerification {
  const provider = new kubernetes.Provider("hosted", { kubeconfig });
  const labels = {
    "pod-security.kubernetes.io/enforce": "restricted",
    team: config.get("team") ?? "platform",
  };
  const namespace = new kubernetes.core.v1.Namespace(
    "verify-network",
    { metadata: { name: "verify-network", labels } },
    { provider },
  );
  return new OvnSubnetVerification(
    "tenant-a",
    {
      topology,
      namespace: namespace.metadata.name,
      // If the cluster cannot reach outside registries, use the copy in yours.
      image: config.get("probeImage"),
    },
    { provider },
  );
}

const verified = kubeconfig && verification();

export const job = verified?.jobName;
export const requests = verified?.requests;
