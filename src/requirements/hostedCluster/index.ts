import { CONFIGURATION_FIELDS, OPERATOR_FIELDS, platformSections, SPEC_FIELDS } from "./forms";
import { HYPERSHIFT, at, type DocumentReference } from "../documents";
import {
  hostedClusterFields,
  type HostedClusterField,
  type Immutable,
  type ObjectField,
  type ServiceProperty,
} from "./fields";

export * from "./forms";
export type { HostedClusterField, ObjectField, ObjectRule, ServiceProperty } from "./fields";

const crd = at(HYPERSHIFT, "HostedCluster CRD, spec");
const inSpec = (path: string): string => path.slice("spec.".length);

/** The fields of which the API demands something. */
export const judgedFields: readonly ObjectField[] = hostedClusterFields.filter(
  (field): field is HostedClusterField & ObjectField => field.type !== undefined && field.rule !== undefined,
);

/**
 * The fields of a HostedCluster's network, and beside them every field of its spec, of its configuration and of its operators'.
 * What the definition has elsewhere is not here.
 */
export const namedFields: readonly Pick<HostedClusterField, "path" | "rule">[] = [
  ...hostedClusterFields.filter(({ rule }) => rule !== undefined),
  ...[
    ...SPEC_FIELDS,
    ...CONFIGURATION_FIELDS.map((field) => `configuration.${field}`),
    ...OPERATOR_FIELDS.map((field) => `operatorConfiguration.${field}`),
    ...Object.values(platformSections).map(({ key }) => `platform.${key}`),
  ].map((path) => ({ path: `spec.${path}` })),
];

/** A field of a HostedCluster that a running cluster cannot change. */
export interface ImmutableField extends Immutable {
  /** Its place in `spec`: `networking.clusterNetwork`. */
  path: string;
  /** The input that says it. Absent: it stands in the part of the spec that has no types. */
  input?: string;
  documents: readonly DocumentReference[];
}

/** Every immutable field of a HostedCluster. */
export const immutableFields: readonly ImmutableField[] = hostedClusterFields.flatMap(
  ({ path, input, immutable }) =>
    immutable ? [{ path: inSpec(path), ...(input && { input }), documents: [crd], ...immutable }] : [],
);

/** What goes with the object where the user makes a new one to get another value. */
export const REPLACING_DESTROYS =
  "a new HostedCluster in its place would destroy the control plane, etcd with all that the API holds, and the machines of the NodePools";

/** Fields of the spec that a component writes itself, by the input that says them. */
export const typedFields: ReadonlyMap<string, string> = new Map(
  hostedClusterFields.flatMap(({ path, input }) =>
    input === undefined ? [] : [[inSpec(path), input] as const],
  ),
);

/** A topology property, and where a HostedCluster says it. */
export interface TopologyField {
  property: string;
  path: string;
}

/** The topology properties that a HostedCluster says; `endpointAccess` has a place for each platform with that choice. */
export const topologyFields: readonly TopologyField[] = hostedClusterFields.flatMap(({ property, path }) =>
  property === undefined ? [] : [{ property, path }],
);

const ENTRY = `${topologyFields.find(({ property }) => property === "services")!.path}[].`;

/** The places in an entry of `spec.services` that say a property of its service; of several the first that is written says it. */
export const serviceFields = (property: ServiceProperty): readonly string[] =>
  inEntry.flatMap(({ ofService, path }) => (ofService === property ? path.slice(ENTRY.length) : []));

const inEntry = hostedClusterFields.filter(({ ofService }) => ofService !== undefined);
