import { PORT } from "../requirements/ports";
import { Platform } from "../requirements/vocabulary";
import type { NormalizedTopology } from "./normalizedTopology";

type Stated = Pick<NormalizedTopology, "apiServerPort">;

/** The port at which nodes and the pods on them reach the API server, on the node itself. */
export const nodeApiServerPort = ({ apiServerPort = PORT.apiServer }: Stated): number => apiServerPort;

/** The port at which the pods of the API server listen. 443 is kept for old clusters, whose pods listen at the default. */
export function podApiServerPort({ platform, apiServerPort = PORT.apiServer }: NormalizedTopology): number {
  if (platform === Platform.IBMCloud) return PORT.apiServerIbmCloud;
  return apiServerPort === PORT.https ? PORT.apiServer : apiServerPort;
}
