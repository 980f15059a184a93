import type * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../fault";
import type { PropertyMap } from "../../resources/read";
import { UNKNOWN } from "../../resources/resource";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { planned } from "../../components/outputs";
import { plainnessFaults } from "../../components/checked";
import type { NetworkOperatorFragment } from "../../networkOperator/component/networkOperatorArgs";
import type { OvnSubnetFragment } from "../../ovnSubnets/component/ovnSubnetArgs";
import type { ProxyFragment } from "../../proxy/component/proxyConfigArgs";
import { type HostedClusterLandingZoneArgs, LandingZonePart } from "../hostedClusterLandingZoneArgs";
import { podSecurityOverride } from "../../requirements/podIsolation";
import type { HostedClusterReference } from "../../components/hostedClusterPatch";

/** Where the resources of a part are created. */
export enum PartTarget {
  Aws = "AWS",
  ManagementCluster = "management cluster",
  HostedCluster = "hosted cluster",
}

/** A landing zone while its parts are judged and created. */
export interface ZoneContext {
  name: string;
  component: pulumi.ComponentResource;
  args: HostedClusterLandingZoneArgs;
  /** The parts that are created. */
  made: ReadonlySet<LandingZonePart>;
}

/** Outputs that earlier parts hand to later ones. */
export interface Handover {
  ovnSubnetFragment?: pulumi.Output<OvnSubnetFragment>;
  proxyFragment?: pulumi.Output<ProxyFragment>;
  networkOperatorFragment?: pulumi.Output<NetworkOperatorFragment>;
}

/** The result of judging the inputs of a part. Paths are those of the part's component. */
export interface PartJudgement {
  faults: readonly Fault[];
  /** Sentences that begin with a path. */
  warnings: readonly string[];
  /** Names and addresses that two entries must not share. */
  unique?: readonly UniqueEntry[];
}

/** A name or address that only one entry may have. */
export interface UniqueEntry {
  /** The kind, as written in the fault: `an egress firewall`. */
  what: string;
  path: string;
  /** The name or address of the entry: `shop`. */
  value: string;
}

/** Decides from plain values and from which inputs are given, never from the value of an Output. */
export type LeftOutBecause = (
  args: HostedClusterLandingZoneArgs,
  topology: NormalizedTopology | undefined,
) => string | undefined;

/** Why a part that depends on a refused topology is not created. */
export const UNREADABLE = "the topology cannot be read";

/** A part of a landing zone and what it adds to the outputs of the zone. */
export interface Part<Outputs extends object = object> {
  part: LandingZonePart;
  target: PartTarget;
  /** Whether its input has entries by key, each with its own component. */
  keyed: boolean;
  /** Whether the entries are values instead of settings. */
  valued: boolean;
  /** Why the part is not created if its input is not given. */
  unasked: LeftOutBecause;
  judge: (zone: ZoneContext) => PartJudgement;
  create: (zone: ZoneContext, opts: pulumi.ComponentResourceOptions, earlier: Handover) => Outputs;
}

/** A part with one component, whose input holds its settings. */
interface PartWithSettings<Args, Outputs extends object> {
  part: LandingZonePart;
  target: PartTarget;
  /** Defaults to the reason that its settings are not given. */
  unasked?: LeftOutBecause;
  /** Inputs that must be plain values: an Output resolves too late for them. */
  plain?: readonly string[];
  argsOf: (zone: ZoneContext, earlier: Handover) => Args;
  judge: (known: PropertyMap, zone: ZoneContext, args: Args) => PartJudgement;
  create: (name: string, args: Args, opts: pulumi.ComponentResourceOptions) => Outputs;
}

export function partWithSettings<Args extends object, Outputs extends object>({
  argsOf,
  plain,
  judge,
  create,
  unasked = () => "its settings are not given",
  ...frame
}: PartWithSettings<Args, Outputs>): Part<Outputs> {
  return {
    ...frame,
    unasked,
    keyed: false,
    valued: false,
    judge: (zone) => {
      const args = argsOf(zone, promisedTo(zone));
      return plainly(args, plain, judge(planned(args), zone, args));
    },
    create: (zone, opts, earlier) => create(zone.name, argsOf(zone, earlier), opts),
  };
}

/** A part with a component for each entry. */
interface PartWithEntries<Entry, Args, Component, Outputs extends object> {
  part: LandingZonePart;
  target: PartTarget;
  valued?: boolean;
  /** Inputs that must be plain values: an Output resolves too late for them. */
  plain?: readonly string[];
  argsOf: (args: HostedClusterLandingZoneArgs, key: string, entry: Entry) => Args;
  judge: (known: PropertyMap) => PartJudgement;
  create: new (name: string, args: Args, opts: pulumi.ComponentResourceOptions) => Component;
  outputsOf: (made: Readonly<Record<string, Component>>) => Outputs;
}

export function partWithEntries<Entry, Args extends object, Component, Outputs extends object>({
  argsOf,
  plain,
  judge,
  create: Component,
  outputsOf,
  ...frame
}: PartWithEntries<Entry, Args, Component, Outputs>): Part<Outputs> {
  const entriesIn = ({ args }: ZoneContext) =>
    Object.entries((args[frame.part] ?? {}) as Readonly<Record<string, Entry>>);
  return {
    valued: false,
    ...frame,
    keyed: true,
    unasked: () => "none is given",
    judge: (zone) =>
      joined(
        entriesIn(zone).map(([key, entry]) => {
          const args = argsOf(zone.args, key, entry);
          return inEntry(key, plainly(args, plain, judge(planned(args))));
        }),
      ),
    create: (zone, opts) => {
      const made = entriesIn(zone).map(
        ([key, entry]) =>
          [key, new Component(`${zone.name}-${key}`, argsOf(zone.args, key, entry), opts)] as const,
      );
      return outputsOf(Object.fromEntries(made));
    },
  };
}

/** Adds faults for Outputs where plain values are required, in place of all other faults of those inputs. */
function plainly(
  args: object,
  plain: readonly string[] = [],
  { faults, ...rest }: PartJudgement,
): PartJudgement {
  const given = args as Readonly<Record<string, unknown>>;
  const eventual = plain
    .filter((input) => input !== "topology")
    .flatMap((input) => plainnessFaults(input, given[input]));
  const said = new Set(eventual.map(({ path }) => path));
  return { ...rest, faults: [...eventual, ...faults.filter(({ path }) => !said.has(path))] };
}

/** The outputs that earlier parts hand over, before anything is created. */
const promises: { readonly [part in LandingZonePart]?: keyof Handover } = {
  [LandingZonePart.OvnSubnets]: "ovnSubnetFragment",
  [LandingZonePart.Proxy]: "proxyFragment",
  [LandingZonePart.HybridOverlay]: "networkOperatorFragment",
};

function promisedTo({ made }: ZoneContext): Handover {
  const promised = [...made].flatMap((part) => (promises[part] ? [[promises[part], UNKNOWN]] : []));
  return Object.fromEntries(promised) as Handover;
}

const inEntry = (key: string, { faults, warnings, unique = [] }: PartJudgement): PartJudgement => ({
  faults: faults.map((fault) => ({ ...fault, path: below(key, fault.path) })),
  warnings: warnings.map((warning) => below(key, warning)),
  unique: unique.map((one) => ({ ...one, path: below(key, one.path) })),
});

/** The topology is at the top level, whichever part reports it. */
export const below = (place: string, path: string): string =>
  /^topology\b/.test(path) ? path : path === "" ? place : `${place}.${path}`;

export const joined = (judgements: readonly PartJudgement[]): Required<PartJudgement> => ({
  faults: judgements.flatMap(({ faults }) => faults),
  warnings: judgements.flatMap(({ warnings }) => warnings),
  unique: judgements.flatMap(({ unique = [] }) => unique),
});

/** Inputs without undefined properties: a part would otherwise treat them as given. */
export function given<T extends object>(inputs: T): { [key in keyof T]: Exclude<T[key], undefined> } {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined)) as never;
}

/** Parts that patch an existing HostedCluster: the first one that is created patches it for the others too. */
const PATCHING = [
  LandingZonePart.Proxy,
  LandingZonePart.OvnSubnets,
  LandingZonePart.Isolation,
  LandingZonePart.DedicatedNodes,
] as const;

/** The annotation that isolation requires on the HostedCluster. */
export const annotationsOf = (
  { isolation }: HostedClusterLandingZoneArgs,
  made: ReadonlySet<LandingZonePart>,
): Record<string, string> | undefined =>
  made.has(LandingZonePart.Isolation) && isolation?.podSecurityLevel !== undefined
    ? podSecurityOverride(isolation.podSecurityLevel)
    : undefined;

/** The part that makes the patch. */
export function patchingPart(
  args: HostedClusterLandingZoneArgs,
  made: ReadonlySet<LandingZonePart>,
): LandingZonePart | undefined {
  const annotates = annotationsOf(args, made) !== undefined;
  return PATCHING.find((one) => made.has(one) && (one !== LandingZonePart.Isolation || annotates));
}

/** The inputs about an existing HostedCluster for the part that patches it: one object accepts one patch. */
export function patchedBy(
  part: (typeof PATCHING)[number],
  args: HostedClusterLandingZoneArgs,
  made: ReadonlySet<LandingZonePart>,
): { existingHostedCluster?: HostedClusterReference; hostedClusterAnnotations?: Record<string, string> } {
  const { existingHostedCluster } = args;
  if (existingHostedCluster === undefined || patchingPart(args, made) !== part) return {};
  const takesAnnotations = part === LandingZonePart.Proxy || part === LandingZonePart.OvnSubnets;
  const hostedClusterAnnotations = takesAnnotations ? annotationsOf(args, made) : undefined;
  return given({ existingHostedCluster, hostedClusterAnnotations });
}
