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
export { diagnosticsFields, ruled } from "./fields";
export type { HostedClusterField, ObjectField, ObjectRule, ServiceProperty } from "./fields";

const crd = at(HYPERSHIFT, "HostedCluster CRD, spec");
const inSpec = (path: string): string => path.slice("spec.".length);

/** The fields for which the API has requirements. */
export const judgedFields: readonly ObjectField[] = hostedClusterFields.filter(
  (field): field is HostedClusterField & ObjectField => field.type !== undefined && field.rule !== undefined,
);

/**
 * The fields of a HostedCluster's network, and every field of its spec, of its configuration and of
 * its operators' configuration. Other fields of the definition are not listed.
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
  /** Its path in `spec`: `networking.clusterNetwork`. */
  path: string;
  /** The input that sets it. Absent for fields in the untyped part of the spec. */
  input?: string;
  documents: readonly DocumentReference[];
}

/** Every immutable field of a HostedCluster. */
export const immutableFields: readonly ImmutableField[] = hostedClusterFields.flatMap(
  ({ path, input, immutable }) =>
    immutable ? [{ path: inSpec(path), ...(input && { input }), documents: [crd], ...immutable }] : [],
);

/** What is lost with the object if the user creates a new one to change a value. */
export const REPLACING_DESTROYS =
  "a new HostedCluster in its place would destroy the control plane, etcd with all that the API holds, and the machines of the NodePools";

/** Fields of the spec that a component sets itself, with the input that sets them. */
export const typedFields: ReadonlyMap<string, string> = new Map(
  hostedClusterFields.flatMap(({ path, input }) =>
    input === undefined ? [] : [[inSpec(path), input] as const],
  ),
);

/** A topology property, and its path in a HostedCluster. */
export interface TopologyField {
  property: string;
  path: string;
}

/** The topology properties that a HostedCluster states; `endpointAccess` has a path for each platform with that setting. */
export const topologyFields: readonly TopologyField[] = hostedClusterFields.flatMap(({ property, path }) =>
  property === undefined ? [] : [{ property, path }],
);

const ENTRY = `${topologyFields.find(({ property }) => property === "services")!.path}[].`;

/** The paths in an entry of `spec.services` for a property of its service; of several paths, the first that is written counts. */
export const serviceFields = (property: ServiceProperty): readonly string[] =>
  inEntry.flatMap(({ ofService, path }) => (ofService === property ? path.slice(ENTRY.length) : []));

const inEntry = hostedClusterFields.filter(({ ofService }) => ofService !== undefined);
