import { Platform } from "../../../src/requirements/vocabulary";
import type { Properties } from "../builders";
import { changed } from "./objects";

const { AWS, Azure } = Platform;

/** What the API server needs besides the subnet. */
const rest: Readonly<Record<string, object>> = {
  [AWS]: { instanceType: "m5.large" },
  [Azure]: {
    vmSize: "Standard_D4s_v4",
    image: { type: "AzureMarketplace", azureMarketplace: { imageGeneration: "Gen2" } },
    osDisk: { sizeGiB: 64 },
  },
};

/** A NodePool whose machines' platform has these settings. */
export const nodePoolOn = (platform: Platform, section: object): Properties =>
  changed(
    {
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "NodePool",
      metadata: { name: "pool", namespace: "clusters" },
      spec: {
        clusterName: "tenant-a",
        management: { upgradeType: "Replace" },
        release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
      },
    },
    { spec: { platform: { type: platform, [platform.toLowerCase()]: { ...rest[platform], ...section } } } },
  ) as Properties;

const filters = [{ name: "tag:role", values: ["nodes"] }];
const uuid = "12345678-1234-5678-9012-123456789012";
const azure = (subscription: string, network: string) => ({
  subnetID: `/subscriptions/${subscription}/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/${network}/subnets/nodes`,
});

/** Subnets of machines, and the paths below their platform that the API server refuses. */
export const nodePoolSubnets: readonly [on: Platform, section: object, refused: readonly string[]][] = [
  [Azure, azure(uuid, "vnet"), []],
  [Azure, azure(`{${uuid.replaceAll("1", "A")}}`, "my_vnet.a-b"), []],
  [Azure, {}, ["subnetID"]],
  [Azure, { subnetID: "nodes" }, ["subnetID"]],
  [Azure, azure(uuid.slice(1), "vnet"), ["subnetID"]],
  [Azure, azure("sub", "vnet"), ["subnetID"]],
  [Azure, azure(uuid, "vnet-"), ["subnetID"]],
  [AWS, { subnet: { id: "subnet-0a1b2c3d" } }, []],
  [AWS, { subnet: { filters } }, []],
  // The API server compares only the beginning.
  [AWS, { subnet: { id: "nodes", filters } }, []],
  [AWS, {}, ["subnet"]],
  [AWS, { subnet: "subnet-0a1b2c3d" }, ["subnet"]],
  [AWS, { subnet: { id: "subnet-0a1b2c3d", filters } }, ["subnet.filters"]],
  [AWS, { subnet: { id: "subnet-0a1b2c3d", filters: [] } }, ["subnet.filters"]],
  [AWS, { subnet: { id: "nodes" } }, ["subnet.id"]],
  [AWS, { subnet: {} }, ["subnet.filters"]],
  [AWS, { subnet: { filters: [] } }, ["subnet.filters"]],
  [AWS, { subnet: { filters: [{ name: "tag:role" }] } }, ["subnet.filters[0].values"]],
];
