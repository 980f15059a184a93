import { judgeDedicatedNodes } from "../../dedicatedNodes/judge";
import { judgeManagementProxy, type ManagementProxyInputs } from "../../proxy/management";
import { judgeIsolation } from "../../isolation/judge";
import { ControlPlaneIsolation } from "../../isolation/component/controlPlaneIsolation";
import type { ControlPlaneIsolationArgs } from "../../isolation/component/controlPlaneIsolationArgs";
import {
  DedicatedControlPlaneNodes,
  PLAIN_NODE_INPUTS,
  taintAccessFaults,
} from "../../dedicatedNodes/component/dedicatedControlPlaneNodes";
import type { DedicatedControlPlaneNodesArgs } from "../../dedicatedNodes/component/dedicatedControlPlaneNodesArgs";
import {
  ManagementClusterProxy,
  managementAccessFaults,
  type ManagementClusterProxyArgs,
} from "../../proxy/component/managementClusterProxy";
import { sentences } from "../../components/checked";
import { LandingZonePart } from "../hostedClusterLandingZoneArgs";
import { PartTarget, partWithSettings, patchedBy, patchingPart } from "./part";

const isolation = partWithSettings({
  part: LandingZonePart.Isolation,
  target: PartTarget.ManagementCluster,
  argsOf: ({ args, made }): ControlPlaneIsolationArgs => ({
    ...args.isolation,
    topology: args.topology,
    ...patchedBy(LandingZonePart.Isolation, args, made),
  }),
  judge: (known, { args, made }) => {
    const { faults, warnings } = judgeIsolation(known);
    const early = made.has(LandingZonePart.HostedCluster) && args.isolation?.namespace === undefined;
    return { faults, warnings: [...sentences(warnings), ...(early ? [NO_NAMESPACE_YET] : [])] };
  },
  create: (name, args, opts) => {
    const policies = new ControlPlaneIsolation(name, args, opts);
    return {
      isolationPolicies: policies.policies,
      podSecurityLabels: policies.podSecurityLabels,
      hostedClusterAnnotations: policies.hostedClusterAnnotations,
    };
  },
});

const NO_NAMESPACE_YET =
  "namespace missing: HyperShift creates the namespace of the control plane after the HostedCluster, and the policies fail until it exists: create the Namespace in this program and write its name, or set isolation in the next deployment";

const managementProxy = partWithSettings({
  part: LandingZonePart.ManagementProxy,
  target: PartTarget.ManagementCluster,
  argsOf: ({ args }): ManagementClusterProxyArgs => ({ ...args.managementProxy, topology: args.topology }),
  judge: (known, { component }, args) => {
    const { faults, warnings } = judgeManagementProxy(known as unknown as ManagementProxyInputs);
    return {
      faults: [...faults, ...managementAccessFaults(component, args)],
      warnings: sentences(warnings),
    };
  },
  create: (name, args, opts) => {
    const { noProxy, missingEntries } = new ManagementClusterProxy(name, args, opts);
    return { managementNoProxy: noProxy, managementNoProxyMissing: missingEntries };
  },
});

const dedicatedNodes = partWithSettings({
  part: LandingZonePart.DedicatedNodes,
  target: PartTarget.ManagementCluster,
  plain: PLAIN_NODE_INPUTS,
  argsOf: ({ args, made }): DedicatedControlPlaneNodesArgs => ({
    ...args.dedicatedNodes,
    topology: args.topology,
    ...patchedBy(LandingZonePart.DedicatedNodes, args, made),
  }),
  judge: (known, { component, args: zone, made }, args) => {
    const { faults, warnings } = judgeDedicatedNodes(known);
    const other = patchingPart(zone, made);
    const unpatched = zone.existingHostedCluster !== undefined && other !== LandingZonePart.DedicatedNodes;
    return {
      faults: [...faults, ...taintAccessFaults(component, args)],
      warnings: [...sentences(warnings), ...(unpatched ? [noSelector(other!)] : [])],
    };
  },
  create: (name, args, opts) => {
    const nodes = new DedicatedControlPlaneNodes(name, args, opts);
    return {
      dedicatedNodeLabels: nodes.nodeLabels,
      dedicatedNodeTaints: nodes.taints,
      dedicatedNodePoolFragment: nodes.nodePoolFragment,
      dedicatedMachineSetFragment: nodes.machineSetFragment,
      dedicatedHostedClusterFragment: nodes.hostedClusterFragment,
    };
  },
});

const noSelector = (other: LandingZonePart): string =>
  `existingHostedCluster gets no node selector: ${other} patches it, and the server accepts only one patch; put the output dedicatedHostedClusterFragment into it`;

/** Parts around the hosted control plane on the management cluster. */
export const controlPlaneParts = [isolation, managementProxy, dedicatedNodes];
