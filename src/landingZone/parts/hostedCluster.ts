import * as pulumi from "@pulumi/pulumi";
import { judgeHostedCluster } from "../../hostedCluster/judge";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { DEFAULT_NAMESPACE } from "../../topology/normalizeTopology";
import { taggedWith } from "../../components/hostRules/givenValues";
import { HostedClusterNetwork } from "../../hostedCluster/component/hostedClusterNetwork";
import type { HostedClusterNetworkArgs } from "../../hostedCluster/component/hostedClusterNetworkArgs";
import {
  OvnSubnetConfig,
  ovnSubnetConfigFaults,
  ovnSubnetConfigWarnings,
} from "../../ovnSubnets/component/ovnSubnetConfig";
import type { OvnSubnetConfigArgs } from "../../ovnSubnets/component/ovnSubnetArgs";
import { ProxyConfig } from "../../proxy/component/proxyConfig";
import type { ProxyConfigArgs } from "../../proxy/component/proxyConfigArgs";
import { judgeProxyConfig, proxyConfigWarnings } from "../../proxy/component/proxyConfigJudge";
import { sentences, whenKnown } from "../../components/checked";
import { isEventual, knownPart } from "../../components/settled";
import { type HostedClusterLandingZoneArgs, LandingZonePart } from "../hostedClusterLandingZoneArgs";
import {
  annotationsOf,
  type LeftOutBecause,
  given,
  PartTarget,
  partWithSettings,
  patchedBy,
  UNREADABLE,
} from "./part";
import type { Fault } from "../../fault";
import { hostedClusterFragment } from "../../dedicatedNodes/fragments";
import { parsedSpec, withSpecFields } from "../../hostedCluster/additionalSpec";
import { isGiven, isMap, type PropertyMap } from "../../resources/read";
import { controlPlaneNamespaceOf } from "../../requirements/names";
import { judgeHybridOverlay } from "../../networkOperator/hybridOverlay";
import { judgeIpsec } from "../../networkOperator/ipsec";
import {
  HybridOverlayNetwork,
  PLAIN_OPERATOR_INPUTS,
  IpsecEncryption,
} from "../../networkOperator/component/networkOperator";
import type {
  HybridOverlayNetworkArgs,
  IpsecEncryptionArgs,
} from "../../networkOperator/component/networkOperatorArgs";
import { isRecord } from "../../collections";

const noSubnetStated: LeftOutBecause = (_, topology) => {
  if (!topology) return UNREADABLE;
  const { internalJoinSubnet, internalTransitSwitchSubnet } = topology;
  return internalJoinSubnet || internalTransitSwitchSubnet
    ? undefined
    : "the topology states no internal subnet";
};

const noProxyStated: LeftOutBecause = (_, topology) => {
  if (!topology) return UNREADABLE;
  return topology.proxy ? undefined : "the topology has no proxy";
};

const ovnSubnets = partWithSettings({
  part: LandingZonePart.OvnSubnets,
  target: PartTarget.ManagementCluster,
  unasked: noSubnetStated,
  argsOf: ({ args, made }): OvnSubnetConfigArgs => ({
    ...args.ovnSubnets,
    topology: args.topology,
    ...patchedBy(LandingZonePart.OvnSubnets, args, made),
  }),
  judge: (known) => ({
    faults: ovnSubnetConfigFaults(known),
    warnings: sentences(ovnSubnetConfigWarnings(known)),
  }),
  create: (name, args, opts) => ({ ovnSubnetFragment: new OvnSubnetConfig(name, args, opts).fragment }),
});

const proxy = partWithSettings({
  part: LandingZonePart.Proxy,
  target: PartTarget.ManagementCluster,
  unasked: noProxyStated,
  argsOf: ({ args, made }, { ovnSubnetFragment }): ProxyConfigArgs => {
    const patches = patchedBy(LandingZonePart.Proxy, args, made);
    const { existingHostedCluster } = patches;
    return {
      ...args.proxy,
      topology: args.topology,
      ...patches,
      ...given({
        // The trust bundle is next to the HostedCluster, in a namespace that this program may create.
        namespace: existingHostedCluster ? undefined : args.hostedCluster?.namespace,
        ovnSubnets: existingHostedCluster && ovnSubnetFragment,
      }),
    };
  },
  judge: (known) => ({
    faults: judgeProxyConfig(known).faults,
    warnings: sentences(proxyConfigWarnings(known)),
  }),
  create: (name, args, opts) => {
    const config = new ProxyConfig(name, args, opts);
    return {
      proxyFragment: config.fragment,
      noProxy: config.noProxy,
      nodeApiProxy: config.nodeApiProxy,
      nodeApiProxyAddress: config.nodeApiProxyAddress,
    };
  },
});

const hostedCluster = partWithSettings({
  part: LandingZonePart.HostedCluster,
  target: PartTarget.ManagementCluster,
  unasked: ({ existingHostedCluster }) =>
    existingHostedCluster === undefined ? "its settings are not given" : "existingHostedCluster is given",
  argsOf: ({ args, made }, { ovnSubnetFragment, proxyFragment }): HostedClusterNetworkArgs => {
    const annotations = annotationsOf(args, made);
    return {
      ...(args.hostedCluster as HostedClusterNetworkArgs),
      topology: withNamespace(args.topology),
      ...restOfSpec(args, made),
      ...given({
        ovnSubnets: ovnSubnetFragment,
        proxy: proxyFragment,
        annotations: annotations && taggedWith(args.hostedCluster?.annotations, {}, annotations),
      }),
    };
  },
  judge: (known, { args, made }) => {
    const { faults, warnings } = judgeHostedCluster(known);
    return { faults: [...faults, ...nodesTwice(args, made)], warnings: sentences(warnings) };
  },
  create: (name, args, opts) => {
    const cluster = new HostedClusterNetwork(name, args, opts);
    return { hostedClusterReference: pulumi.output({ name: cluster.name, namespace: cluster.namespace }) };
  },
});

/** Sets the namespace that the other parts use, even if the HostedCluster's own namespace is an Output. */
const withNamespace = (topology: HostedClusterTopology): HostedClusterTopology =>
  isRecord(topology) && !isEventual(topology)
    ? { ...topology, namespace: topology.namespace ?? DEFAULT_NAMESPACE }
    : topology;

/**
 * The HostedCluster and the parts that go into it: into an existing one by one patch, otherwise into the one that is created,
 * here or elsewhere.
 */
export const hostedClusterParts = [ovnSubnets, proxy, hostedCluster];

/** The fields that confine the control plane to its nodes; undefined if no nodes are dedicated to it. */
function nodeFields(
  { topology, dedicatedNodes }: HostedClusterLandingZoneArgs,
  made: ReadonlySet<LandingZonePart>,
): Readonly<Record<string, unknown>> | undefined {
  if (!made.has(LandingZonePart.DedicatedNodes)) return undefined;
  const { name, namespace = DEFAULT_NAMESPACE } = { ...topology };
  const { tolerations } = { ...dedicatedNodes };
  return hostedClusterFragment({
    controlPlaneNamespace: controlPlaneNamespaceOf(namespace, String(name)),
    ...(Array.isArray(tolerations) && { tolerations }),
  });
}

/** The rest of the spec, as its user wrote it, with the nodes of the control plane. */
export function restOfSpec(
  args: HostedClusterLandingZoneArgs,
  made: ReadonlySet<LandingZonePart>,
): Pick<HostedClusterNetworkArgs, "additionalSpec" | "additionalSpecJson"> {
  const fields = nodeFields(args, made);
  const { additionalSpec, additionalSpecJson: rest } = { ...args.hostedCluster };
  if (!fields) return {};
  return {
    ...(rest !== undefined && {
      additionalSpecJson: whenKnown(rest, (text) => withSpecFields(text as string, fields)),
    }),
    ...(isRecord(additionalSpec) &&
      !isEventual(additionalSpec) && { additionalSpec: { ...fields, ...additionalSpec } }),
  };
}

/** Faults of node fields that the rest of the spec sets in addition to `dedicatedNodes`. */
function nodesTwice(args: HostedClusterLandingZoneArgs, made: ReadonlySet<LandingZonePart>): Fault[] {
  const { additionalSpec, additionalSpecJson } = knownPart({ ...args.hostedCluster }) as PropertyMap;
  const written = isMap(additionalSpec) ? additionalSpec : parsedSpec(additionalSpecJson);
  return Object.keys(nodeFields(args, made) ?? {})
    .filter((field) => isGiven(written[field]))
    .map((field) => ({
      path: isMap(additionalSpec) ? "additionalSpec" : "additionalSpecJson",
      problem: `${field} is also set by dedicatedNodes`,
      remedy: "remove it",
    }));
}

/** The configuration is one object that accepts one patch: with IPsec, the overlay network goes into the IPsec patch. */
const hybridOverlay = partWithSettings({
  part: LandingZonePart.HybridOverlay,
  target: PartTarget.HostedCluster,
  plain: PLAIN_OPERATOR_INPUTS,
  argsOf: ({ args, made }): HybridOverlayNetworkArgs => ({
    ...(args.hybridOverlay as HybridOverlayNetworkArgs),
    topology: args.topology,
    ...(made.has(LandingZonePart.Ipsec) && { fragmentOnly: true }),
  }),
  judge: (known) => {
    // Wherever its patch is created, the cluster is a running one.
    const { faults, warnings } = judgeHybridOverlay({ ...known, fragmentOnly: false });
    return { faults, warnings: sentences(warnings) };
  },
  create: (name, args, opts) => ({
    networkOperatorFragment: new HybridOverlayNetwork(name, args, opts).fragment,
  }),
});

const ipsec = partWithSettings({
  part: LandingZonePart.Ipsec,
  target: PartTarget.HostedCluster,
  plain: PLAIN_OPERATOR_INPUTS,
  argsOf: ({ args }, { networkOperatorFragment }): IpsecEncryptionArgs => ({
    ...args.ipsec,
    topology: args.topology,
    ...given({ hybridOverlay: networkOperatorFragment }),
  }),
  judge: (known) => {
    const { faults, warnings } = judgeIpsec(known);
    // The part for the overlay network reports whether a cluster supports hybrid networking.
    return { faults: faults.filter(({ path }) => path !== "hybridOverlay"), warnings: sentences(warnings) };
  },
  create: (name, args, opts) => {
    const { fragment, nodePorts } = new IpsecEncryption(name, args, opts);
    return { networkOperatorFragment: fragment, ipsecNodePorts: nodePorts };
  },
});

/** Settings of the hosted cluster's own network operator. */
export const networkOperatorParts = [hybridOverlay, ipsec];
