import type * as pulumi from "@pulumi/pulumi";
import type {
  EgressRouterForm,
  EgressRouterProtocol,
  EgressRouterWorkload,
  MacvlanMode,
} from "../egressRouter";
import type { InfrastructurePlatform } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";

/** A router in redirect mode: pods connect to it, and it connects to servers outside from a reserved source address. */
export interface EgressRouterArgs extends EgressRouterSettings {
  /** The hosted cluster. Plain values. Defaults to none. Changing its release may change the default of `form`. */
  topology?: HostedClusterTopology;
  /**
   * OpenShift release as `major.minor`. A plain value. Defaults to that of the topology. Form NetworkAttachment needs it.
   * Changing it may change the default of `form` and what the plug-in is told.
   */
  release?: string;
}

/** What can be chosen of an egress router, whatever the hosted cluster is. */
export interface EgressRouterSettings {
  /**
   * Namespace of the router. With the EgressRouter object a namespace has one router at most, because the Cluster Network
   * Operator gives fixed names to what it makes: a second component for it is refused. Changing it replaces the router.
   * (OVN-Kubernetes, Deploying an egress router pod in redirect mode)
   */
  namespace: pulumi.Input<string>;
  /**
   * Name of the router's objects. Defaults to the name of the component. Changing it replaces them, and connections are
   * cut.
   */
  objectName?: pulumi.Input<string>;
  /**
   * What the router is made of. A plain value. Defaults to CustomResource, before release 4.8 to NetworkAttachment.
   * Changing it replaces the router, and for a moment two pods have the address. (OVN-Kubernetes, Deploying an egress
   * router pod in redirect mode)
   */
  form?: EgressRouterForm;
  /**
   * The reserved source address with the prefix length of its subnet: `192.168.12.99/24`. It lies in the network of the
   * nodes, or of `macvlan.master`, and nothing else uses it. Changing it starts the router again; the Cluster Network
   * Operator does so when its Deployment is restarted. (OVN-Kubernetes, Network attachment definition for an egress
   * router in redirect mode)
   */
  address: pulumi.Input<string>;
  /**
   * The next hop in that subnet, to which everything goes that is not for the cluster. Changing it starts the router
   * again. (OVN-Kubernetes, Network attachment definition for an egress router in redirect mode)
   */
  gateway: pulumi.Input<string>;
  /**
   * Where connections to a port of the router go. Defaults to none; then `fallbackIp` is given. Each port stands there
   * once with its transport. Refused before release 4.8, whose plug-in reads no ports. Changing it starts the router
   * again; the Cluster Network Operator does so when its Deployment is restarted. (OVN-Kubernetes, Egress router custom
   * resource)
   */
  redirectRules?: pulumi.Input<pulumi.Input<EgressRedirectRule>[]>;
  /**
   * Address to which connections to all other ports go, at the same port. Defaults to none: the router rejects them. Of
   * the family of `address`. Changing it starts the router again. (OVN-Kubernetes, Egress router custom resource)
   */
  fallbackIp?: pulumi.Input<string>;
  /**
   * The router's second interface. Defaults to a bridge macvlan on the interface of the nodes' default route. Changing it
   * starts the router again. (OpenShift API, EgressRouter)
   */
  macvlan?: pulumi.Input<EgressRouterMacvlan>;
  /**
   * What runs the pod; only with form NetworkAttachment. A plain value. Defaults to a Deployment of one replica, whose old
   * pod is gone before a new one starts: only one can have the address. Changing it replaces the pod. (OVN-Kubernetes,
   * Failover configuration)
   */
  workload?: EgressRouterWorkload;
  /**
   * Image of the pod, which has to do nothing but wait; only with form NetworkAttachment. Defaults to
   * `registry.redhat.io/openshift3/ose-pod`. Changing it starts the router again. (OVN-Kubernetes, Egress router pod
   * specification for redirect mode)
   */
  image?: pulumi.Input<string>;
  /** Command of the pod; only with form NetworkAttachment. Defaults to that of the image. Changing it starts the router again. */
  command?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Ports of the Service in front of the router. Defaults to those of `redirectRules`. With only `fallbackIp` it has to
   * be given. Changes are made in place. (OVN-Kubernetes, Deploying an egress router pod in redirect mode)
   */
  servicePorts?: pulumi.Input<pulumi.Input<EgressRouterPort>[]>;
  /** Name of the Service. Defaults to `objectName`. Changing it replaces the Service. */
  serviceName?: pulumi.Input<string>;
  /**
   * Subnets of the nodes' primary addresses, as CIDR blocks, in which `address` lies. Defaults to the machine network of
   * the topology. Not looked at where `macvlan.master` names an interface. Changing it changes nothing by itself.
   */
  nodeSubnets?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Addresses and CIDR blocks there that are taken. Defaults to the single addresses that the topology names. Those of
   * other EgressRouter and EgressIP components of the program are known. Changing it changes nothing by itself.
   */
  addressesInUse?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * What the nodes run on. A plain value. Defaults to the platform of the topology, bare metal for Agent. Clouds, whose
   * networks take no macvlan, are refused. Changing it changes the output `platformSetup`. (OVN-Kubernetes, Deployment
   * considerations)
   */
  platform?: InfrastructurePlatform;
  /**
   * Makes the router on a platform that the documents exclude. Defaults to false: it is refused, with the reason.
   * Changing it changes nothing by itself.
   */
  acceptUnsupportedPlatform?: boolean;
  /** Labels of the router's objects. Defaults to none. Changes are made in place. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Annotations of the EgressRouter object, or of the Deployment or Pod. Defaults to none. Changes are made in place. */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Where connections to one port of an egress router go. */
export interface EgressRedirectRule {
  /** Port to which clients connect, 1 to 65535. */
  port: pulumi.Input<number>;
  /** Transport of the port: `TCP`, `UDP` or `SCTP`. */
  protocol: pulumi.Input<EgressRouterProtocol>;
  /** Address of the server, without prefix length, of the family of the router's address. */
  destinationIp: pulumi.Input<string>;
  /** Port of the server, 1 to 65535. Defaults to `port`. */
  targetPort?: pulumi.Input<number>;
}

/** The second interface of an egress router. */
export interface EgressRouterMacvlan {
  /** How it shares the interface of the node. Defaults to Bridge. */
  mode?: pulumi.Input<MacvlanMode>;
  /** Interface of the nodes: `eth1`. Defaults to that of their default route. */
  master?: pulumi.Input<string>;
}

/** A port of the Service in front of an egress router. */
export interface EgressRouterPort {
  /** Name of the port, such as `database`: at most 15 small letters, digits and hyphens. Defaults to transport and number: `tcp-3306`. */
  name?: pulumi.Input<string>;
  /** Port to which clients connect, 1 to 65535. */
  port: pulumi.Input<number>;
  /** Transport of the port: `TCP`, `UDP` or `SCTP`. */
  protocol: pulumi.Input<EgressRouterProtocol>;
}

/** How to see that an egress router works. */
export interface EgressRouterVerification {
  /** What to run, in this order; after `oc debug` in the shell that it opens. */
  commands: string[];
  /** Lines that the events and the routes of the pod contain when it works. */
  expected: string[];
}
