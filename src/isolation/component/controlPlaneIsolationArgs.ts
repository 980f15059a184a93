import type * as pulumi from "@pulumi/pulumi";
import type { ManagementCluster } from "../egress";
import type { PodSecurityLevel } from "../../requirements/podIsolation";
import type { Protocol } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { HostedClusterReference } from "../../components/hostedClusterPatch";
import type { LabelSelector } from "../../components/labelSelector";

/**
 * Container-level isolation of one hosted control plane: the network policies of its namespace on the management cluster.
 * Policies add up: what HyperShift's own let in, and those for node ports and load balancers let everybody in, no policy
 * takes away. Who may reach konnectivity, ignition and the API server from outside is a matter of the firewall, the
 * security groups or the load balancer's source ranges.
 */
export interface ControlPlaneIsolationArgs extends ControlPlaneIsolationSettings {
  /**
   * The hosted cluster: its platform and the publishing of its services decide which policies there are. Plain values.
   * Changing it adds, changes and deletes single policies. (Network isolation for hosted clusters; HCP networking
   * requirements)
   */
  topology: HostedClusterTopology;
  /**
   * A HostedCluster that exists already, into which the annotation for `podSecurityLevel` is patched. Defaults to none. The
   * server refuses a second patch of one object: where another component patches the HostedCluster, put the output
   * `hostedClusterAnnotations` there. Changing it leaves the annotation of the first cluster as it is.
   */
  existingHostedCluster?: HostedClusterReference;
}

/** What can be chosen of the isolation, whatever the hosted cluster is. */
export interface ControlPlaneIsolationSettings {
  /**
   * Namespace of the hosted control plane: `clusters-tenant-a`. Defaults to `<namespace>-<name>` of the topology, and is
   * nothing else. HyperShift makes it. Give the name of a Namespace resource where the same program makes it. Changing it
   * replaces all policies. (Control plane isolation)
   */
  namespace?: pulumi.Input<string>;
  /**
   * Namespaces of the operators that reach every pod of the control plane. Defaults to `hypershift`. The
   * control-plane-operator runs in the namespace itself. Changing it changes one policy in place. (HCP networking
   * requirements, Network Policy Considerations)
   */
  operatorNamespaces?: string[];
  /**
   * Denies what pods of the control plane send, apart from the flows that are required: the same namespace, DNS, the
   * management cluster's API, HTTPS, the published API server, and metrics on AWS. Defaults to false: egress stays as
   * HyperShift has it. Refused where a required flow would be cut, with its name: `topology.managementClusterCidrs` is
   * needed. Virtual machines of KubeVirt keep HyperShift's own policy. What no document names is cut: a proxy of the
   * management cluster, LDAP; allow it with `additionalPolicies`. Changing it adds or deletes policies. (HCP networking
   * requirements, Common Egress Ports)
   */
  denyEgress?: boolean;
  /**
   * The kind of the management cluster, which decides where DNS is found when egress is denied: `OpenShift`, port 5353 in
   * the namespace openshift-dns, or `Kubernetes`, port 53 anywhere. Defaults to `OpenShift`. Changing it changes one
   * policy in place. (HyperShift, network policies)
   */
  managementCluster?: ManagementCluster;
  /**
   * Policies of your own in the same namespace, by the names of their objects. Names of HyperShift's policies, and names
   * that begin with `isolation-`, are refused. Without `denyEgress`, one that isolates the egress of pods is refused where
   * it cuts a required flow. A way straight to workers is reported: konnectivity is a tunnel that workers dial. Defaults to
   * none. Changes are made in place, a new name makes a new policy. (HCP networking requirements, Konnectivity
   * Architecture)
   */
  additionalPolicies?: Record<string, AdditionalIsolationPolicy>;
  /**
   * The Pod Security level of the namespace: `restricted`, `baseline` or `privileged`. HyperShift writes the labels of the
   * namespace at every reconcile, so it is set by an annotation of the HostedCluster: as a patch with
   * `existingHostedCluster`, else as the output `hostedClusterAnnotations`. Defaults to HyperShift's own choice,
   * `restricted`. Changing it takes effect when pods are made anew. (Control plane pod isolation)
   */
  podSecurityLevel?: PodSecurityLevel;
  /**
   * Takes the annotation from another owner. Defaults to false: the deployment stops with a conflict that names the owner.
   */
  forcePatch?: boolean;
  /**
   * Takes the annotation away when this component is deleted, after which pods that the default level does not admit fail to
   * start. Defaults to false: it stays. Deploy the change before the destroy that shall follow it.
   */
  removeOnDelete?: boolean;
  /** Labels of the NetworkPolicy objects. Defaults to none. Changes are made in place. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** A network policy of your own in the namespace of a hosted control plane. */
export interface AdditionalIsolationPolicy {
  /** Who may talk to whom, and why: an annotation of the object. */
  purpose: string;
  /** The pods that it governs. Defaults to every pod of the namespace. Changes are made in place. */
  pods?: pulumi.Input<LabelSelector>;
  /**
   * What is let in. Defaults to nothing that it says about. An empty list lets nothing in, as the namespace does already.
   * Changes are made in place.
   */
  ingress?: pulumi.Input<pulumi.Input<IsolationRule>[]>;
  /**
   * What is let out: once a policy says anything here, its pods send nothing else. Defaults to nothing that it says about.
   * Changes are made in place.
   */
  egress?: pulumi.Input<pulumi.Input<IsolationRule>[]>;
}

/** What a network policy allows. */
export interface IsolationRule {
  /** Sources of ingress, destinations of egress; at least one. Defaults to everybody. */
  peers?: pulumi.Input<pulumi.Input<IsolationPeer>[]>;
  /** Ports after service translation: those of pods; at least one. Defaults to every port. */
  ports?: pulumi.Input<pulumi.Input<IsolationPort>[]>;
}

/** Who is on the other end: pods, or addresses. */
export interface IsolationPeer {
  /** Pods by their labels, in this namespace or in those that `namespaces` selects. Defaults to every pod there. */
  pods?: pulumi.Input<LabelSelector>;
  /** Namespaces by their labels. Defaults to this namespace. */
  namespaces?: pulumi.Input<LabelSelector>;
  /**
   * Addresses outside the cluster as a CIDR block, IPv4 or IPv6, in place of `pods` and `namespaces`. Behind load balancers
   * and node ports clients often appear with another address.
   */
  cidr?: pulumi.Input<string>;
  /** Smaller blocks inside `cidr` that are not meant. Defaults to none. */
  except?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Ports of one protocol. */
export interface IsolationPort {
  /** The transport: TCP, UDP or SCTP. */
  protocol: pulumi.Input<Protocol>;
  /** The port, or the first of a range: 1 to 65535. Defaults to every port of the protocol. */
  port?: pulumi.Input<number>;
  /** The last port of a range. Defaults to `port`. */
  endPort?: pulumi.Input<number>;
}

/** One network policy as tables and reports show it. */
export interface IsolationPolicyRow {
  /** Name of the NetworkPolicy object. */
  name: string;
  /** Who may talk to whom, and why. */
  purpose: string;
  /** Ids of the requirements that it fulfils. */
  requirements: string[];
  /** Document and heading of each source. */
  documents: string[];
  /** What HyperShift does beside it, and what it cannot do. */
  notes: string[];
}

/** What pods of a hosted control plane are held to by the restricted security context constraint. */
export interface ControlPlanePodConstraint {
  /** Stable name: `pod-host-network`. */
  id: string;
  /** The demand, as a sentence. */
  demand: string;
  /** The fields of a pod that decide: `spec.hostNetwork`. */
  fields: string[];
  /** The annotation of the namespace that holds the allowed values, where OpenShift allocates them. */
  allocatedBy?: string;
  /** Where it stands. */
  documents: string[];
}

/** The SELinux context of a process or a file on nodes of the management cluster. */
export interface NodeSelinuxContext {
  /** Whose it is: `kubelet`. */
  subject: string;
  /** The context: `system_u:system_r:unconfined_service_t:s0`. */
  context: string;
}
