import type { Requirement } from "./requirement";
import { apiServer, oauth } from "./rows/apiServer";
import { capi } from "./rows/capi";
import { awsWorkerGroup, clusterNetwork, etcd, nodePorts } from "./rows/nodes";
import { egress } from "./rows/egress";
import { ignition } from "./rows/ignition";
import { isolation } from "./rows/isolation";
import { konnectivity } from "./rows/konnectivity";
import { router } from "./rows/router";

/** Everything that the documents require and that upstream does, with one row for each flow. */
export const requirements: readonly Requirement[] = [
  ...apiServer,
  ...router,
  ...ignition,
  ...konnectivity,
  ...oauth,
  ...capi,
  ...egress,
  ...isolation,
  ...nodePorts,
  ...etcd,
  ...clusterNetwork,
  ...awsWorkerGroup,
];

const byId = new Map(requirements.map((row) => [row.id, row]));

/** Returns the row with an id. */
export function requirementOf(id: string): Requirement {
  const row = byId.get(id);
  if (!row) throw new Error(`no requirement has the id ${id}`);
  return row;
}
