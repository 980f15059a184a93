import type { Json, JsonObject } from "../../local/fuzz/json";
import type { FuzzedResource } from "../../local/fuzz/samples";
import { TYPE } from "../../src/resources/resourceTypes";
import { type Grown, object, resource, upTo } from "./dimension";

/** How previews represent a value that is not known yet. */
export const UNSAID = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The VPC of the hosted cluster of most inputs. */
export const HOME = resource(TYPE.vpc, "vpc-home", { cidrBlock: "10.200.0.0/16" });

/** The tags that state the cluster and role of a group or an ACL. */
export const tags = (role: string, position = 0): JsonObject => ({
  "hypershift-network/cluster": `tenant-${position}`,
  "hypershift-network/role": role,
});

/** A security group of hosts. */
export const group = (name: string, properties: JsonObject, role = "control-plane"): FuzzedResource =>
  resource(TYPE.securityGroup, name, { name, vpcId: "vpc-home", tags: tags(role), ...properties });

/** A network ACL of the control plane's subnets. */
export const acl = (name: string, properties: JsonObject): FuzzedResource =>
  resource(TYPE.networkAcl, name, { vpcId: "vpc-home", tags: tags("control-plane"), ...properties });

/** A rule of a group: one port, or a range up to `toPort`. */
export const tcp = (
  fromPort: number,
  cidrBlocks: string | readonly string[] = [],
  toPort = fromPort,
): JsonObject => ({
  protocol: "tcp",
  fromPort,
  toPort,
  cidrBlocks: typeof cidrBlocks === "string" ? [cidrBlocks] : cidrBlocks,
});

/** `beside`, and the resources of each place. */
export const resources = (
  count: number,
  each: (place: number) => readonly FuzzedResource[],
  ...beside: readonly FuzzedResource[]
): Grown => ({ resources: [...beside, ...upTo(count, each).flat()] });

/** Labels with unique keys. */
export const labels = (count: number): Record<string, Json> =>
  Object.fromEntries(upTo(count, (place) => [`key-${place}`, `${place}`]));

/** An address of the machine network. */
export const machine = (place: number): string => `10.200.${(place >> 8) & 255}.${place & 255}`;

/** An EgressIP with one address, for its own namespaces, or for the given namespaces and pods. */
export const egressIp = (
  place: number,
  namespaceSelector?: JsonObject,
  podSelector?: JsonObject,
): FuzzedResource =>
  object(
    "k8s.ovn.org/v1",
    "EgressIP",
    { name: `ip-${place}` },
    {
      spec: {
        egressIPs: [machine(place + 10)],
        namespaceSelector: namespaceSelector ?? { matchLabels: { team: `team-${place}` } },
        ...(podSelector && { podSelector }),
      },
    },
  );

/** A node with an address in the machine network. */
export const node = (place: number, own: JsonObject = {}, spec: JsonObject = {}): FuzzedResource =>
  object(
    "v1",
    "Node",
    { name: `node-${place}`, labels: own },
    { spec, status: { addresses: [{ type: "InternalIP", address: machine(place) }] } },
  );

/** A NodePool of the hosted cluster. */
export const nodePool = (place: number, spec: JsonObject = {}): FuzzedResource =>
  object(
    "hypershift.openshift.io/v1beta1",
    "NodePool",
    { name: `pool-${place}`, namespace: "clusters" },
    { spec: { clusterName: "tenant-0", replicas: 2, platform: { type: "AWS" }, ...spec } },
  );

/** The hosted cluster's entry in hypershift-network.yaml. */
export const TENANT: JsonObject = {
  name: "tenant-0",
  namespace: "clusters",
  platform: "AWS",
  release: "4.20",
  endpointAccess: "Private",
  machineNetwork: [{ cidr: "10.200.0.0/16" }],
  clusterNetwork: [{ cidr: "10.132.0.0/14" }],
  serviceNetwork: [{ cidr: "172.31.0.0/16" }],
};

/** Networks of a HostedCluster with another machine network. */
export const networking = (machineNetwork: readonly Json[], more: JsonObject = {}): JsonObject => ({
  networking: {
    networkType: "OVNKubernetes",
    machineNetwork,
    clusterNetwork: [{ cidr: "10.132.0.0/14" }],
    serviceNetwork: [{ cidr: "172.31.0.0/16" }],
    ...more,
  },
});
