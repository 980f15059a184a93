import { PORT } from "../../requirements/ports";
import { Platform, Service } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../normalizedTopology";

/** The port at which the load balancer of a service takes connections. */
export const balancedPort = ({ platform }: NormalizedTopology, service: Service): number =>
  (service === Service.APIServer ? API_SERVER_PORT[platform] : undefined) ?? BALANCED_PORT[service];

const BALANCED_PORT: Readonly<Record<Service, number>> = {
  [Service.APIServer]: PORT.apiServer,
  [Service.OAuthServer]: PORT.https,
  [Service.Konnectivity]: PORT.konnectivity,
  [Service.Ignition]: PORT.https,
};
const API_SERVER_PORT: { readonly [platform in Platform]?: number } = {
  [Platform.Azure]: PORT.apiServerAzure,
  [Platform.IBMCloud]: PORT.apiServerIbmCloud,
};
