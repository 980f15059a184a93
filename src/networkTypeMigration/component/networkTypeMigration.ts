import * as pulumi from "@pulumi/pulumi";
import { FIELD_MANAGER } from "../../objects/hostedClusterReference";
import { MigrationPhase, migrationPhases, MigrationStep } from "../phases";
import { migrationInputFaults, type MigrationInputs, patienceOf } from "../judge";
import { rulesOf } from "../steps";
import { checked, ownOutputs, warn } from "../../components/checked";
import { gated, knownPart } from "../../components/settled";
import { sealedKubeconfig } from "../../components/masked";
import { loaderOf, sharedFieldAccessFaults } from "../../components/dynamicProvider";
import type { MigrationTranslation, NetworkTypeMigrationArgs } from "./networkTypeMigrationArgs";
import type { PhaseSettings, TranslationState } from "./carryOut";

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
