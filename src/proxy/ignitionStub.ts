import { IGNITION_VERSION } from "../requirements/proxyFacts";

/**
 * What a new node is started with, as far as this package knows it: HyperShift adds the token, the node pool and the
 * certificate of the ignition endpoint.
 */
export interface IgnitionUserData {
  ignition: {
    version: string;
    /** Absent settings stay out: Ignition refuses an empty URL. */
    proxy: { httpProxy?: string; httpsProxy?: string; noProxy: string[] };
    config?: { merge: { source: string }[] };
  };
}

/** The settings that end up in the stub. */
export interface StubInputs {
  httpProxy?: string | null | undefined;
  httpsProxy?: string | null | undefined;
  /** What bypasses the proxy on nodes, the computed entries included. */
  noProxy: readonly string[];
  /** The host name of the ignition endpoint, where it is known. */
  ignitionHost?: string | undefined;
}

/**
 * The user-data stub of a node that reaches its ignition endpoint through the proxy. noProxy is a list: the text in the
 * documents' sample is something that Ignition cannot read.
 */
export function ignitionStub({ httpProxy, httpsProxy, noProxy, ignitionHost }: StubInputs): IgnitionUserData {
  return {
    ignition: {
      version: IGNITION_VERSION,
      proxy: {
        ...(httpProxy && { httpProxy }),
        ...(httpsProxy && { httpsProxy }),
        noProxy: [...noProxy],
      },
      ...(ignitionHost !== undefined && {
        config: { merge: [{ source: `https://${ignitionHost}/ignition` }] },
      }),
    },
  };
}
