import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { JudgedResources } from "../../src/gate/judgedResources";
import { describeFinding, findings, Status, type Finding, type Rule } from "../../src/gate/rule";
import type { Configuration } from "../../src/gate/configuration";

export type Properties = Record<string, PropertyValue>;

export const HOSTED_CLUSTER = "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster";
export const COMPONENT = "hypershift-network:index:HostedControlPlaneSecurityGroups";

export const urnOf = (type: string, name: string): string => `urn:pulumi:dev::test::${type}::${name}`;

/** A resource of a stack. `from` names, for each property, the resources that its value came from. */
export function resource(
  type: string,
  name: string,
  properties: Properties,
  from: Record<string, Resource[]> = {},
): Resource {
  return {
    origin: { urn: urnOf(type, name) },
    type,
    name,
    properties,
    propertyDependencies: Object.fromEntries(
      Object.entries(from).map(([key, sources]) => [key, sources.map(({ origin }) => origin.urn ?? "")]),
    ),
  };
}

/** A HostedCluster of release 4.20 on AWS, private, published by Route; `spec` is added. */
export function hostedCluster(spec: Properties = {}, name = "tenant-a"): Resource {
  return resource(HOSTED_CLUSTER, name, {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "HostedCluster",
    metadata: { name, namespace: "clusters" },
    spec: {
      release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
      platform: { type: "AWS", aws: { region: "us-east-1", endpointAccess: "Private" } },
      networking: networking("10.0.0.0/16"),
      services: services({ APIServer: "LoadBalancer" }),
      ...spec,
    },
  });
}

export function networking(machines: string, more: Properties = {}): Properties {
  return {
    networkType: "OVNKubernetes",
    machineNetwork: [{ cidr: machines }],
    clusterNetwork: [{ cidr: "10.132.0.0/14" }],
    serviceNetwork: [{ cidr: "172.31.0.0/16" }],
    ...more,
  };
}

export function services(types: Record<string, string>): PropertyValue {
  return ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((service) => ({
    service,
    servicePublishingStrategy: {
      type: types[service] ?? "Route",
      ...(types[service] === "NodePort" && { nodePort: { address: "192.0.2.10" } }),
    },
  }));
}

export function ovn(join?: PropertyValue, transit?: PropertyValue): Properties {
  return {
    operatorConfiguration: {
      clusterNetworkOperator: {
        ovnKubernetesConfig: {
          ipv4: {
            ...(join !== undefined && { internalJoinSubnet: join }),
            ...(transit !== undefined && { internalTransitSwitchSubnet: transit }),
          },
        },
      },
    },
  };
}

/** The entry of the hosted cluster in hypershift-network.yaml. */
export const stating = (topology: object): Configuration => ({
  file: "hypershift-network.yaml",
  clusters: [{ path: "hostedClusters[0]", topology: { name: "tenant-a", ...topology }, securityGroups: {} }],
  levels: {},
});

/** The same entry, with networks that the hosted cluster is connected to. */
export const around = (...cidrs: string[]): Configuration =>
  stating({ infrastructureCidrs: cidrs.map((cidr) => ({ name: "corporate", cidr })) });

/** A NodePool of the hosted cluster. */
export const nodePool = (
  name: string,
  spec: Properties = {},
  namespace = "clusters",
  from: Record<string, Resource[]> = {},
): Resource =>
  resource(
    "kubernetes:hypershift.openshift.io/v1beta1:NodePool",
    name,
    { metadata: { name, namespace }, spec: { clusterName: "tenant-a", ...spec } },
    from,
  );

/** A node of the management cluster, with its addresses. */
export const node = (name: string, ...addresses: PropertyValue[]): Resource =>
  resource("kubernetes:core/v1:Node", name, {
    metadata: { name },
    status: { addresses: addresses.map((address) => ({ type: "InternalIP", address })) },
  });

/** The addresses that MetalLB gives to load balancers. */
export const loadBalancerPool = (addresses: PropertyValue, kind = "IPAddressPool", name = "lb"): Resource =>
  resource(`kubernetes:metallb.io/v1beta1:${kind}`, name, {
    metadata: { name, namespace: "metallb-system" },
    spec: { addresses },
  });

/** The Network operator's object of a standalone cluster. */
export const standaloneNetwork = (spec: Properties = {}): Resource =>
  resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
    spec: { clusterNetwork: [{ cidr: "10.128.0.0/14" }], serviceNetwork: ["172.30.0.0/16"], ...spec },
  });

/** The user-defined network `blue` of a namespace. */
export const userNetwork = (spec: PropertyValue, namespace: PropertyValue = "shop"): Resource =>
  resource("kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", "blue", {
    apiVersion: "k8s.ovn.org/v1",
    kind: "UserDefinedNetwork",
    metadata: { name: "blue", namespace },
    spec,
  });

/** A VPC, by its id `vpc-NAME`. */
export const vpc = (name: string, cidrBlock: PropertyValue, more: Properties = {}): Resource =>
  resource(TYPE.vpc, name, { cidrBlock, id: `vpc-${name}`, ...more });

export const tags = (role = "control-plane", cluster = "tenant-a"): Properties => ({
  "hypershift-network/cluster": cluster,
  "hypershift-network/role": role,
});

/** A security group with inline rules. */
export const group = (name: string, ingress: Properties[], more: Properties = {}): Resource =>
  resource(TYPE.securityGroup, name, { ingress, egress: [], tags: tags(), ...more });

export const tcp = (port: number, ...cidrBlocks: string[]): Properties => ({
  protocol: "tcp",
  fromPort: port,
  toPort: port,
  cidrBlocks,
});

/** A separate rule resource, for a group whose id is not known yet. */
export const splitRule = (name: string, of: Resource, properties: Properties): Resource =>
  resource(
    TYPE.ingressRule,
    name,
    { securityGroupId: UNKNOWN, ipProtocol: "tcp", ...properties },
    {
      securityGroupId: [of],
    },
  );

export function judge(rule: Rule, resources: readonly Resource[], configuration?: Configuration): Finding[] {
  return findings(rule, new JudgedResources(resources, configuration));
}

export const violations = (rule: Rule, resources: readonly Resource[], configuration?: Configuration) =>
  judge(rule, resources, configuration).filter(({ status }) => status === Status.Violated);

/** Findings as in golden files: one line each, with the fix and the witness. */
export const linesOf = (found: readonly Finding[]): string =>
  found
    .map(({ status, path, message, fix, witness }) =>
      [`${status} ${path}`, message, fix, ...(witness === undefined ? [] : [witness])].join(" | "),
    )
    .join("\n");

/** A finding as users see it, with the properties that only programs read. */
export function textOf(finding: Finding): string {
  const { level, status, code, rule, flow = [], hop } = finding;
  const parts = [
    level,
    ...(code === rule ? [] : [code]),
    ...(hop === undefined ? [] : [`at ${hop}`]),
    ...(flow.length === 0 ? [] : [`refutes ${flow.join(", ")}`]),
  ];
  return [`${status} (${parts.join("; ")})`, ...describeFinding(finding)].join("\n    ");
}

export const unknowns = (rule: Rule, resources: readonly Resource[], configuration?: Configuration) =>
  judge(rule, resources, configuration).filter(({ status }) => status === Status.Unknown);

/** A hosted cluster of bare-metal hosts. */
export const agent = hostedCluster({
  platform: { type: "Agent" },
  services: services({ APIServer: "LoadBalancer", OAuthServer: "Route" }),
});

/** An EgressIP object for the namespaces of a team. */
export const egressIp = (
  name: string,
  egressIPs: PropertyValue,
  team: PropertyValue = name,
  more: Properties = {},
) =>
  resource("kubernetes:k8s.ovn.org/v1:EgressIP", name, {
    metadata: { name },
    spec: { egressIPs, namespaceSelector: { matchLabels: { team } }, ...more },
  });

/** A bare-metal cluster with a network other than OVN-Kubernetes. */
export const withNetwork = (networkType: string): Resource =>
  hostedCluster({
    platform: { type: "Agent" },
    networking: { ...networking("10.0.0.0/16"), networkType },
    services: services({ APIServer: "LoadBalancer", OAuthServer: "Route" }),
  });

/** Networks without support for objects of OVN-Kubernetes. */
export const OTHER_NETWORKS = ["Calico", "Other", "OpenShiftSDN"];
