import * as core from "@pulumi/kubernetes/core/v1";
import * as batch from "@pulumi/kubernetes/batch/v1";
import * as pulumi from "@pulumi/pulumi";
import {
  IpFamily,
  trafficRequests,
  type ProbeRequest,
  probeService,
  serverNames,
  serverPod,
  rollOutSubnets,
} from "../../probes/objects";
import { ProbeManager, probeName, type ProbeFrame } from "../../probes/frame";
import { judgeProbes, type ProbeInputs } from "../../probes/judge";
import type { PropertyValue } from "../../resources/resource";
import { PROBE, PROBE_IMAGE } from "../../requirements/probes";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { checked, ownOutputs, plainnessFaults, whenKnown } from "../../components/checked";
import { leafwise, topologyOutput, withoutCredentials } from "../../components/outputs";
import { gated, givenPart, knownPart } from "../../components/settled";
import { sealedKubeconfig } from "../../components/masked";
import type { OvnSubnetVerificationArgs, VerificationRequest } from "./ovnSubnetArgs";
import { afterRollOut, made, verificationJob, within } from "./rollOut";

/**
 * Two pods on two nodes, a Service in front of both, and a Job that queries each of them over every address family. The
 * deployment fails if the Job fails, and the next one repeats it. Changed inputs create new objects: a proof from before a
 * change proves nothing after it. The Job proves the network as it is while it runs. In the `pulumi up` that changes an
 * OvnSubnetConfig, that is the network before the change, unless `rollOut` lets it wait. Without `rollOut`, change a trigger in
 * a later `pulumi up`, once `hypershift-network verify` reports that the roll-out is over. The two pods stay until they are
 * destroyed, and do not keep the cluster autoscaler from removing their nodes. The smallest role for the user of its provider
 * is rbac/ovn-subnet-verification.yaml; with `rollOut` its kubeconfig needs rbac/verify-hosted.yaml.
 */
export class OvnSubnetVerification extends pulumi.ComponentResource {
  /** Name of the Job, with a digest of the inputs. */
  public readonly jobName: pulumi.Output<string>;
  /** The requests that the Job makes. */
  public readonly requests: pulumi.Output<VerificationRequest[]>;
  /** The topology with its defaults and without credentials, for policies and reports. Absent if none was given. */
  public readonly topology?: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: OvnSubnetVerificationArgs, opts?: pulumi.ComponentResourceOptions) {
    const shown = {
      ...args,
      ...(args?.topology && { topology: withoutCredentials(args.topology) }),
      ...(args?.rollOut && { rollOut: sealedKubeconfig(args.rollOut) }),
    };
    super("hypershift-network:index:OvnSubnetVerification", name, shown, opts);
    const inputs = { ...args, objectName: args?.objectName ?? name };
    const subject = `OvnSubnetVerification ${name}`;
    const check = checked(this, subject, inputs, (known) => [
      ...PLAIN_VERIFICATION_INPUTS.flatMap((input) => plainnessFaults(input, inputs[input])),
      ...judgement(known).faults,
    ]);
    const given = givenPart(inputs);
    const { topology } = judgement(knownPart(given));
    const families = given.ipFamilies ?? topology?.families;
    const timeout = given.timeoutSeconds ?? PROBE.timeoutSeconds;

    const frame = frameOf(given, { families, timeout, network: topology?.network });
    const { rollOut } = given;
    const wanted = topology && rollOutSubnets(topology.normal);
    const awaited = rollOut &&
      wanted && { hooks: afterRollOut({ component: this, subject, rollOut, wanted }) };
    const service = new core.Service(
      name,
      // The Job queries it repeatedly until every node knows its pods.
      made(frame, probeService, { "pulumi.com/skipAwait": "true" }),
      { ...gated(this, check), ...awaited },
    );
    const pods = ORDINALS.map((ordinal, index) => {
      const pod = made(frame, (one) => serverPod(one, serverNames(one.name)[index]!), {
        // Only some providers wait for pods, and the pod addresses are needed.
        "pulumi.com/waitFor": "condition=Ready",
        ...within(timeout),
      });
      // After the Service, so that only one resource reports what it waits for.
      const after = gated(this, check, [service]);
      return new core.Pod(`${name}-${ordinal}`, pod, { ...after, ...awaited });
    });
    const requests = requestsOf(pods, service, families);
    const job = new batch.Job(name, verificationJob(frame, requests, timeout), {
      ...gated(this, check, [...pods, service]),
      ...awaited,
    });

    this.jobName = job.metadata.name;
    this.requests = requests.apply((all) =>
      all.map(({ id, address, port }) => ({ id, ...(address !== undefined && { address }), port })),
    );
    if (given.topology) this.topology = leafwise(topologyOutput(given.topology, topology!.normal));
    this.registerOutputs(ownOutputs(this));
  }
}

/** Inputs that decide what the Job queries. */
const PLAIN_VERIFICATION_INPUTS = ["topology", "ipFamilies", "timeoutSeconds"] as const;

const ORDINALS = ["one", "two"] as const;

const judgement = (known: PropertyValue) => judgeProbes(known as ProbeInputs);

/** What the objects share. Its name changes with everything that is verified. */
function frameOf(
  { objectName, namespace, image, imagePullSecret, nodeSelector, triggers }: OvnSubnetVerificationArgs,
  verified: object,
): ProbeFrame | pulumi.Output<ProbeFrame> {
  const inputs = {
    objectName,
    namespace,
    image: image ?? PROBE_IMAGE,
    imagePullSecret,
    nodeSelector,
    triggers,
  };
  return whenKnown(inputs, (plain) => {
    const { objectName: base, triggers: repeated, ...frame } = plain as typeof inputs;
    const known = frame as unknown as Omit<ProbeFrame, "name" | "manager">;
    const name = probeName(base as string, { ...known, ...verified, repeated });
    return { ...known, name, manager: ProbeManager.Component };
  });
}

/** The requests, once the pods have addresses. */
const requestsOf = (
  pods: readonly core.Pod[],
  service: core.Service,
  families: readonly IpFamily[] | undefined,
): pulumi.Output<ProbeRequest[]> =>
  pulumi
    .all([pods.map(({ status }) => status), pods.map(({ metadata }) => metadata.name), service.spec])
    .apply(([statuses, names, spec]) =>
      trafficRequests(
        [
          ...statuses.map((status, index) => ({
            id: `pod-to-pod/${ORDINALS[index]}`,
            addresses: (status?.podIPs ?? []).map(({ ip }) => ip),
            port: PROBE.targetPort,
            answers: [names[index]!],
          })),
          {
            id: "pod-to-service",
            addresses: spec?.clusterIPs ?? [],
            port: PROBE.servicePort,
            answers: names,
          },
        ],
        families,
      ),
    );
