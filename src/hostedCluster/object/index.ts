import { grouped, onceForEach, onceIn } from "../../collections";
import { elsewhere, judgeShape, type Shape, tableShape } from "../../objects/shape";
import {
  type HostedClusterField,
  judgedFields,
  namedFields,
  type ObjectField,
  type ObjectRule,
} from "../../requirements/hostedCluster";
import {
  networkConfigFields,
  networkObjectFields,
  networkOperatorNames,
  nodePoolFields,
  userNetworkFields,
} from "../../requirements/networkObjectFields";
import { entriesOf, isGiven, isList, isMap, type Place, readValue } from "../../resources/read";
import type { PropertyValue, Resource } from "../../resources/resource";
import {
  isClusterProxy,
  isClusterScoped,
  isHostedCluster,
  isNetworkConfig,
  isNetworkOperator,
  isNodePool,
  isPatch,
  isUserDefinedNetwork,
} from "../../resources/resourceTypes";
import { doubtfulVersion } from "../../resources/storedObject";
import { inSentence } from "../../text";
import { closest } from "../../topology/normalize/values";
import {
  diagnosticsFaults,
  missingPartFaults,
  networkObjectFaults,
  networkSettingFaults,
  userNetworkFieldFaults,
} from "./networkFaults";
import {
  azureFaults,
  NO_SUCH_FIELD,
  nodePoolNetworkFaults,
  type ObjectFault,
  serviceListFaults,
  undecidedServices,
} from "./serviceFaults";

/** Faults of HostedCluster fields that contradict or require each other. */
export const hostedClusterRelations = (object: PropertyValue): ObjectFault[] => [
  ...serviceListFaults(object),
  ...networkSettingFaults(object),
  ...azureFaults(object),
];

/** A kind of object: what each rule requires of its fields, and what the fields require of each other. */
interface ObjectKind {
  holds: (type: string) => boolean;
  shapes: ReadonlyMap<ObjectRule, Shape>;
  names: FieldNames;
  relations: (object: PropertyValue) => readonly ObjectFault[];
}

/** The names of the fields below a path of an object, to the extent that a table lists them. */
interface FieldNames {
  /** The rule of the field at this path, or of the first field below it. It reports misspelled names of the field. */
  rule: ObjectRule;
  below: Map<string, FieldNames>;
}

/** The rule for fields without a rule of their own. */
const UNRULED: ObjectRule = "publishing-unsupported";

/** The names in a table of fields. */
function fieldNames(fields: readonly Pick<HostedClusterField, "path" | "rule">[]): FieldNames {
  const names: FieldNames = { rule: UNRULED, below: new Map() };
  for (const { path, rule } of fields) {
    const steps = path.replaceAll("[]", ".[]").split(".");
    const below = () => ({ rule: rule ?? UNRULED, below: new Map<string, FieldNames>() });
    const own = steps.reduce((at, step) => onceIn(at.below, step, below), names);
    if (rule) own.rule = rule;
  }
  return names;
}

/** A part of an object with the names that it may have, and the part around it, unless that is a list. */
interface NamedPlace extends Place {
  names: FieldNames;
  around?: NamedPlace;
}

/**
 * Faults of unknown fields that a table has under nearly the same name, or one level above or below. Other unknown fields may exist
 * in the API without being in the table.
 *
 * @param isLevelled whether the table has the fields at their levels in the object's version of the API
 */
function unknownFieldFaults(place: NamedPlace, isLevelled: boolean): ObjectFault[] {
  const { path, value, names } = place;
  const entries = names.below.get("[]");
  if (entries)
    return entriesOf(value).flatMap((entry, position) =>
      unknownFieldFaults({ path: `${path}[${position}]`, value: entry, names: entries }, isLevelled),
    );
  if (names.below.size === 0 || !isMap(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const at = path === "" ? key : `${path}.${key}`;
    const known = names.below.get(key);
    if (known) {
      const inside: NamedPlace = { path: at, value: value[key], names: known, around: place };
      return unknownFieldFaults(inside, isLevelled && key !== PARTIAL);
    }
    if (path === "" || !isGiven(value[key])) return [];
    const meant = misspelled(names, key) ?? (isLevelled ? misplaced(place, key) : undefined);
    return meant ? [{ path: at, problem: NO_SUCH_FIELD, ...meant }] : [];
  });
}

/** The section of which the table has only some fields: one in another section of it may also be right where it is. */
const PARTIAL = "platform";

type Meant = Pick<ObjectFault, "remedy" | "rule">;

function misspelled({ below }: FieldNames, key: string): Meant | undefined {
  const meant = closest(key, [...below.keys()]);
  return meant === undefined ? undefined : { remedy: `did you mean ${meant}?`, rule: below.get(meant)!.rule };
}

/** The section whose fields have the names of the settings that they change, which are elsewhere. */
const CHANGES = "migration";

/** A name that the table has one level below or above. */
function misplaced({ path, names, around }: NamedPlace, key: string): Meant | undefined {
  const places = [...names.below].map(([step, inside]) => ({ path: `${path}.${step}`, names: inside }));
  if (around && around.path !== "") places.push(around);
  const right = places.flatMap((one) => {
    const field = one.path.endsWith(`.${CHANGES}`) ? undefined : one.names.below.get(key);
    return field ? [{ place: `${one.path}.${key}`, rule: field.rule }] : [];
  });
  if (right.length === 0) return undefined;
  const written = right.map(({ place }) => place);
  return { remedy: `write it as ${inSentence(written, "or")}`, rule: right[0]!.rule };
}

const shapesOf = (fields: readonly ObjectField[]): ReadonlyMap<ObjectRule, Shape> =>
  new Map([...grouped(fields, ({ rule }) => rule)].map(([rule, rows]) => [rule, tableShape(rows)]));

const PROXY = "spec.configuration.proxy.";

/** The fields of a Proxy object, which a HostedCluster has under `proxy`. */
const proxyNames = namedFields
  .filter(({ path }) => path.startsWith(PROXY))
  .map(({ path }) => ({ path: `spec.${path.slice(PROXY.length)}`, rule: "proxy-invalid" as const }));

const kinds: readonly ObjectKind[] = [
  {
    holds: isHostedCluster,
    shapes: shapesOf(judgedFields),
    names: fieldNames(namedFields),
    relations: hostedClusterRelations,
  },
  {
    holds: isNodePool,
    shapes: shapesOf(nodePoolFields),
    names: fieldNames(nodePoolFields),
    relations: nodePoolNetworkFaults,
  },
  {
    holds: isNetworkConfig,
    shapes: shapesOf(networkConfigFields),
    names: fieldNames(networkConfigFields),
    relations: (object) => [
      ...networkObjectFaults(object),
      ...missingPartFaults(object),
      ...diagnosticsFaults(object, "spec"),
    ],
  },
  {
    // The network operator replaces the lists of its own object by those of the cluster's configuration.
    holds: isNetworkOperator,
    shapes: shapesOf(networkObjectFields),
    names: fieldNames(networkOperatorNames),
    relations: networkObjectFaults,
  },
  {
    // Its values are those of a HostedCluster's proxy, which have a rule of their own.
    holds: isClusterProxy,
    shapes: new Map(),
    names: fieldNames(proxyNames),
    relations: () => [],
  },
  ...["spec", "spec.network"].map((at): ObjectKind => {
    const fields = userNetworkFields(at);
    return {
      holds: (type) => isUserDefinedNetwork(type) && isClusterScoped(type) === (at !== "spec"),
      shapes: shapesOf(fields),
      names: fieldNames(fields),
      relations: (object) => userNetworkFieldFaults(object, at),
    };
  }),
];

const kindOf = (type: string): ObjectKind | undefined => kinds.find(({ holds }) => holds(type));

/** Whether objects of a type can be judged by themselves. */
export const isJudgedObject = (type: string): boolean => kindOf(type) !== undefined;

/**
 * What the API server or its controllers refuse in an object under a rule, to the extent that the object itself shows it.
 * Faults that follow from its topology are found elsewhere.
 */
export function judgeObject(
  resource: Resource,
  rule: ObjectRule,
): { faults: ObjectFault[]; unknown: string[] } {
  const { type, properties } = resource;
  const shape = kindOf(type)?.shapes.get(rule);
  const reading = { isBuiltIn: false, isPatch: isPatch(type) };
  const { faults, unknown } = judgeShape(shape ?? elsewhere, { path: "", value: properties }, reading);
  const ofWhole = [...relationFaults(resource), ...nameFaults(resource)].filter(
    (fault) => fault.rule === rule,
  );
  const ofFields = faults.map((fault) => ({
    ...fault,
    rule,
    isOfList: isList(readValue(properties, fault.path)),
  }));
  // A patch does not show the values that an unknown value of its own would have to fit.
  const isWhole = rule === "publishing-unsupported" && isHostedCluster(type) && !isPatch(type);
  const undecided = isWhole ? undecidedServices(properties) : [];
  return { faults: [...ofFields, ...ofWhole], unknown: [...new Set([...unknown, ...undecided])] };
}

/** A patch shows its own fields, but not the other fields of the object. */
const relationFaults = onceForEach(({ type, properties }: Resource): readonly ObjectFault[] =>
  isPatch(type) ? [] : (kindOf(type)?.relations(properties) ?? []),
);

/** Names are judged in patches, too. Each rule selects its own faults. */
const nameFaults = onceForEach((resource: Resource): readonly ObjectFault[] => {
  const { type, properties, origin } = resource;
  const names = kindOf(type)?.names;
  if (!names) return [];
  // A live object has only fields that its API has.
  const isLevelled = origin.live === undefined && doubtfulVersion(resource) === undefined;
  return unknownFieldFaults({ path: "", value: properties, names }, isLevelled);
});
