import type * as pulumi from "@pulumi/pulumi";
import type { ManagementCluster } from "../egress";
import type { PodSecurityLevel } from "../../requirements/podIsolation";
import type { Protocol } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { HostedClusterReference } from "../../components/hostedClusterPatch";
import type { LabelSelector } from "../../components/labelSelector";

/**
 * Container-level isolation of one hosted control plane: the network policies of its namespace on the management cluster. Policies
 * add up: no policy takes away what HyperShift's own policies allow, and those for node ports and load balancers allow everybody. To
 * restrict who reaches konnectivity, ignition and the API server from outside, use the firewall, the security groups or the load
 * balancer's source ranges.
 */
export interface ControlPlaneIsolationArgs extends ControlPlaneIsolationSettings {
  /**
   * The hosted cluster. Its platform and the publishing of its services decide which policies are created. Plain values. Changing it
   * adds, changes and deletes single policies. (Network isolation for hosted clusters; HCP networking requirements)
   */
  topology: HostedClusterTopology;
  /**
   * An existing HostedCluster, into which the annotation for `podSecurityLevel` is patched. Defaults to none. The server refuses a
   * second patch of one object: if another component patches the HostedCluster, put the output `hostedClusterAnnotations` there.
   * Changing it leaves the annotation of the first cluster as it is.
   */
  existingHostedCluster?: HostedClusterReference;
}

/** Settings of the isolation that do not depend on the hosted cluster. */
export interface ControlPlaneIsolationSettings {
  /**
   * Namespace of the hosted control plane: `clusters-tenant-a`. Defaults to `<namespace>-<name>` of the topology; any other name is
   * refused. HyperShift creates it. If the same program creates the Namespace resource, give the name of that resource. Changing it
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
   * Denies egress of the control plane's pods, except for the required flows: to the same namespace, DNS, the management cluster's
   * API, HTTPS, the published API server, and metrics on AWS. Defaults to false: egress stays as HyperShift configures it. Refused if
   * a required flow would be cut, and the message names the flow: `topology.managementClusterCidrs` is required. Virtual machines of
   * KubeVirt keep HyperShift's own policy. Traffic that no document names is cut, such as to a proxy of the management cluster or to
   * LDAP; allow it with `additionalPolicies`. Changing it adds or deletes policies. (HCP networking requirements, Common Egress
   * Ports)
   */
  denyEgress?: boolean;
  /**
   * The kind of the management cluster, which decides where DNS is when egress is denied: `OpenShift`, port 5353 in the namespace
   * openshift-dns, or `Kubernetes`, port 53 anywhere. Defaults to `OpenShift`. Changing it changes one policy in place. (HyperShift,
   * network policies)
   */
  managementCluster?: ManagementCluster;
  /**
   * Your own policies in the same namespace, keyed by object name. Names of HyperShift's policies, and names that begin with
   * `isolation-`, are refused. Without `denyEgress`, a policy that isolates the egress of pods is refused if it cuts a required flow.
   * A rule that allows traffic straight to workers is reported, because konnectivity is a tunnel that workers dial. Defaults to none.
   * Changes are made in place; a new name creates a new policy. (HCP networking requirements, Konnectivity Architecture)
   */
  additionalPolicies?: Record<string, AdditionalIsolationPolicy>;
  /**
   * The Pod Security level of the namespace: `restricted`, `baseline` or `privileged`. HyperShift writes the labels of the namespace
   * at every reconcile, so the level is set by an annotation of the HostedCluster: as a patch with `existingHostedCluster`, else as
   * the output `hostedClusterAnnotations`. Defaults to HyperShift's own choice, `restricted`. Changing it takes effect when pods are
   * recreated. (Control plane pod isolation)
   */
  podSecurityLevel?: PodSecurityLevel;
  /** Takes the annotation over from another owner. Defaults to false: the deployment stops with a conflict that names the owner. */
  forcePatch?: boolean;
  /**
   * Removes the annotation when this component is deleted, after which pods that the default level does not admit fail to start.
   * Defaults to false: it stays. Deploy a change of this setting before you destroy the component.
   */
  removeOnDelete?: boolean;
  /** Labels of the NetworkPolicy objects. Defaults to none. Changes are made in place. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Your own network policy in the namespace of a hosted control plane. */
export interface AdditionalIsolationPolicy {
  /** Who may talk to whom, and why. Written as an annotation of the object. */
  purpose: string;
  /** The pods that the policy selects. Defaults to every pod of the namespace. Changes are made in place. */
  pods?: pulumi.Input<LabelSelector>;
  /**
   * The ingress that is allowed. By default the policy does not govern ingress. An empty list allows none, as the namespace does
   * already. Changes are made in place.
   */
  ingress?: pulumi.Input<pulumi.Input<IsolationRule>[]>;
  /**
   * The egress that is allowed. Once this is set, the selected pods send nothing else. By default the policy does not govern egress.
   * Changes are made in place.
   */
  egress?: pulumi.Input<pulumi.Input<IsolationRule>[]>;
}

/** Traffic that a network policy allows. */
export interface IsolationRule {
  /** Sources of ingress, destinations of egress; at least one. Defaults to everybody. */
  peers?: pulumi.Input<pulumi.Input<IsolationPeer>[]>;
  /** Ports after service translation, which are those of pods; at least one. Defaults to every port. */
  ports?: pulumi.Input<pulumi.Input<IsolationPort>[]>;
}

/** The other end of the traffic: pods or addresses. */
export interface IsolationPeer {
  /** Pods selected by their labels, in this namespace or in the namespaces that `namespaces` selects. Defaults to every pod there. */
  pods?: pulumi.Input<LabelSelector>;
  /** Namespaces selected by their labels. Defaults to this namespace. */
  namespaces?: pulumi.Input<LabelSelector>;
  /**
   * Addresses outside the cluster as a CIDR block, IPv4 or IPv6, instead of `pods` and `namespaces`. Behind load balancers and node
   * ports, clients often appear with another address.
   */
  cidr?: pulumi.Input<string>;
  /** Smaller blocks inside `cidr` to exclude. Defaults to none. */
  except?: pulumi.Input<pulumi.Input<string>[]>;
}

/** One port, or a range of ports, of one protocol. */
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
  /** What HyperShift does in addition, and what the policy cannot do. */
  notes: string[];
}

/** A constraint that the restricted security context constraint imposes on pods of a hosted control plane. */
export interface ControlPlanePodConstraint {
  /** Stable name: `pod-host-network`. */
  id: string;
  /** The constraint, as a sentence. */
  demand: string;
  /** The fields of a pod that the constraint checks: `spec.hostNetwork`. */
  fields: string[];
  /** The annotation of the namespace that holds the allowed values. Absent unless OpenShift allocates them. */
  allocatedBy?: string;
  /** Documents that state it. */
  documents: string[];
}

/** The SELinux context of a process or a file on nodes of the management cluster. */
export interface NodeSelinuxContext {
  /** The process or file that has it: `kubelet`. */
  subject: string;
  /** The context: `system_u:system_r:unconfined_service_t:s0`. */
  context: string;
}
