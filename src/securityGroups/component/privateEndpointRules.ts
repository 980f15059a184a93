import { callerFlowKey } from "../../gate/securityGroupRules";
import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import type * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../fault";
import { inputFaults, object, type Shape } from "../../objects/shape";
import { type RequiredFlow, View } from "../../flows/model";
import { EndpointAccess, Platform, PublishingType, Role, Service, Zone } from "../../requirements/vocabulary";
import {
  type GivenPeer,
  givenPeer,
  onePeer,
  Provenance,
  type ResolvedPeer,
  resolvePeers,
  rulePeerOf,
} from "../../components/hostRules/rulePeers";
import {
  family,
  familyFaults,
  formerKey,
  knownValueFaults,
  named,
  peersByKey,
  plainText,
} from "../../components/hostRules/givenValues";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { reachedPrivately } from "../../requirements/platforms";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { normalizeTopology } from "../../topology/normalizeTopology";
import { requiredFlows } from "../../flows/required/requiredFlows";
import { type FlowChoice, planFlows } from "../../components/hostRules/flowSelection";
import type { RuleMerging } from "./hostedControlPlaneSecurityGroupsArgs";
import { peerWarnings } from "../../components/hostRules/ruleWarnings";
import { planSecurityGroups, type SecurityGroupPlan } from "./securityGroupRules";
import { isRecord } from "../../collections";

/** The known part of a caller from outside the VPC. Mirrors the component's `PrivateEndpointCaller`. */
export interface Caller extends GivenPeer {
  description?: string | null;
}

export type Callers = Readonly<Record<string, Caller>>;

/** The shape of the callers; ids and CIDR blocks are checked when they are known. */
const callerShape = (callers: unknown): Shape =>
  named(
    object(
      {
        ...givenPeer,
        family,
        formerKey: formerKey(isRecord(callers) ? Object.keys(callers) : []),
        description: plainText("describe in a few words who it is"),
      },
      { remedy: "write { cidr: ... }", relations: [onePeer, familyFaults] },
    ),
    "write callers under keys of your choice: { key: { cidr: ... } }",
  );

/** The destination of each endpoint flow, for the descriptions of its callers. */
const LISTENER: Readonly<Record<string, string>> = {
  "endpoint-router": "the private router",
  "endpoint-kube-apiserver": "the private API server",
};

/** The flows by which callers reach what the machines reach: one for each caller, ordered by key. */
function callerFlows(flow: RequiredFlow, callers: unknown): RequiredFlow[] {
  const listener = LISTENER[flow.key];
  if (listener === undefined || !isRecord(callers)) return [];
  return Object.keys(callers)
    .sort()
    .map((key) => {
      // What it is instead of a text is a fault, or an Output, which is one as well.
      const { description } = (isRecord(callers[key]) ? callers[key] : {}) as Partial<Caller>;
      const who = typeof description === "string" ? description : key;
      return {
        ...flow,
        key: callerFlowKey(flow.key, key),
        peers: [{ zone: Zone.PrivateNetwork, input: inputOf(key) }],
        view: View.Hop,
        purpose: `${who}, to ${listener} through the VPC endpoint`,
      };
    });
}

/** The peer of a caller's flow; undefined for other flows. */
function resolvedCaller(flow: RequiredFlow, callers: Callers): ResolvedPeer | undefined {
  const key = Object.keys(callers).find((each) => flow.peers[0]?.input === inputOf(each));
  if (key === undefined) return undefined;
  const input = inputOf(key);
  const peer = rulePeerOf(input, "caller", key, callers[key]!);
  return { flow, input, path: `${input}.cidr`, provenance: Provenance.Stated, peers: [peer] };
}

const inputOf = (key: string): string => `callers.${key}`;

/**
 * Names of the AWSEndpointService objects of a private cluster: HyperShift creates one endpoint for the private router, and
 * one for the API server if a separate load balancer publishes it.
 */
export function endpointServicesOf({ services }: NormalizedTopology): string[] {
  const ownBalancer = services[Service.APIServer].type === PublishingType.LoadBalancer;
  return [PRIVATE_ROUTER, ...(ownBalancer ? [PRIVATE_API_SERVER] : [])];
}

const PRIVATE_ROUTER = "private-router";
const PRIVATE_API_SERVER = "kube-apiserver-private";

/** The endpoint id in the status of an AWSEndpointService; empty as long as the status names none. */
export function endpointIdOf(
  name: string,
  namespace: string,
  service: string,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const read = new apiextensions.CustomResource(
    `${name}-${service}`,
    // A property that is missing in the inputs stays undefined, whatever the provider reads.
    { apiVersion: "hypershift.openshift.io/v1beta1", kind: "AWSEndpointService", status: undefined },
    { ...opts, id: `${namespace}/${service}` },
  );
  const { status } = read as unknown as { status: pulumi.Output<{ endpointID?: string } | undefined> };
  return status.apply((known) => known?.endpointID ?? "");
}

/** The known part of a user's options for the rules of the VPC endpoint, apart from the topology. */
export interface PrivateEndpointOptions extends Pick<FlowChoice, "disabledRules"> {
  callers?: Callers | null;
  /** Rules that the group may have in each direction. Defaults to AWS's default quota. */
  ruleQuota?: number | null;
  /** When rules for blocks are merged. Defaults to only if the group would have more rules than the quota. */
  mergeRules?: RuleMerging | null;
}

/** The security-group rules of the VPC endpoint through which machines and callers outside the VPC reach a control plane. */
export function privateEndpointRules(
  given: HostedClusterTopology,
  options: PrivateEndpointOptions = {},
  read = normalizeTopology(given),
): SecurityGroupPlan {
  const { disabledRules, ruleQuota, mergeRules } = options;
  const callers = options.callers ?? {};
  const plan = planFlows(read, {
    disabledRules,
    inputFaults: [
      ...inputFaults({ callers: callerShape(callers) }, { callers }),
      ...knownValueFaults(peersByKey("callers", callers)),
    ],
    refusals: endpointFaults,
    flowsOf: (topology) => endpointFlows(topology).flatMap((flow) => [flow, ...callerFlows(flow, callers)]),
    resolve: (flow) => {
      const caller = resolvedCaller(flow, callers);
      return caller ? [caller] : resolvePeers(flow, { peers: {}, workersCarryGroup: false });
    },
  });
  return planSecurityGroups(plan, {
    ruleQuota,
    mergeRules,
    warningsOf: (topology) => [...peerWarnings(plan.resolved), ...noOutsideCallers(topology, callers)],
  });
}

const endpointFlows = (topology: NormalizedTopology): RequiredFlow[] =>
  requiredFlows(topology).filter(({ role }) => role === Role.PrivateEndpoint);

/** Faults for a cluster that has no VPC endpoint. */
function endpointFaults({ platform, endpointAccess }: NormalizedTopology): Fault[] {
  if (platform !== Platform.AWS) {
    const problem = `${platform} has no VPC endpoint: HyperShift creates one only for hosted clusters on ${Platform.AWS}`;
    return [{ path: "topology.platform", problem, remedy: "leave this component out" }];
  }
  if (reachedPrivately(endpointAccess)) return [];
  const { Public, PublicAndPrivate, Private } = EndpointAccess;
  return [
    {
      path: "topology.endpointAccess",
      problem: `${Public} access has no VPC endpoint: HyperShift creates one for ${PublicAndPrivate} and ${Private}`,
      remedy: "write the access of the HostedCluster, or remove this component",
    },
  ];
}

/** Warns about a private cluster that only its own machines can reach. */
function noOutsideCallers({ endpointAccess, externalClientCidrs }: NormalizedTopology, callers: Callers) {
  const someone = externalClientCidrs.length + Object.keys(callers).length > 0;
  if (endpointAccess !== EndpointAccess.Private || someone) return [];
  return [
    "callers missing: with Private access no client outside the machine network reaches the API server; write the networks of users and CI systems",
  ];
}
