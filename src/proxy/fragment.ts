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
 * The same for a patch, which owns all settings: one that is not given is written as empty. Otherwise what somebody else
 * set there would stay in force beside ours, unseen.
 */
export function wholeProxy(fragment: ReturnType<typeof proxyFragment>): ReturnType<typeof proxyFragment> {
  const proxy = { httpProxy: "", httpsProxy: "", noProxy: "", ...fragment.configuration.proxy };
  return { ...fragment, configuration: { proxy } };
}
