import * as pulumi from "@pulumi/pulumi";
import { FIELD_MANAGER } from "../../objects/hostedClusterReference";
import { MigrationPhase, migrationPhases, MigrationStep } from "../phases";
import { migrationInputFaults, type MigrationInputs, patienceOf } from "../judge";
import { rulesOf } from "../steps";
import { checked, ownOutputs, warn } from "../../components/checked";
import { gated, knownPart } from "../../components/settled";
import { sealedKubeconfig } from "../../components/masked";
import { loaderOf, sharedFieldAccessFaults } from "../../components/dynamicProvider";
import type { PhaseSettings, TranslationState } from "./carryOut";

/**
 * A change of the network type of a cluster of OpenShift 4.7 from OpenShift SDN to OVN-Kubernetes, or back, phase by phase.
 */
export interface NetworkTypeMigrationArgs {
  /**
   * The phase to go to. Each is a `pulumi up` of its own: `begin`, `pausePools`, `changeNetworkType`, then every node is
   * restarted by hand, `resumePools`, `endMigration`, `removeOldNetwork`. The way back has the same steps, which begin with
   * `rollBack`. Before each, the cluster is read; it is refused where the one before it is not done, or the cluster is not
   * ready for it. Changes are made in place. (Migrating to the OVN-Kubernetes default CNI network provider; Rolling back)
   */
  phase: pulumi.Input<MigrationPhase>;
  /**
   * Says that there are recent backups of etcd and of the network's configuration. Defaults to false, with which `begin` and
   * `changeNetworkType` are refused. Changing it changes nothing by itself. (Migrating to the OVN-Kubernetes default CNI
   * network provider)
   */
  backupsTaken?: pulumi.Input<boolean>;
  /**
   * Says that what OVN-Kubernetes does not take over is written anew for it: egress network policies, egress addresses,
   * multicast. Defaults to false: where the cluster has any of it, `begin` and `changeNetworkType` are refused with a list of
   * it. Pods of egress routers are not found; OVN-Kubernetes does not run them. Changing it changes nothing by itself.
   * (Considerations for migrating to the OVN-Kubernetes network provider)
   */
  translationsPrepared?: pulumi.Input<boolean>;
  /**
   * The MTU in bytes of the node that has the smallest. The cluster network gets 100 less with OVN-Kubernetes, 50 less with
   * OpenShift SDN. Defaults to what the MTU of the present cluster network leaves room for. Written with the phase that
   * changes the type.
   */
  smallestNodeMtu?: pulumi.Input<number>;
  /**
   * UDP port of OVN-Kubernetes' Geneve. Defaults to none: nothing is written, and the operator uses 6081. Not the port of
   * VXLAN. Written by `changeNetworkType`.
   */
  genevePort?: pulumi.Input<number>;
  /**
   * UDP port of OpenShift SDN's VXLAN. Defaults to none: nothing is written, and the operator uses 4789. Not the port of
   * Geneve. Written by `rollBackNetworkType`.
   */
  vxlanPort?: pulumi.Input<number>;
  /**
   * The cluster network that the new type gets. Defaults to the present one. It stays apart from 100.64.0.0/16, from the
   * service network, which cannot change, and from the nodes. Written with the phase that changes the type: on the way back
   * write the first one here.
   */
  clusterNetwork?: pulumi.Input<pulumi.Input<MigratedClusterNetwork>[]>;
  /**
   * How long in seconds a phase waits for what it brings about: Multus after the change of the type, the MachineConfigPools
   * after they run again. Defaults to 600, for the pools to 7200. Then it fails, and the next `pulumi up` waits again without writing anything
   * twice. Changing it changes nothing by itself.
   */
  timeoutSeconds?: pulumi.Input<number>;
  /**
   * A kubeconfig of the cluster, its content or the path of a file; a secret. Its user needs the role in
   * `rbac/migration.yaml`. Defaults to the one of the default Kubernetes provider: `kubernetes:kubeconfig` in the stack's
   * configuration, else KUBECONFIG, else `~/.kube/config`. Needed where the component is given a Kubernetes provider.
   * Changing it changes nothing by itself: the next phase goes there.
   */
  kubeconfig?: pulumi.Input<string>;
  /**
   * The context in that kubeconfig. Defaults to `kubernetes:context` in the stack's configuration, else to the current one.
   * Changing it changes nothing by itself.
   */
  context?: pulumi.Input<string>;
}

/** A part of the cluster network. */
export interface MigratedClusterNetwork {
  /** The range as a CIDR block: `10.128.0.0/14`. */
  cidr: pulumi.Input<string>;
  /** Prefix length of each node's part: 23. */
  hostPrefix: pulumi.Input<number>;
}

/** Something of OpenShift SDN that OVN-Kubernetes does not take over. */
export interface MigrationTranslation {
  /** The object: `EgressNetworkPolicy shop/default`. */
  object: string;
  /** What of it gets lost: `addresses 192.0.2.1`. */
  what: string;
  /** What does the same with OVN-Kubernetes. */
  instead: string;
}

/**
 * The change of a cluster's network type from OpenShift SDN to OVN-Kubernetes, and the way back, one phase with each
 * deployment: for standalone clusters of release 4.7, the only one with this procedure. Which phase may be next the cluster
 * itself says. Destroying it leaves the cluster as it is. Works from Node.js programs that have this package among their
 * dependencies.
 */
export class NetworkTypeMigration extends pulumi.ComponentResource {
  /** The phase that was carried out. */
  public readonly phase: pulumi.Output<string>;
  /**
   * What the phase wrote, in its order; nothing where it had been carried out, of a phase that was cut off what was left.
   */
  public readonly written: pulumi.Output<string[]>;
  /** What a person has to do before the next phase, with the commands. */
  public readonly toDo: pulumi.Output<string[]>;
  /** The phase that leads back from here. */
  public readonly wayBack: pulumi.Output<string>;
  /** What of OpenShift SDN has to be written anew by hand, as it was found in the cluster; nothing on the way back. */
  public readonly translations: pulumi.Output<MigrationTranslation[]>;
  /** What works, but probably not as meant, as far as it shows before anything is made. */
  public readonly warnings: pulumi.Output<string[]>;

  constructor(name: string, args: NetworkTypeMigrationArgs, opts?: pulumi.ComponentResourceOptions) {
    super("hypershift-network:index:NetworkTypeMigration", name, sealedKubeconfig({ ...args }), opts);
    const inputs = { ...args };
    const check = checked(this, `NetworkTypeMigration ${name}`, inputs, (known) => [
      ...migrationInputFaults(known as MigrationInputs),
      ...sharedFieldAccessFaults(this, "phase", OPERATOR_TYPE, inputs.kubeconfig, "is given"),
    ]);
    this.warnings = warn(this, warningsOf(knownPart(inputs.phase)));
    const done = new NetworkTypePhase(name, phaseInputs(inputs), gated(this, check));
    const phase = pulumi.all([done.written, inputs.phase]).apply(([, one]) => one);
    this.phase = phase;
    this.written = done.written;
    this.toDo = phase.apply((one) => [...rulesOf(one).person]);
    this.wayBack = phase.apply((one) => rulesOf(one).wayBack as string);
    this.translations = done.translations;
    this.registerOutputs(ownOutputs(this));
  }
}

const OPERATOR_TYPE = "kubernetes:operator.openshift.io/v1:Network";

/** The inputs of the resource, without those that are not given. */
function phaseInputs(args: NetworkTypeMigrationArgs): PhaseInputs {
  const { timeoutSeconds, ...rest } = args;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as unknown as PhaseInputs),
    timeoutSeconds: timeoutSeconds ?? pulumi.output(args.phase).apply(patienceOf),
    fieldManager: FIELD_MANAGER.migration,
  };
}

/** What a user who goes to a phase should know. */
function warningsOf(phase: unknown): string[] {
  const known = Object.values(MigrationPhase).find((one) => one === phase);
  if (known === undefined || migrationPhases[known].step !== MigrationStep.ChangeNetworkType) return [];
  return [
    `phase ${known} cuts the cluster's network: pods lose their connections until every node has been restarted, which a person does`,
  ];
}

/** By this name the package exports the provider. */
const PROVIDER = "hypershift-network/networkTypeMigration";

/** What a phase is made of. */
export type PhaseInputs = {
  [Name in keyof PhaseSettings]: pulumi.Input<NonNullable<PhaseSettings[Name]>>;
};

/** The phase that a cluster is in. Another phase is an update in place; deleting it changes nothing in the cluster. */
export class NetworkTypePhase extends pulumi.CustomResource {
  /** What the phase wrote. */
  declare public readonly written: pulumi.Output<string[]>;
  /** What the user has to write anew. */
  declare public readonly translations: pulumi.Output<TranslationState[]>;

  constructor(name: string, inputs: PhaseInputs, opts?: pulumi.CustomResourceOptions) {
    const { kubeconfig, ...settings } = inputs;
    super(
      "pulumi-nodejs:dynamic/hypershift-network:NetworkTypePhase",
      name,
      {
        ...settings,
        ...(kubeconfig !== undefined && { kubeconfig: pulumi.secret(kubeconfig) }),
        written: undefined,
        translations: undefined,
        __provider: loaderOf(PROVIDER),
      },
      pulumi.mergeOptions({ additionalSecretOutputs: ["kubeconfig"] }, opts),
    );
  }
}
