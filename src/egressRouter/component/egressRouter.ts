import * as pulumi from "@pulumi/pulumi";
import { givenPart } from "../../components/settled";
import { EgressRouterForm, EgressRouterWorkload, OPERATOR_POD_LABEL, routerLabels } from "../egressRouter";
import {
  MAC_ADDRESS_NOTE,
  platformSetup,
  routerVerification,
  parseInterfaceAddress,
  type RouterPlace,
} from "../surroundings";
import { judgeEgressRouter, routerAddresses, type EgressRouterInputs } from "../judge";
import type { Place } from "../../resources/read";
import type { PropertyValue } from "../../resources/resource";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import {
  checked,
  noteOnce,
  ownOutputs,
  plainnessFaults,
  sentences,
  warn,
  whenKnown,
} from "../../components/checked";
import { leafwise, planned, topologyOutput, withoutCredentials } from "../../components/outputs";
import { takenAddressFaults, takenFaults } from "../../components/claims";
import type { EgressRouterArgs, EgressRouterVerification } from "./egressRouterArgs";
import { attachedRouter, egressRouterObject, routerService } from "./egressRouterObjects";

/**
 * A router in redirect mode: pods connect to its Service, and it connects to external servers from a reserved source address. It
 * consists of an EgressRouter object, or of a network attachment and a pod.
 */
export class EgressRouter extends pulumi.ComponentResource {
  /** The reserved source address, without prefix length. */
  public readonly sourceAddress: pulumi.Output<string>;
  /** Name of the Service to which pods connect. */
  public readonly serviceName: pulumi.Output<string>;
  /** Host name of the Service inside the cluster: `egress.shop.svc`. */
  public readonly serviceHost: pulumi.Output<string>;
  /** The configuration of the CNI plug-in, as JSON. Absent if the Cluster Network Operator writes it. */
  public readonly networkAttachment?: pulumi.Output<string>;
  /** What you must do outside the cluster so that the platform does not drop the router's frames. */
  public readonly platformSetup: pulumi.Output<string[]>;
  /** How to verify that the router has its second interface and that traffic leaves through it. */
  public readonly verification: pulumi.Output<EgressRouterVerification>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults, without credentials, for policies and reports. Absent if none was given. */
  public readonly topology?: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: EgressRouterArgs, opts?: pulumi.ComponentResourceOptions) {
    const shown = args?.topology ? { ...args, topology: withoutCredentials(args.topology) } : args;
    super("hypershift-network:index:EgressRouter", name, shown, opts);
    const inputs = { ...args, objectName: args?.objectName ?? name };
    const subject = `EgressRouter ${name}`;
    const check = checked(this, subject, inputs, (known) => [
      ...PLAIN_EGRESS_ROUTER_INPUTS.flatMap((input) => plainnessFaults(input, inputs[input])),
      ...judgement(known).faults,
      ...takenFaults(this, subject, ownPlace(known), "an egress router"),
      ...takenAddressFaults(this, subject, "address", routerAddresses(known as EgressRouterInputs)),
    ]);
    const given = givenPart(inputs);
    const { cluster, form, warnings } = judgement(planned(given));
    this.warnings = warn(this, sentences(warnings));
    noteOnce(this, MAC_ADDRESS_NOTE);

    const { objectName } = given;
    const address = whenKnown(given.address, (text) => interfaceOf(text)?.text ?? (text as string));
    const frame = { name, parent: this, check, objectName, address, release: cluster.release };
    const ofOperator = form === EgressRouterForm.CustomResource;
    const attached = ofOperator ? undefined : attachedRouter(frame, given);
    const router = attached?.workload ?? egressRouterObject(frame, given);
    const labels = whenKnown(objectName, (known) => routerLabels(known as string));
    routerService(frame, given, ofOperator ? OPERATOR_POD_LABEL : labels, router);

    const { namespace, gateway, workload = EgressRouterWorkload.Deployment } = given;
    const place = pulumi
      .all([namespace, objectName, address, gateway])
      .apply(([where, what, own, hop]): RouterPlace => ({
        namespace: where,
        name: what,
        address: own,
        gateway: hop,
        form,
        workload,
      }));
    this.sourceAddress = pulumi.output(address).apply((text) => text.split("/")[0]!);
    this.serviceName = pulumi.output(given.serviceName ?? objectName);
    this.serviceHost = pulumi.interpolate`${this.serviceName}.${namespace}.svc`;
    if (attached) this.networkAttachment = pulumi.output(attached.config);
    this.platformSetup = place.apply((known) => platformSetup(known, cluster.platform));
    this.verification = place.apply(routerVerification);
    if (given.topology) this.topology = leafwise(topologyOutput(given.topology, cluster.topology!));
    this.registerOutputs(ownOutputs(this));
  }
}

/** Inputs that must be plain values: they decide what is created, or others are checked against them. */
export const PLAIN_EGRESS_ROUTER_INPUTS = [
  "form",
  "workload",
  "topology",
  "platform",
  "release",
  "acceptUnsupportedPlatform",
] as const;

const judgement = (known: unknown) => judgeEgressRouter(known as EgressRouterInputs);

function interfaceOf(text: unknown) {
  const read = parseInterfaceAddress(text);
  return read.problem === undefined ? read : undefined;
}

/** The place of which there can be only one router: the namespace for EgressRouter objects, else the name in its namespace. */
function ownPlace(known: PropertyValue): Place {
  const { namespace, objectName } = known as EgressRouterInputs;
  const { form } = judgement(known);
  if (form === EgressRouterForm.CustomResource) return { path: "namespace", value: namespace };
  const whole = typeof namespace === "string" && typeof objectName === "string";
  return { path: "objectName", value: whole ? `${namespace}/${objectName}` : undefined };
}
