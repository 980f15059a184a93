import type { PropertyValue } from "../resources/resource";
import type { topologyProperties } from "./normalizeTopology";

/** A topology before it is judged, as far as its source says it: values of any kind, UNKNOWN at any depth. */
export type RawTopology = { readonly [property in (typeof topologyProperties)[number]]?: PropertyValue };
