import type { PulumiFn } from "@pulumi/pulumi/automation";
import type { Session } from "../../../local/session";
import { DedicatedControlPlaneNodes } from "../../../src/dedicatedNodes/component/dedicatedControlPlaneNodes";
import { EgressAssignableNodes } from "../../../src/egressIp/component/egressIp";
import {
  HybridOverlayNetwork,
  IpsecEncryption,
} from "../../../src/networkOperator/component/networkOperator";
import { InfrastructurePlatform, Platform } from "../../../src";
import { ManagementClusterProxy } from "../../../src/proxy/component/managementClusterProxy";
import { MulticastNamespace } from "../../../src/multicast/component/multicastNamespace";
import { OvnSubnetConfig } from "../../../src/ovnSubnets/component/ovnSubnetConfig";
import { ProxyConfig } from "../../../src/proxy/component/proxyConfig";
import { applied, namespaced } from "../applied";
import { Bench, fine } from "../conformance/kubernetesBench";
import { hostedClusterObject } from "../hostedCluster";
import { networkOperatorObject } from "../networkOperatorObject";

/** The use of a role. */
export interface Use {
  /** Other roles that the same user has. */
  beside?: readonly string[];
  /** Does everything that the role is for, in all situations, with the kubeconfig and the name of a user without other rights. */
  run: (user: string, account: string) => Promise<void>;
}

const CLUSTERS = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters";
const existingHostedCluster = { name: "tenant-a", namespace: "clusters" };
const NODE_POOL = { name: "tenant-a", namespace: "clusters" };
const removeOnDelete = true;
/** Two different inputs of a component. */
const [FIRST, SECOND] = ["a", "b"] as const;
type Told = typeof FIRST | typeof SECOND;

/** The uses of the roles of components that write fields of objects of others. */
export function componentUses(session: Session): Record<string, Use> {
  const { kubernetes } = session;

  /** Creates a component, updates it in place, refreshes it, and destroys it with what it wrote. */
  const lives = (name: string, make: (told: Told) => unknown) => async (user: string) => {
    const bench = await Bench.open(session, `role-${name}`, { KUBECONFIG: user });
    const program =
      (told: Told): PulumiFn =>
      () => {
        make(told);
        return Promise.resolve();
      };
    try {
      fine(await bench.preview(program(FIRST)));
      fine(await bench.up(program(FIRST)));
      fine(await bench.preview(program(SECOND)));
      fine(await bench.up(program(SECOND), true));
      fine(await bench.destroy());
    } finally {
      bench.close();
    }
  };

  /** Runs while a node of that name exists. */
  const withNode =
    (name: string, run: Use["run"]): Use["run"] =>
    async (...user) => {
      const node = { apiVersion: "v1", kind: "Node", metadata: { name } };
      await applied(session, `/api/v1/nodes/${name}`, node);
      await run(...user);
      await kubernetes.request("DELETE", `/api/v1/nodes/${name}`);
    };
  const hostedClusterStands = () =>
    applied(session, `${CLUSTERS}/hostedclusters/tenant-a`, hostedClusterObject());
  const nodePoolStands = () => applied(session, `${CLUSTERS}/nodepools/${NODE_POOL.name}`, nodePoolObject);

  return {
    "dedicated-control-plane-nodes.yaml": {
      run: withNode("control-plane-0", async (user) => {
        await hostedClusterStands();
        await nodePoolStands();
        const component = (told: Told) =>
          new DedicatedControlPlaneNodes("tenant-a", {
            topology: { name: "tenant-a", platform: Platform.KubeVirt, release: "4.20" },
            nodes: [{ name: "control-plane-0" }],
            dedicatedNodeCount: 3,
            reserveForControlPlanes: told === SECOND,
            manageTaints: true,
            workerVirtualMachines: { nodeSelector: { "example.com/rack": told }, nodePools: [NODE_POOL] },
            ...{ existingHostedCluster, removeOnDelete },
          });
        await lives("dedicated-nodes", component)(user);
        await kubernetes.request("DELETE", `${CLUSTERS}/nodepools/${NODE_POOL.name}`);
      }),
    },
    "egress-assignable-nodes.yaml": {
      run: withNode("worker-0", async (user) => {
        await nodePoolStands();
        const component = (told: Told) => [
          new EgressAssignableNodes("nodes", { nodes: ["worker-0"], forcePatch: told === SECOND }),
          new EgressAssignableNodes("pools", { nodePools: [NODE_POOL], forcePatch: told === SECOND }),
        ];
        await lives("egress-assignable-nodes", component)(user);
        await kubernetes.request("DELETE", `${CLUSTERS}/nodepools/${NODE_POOL.name}`);
      }),
    },
    "hosted-cluster-patch.yaml": {
      run: async (user) => {
        await hostedClusterStands();
        const topology = {
          ...{ name: "tenant-a", platform: Platform.None, release: "4.20" },
          machineNetwork: [{ cidr: "10.0.0.0/16" }],
        };
        const subnets = (told: Told) =>
          new OvnSubnetConfig("tenant-a", {
            internalJoinSubnet: { [FIRST]: "100.99.0.0/16", [SECOND]: "100.98.0.0/16" }[told],
            ...{ topology, existingHostedCluster, removeOnDelete },
          });
        await lives("ovn-subnets", subnets)(user);
        const proxy = (told: Told) =>
          new ProxyConfig("tenant-a", {
            httpProxy: `http://proxy-${told}.example.com:3128`,
            ...{ topology, existingHostedCluster, removeOnDelete },
          });
        await lives("proxy", proxy)(user);
      },
    },
    "management-cluster-proxy.yaml": {
      run: async (user) => {
        await applied(session, "/apis/config.openshift.io/v1/proxies/cluster", {
          ...{ apiVersion: "config.openshift.io/v1", kind: "Proxy", metadata: { name: "cluster" } },
          spec: { httpProxy: "http://proxy.example.com:3128", noProxy: ".example.com" },
        });
        const component = (told: Told) =>
          new ManagementClusterProxy("tenant-a", {
            topology: { name: "tenant-a", platform: Platform.KubeVirt, release: "4.20" },
            secondaryNetworkCidrs: [{ [FIRST]: "192.168.10.0/24", [SECOND]: "192.168.11.0/24" }[told]],
            ...{ manage: true, removeOnDelete },
          });
        await lives("management-proxy", component)(user);
      },
    },
    "multicast-namespace.yaml": {
      run: async (user) => {
        await namespaced(session, "shop");
        const component = (told: Told) =>
          new MulticastNamespace("shop", { namespace: "shop", forcePatch: told === SECOND });
        await lives("multicast-namespace", component)(user);
      },
    },
    "network-operator-patch.yaml": {
      run: async (user) => {
        const object = networkOperatorObject();
        await applied(session, "/apis/operator.openshift.io/v1/networks/cluster", object);
        const hybrid = (told: Told) =>
          new HybridOverlayNetwork("windows", {
            hybridClusterNetwork: [{ cidr: "10.200.0.0/16", hostPrefix: 24 }],
            ...{ platform: InfrastructurePlatform.VSphere, release: "4.20", removeOnDelete },
            forcePatch: told === SECOND,
          });
        await lives("hybrid-overlay", hybrid)(user);
        const ipsec = (told: Told) =>
          new IpsecEncryption("nodes", { release: "4.20", removeOnDelete, forcePatch: told === SECOND });
        await lives("ipsec", ipsec)(user);
      },
    },
  };
}

const nodePoolObject = {
  apiVersion: "hypershift.openshift.io/v1beta1",
  kind: "NodePool",
  metadata: NODE_POOL,
  spec: {
    clusterName: "tenant-a",
    replicas: 2,
    management: { autoRepair: false, upgradeType: "Replace" },
    platform: {
      type: "KubeVirt",
      kubevirt: { rootVolume: { type: "Persistent", persistent: { size: "32Gi" } } },
    },
    release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
  },
};
