import { IGNITION_VERSION } from "../requirements/proxyFacts";

/** `spec.configuration.proxy` of a HostedCluster. */
export interface ProxySpec {
  httpProxy?: string;
  httpsProxy?: string;
  noProxy?: string;
  trustedCA?: { name: string };
}

/** The values of a proxy after validation: all are known and valid. */
export interface ProxyValues {
  httpProxy?: string | null;
  httpsProxy?: string | null;
  /** The user's entries, joined by commas; HyperShift adds its own. */
  noProxy?: string | null;
  /** Name of the ConfigMap of the trust bundle. */
  trustBundle?: string | null;
  /** Whether control plane and nodes trust the bundle for all connections and not only for the proxy. */
  additionalTrustBundle?: boolean;
}

/** Returns the part of a HostedCluster's spec that holds the proxy. */
export function proxyFragment({ trustBundle, additionalTrustBundle, ...values }: ProxyValues) {
  const reference = given(trustBundle) ? { name: trustBundle } : undefined;
  const proxy: ProxySpec = {
    ...(given(values.httpProxy) && { httpProxy: values.httpProxy }),
    ...(given(values.httpsProxy) && { httpsProxy: values.httpsProxy }),
    ...(given(values.noProxy) && { noProxy: values.noProxy }),
    ...(reference && { trustedCA: reference }),
  };
  return {
    configuration: { proxy },
    ...(reference && additionalTrustBundle && { additionalTrustBundle: reference }),
  };
}

const given = (value: string | null | undefined): value is string =>
  value !== undefined && value !== null && value !== "";

/**
 * Completes a fragment for a patch, which owns all settings: writes absent settings as empty. Otherwise, values of another owner
 * would stay in force unnoticed.
 */
export function wholeProxy(fragment: ReturnType<typeof proxyFragment>): ReturnType<typeof proxyFragment> {
  const proxy = { httpProxy: "", httpsProxy: "", noProxy: "", ...fragment.configuration.proxy };
  return { ...fragment, configuration: { proxy } };
}

/**
 * The user data of a new node, except for what HyperShift adds: the token, the node pool and the certificate of the ignition
 * endpoint.
 */
export interface IgnitionUserData {
  ignition: {
    version: string;
    /** Absent settings are left out, because Ignition refuses an empty URL. */
    proxy: { httpProxy?: string; httpsProxy?: string; noProxy: string[] };
    config?: { merge: { source: string }[] };
  };
}

/** The settings from which the stub is built. */
export interface StubInputs {
  httpProxy?: string | null | undefined;
  httpsProxy?: string | null | undefined;
  /** Destinations that bypass the proxy on nodes, including the computed entries. */
  noProxy: readonly string[];
  /** The host name of the ignition endpoint, if known. */
  ignitionHost?: string | undefined;
}

/**
 * Returns the user-data stub of a node that reaches its ignition endpoint through the proxy. noProxy is a list: Ignition cannot read
 * the text in the documents' sample.
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
