import * as pulumi from "@pulumi/pulumi";
import { FIELD_MANAGER } from "../../objects/hostedClusterReference";
import { MigrationPhase, migrationPhases, MigrationStep } from "../phases";
import { migrationInputFaults, type MigrationInputs, patienceOf } from "../judge";
import { rulesOf } from "../steps";
import { checked, ownOutputs, warn } from "../../components/checked";
import { gated, givenPart, knownPart } from "../../components/settled";
import { sealedKubeconfig } from "../../components/masked";
import { loaderOf, sharedFieldAccessFaults } from "../../components/dynamicProvider";
import type { PhaseSettings, TranslationState } from "./carryOut";

/** A change of the network type of an OpenShift 4.7 cluster from OpenShift SDN to OVN-Kubernetes, or back, phase by phase. */
export interface NetworkTypeMigrationArgs {
  /**
   * The phase to go to. Each phase is a `pulumi up` of its own: `begin`, `pausePools`, `changeNetworkType`, then you restart every
   * node by hand, `resumePools`, `endMigration`, `removeOldNetwork`. The way back has the same steps; the names of its phases begin
   * with `rollBack`. The component reads the cluster before each phase, and refuses the phase if the previous one is not done or the
   * cluster is not ready. Changes are made in place. (Migrating to the OVN-Kubernetes default CNI network provider; Rolling back)
   */
  phase: pulumi.Input<MigrationPhase>;
  /**
   * Confirms that there are recent backups of etcd and of the network's configuration. Defaults to false: `begin` and
   * `changeNetworkType` are refused. Changing it changes nothing by itself. (Migrating to the OVN-Kubernetes default CNI network
   * provider)
   */
  backupsTaken?: pulumi.Input<boolean>;
  /**
   * Confirms that you rewrote for OVN-Kubernetes what it does not take over: egress network policies, egress addresses, multicast.
   * Defaults to false: if the cluster has any of these, `begin` and `changeNetworkType` are refused with a list of them. Pods of
   * egress routers are not found; OVN-Kubernetes does not run them. Changing it changes nothing by itself. (Considerations for
   * migrating to the OVN-Kubernetes network provider)
   */
  translationsPrepared?: pulumi.Input<boolean>;
  /**
   * The smallest MTU of the nodes, in bytes. The MTU of the cluster network is 100 less with OVN-Kubernetes, 50 less with OpenShift
   * SDN. Defaults to the value that follows from the MTU of the present cluster network. Written by the phase that changes the type.
   */
  smallestNodeMtu?: pulumi.Input<number>;
  /**
   * UDP port of Geneve in OVN-Kubernetes. Must differ from the port of VXLAN. Defaults to none: nothing is written, and the operator
   * uses 6081. Written by `changeNetworkType`.
   */
  genevePort?: pulumi.Input<number>;
  /**
   * UDP port of VXLAN in OpenShift SDN. Must differ from the port of Geneve. Defaults to none: nothing is written, and the operator
   * uses 4789. Written by `rollBackNetworkType`.
   */
  vxlanPort?: pulumi.Input<number>;
  /**
   * The cluster network for the new type. Defaults to the present one. It must not overlap 100.64.0.0/16, the service network, which
   * cannot change, or the nodes. Written by the phase that changes the type: on the way back, write the original cluster network
   * here.
   */
  clusterNetwork?: pulumi.Input<pulumi.Input<MigratedClusterNetwork>[]>;
  /**
   * How long a phase waits for its effects, in seconds: for Multus after the change of the type, for the MachineConfigPools after
   * they are resumed. Defaults to 600, and to 7200 for the pools. After that time the phase fails, and the next `pulumi up` waits
   * again without writing anything twice. Changing it changes nothing by itself.
   */
  timeoutSeconds?: pulumi.Input<number>;
  /**
   * A kubeconfig of the cluster, as its content or as the path of a file; a secret. Its user needs the role in `rbac/migration.yaml`.
   * Defaults to that of the default Kubernetes provider: `kubernetes:kubeconfig` in the stack's configuration, else KUBECONFIG, else
   * `~/.kube/config`. Required if the component is given a Kubernetes provider. Changing it changes nothing by itself: the next phase
   * uses it.
   */
  kubeconfig?: pulumi.Input<string>;
  /**
   * The context in that kubeconfig. Defaults to `kubernetes:context` in the stack's configuration, else to the current context.
   * Changing it changes nothing by itself.
   */
  context?: pulumi.Input<string>;
}

/** A range of the cluster network. */
export interface MigratedClusterNetwork {
  /** The range as a CIDR block: `10.128.0.0/14`. */
  cidr: pulumi.Input<string>;
  /** Prefix length of each node's subnet: 23. */
  hostPrefix: pulumi.Input<number>;
}

/** A setting of OpenShift SDN that OVN-Kubernetes does not take over. */
export interface MigrationTranslation {
  /** The object: `EgressNetworkPolicy shop/default`. */
  object: string;
  /** What is lost: `addresses 192.0.2.1`. */
  what: string;
  /** The equivalent in OVN-Kubernetes. */
  instead: string;
}

/**
 * The change of a cluster's network type from OpenShift SDN to OVN-Kubernetes, and the way back, one phase per deployment: for
 * standalone clusters of release 4.7, the only one with this procedure. The state of the cluster decides which phase may be next.
 * Destroying it leaves the cluster as it is. Works only from Node.js programs that depend on this package.
 */
export class NetworkTypeMigration extends pulumi.ComponentResource {
  /** The phase that was carried out. */
  public readonly phase: pulumi.Output<string>;
  /** What the phase wrote, in order. Empty if the phase had been carried out before; only the rest if it had been interrupted. */
  public readonly written: pulumi.Output<string[]>;
  /** What you must do before the next phase, with the commands. */
  public readonly toDo: pulumi.Output<string[]>;
  /** The phase that leads back from here. */
  public readonly wayBack: pulumi.Output<string>;
  /** Settings of OpenShift SDN found in the cluster that you must rewrite by hand; empty on the way back. */
  public readonly translations: pulumi.Output<MigrationTranslation[]>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;

  constructor(name: string, args: NetworkTypeMigrationArgs, opts?: pulumi.ComponentResourceOptions) {
    super("hypershift-network:index:NetworkTypeMigration", name, sealedKubeconfig({ ...args }), opts);
    const inputs = { ...args };
    const check = checked(this, `NetworkTypeMigration ${name}`, inputs, (known) => [
      ...migrationInputFaults(known as MigrationInputs),
      ...sharedFieldAccessFaults(this, "phase", OPERATOR_TYPE, inputs.kubeconfig, "is given"),
    ]);
    const given = givenPart(inputs);
    this.warnings = warn(this, warningsOf(knownPart(given.phase)));
    const done = new NetworkTypePhase(name, phaseInputs(given), gated(this, check));
    const phase = pulumi.all([done.written, given.phase]).apply(([, one]) => one);
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

/** Warnings for a phase. */
function warningsOf(phase: unknown): string[] {
  const known = Object.values(MigrationPhase).find((one) => one === phase);
  if (known === undefined || migrationPhases[known].step !== MigrationStep.ChangeNetworkType) return [];
  return [
    `phase ${known} interrupts the cluster's network: pods lose their connections until every node has been restarted, which you must do by hand`,
  ];
}

/** The name by which the package exports the provider. */
const PROVIDER = "hypershift-network/networkTypeMigration";

/** The inputs of a phase. */
export type PhaseInputs = {
  [Name in keyof PhaseSettings]: pulumi.Input<NonNullable<PhaseSettings[Name]>>;
};

/** The phase of a cluster. Changing the phase is an update in place; deleting this resource changes nothing in the cluster. */
export class NetworkTypePhase extends pulumi.CustomResource {
  /** What the phase wrote. */
  declare public readonly written: pulumi.Output<string[]>;
  /** What the user must rewrite by hand. */
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
