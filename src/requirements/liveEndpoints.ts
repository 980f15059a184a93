import { HYPERSHIFT, at } from "./documents";

/** The DaemonSet of a hosted cluster whose arguments say where the nodes dial konnectivity. */
export const KONNECTIVITY_AGENT = {
  namespace: "kube-system",
  name: "konnectivity-agent",
  hostFlag: "--proxy-server-host",
  portFlag: "--proxy-server-port",
  source: at(
    HYPERSHIFT,
    "control-plane-operator/hostedclusterconfigoperator/controllers/resources/konnectivity/reconcile.go",
  ),
} as const;

/** Where the status of a HostedCluster says how its services are reached. */
export const STATUS_FIELD = {
  apiServerHost: "status.controlPlaneEndpoint.host",
  apiServerPort: "status.controlPlaneEndpoint.port",
  ignition: "status.ignitionEndpoint",
  oauth: "status.oauthCallbackURLTemplate",
} as const;
