import type { Fault } from "../fault";
import type { ObjectForm } from "../requirements/hostedCluster/forms";
import { internalSubnetProperties, ROLL_OUT_SECONDS } from "../requirements/internalSubnets";
import type { PropertyValue } from "../resources/resource";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { egressCluster } from "../objects/egressCluster";
import { type Found, isGiven, isMap } from "../resources/read";
import { labelNameFaults, shownText } from "../objects/places";
import {
  type Fields,
  hiddenText,
  inputFaults,
  labelName,
  labels,
  leaf,
  list,
  needed,
  number,
  object,
  ONE_AT_LEAST,
  plain,
  text,
  word,
} from "../objects/shape";
import { PROBE_NAME_LENGTH } from "./frame";
import { IpFamily, rollOutSubnets } from "./objects";

/** The known inputs of a traffic verification. */
export type ProbeInputs = {
  readonly [input in keyof typeof INPUTS | "topology"]?: PropertyValue | undefined;
};

/** The parts of a topology that a traffic verification uses. */
export interface VerifiedTopology {
  normal: NormalizedTopology;
  /** Families of the cluster network. */
  families: IpFamily[];
  /** The properties whose change requires a new verification. */
  network: object;
}

/** The result of checking the inputs of a verification. */
export interface ProbeJudgement {
  /** Absent if none was given, or if it is wrong. */
  topology?: VerifiedTopology;
  faults: Fault[];
}

/** Checks every rule on the inputs of a traffic verification. */
export function judgeProbes(inputs: ProbeInputs): ProbeJudgement {
  const { topology, faults } = egressCluster({ topology: inputs.topology });
  return {
    ...(topology && { topology: verified(topology, inputs.topology) }),
    faults: [
      ...inputFaults(INPUTS, inputs),
      ...faults,
      ...(isGiven(inputs.rollOut) ? rollOutFaults(isGiven(inputs.topology) ? topology : null) : []),
    ],
  };
}

/** Properties as given: values derived from other parts of the topology require no new verification. */
const REPEATED_FOR = [
  "release",
  "machineNetwork",
  "clusterNetwork",
  "serviceNetwork",
  ...internalSubnetProperties,
] as const;

function verified(normal: NormalizedTopology, raw: PropertyValue | undefined): VerifiedTopology {
  const families = normal.clusterNetwork.map(({ prefix }) =>
    prefix.family === 4 ? IpFamily.IPv4 : IpFamily.IPv6,
  );
  const given = isMap(raw) ? raw : {};
  const network = Object.fromEntries(REPEATED_FOR.map((property) => [property, given[property] ?? null]));
  return { normal, families: [...new Set(families)], network };
}

/** The fewest and most seconds of a verification: with fewer, a Job has no time to start; with more, no user waits. */
const PROBE_TIMEOUT = { min: 10, max: 3_600 } as const;

const image: ObjectForm = {
  matches: (text) => /^\S+$/.test(text),
  name: "an image",
  remedy: "write it as registry.example.com/name:tag, or leave it out",
};
const families = Object.values(IpFamily);
const seconds = ({ min, max }: { min: number; max: number }) =>
  number({ range: { min, max }, remedy: `write whole seconds from ${min} to ${max}` });

const PLAIN = "write a plain value: it decides what the deployment waits for";

/** The rules on single inputs. */
const INPUTS = {
  namespace: needed(labelName, "write the name of the namespace"),
  objectName: needed(leaf(jobNameFaults), "write the name of the Job"),
  image: text({ form: image }),
  imagePullSecret: labelName,
  ipFamilies: list(word(families), {
    size: ONE_AT_LEAST,
    remedy: `write a list of ${families.join(", ")}, or both`,
  }),
  triggers: list(text(), { remedy: "write a list of texts, or leave it out" }),
  nodeSelector: labels,
  timeoutSeconds: seconds(PROBE_TIMEOUT),
  rollOut: plain(
    object({
      kubeconfig: hiddenText({ size: ONE_AT_LEAST }),
      context: hiddenText({ size: ONE_AT_LEAST }),
      timeoutSeconds: plain(seconds(ROLL_OUT_SECONDS), PLAIN),
    }),
    PLAIN,
  ),
} satisfies Fields;

function jobNameFaults(place: Found): Fault[] {
  const { path, value } = place;
  const faults = labelNameFaults(place);
  if (faults.length > 0 || typeof value !== "string" || value.length <= PROBE_NAME_LENGTH) return faults;
  const problem = `${shownText(value)} has ${value.length} characters, and a digest is appended to it`;
  return [{ path, problem, remedy: `write at most ${PROBE_NAME_LENGTH}` }];
}

/**
 * Faults of the topology of a verification that waits for a roll-out.
 *
 * @param topology null if none is given, undefined if it is wrong
 */
function rollOutFaults(topology: NormalizedTopology | null | undefined): Fault[] {
  if (topology === undefined) return [];
  const remedy = `write one of ${internalSubnetProperties.join(", ")} into it, or leave rollOut out`;
  if (topology === null)
    return [{ path: "topology", problem: "missing, but rollOut waits for its subnets", remedy }];
  const isSaid = (property: string) => topology.unknown.includes(property);
  if (Object.keys(rollOutSubnets(topology)).length > 0 || internalSubnetProperties.some(isSaid)) return [];
  return [{ path: "topology", problem: "has no internal subnet that rollOut could wait for", remedy }];
}
