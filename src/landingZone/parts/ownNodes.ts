import type * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../fault";
import { hostedClusterFragment } from "../../dedicatedNodes/fragments";
import { parsedSpec, withSpecFields } from "../../hostedCluster/additionalSpec";
import { isGiven } from "../../objects/places";
import { controlPlaneNamespaceOf } from "../../topology/controlPlaneNamespaceOf";
import { DEFAULT_NAMESPACE } from "../../topology/normalizeTopology";
import { knownPart } from "../../components/checked";
import { whenKnown } from "../../components/whenKnown";
import { LandingZonePart, type HostedClusterLandingZoneArgs } from "../hostedClusterLandingZoneArgs";

/** What confines the control plane to its nodes; undefined where no nodes are its own. */
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
): pulumi.Input<string> {
  const fields = nodeFields(args, made);
  const rest = args.hostedCluster?.additionalSpecJson as pulumi.Input<string>;
  return fields ? whenKnown(rest, (text) => withSpecFields(text as string, fields)) : rest;
}

/** The nodes are said in one place, and so is what the control plane tolerates. */
export function nodesTwice(args: HostedClusterLandingZoneArgs, made: ReadonlySet<LandingZonePart>): Fault[] {
  const written = parsedSpec(knownPart(args.hostedCluster?.additionalSpecJson));
  return Object.keys(nodeFields(args, made) ?? {})
    .filter((field) => isGiven(written[field]))
    .map((field) => ({
      path: "additionalSpecJson",
      problem: `${field} is also said by dedicatedNodes`,
      remedy: "take it out",
    }));
}
