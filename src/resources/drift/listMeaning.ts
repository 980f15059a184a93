/** Lists whose order says nothing, by the property that holds them. */
export const UNORDERED: ReadonlySet<string> = new Set([
  "policyTypes",
  "egressIPs",
  "values",
  "allowedCIDRBlocks",
]);

/** Lists whose entries are known by one of their properties, and to which others may add entries of their own. */
export const KEYED: ReadonlyMap<string, string> = new Map([["additionalNetworks", "name"]]);

/** Lists to which a patch adds what it states: their CRDs call them sets and maps. All others it replaces. */
export const JOINED: ReadonlySet<string> = new Set(["allowedCIDRBlocks", "additionalNetworks"]);

/** Lists that the API server fills in where nothing is in them. */
export const FILLED_IN: ReadonlySet<string> = new Set(["policyTypes"]);
