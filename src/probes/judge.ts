import type { Fault } from "../fault";
import { internalSubnetProperties } from "../requirements/internalSubnets";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { egressCluster } from "../objects/egressCluster";
import { entriesOf, isGiven, isList, isMap } from "../resources/read";
import { labelFaults, labelNameFaults, shownText, wordFaults } from "../objects/places";
import { PROBE_NAME_LENGTH } from "./frame";
import { IpFamily } from "./requests";
import { rollOutFaults } from "./objects";

/** What is known of the inputs of a verification of traffic. */
export interface ProbeInputs {
  namespace?: PropertyValue | undefined;
  objectName?: PropertyValue | undefined;
  image?: PropertyValue | undefined;
  imagePullSecret?: PropertyValue | undefined;
  ipFamilies?: PropertyValue | undefined;
  triggers?: PropertyValue | undefined;
  nodeSelector?: PropertyValue | undefined;
  timeoutSeconds?: PropertyValue | undefined;
  topology?: PropertyValue | undefined;
  rollOut?: PropertyValue | undefined;
}

/** What a topology says about a verification of traffic. */
export interface VerifiedTopology {
  normal: NormalizedTopology;
  /** Families of the cluster network. */
  families: IpFamily[];
  /** What a verification has to be repeated for. */
  network: object;
}

/** What the inputs of a verification come to. */
export interface ProbeJudgement {
  /** Absent where none was given, and where it is wrong. */
  topology?: VerifiedTopology;
  faults: Fault[];
}

/** Every rule on the inputs of a verification of traffic. */
export function judgeProbes(inputs: ProbeInputs): ProbeJudgement {
  const { topology, faults } = egressCluster({ topology: inputs.topology });
  return {
    ...(topology && { topology: verified(topology, inputs.topology) }),
    faults: [
      ...probeFaults(inputs),
      ...faults,
      ...rollOutFaults(inputs.rollOut, isGiven(inputs.topology) ? topology : null),
    ],
  };
}

/** Networks as they were given: what follows from other parts of the topology repeats nothing. */
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

/** Least and most seconds of a verification: below, a Job has no time to start; above, no user waits. */
const PROBE_TIMEOUT = { min: 10, max: 3_600 } as const;

/** What is wrong with the inputs of a verification of traffic. */
const probeFaults = (inputs: ProbeInputs): Fault[] => [
  ...labelNameFaults({ path: "namespace", value: inputs.namespace }, "the name of the namespace"),
  ...nameFaults(inputs.objectName),
  ...imageFaults(inputs.image),
  ...(isGiven(inputs.imagePullSecret)
    ? labelNameFaults({ path: "imagePullSecret", value: inputs.imagePullSecret }, "the name of the Secret")
    : []),
  ...familyFaults(inputs.ipFamilies),
  ...triggerFaults(inputs.triggers),
  ...labelFaults({ path: "nodeSelector", value: inputs.nodeSelector }),
  ...timeoutFaults(inputs.timeoutSeconds),
];

function nameFaults(value: PropertyValue | undefined): Fault[] {
  const path = "objectName";
  const faults = labelNameFaults({ path, value }, "the name of the Job");
  if (faults.length > 0 || typeof value !== "string" || value.length <= PROBE_NAME_LENGTH) return faults;
  const problem = `${shownText(value)} has ${value.length} characters, and a digest follows it`;
  return [{ path, problem, remedy: `write at most ${PROBE_NAME_LENGTH}` }];
}

function imageFaults(value: PropertyValue | undefined): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (typeof value === "string" && /^\S+$/.test(value)) return [];
  const remedy = "write it as registry.example.com/name:tag, or leave it out";
  return [{ path: "image", problem: `${shownText(value)} is no image`, remedy }];
}

function familyFaults(value: PropertyValue | undefined): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const path = "ipFamilies";
  const families = Object.values(IpFamily);
  if (!isList(value) || value.length === 0)
    return [
      { path, problem: "is no list of families", remedy: `write one of ${families.join(", ")}, or both` },
    ];
  return value.flatMap((entry, index) => wordFaults({ path: `${path}[${index}]`, value: entry }, families));
}

function triggerFaults(value: PropertyValue | undefined): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value))
    return [{ path: "triggers", problem: "is no list", remedy: "write a list of texts, or leave it out" }];
  return entriesOf(value).flatMap((entry, index) =>
    entry === UNKNOWN || typeof entry === "string"
      ? []
      : [{ path: `triggers[${index}]`, problem: `${shownText(entry)} is no text`, remedy: "write a text" }],
  );
}

function timeoutFaults(value: PropertyValue | undefined): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const { min, max } = PROBE_TIMEOUT;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return [];
  const remedy = `write whole seconds from ${min} to ${max}`;
  return [{ path: "timeoutSeconds", problem: `${shownText(value)} is no time`, remedy }];
}
