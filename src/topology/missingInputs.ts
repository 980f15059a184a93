import type { Fault } from "../fault";
import { endpointAccessModes, reachedPrivately } from "../requirements/platforms";
import { EndpointAccess, LoadBalancerTargets, PublishingType, Service } from "../requirements/vocabulary";
import { CALLED_BY_USERS, serviceProperty } from "../requirements/publishedServices";
import { publishedBy } from "./publishing";
import { isUnknown } from "./normalizedTopology";
import type { CidrList, NormalizedTopology } from "./normalizedTopology";

type Input = CidrList | "loadBalancerTargets" | `services.${string}.nodePort`;

/** A property that would add information, when it is needed, and what happens without it. */
interface Question {
  input: Input;
  asked: (topology: NormalizedTopology) => boolean;
  problem: string;
  remedy: string;
}

const viaBalancer = (topology: NormalizedTopology) =>
  publishedBy(topology, PublishingType.LoadBalancer, PublishingType.Route).length > 0;
const viaPublicCloud = (topology: NormalizedTopology) =>
  viaBalancer(topology) &&
  topology.endpointAccess === EndpointAccess.Public &&
  endpointAccessModes(topology.platform).includes(EndpointAccess.Public);
const unpinned = (service: Service) => (topology: NormalizedTopology) =>
  topology.services[service].type === PublishingType.NodePort &&
  topology.services[service].nodePort === undefined &&
  topology.externalClientCidrs.length > 0;
const always = () => true;

const questions: readonly Question[] = [
  {
    input: "machineNetwork",
    asked: always,
    problem: "missing: nothing says where the machines are",
    remedy: "write the CIDR blocks of the machines; HyperShift's own security groups need them too",
  },
  {
    input: "workerCidrs",
    asked: (topology) => topology.machineNetwork.length === 0,
    problem: "missing, like the machine network: no rule for traffic from workers",
    remedy: "write the CIDR blocks of the worker nodes",
  },
  {
    input: "externalClientCidrs",
    asked: always,
    problem: "missing: no rule for users and CI systems outside",
    remedy: "write their CIDR blocks",
  },
  {
    input: "managementClusterCidrs",
    asked: always,
    problem: "missing: no rule to the API of the management cluster",
    remedy: "write the CIDR blocks of the management cluster's nodes and API",
  },
  {
    input: "dnsServerCidrs",
    asked: always,
    problem: "missing: port 53 is opened to the known networks of the hosts that send DNS queries",
    remedy: "write the CIDR blocks of the DNS servers",
  },
  {
    input: "registryCidrs",
    asked: always,
    problem: "missing: port 443 is opened to every address",
    remedy: "write the CIDR blocks of the registries and HTTPS services, or accept it",
  },
  {
    input: "controlPlaneEndpointCidrs",
    asked: viaPublicCloud,
    problem:
      "missing: the public addresses of the control plane are unknown, so its ports are opened to every address",
    remedy: "write the CIDR blocks at which workers reach the control plane",
  },
  {
    input: "loadBalancerTargets",
    asked: viaBalancer,
    problem: "missing: nothing says at which ports hosts see what comes through load balancers and routers",
    remedy: `write ${LoadBalancerTargets.Instance} or ${LoadBalancerTargets.Ip}`,
  },
  {
    input: "loadBalancerSubnetCidrs",
    asked: (topology) =>
      viaBalancer(topology) &&
      (reachedPrivately(topology.endpointAccess) || topology.loadBalancerTargets === LoadBalancerTargets.Ip),
    problem: "missing: load balancers show their own addresses to hosts, and no rule is made for them",
    remedy: "write the CIDR blocks of the load balancers' subnets",
  },
  {
    input: "workerNatCidrs",
    asked: viaPublicCloud,
    problem: "missing: workers reach public endpoints from NAT addresses, and no rule is made for them",
    remedy: "write the CIDR blocks of the NAT gateways",
  },
  ...[...CALLED_BY_USERS].map((service): Question => ({
    input: `services.${serviceProperty[service]}.nodePort`,
    asked: unpinned(service),
    problem: "not pinned: the node-port range is opened only to workers, not to users",
    remedy: "pin the node port",
  })),
];

/**
 * Properties that rules depend on and that the topology does not state: one fault each, with what
 * happens without it. Properties that a plan does not know yet are not missing.
 */
export function missingInputs(topology: NormalizedTopology, path = "topology"): Fault[] {
  return questions
    .filter(
      ({ input, asked }) => asked(topology) && !isUnknown(topology, input) && !isStated(topology, input),
    )
    .map(({ input, problem, remedy }) => ({ path: `${path}.${input}`, problem, remedy }));
}

function isStated(topology: NormalizedTopology, input: Input): boolean {
  if (input === "loadBalancerTargets") return topology.loadBalancerTargets !== undefined;
  return isList(input) && topology[input].length > 0;
}

const isList = (input: Input): input is CidrList => !input.startsWith("services.");
