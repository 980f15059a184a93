import type * as pulumi from "@pulumi/pulumi";
import type {
  EgressRouterForm,
  EgressRouterProtocol,
  EgressRouterWorkload,
  MacvlanMode,
} from "../egressRouter";
import type { InfrastructurePlatform } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";

/** A router in redirect mode: pods connect to it, and it connects to external servers from a reserved source address. */
export interface EgressRouterArgs extends EgressRouterSettings {
  /** The hosted cluster. Plain values. Defaults to none. Changing its release may change the default of `form`. */
  topology?: HostedClusterTopology;
  /**
   * OpenShift release as `major.minor`. A plain value. Defaults to that of the topology. Required for form NetworkAttachment.
   * Changing it may change the default of `form` and the configuration of the plug-in.
   */
  release?: string;
}

/** Settings of an egress router that do not depend on the hosted cluster. */
export interface EgressRouterSettings {
  /**
   * Namespace of the router. A namespace can have only one router of form CustomResource, because the Cluster Network Operator gives fixed
   * names to what it creates: a second component of that form for the namespace is refused. Changing it replaces the router. (OVN-Kubernetes,
   * Deploying an egress router pod in redirect mode)
   */
  namespace: pulumi.Input<string>;
  /** Name of the router's objects. Defaults to the name of the component. Changing it replaces the objects, which cuts connections. */
  objectName?: pulumi.Input<string>;
  /**
   * The objects of which the router consists. A plain value. Defaults to CustomResource, before release 4.8 to NetworkAttachment.
   * Changing it replaces the router, and for a moment two pods have the address. (OVN-Kubernetes, Deploying an egress router pod in
   * redirect mode)
   */
  form?: EgressRouterForm;
  /**
   * The reserved source address with the prefix length of its subnet: `192.168.12.99/24`. It must be in the network of the nodes, or
   * of `macvlan.master`, and nothing else may use it. Changing it restarts the router; with the Cluster Network Operator, it takes
   * effect when you restart its Deployment. (OVN-Kubernetes, Network attachment definition for an egress router in redirect mode)
   */
  address: pulumi.Input<string>;
  /**
   * The next hop in the subnet of `address`, for all traffic that is not for the cluster. Changing it restarts the router, as
   * for `address`. (OVN-Kubernetes, Network attachment definition for an egress router in redirect mode)
   */
  gateway: pulumi.Input<string>;
  /**
   * Destinations of connections to ports of the router. Defaults to none; then `fallbackIp` is required. Each combination of port and
   * protocol may occur once. Refused before release 4.8, whose plug-in reads no ports. Changing it restarts the router, as for
   * `address`. (OVN-Kubernetes, Egress router custom resource)
   */
  redirectRules?: pulumi.Input<pulumi.Input<EgressRedirectRule>[]>;
  /**
   * Destination address of connections to all other ports, at the same port. Defaults to none: the router rejects them. It must be of
   * the family of `address`. Changing it restarts the router, as for `address`. (OVN-Kubernetes, Egress router custom resource)
   */
  fallbackIp?: pulumi.Input<string>;
  /**
   * The router's second interface. Defaults to a macvlan in bridge mode on the interface of the nodes' default route. Changing it
   * restarts the router, as for `address`. (OpenShift API, EgressRouter)
   */
  macvlan?: pulumi.Input<EgressRouterMacvlan>;
  /**
   * The workload that runs the pod; only with form NetworkAttachment. A plain value. Defaults to a Deployment of one replica that
   * stops the old pod before it starts a new one, because only one pod can have the address. Changing it replaces the pod.
   * (OVN-Kubernetes, Failover configuration)
   */
  workload?: EgressRouterWorkload;
  /**
   * Image of the pod, which only has to wait; only with form NetworkAttachment. Defaults to `registry.redhat.io/openshift3/ose-pod`.
   * Changing it restarts the router. (OVN-Kubernetes, Egress router pod specification for redirect mode)
   */
  image?: pulumi.Input<string>;
  /** Command of the pod; only with form NetworkAttachment. Defaults to that of the image. Changing it restarts the router. */
  command?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Ports of the Service in front of the router. Defaults to those of `redirectRules`; required with only `fallbackIp`. Changes are
   * made in place. (OVN-Kubernetes, Deploying an egress router pod in redirect mode)
   */
  servicePorts?: pulumi.Input<pulumi.Input<EgressRouterPort>[]>;
  /** Name of the Service. Defaults to `objectName`. Changing it replaces the Service. */
  serviceName?: pulumi.Input<string>;
  /**
   * Subnets of the nodes' primary addresses, as CIDR blocks, that must contain `address`. Defaults to the machine network of the
   * topology. Not checked if `macvlan.master` names an interface. Changing it changes nothing by itself.
   */
  nodeSubnets?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Addresses and CIDR blocks in these subnets that are in use. Defaults to the single addresses that the topology names. Those of
   * other EgressRouter and EgressIP components of the program are known. Changing it changes nothing by itself.
   */
  addressesInUse?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The platform on which the nodes run. A plain value. Defaults to the platform of the topology, which is bare metal for Agent.
   * Clouds are refused, because their networks do not support macvlan. Changing it changes the output `platformSetup`.
   * (OVN-Kubernetes, Deployment considerations)
   */
  platform?: InfrastructurePlatform;
  /**
   * Creates the router even on a platform that the documents exclude. Defaults to false: it is refused, with the reason. Changing it
   * changes nothing by itself.
   */
  acceptUnsupportedPlatform?: boolean;
  /** Labels of the router's objects. Defaults to none. Changes are made in place. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Annotations of the EgressRouter object, or of the Deployment or Pod. Defaults to none. Changes are made in place. */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** The destination of connections to one port of an egress router. */
export interface EgressRedirectRule {
  /** Port to which clients connect, 1 to 65535. */
  port: pulumi.Input<number>;
  /** Transport of the port: `TCP`, `UDP` or `SCTP`. */
  protocol: pulumi.Input<EgressRouterProtocol>;
  /** Address of the server, without prefix length. It must be of the family of the router's address. */
  destinationIp: pulumi.Input<string>;
  /** Port of the server, 1 to 65535. Defaults to `port`. */
  targetPort?: pulumi.Input<number>;
}

/** The second interface of an egress router. */
export interface EgressRouterMacvlan {
  /** How the interface shares the interface of the node. Defaults to Bridge. */
  mode?: pulumi.Input<MacvlanMode>;
  /** Interface of the nodes: `eth1`. Defaults to that of their default route. */
  master?: pulumi.Input<string>;
}

/** A port of the Service in front of an egress router. */
export interface EgressRouterPort {
  /** Name, such as `database`: at most 15 lowercase letters, digits and hyphens. Defaults to protocol and port: `tcp-3306`. */
  name?: pulumi.Input<string>;
  /** Port to which clients connect, 1 to 65535. */
  port: pulumi.Input<number>;
  /** Transport of the port: `TCP`, `UDP` or `SCTP`. */
  protocol: pulumi.Input<EgressRouterProtocol>;
}

/** How to verify that an egress router works. */
export interface EgressRouterVerification {
  /** Commands to run, in this order. Those after `oc debug` run in the shell that it opens. */
  commands: string[];
  /** Lines in the events and the routes of the pod if it works. */
  expected: string[];
}
