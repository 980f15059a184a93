import { HYPERSHIFT, at } from "../documents";
import { HOST_SERVICES, NODE_PORTS, PORT } from "../ports";
import { port, requirement } from "../requirement";
import type { PortRange } from "../requirement";
import { Direction, Perspective, Platform, Protocol, Zone } from "../vocabulary";

/** The platforms on which HyperShift makes a security group for worker nodes. */
export const WORKER_GROUP_PLATFORMS: readonly Platform[] = [Platform.AWS];

const ofTheGroup = {
  perspective: Perspective.Worker,
  platforms: WORKER_GROUP_PLATFORMS,
  component: "HyperShift's default group of worker nodes",
  documents: [at(HYPERSHIFT, "support/awsutil/sg.go")],
};

const among =
  (source: Zone) => (id: string, protocol: Protocol, ports: PortRange | undefined, purpose: string) =>
    requirement({
      ...ofTheGroup,
      id,
      direction: Direction.Ingress,
      ...(ports && { ports }),
      protocol,
      purpose,
      sources: [source],
      publicAllowed: false,
    });
const nodes = among(Zone.SameSecurityGroup);
const machines = among(Zone.MachineNetwork);

/** The rules of the security group that HyperShift makes for worker nodes on AWS. */
export const awsWorkerGroup = [
  nodes("up-aws-worker-udp-4789", Protocol.Udp, port(PORT.vxlan), "VXLAN between nodes"),
  nodes("up-aws-worker-udp-6081", Protocol.Udp, port(PORT.geneve), "Geneve between nodes: pod traffic"),
  nodes("up-aws-worker-udp-500", Protocol.Udp, port(PORT.ike), "IPsec key exchange between nodes"),
  nodes("up-aws-worker-udp-4500", Protocol.Udp, port(PORT.ipsecNat), "IPsec through NAT between nodes"),
  nodes("up-aws-worker-tcp-9000", Protocol.Tcp, HOST_SERVICES, "Host services among nodes, over TCP"),
  nodes("up-aws-worker-udp-9000", Protocol.Udp, HOST_SERVICES, "Host services among nodes, over UDP"),
  nodes(
    "up-aws-worker-tcp-10250",
    Protocol.Tcp,
    port(PORT.kubelet),
    "Kubelet, from nodes of the same cluster",
  ),
  nodes("up-aws-worker-tcp-30000", Protocol.Tcp, NODE_PORTS, "Node port services among nodes, over TCP"),
  nodes("up-aws-worker-udp-30000", Protocol.Udp, NODE_PORTS, "Node port services among nodes, over UDP"),
  nodes("up-aws-worker-esp", Protocol.Esp, undefined, "IPsec payload between nodes"),
  machines("up-aws-worker-icmp", Protocol.Icmp, undefined, "ICMP from the machine network"),
  machines("up-aws-worker-ssh", Protocol.Tcp, port(PORT.ssh), "SSH from the machine network"),
  requirement({
    ...ofTheGroup,
    id: "up-aws-worker-any",
    direction: Direction.Egress,
    protocol: Protocol.Any,
    purpose: "Nodes call each other and everything outside",
    destinations: [Zone.Any],
    note: "The documented egress ports are those of calls out of the cluster. What nodes send each other is in none of them, so without this rule only another group of the nodes lets it out.",
  }),
];
