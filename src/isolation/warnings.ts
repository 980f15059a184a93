import { contains, type Prefix } from "../address";
import { parsePrefix } from "../address/parse";
import type { Fault } from "../fault";
import { podSecurity } from "../requirements/podIsolation";
import { PORT } from "../requirements/ports";
import { Direction, Platform, Protocol, PublishingType, Service } from "../requirements/vocabulary";
import type { PropertyValue, Resource } from "../resources/resource";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { ManagementCluster, egressFlows, type EgressFlow } from "./egress";
import type { IngressOptions } from "./ingress";
import { entriesOf, isGiven, isMap, propertyOf, type PropertyMap } from "../resources/read";
import type { AddressEnd } from "../reachability/filters/policySelection";
import type { Packet } from "../reachability/packets/example";
import { Proof } from "../reachability/proof/prove";
import { NAMESPACE_LABEL } from "../requirements/networkPolicies";
import { selectorValue } from "./networkPolicy";
import { judgeTraffic, type Labels, podsIn, type PodTraffic } from "../reachability/isolation/podTraffic";

/** Options that decide about the policies in addition to the topology, valid and plain. */
export interface IsolationOptions extends IngressOptions {
  denyEgress?: boolean | undefined;
  managementCluster?: ManagementCluster | undefined;
}

/** Warnings: what works, but probably not as intended. */
export function isolationWarnings(
  topology: NormalizedTopology,
  options: IsolationOptions,
  known: PropertyMap,
): Fault[] {
  return [
    ...excessWarnings(topology, known),
    ...ignitionWarnings(topology),
    ...(options.denyEgress ? egressWarnings(topology, known, options.managementCluster) : []),
    ...podSecurityWarnings(known),
  ];
}

/** Warnings about rules that let the control plane reach workers directly: it reaches them through the tunnel that they dial. */
function excessWarnings({ workerCidrs }: NormalizedTopology, { additionalPolicies }: PropertyMap): Fault[] {
  const policies = isMap(additionalPolicies) ? Object.entries(additionalPolicies) : [];
  return policies.flatMap(([name, policy]) =>
    entriesOf(propertyOf(policy, "egress")).flatMap((rule, position) => {
      const worker = workersReached(rule, workerCidrs);
      if (!worker && !opensKubelet(rule)) return [];
      return [
        {
          path: `additionalPolicies.${name}.egress[${position}]`,
          problem: `allows traffic ${worker ? `to the workers in ${worker}` : `to kubelets at port ${PORT.kubelet}`}, which no flow needs: workers open the konnectivity tunnel`,
          remedy: "remove it",
        },
      ];
    }),
  );
}

function workersReached(rule: PropertyValue, workers: readonly Prefix[]): string | undefined {
  for (const peer of entriesOf(propertyOf(rule, "peers"))) {
    const cidr = propertyOf(peer, "cidr");
    const { prefix } = typeof cidr === "string" ? parsePrefix(cidr) : {};
    const reached = prefix && workers.find((worker) => contains(worker, prefix));
    if (reached) return reached.text;
  }
  return undefined;
}

const opensKubelet = (rule: PropertyValue): boolean =>
  entriesOf(propertyOf(rule, "ports")).some((entry) => {
    const [port, endPort] = [propertyOf(entry, "port"), propertyOf(entry, "endPort")];
    const last = isGiven(endPort) ? endPort : port;
    return (
      propertyOf(entry, "protocol") === Protocol.Tcp &&
      typeof port === "number" &&
      typeof last === "number" &&
      port <= PORT.kubelet &&
      last >= PORT.kubelet
    );
  });

function ignitionWarnings({ bootstrap, services }: NormalizedTopology): Fault[] {
  if (bootstrap || services[Service.Ignition].type !== PublishingType.NodePort) return [];
  return [
    {
      path: "topology.bootstrap",
      problem: "false closes ignition in these policies, but HyperShift's own keep it open to everybody",
      remedy: "close it in the firewall in front of the node ports",
    },
  ];
}

/** Whether the user's policies allow some egress: the user has then taken care of traffic that no input names. */
const letsOut = ({ additionalPolicies }: PropertyMap): boolean =>
  isMap(additionalPolicies) &&
  Object.values(additionalPolicies).some((policy) => entriesOf(propertyOf(policy, "egress")).length > 0);

function egressWarnings(
  topology: NormalizedTopology,
  known: PropertyMap,
  managementCluster: ManagementCluster = ManagementCluster.OpenShift,
): Fault[] {
  const open = egressFlows(topology, managementCluster).filter(({ wouldNarrow }) => wouldNarrow);
  const narrowing = open.map(({ wouldNarrow, ports }) => ({
    path: `topology.${wouldNarrow}`,
    problem: `missing: egress stays open to every address at port ${ports.map(({ range }) => range.from).join(", ")}`,
    remedy: "write the CIDR blocks, or accept it",
  }));
  if (letsOut(known)) return narrowing;
  return [
    ...narrowing,
    ...(topology.platform === Platform.OpenStack
      ? [
          {
            path: "denyEgress",
            problem: "true blocks the ports of OpenStack's APIs other than 443",
            remedy: "add a policy for the ports that your cloud uses",
          },
        ]
      : []),
    {
      path: "denyEgress",
      problem:
        "true blocks what no document names: a proxy of the management cluster, LDAP, a key service on a port other than 443",
      remedy: "add policies for those that the control plane uses",
    },
  ];
}

function podSecurityWarnings({ podSecurityLevel }: PropertyMap): Fault[] {
  const usual: string = podSecurity.defaultLevel;
  if (typeof podSecurityLevel !== "string" || podSecurityLevel === usual) return [];
  return [
    {
      path: "podSecurityLevel",
      problem: `${podSecurityLevel} admits pods that the documents exclude from a control plane's namespace`,
      remedy: `leave ${usual}, unless a component of the control plane is not admitted there`,
    },
  ];
}

/** A flow that policies would cut, with an example of a dropped packet. */
export interface CutFlow {
  flow: EgressFlow;
  /** Labels of a pod that could no longer send. */
  sender: Labels;
  /** A packet that it could no longer send. Absent if the destination is not stated. */
  dropped?: Packet;
  /** Whether the example's address is meaningful, which it is if the flow goes to addresses. */
  isAddressed: boolean;
}

/** The flows out of the control plane that policies would cut. `undefined` if too many labels play a part. */
export function cutFlows(
  policies: readonly Resource[],
  flows: readonly EgressFlow[],
  namespace: string,
): CutFlow[] | undefined {
  const required = flows.filter(({ optional }) => !optional);
  const cut = required.map((flow) => cutOf(policies, flow, namespace));
  return cut.includes(undefined) ? undefined : cut.flatMap((found) => found ?? []);
}

/** The first packets of a flow that are dropped, whichever pod sends them. No rule is taken to allow a flow to unknown destinations. */
function cutOf(policies: readonly Resource[], flow: EgressFlow, namespace: string): CutFlow[] | undefined {
  const isMissing = flow.missing !== undefined;
  const standing = isMissing ? policies.map(withoutRules) : policies;
  for (const traffic of egressTraffic(flow, namespace)) {
    const judged = judgeTraffic(standing, namespace, traffic);
    if (!judged) return undefined;
    const { pod: sender, verdict } = judged;
    if (verdict.proof === Proof.Proved) continue;
    const dropped = verdict.proof === Proof.Refuted && !isMissing ? verdict.packet : undefined;
    return [{ flow, sender, ...(dropped && { dropped }), isAddressed: traffic.prefixes !== undefined }];
  }
  return [];
}

const withoutRules = (policy: Resource): Resource => ({
  ...policy,
  properties: { ...policy.properties, spec: { ...specOf(policy), egress: [] } },
});

const specOf = ({ properties: { spec } }: Resource): PropertyMap => (isMap(spec) ? spec : {});

const OUTSIDE: AddressEnd = { kind: "addresses" };

/** The packets of a flow, for each of its destinations. A flow without ports may be of any protocol. */
export function egressTraffic(flow: EgressFlow, namespace: string): PodTraffic[] {
  const { podEnds, prefixes, anybody, missing, ports } = flow;
  const services =
    ports.length > 0
      ? ports.map(({ protocol, range }) => ({ protocol, ports: range }))
      : [{ protocol: Protocol.Any }];
  const to = (end: PodTraffic["end"]): PodTraffic => ({
    direction: Direction.Egress,
    pods: selectorValue(flow.pods),
    end,
    services,
  });
  const own = { [NAMESPACE_LABEL.name]: namespace };
  return [
    ...podEnds.map(({ namespace: other }) => to(podsIn(other ?? own, namespace))),
    ...(prefixes.length > 0 ? [{ ...to(OUTSIDE), prefixes }] : []),
    ...(anybody ? [to(podsIn({}, namespace)), to(OUTSIDE)] : []),
    ...(missing !== undefined && prefixes.length === 0 ? [to(OUTSIDE)] : []),
  ];
}
