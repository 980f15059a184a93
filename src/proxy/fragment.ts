import { IGNITION_VERSION } from "../requirements/proxyFacts";

/** `spec.configuration.proxy` of a HostedCluster. */
export interface ProxySpec {
  httpProxy?: string;
  httpsProxy?: string;
  noProxy?: string;
  trustedCA?: { name: string };
}

/** The values of a proxy, all known and right. */
export interface ProxyValues {
  httpProxy?: string | null;
  httpsProxy?: string | null;
  /** The user's entries, joined; HyperShift adds its own. */
  noProxy?: string | null;
  /** The ConfigMap of the trust bundle. */
  trustBundle?: string | null;
  /** Whether control plane and nodes trust the bundle beyond the proxy. */
  additionalTrustBundle?: boolean;
}

/** The part of a HostedCluster's spec that holds the proxy. */
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
 * The same for a patch, which owns all settings: one that is not given is written as empty. Otherwise what another owner
 * set there would stay in force beside ours, unseen.
 */
export function wholeProxy(fragment: ReturnType<typeof proxyFragment>): ReturnType<typeof proxyFragment> {
  const proxy = { httpProxy: "", httpsProxy: "", noProxy: "", ...fragment.configuration.proxy };
  return { ...fragment, configuration: { proxy } };
}

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
