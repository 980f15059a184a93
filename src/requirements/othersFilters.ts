import {
  AWS_LOAD_BALANCING,
  CLOUD_PROVIDER_AWS,
  HYPERSHIFT,
  INSTALLER,
  at,
  type DocumentReference,
} from "./documents";
import type { PortRange } from "./requirement";
import { Direction, Platform, Protocol, Role } from "./vocabulary";

/** Who is responsible for the security groups at a place. */
export enum Duty {
  /** The authors of the plan. */
  Plan = "plan",
  /** HyperShift's controllers. */
  HyperShift = "hypershift",
  /** HyperShift's controllers, unless the plan creates a group for the same hosts: that group must then be complete. */
  HyperShiftUnlessPlanned = "hypershift unless planned",
  /** The installer of the management cluster. */
  Installer = "installer",
  /** Another owner: the cloud controller, or the creator of the nodes. */
  Others = "others",
}

/** Peers that a rule of another owner's group allows. */
export type OthersPeer = "its own hosts" | "machine network" | "everybody (IPv4)";

/** One rule of another owner's group. */
export interface OthersRule {
  direction: Direction;
  protocol: Protocol;
  ports?: PortRange;
  peer: OthersPeer;
}

/** What another owner is known to have created at a place. */
export interface OthersSource {
  /** Stable: `hypershift-worker-group`. */
  id: string;
  /** Its name in answers. */
  name: string;
  duty: Duty;
  /** The versions of its source to which this applies. */
  releases: string;
  documents: readonly DocumentReference[];
  /** How to turn the assumption into a proof. */
  toProof: string;
}

/**
 * A security group that another owner creates in front of hosts, in addition to the groups of a plan, as its source defines it.
 * Groups of an interface add up: it allows traffic and denies none. Flows are not derived from this table, nor the table from flows.
 */
export interface OthersFilter extends OthersSource {
  /** The role of the hosts behind it. */
  before: Role;
  /** Platforms of hosted clusters with which it exists. Default: all. */
  platforms?: readonly Platform[];
  /** Only if load balancers forward to node ports. */
  behindInstanceTargets?: true;
  /** Where HyperShift records the group's id. Its name is no evidence: anyone may give a group such a name. */
  idIn?: { kind: "HostedCluster" | "AWSEndpointService"; path: string };
  rules: readonly OthersRule[];
}

const inbound = (protocol: Protocol, from: number, to = from): OthersRule => ({
  direction: Direction.Ingress,
  protocol,
  ports: { from, to },
  peer: "its own hosts",
});
const withoutPorts = (protocol: Protocol, peer: OthersPeer): OthersRule => ({
  direction: Direction.Ingress,
  protocol,
  peer,
});
const from = (peer: OthersPeer, rule: OthersRule): OthersRule => ({ ...rule, peer });
const everythingOut: OthersRule = {
  direction: Direction.Egress,
  protocol: Protocol.Any,
  peer: "everybody (IPv4)",
};

/** The version of HyperShift to which facts about its releases refer. */
export const HYPERSHIFT_READ = "HyperShift at 3ee9615 (2026)";

/** Groups of other owners, as their sources define them: literals, independent of the code that plans flows. */
export const othersFilters: readonly OthersFilter[] = [
  {
    id: "hypershift-worker-group",
    name: "HyperShift's own security group of worker nodes, status.platform.aws.defaultWorkerSecurityGroupID",
    duty: Duty.HyperShift,
    before: Role.Workers,
    platforms: [Platform.AWS],
    idIn: { kind: "HostedCluster", path: "status.platform.aws.defaultWorkerSecurityGroupID" },
    rules: [
      inbound(Protocol.Udp, 4789),
      inbound(Protocol.Udp, 6081),
      inbound(Protocol.Udp, 500),
      inbound(Protocol.Udp, 4500),
      withoutPorts(Protocol.Esp, "its own hosts"),
      inbound(Protocol.Tcp, 9000, 9999),
      inbound(Protocol.Udp, 9000, 9999),
      inbound(Protocol.Tcp, 10250),
      inbound(Protocol.Tcp, 30000, 32767),
      inbound(Protocol.Udp, 30000, 32767),
      withoutPorts(Protocol.Icmp, "machine network"),
      from("machine network", inbound(Protocol.Tcp, 22)),
      everythingOut,
    ],
    releases: HYPERSHIFT_READ,
    documents: [at(HYPERSHIFT, "support/awsutil/sg.go")],
    toProof:
      "write defaultWorkerRules: true if nodes carry only the plan's group; otherwise read the group with --ec2, and give the HostedCluster with its status or list the group under securityGroups.workers of the configuration",
  },
  {
    id: "hypershift-endpoint-group",
    name: "HyperShift's own security group of VPC endpoints",
    duty: Duty.HyperShift,
    before: Role.PrivateEndpoint,
    platforms: [Platform.AWS],
    idIn: { kind: "AWSEndpointService", path: "status.securityGroupID" },
    rules: [
      from("machine network", inbound(Protocol.Tcp, 443)),
      from("machine network", inbound(Protocol.Tcp, 6443)),
    ],
    releases: HYPERSHIFT_READ,
    documents: [
      at(HYPERSHIFT, "control-plane-operator/controllers/awsprivatelink/awsprivatelink_controller.go"),
    ],
    toProof:
      "create a PrivateEndpointSecurityGroup, or read the endpoint's group with --ec2, and give HostedCluster and AWSEndpointService with their status or list the group under securityGroups.privateEndpoint of the configuration",
  },
  {
    id: "installer-node-groups",
    name: "openshift-install's security groups of the management cluster's nodes",
    duty: Duty.Installer,
    before: Role.ControlPlane,
    rules: [
      withoutPorts(Protocol.Icmp, "its own hosts"),
      inbound(Protocol.Tcp, 22),
      inbound(Protocol.Tcp, 6443),
      inbound(Protocol.Udp, 4789),
      inbound(Protocol.Udp, 6081),
      inbound(Protocol.Udp, 500),
      inbound(Protocol.Udp, 4500),
      withoutPorts(Protocol.Esp, "its own hosts"),
      inbound(Protocol.Tcp, 9000, 9999),
      inbound(Protocol.Udp, 9000, 9999),
      inbound(Protocol.Tcp, 10250),
      inbound(Protocol.Tcp, 2379, 2380),
      inbound(Protocol.Tcp, 30000, 32767),
      inbound(Protocol.Udp, 30000, 32767),
      everythingOut,
    ],
    releases: "openshift-install with Terraform, before 4.16; later ones write the same ports by Cluster API",
    documents: [
      at(INSTALLER, "data/data/aws/cluster/vpc/sg-master.tf"),
      at(INSTALLER, "data/data/aws/cluster/vpc/sg-worker.tf"),
      at(INSTALLER, "pkg/asset/manifests/aws/cluster.go"),
    ],
    toProof:
      "list the groups of the management cluster's nodes under securityGroups.controlPlane of the configuration, and read them by --ec2 or give their stack",
  },
  {
    id: "cloud-controller-node-ports",
    name: "rules that the management cluster's cloud controller adds for load balancers",
    duty: Duty.Others,
    before: Role.ControlPlane,
    behindInstanceTargets: true,
    rules: [from("everybody (IPv4)", inbound(Protocol.Tcp, 30000, 32767))],
    releases: "cloud-provider-aws, unless DisableSecurityGroupIngress is set",
    documents: [
      at(CLOUD_PROVIDER_AWS, "pkg/providers/v1/aws_loadbalancer.go"),
      at(
        AWS_LOAD_BALANCING,
        "Edit target group attributes for your Network Load Balancer, Client IP preservation",
      ),
    ],
    toProof:
      "list the nodes' groups under securityGroups.controlPlane of the configuration and read them by --ec2, or let the plan's group let these clients in",
  },
];
