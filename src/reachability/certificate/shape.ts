import { prefixFaults } from "../../address/parse";
import type { Fault } from "../../fault";
import { isRecord } from "../../collections";

/** The certificate version that this package writes and reads. */
export const VERSION = 2;

/** Returns the faults of a value at a path. */
type Shape = (value: unknown, path: string) => Fault[];

const REMEDY = "recreate it with `hypershift-network certificate`";
const fault = (path: string, problem: string): Fault[] => [{ path, problem, remedy: REMEDY }];

/** Lists all faults in the shape of a certificate. Empty parts are faults, because they would hold for every plan. */
export function certificateFaults(value: unknown): Fault[] {
  if (!isRecord(value)) return fault("certificate", "is not an object");
  if (Number.isInteger(value.version) && value.version !== VERSION)
    return [
      {
        path: "version",
        problem: `${value.version as number} is not supported: this release reads version ${VERSION}`,
        remedy: `${REMEDY} of this release`,
      },
    ];
  return certificate(value, "");
}

/** Whether a value is a certificate that an earlier release wrote: its parts are not checked. */
export const isEarlier = (value: unknown): boolean =>
  isRecord(value) &&
  Number.isInteger(value.version) &&
  Number(value.version) < VERSION &&
  typeof value.cluster === "string" &&
  Array.isArray(value.flows);

const text: Shape = (value, path) =>
  typeof value === "string" && value !== "" ? [] : fault(path, "is not a string");

/** Empty if the whole resource is one rule. */
const propertyPath: Shape = (value, path) =>
  typeof value === "string" ? [] : fault(path, "is not a string");

const number: Shape = (value, path) => (Number.isInteger(value) ? [] : fault(path, "is not a whole number"));

const block: Shape = (value, path) =>
  prefixFaults(path, value).map(({ problem }) => ({ path, problem, remedy: REMEDY }));

const oneOf =
  (...values: readonly string[]): Shape =>
  (value, path) =>
    values.includes(value as string) ? [] : fault(path, `is not one of ${values.join(", ")}`);

const list =
  (entry: Shape, empty?: string): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return fault(path, "is not a list");
    if (empty !== undefined && value.length === 0) return fault(path, `is empty: ${empty}`);
    return value.flatMap((one, position) => entry(one, `${path}[${position}]`));
  };

/** An object with these properties; those whose names end with `?` may be absent. */
const object =
  (properties: Readonly<Record<string, Shape>>): Shape =>
  (value, path) =>
    isRecord(value)
      ? Object.entries(properties).flatMap(([key, shape]) => {
          const name = key.replace("?", "");
          const place = path === "" ? name : `${path}.${name}`;
          if (value[name] === undefined) return key === name ? fault(place, "is missing") : [];
          return shape(value[name], place);
        })
      : fault(path, "is not an object");

/** Protocol number times 65,536 plus the port: a protocol has 8 bits. */
const LAST_SERVICE = 2 ** 24 - 1;

const services: Shape = (value, path) => {
  const [from, to] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : [];
  const isRange = [from, to].every(Number.isInteger) && 0 <= Number(from) && Number(from) <= Number(to);
  return isRange && Number(to) <= LAST_SERVICE
    ? []
    : fault(path, `is not a pair of first and last number up to ${LAST_SERVICE}`);
};

const packets = list(
  object({
    services: list(services, "it matches no packet"),
    sources: list(block, "it matches no packet"),
    destinations: list(block, "it matches no packet"),
  }),
  "it matches no packet",
);

/** The place where a rule is written: a resource of a stack, or an object in a file. */
const written: Shape = (value, path) => {
  const faults = object({
    "urn?": text,
    "file?": text,
    "line?": number,
    "object?": text,
    path: propertyPath,
  })(value, path);
  const isNamed = !isRecord(value) || value.urn !== undefined || value.file !== undefined;
  return isNamed ? faults : [...faults, ...fault(path, "has neither urn nor file")];
};

const certificate = object({
  version: number,
  cluster: text,
  flows: list(
    object({
      journey: text,
      title: text,
      places: list(
        object({
          guard: text,
          packets: oneOf("calls", "answers"),
          direction: oneOf("ingress", "egress"),
          required: packets,
          rules: list(
            object({
              "rule?": written,
              "holder?": list(text),
              "peers?": list(list(text)),
              "assumed?": list(block),
              packets,
            }),
            "no rule allows the packets",
          ),
        }),
        "the path of the flow has no places",
      ),
      outside: list(text),
    }),
    "no flow is proved",
  ),
});
