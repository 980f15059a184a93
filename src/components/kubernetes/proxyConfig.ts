import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  FIELD_MANAGER,
  NodeApiProxy,
  TRUST_BUNDLE_KEY,
  apiProxyChoice,
  effectiveNoProxy,
  joined,
  noProxyEntries,
  patchAnnotations,
  proxiedWorkloads,
  proxyFragment,
  proxyPlaces,
  trustBundleName,
  wholeProxy,
  type ProxyInputs,
} from "../../manifests";
import type { PropertyMap } from "../../manifests/places";
import { DEFAULT_NAMESPACE } from "../../topology/normalizeTopology";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { checked, knownPart, plainnessFaults } from "../checked";
import { warn } from "../refuse";
import { topologyOutput } from "../topologyOutput";
import { gated } from "./gated";
import { patchHostedCluster } from "./hostedClusterPatch";
import type { ProxiedControlPlaneWorkload, ProxyConfigArgs, ProxyFragment } from "./proxyConfigArgs";
import { judgeProxyConfig, proxyConfigWarnings } from "./proxyConfigJudge";
import { sealed, sealedUrl, statedProxy } from "./proxyCredentials";
import { sentences } from "./sentences";
import { whenKnown } from "./whenKnown";

/**
 * The cluster-wide proxy of one hosted cluster: settings and trust bundle for a HostedCluster that is being created, or a
 * patch of one that exists, and what follows from them. Destroying it leaves the proxy of a running cluster as it is.
 */
export class ProxyConfig extends pulumi.ComponentResource {
  /** What goes into `spec` of the HostedCluster that you create. A secret where a URL holds credentials. */
  public readonly fragment: pulumi.Output<ProxyFragment>;
  /** What bypasses the proxy on the nodes, as HyperShift computes it, with commas between the entries. */
  public readonly noProxy: pulumi.Output<string>;
  /** The entries of `noProxy`, one by one. */
  public readonly noProxyEntries: pulumi.Output<string[]>;
  /** What bypasses the proxy for control-plane workloads behind a konnectivity sidecar, with commas between the entries. */
  public readonly sidecarNoProxy: pulumi.Output<string>;
  /** Which control-plane workloads take the proxy, for what, and by which route. */
  public readonly controlPlaneWorkloads: pulumi.Output<ProxiedControlPlaneWorkload[]>;
  /** What will listen on each node at the address of the API server. */
  public readonly nodeApiProxy: pulumi.Output<NodeApiProxy>;
  /** The topology with its defaults and this proxy, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: ProxyConfigArgs, opts?: pulumi.ComponentResourceOptions) {
    super("hypershift-network:index:ProxyConfig", name, sealed(args), opts);
    const inputs = { ...args };
    const check = checked(this, `ProxyConfig ${name}`, inputs, (known) => [
      ...plainnessFaults("topology", inputs.topology),
      ...judgeProxyConfig(known as PropertyMap).faults,
    ]);
    const known = knownPart(inputs) as PropertyMap;
    const { topology } = judgeProxyConfig(known);
    warn(this, sentences(proxyConfigWarnings(known)));

    const spec = proxyFragment({
      httpProxy: sealedUrl(this, "httpProxy", args.httpProxy ?? args.topology.proxy?.httpProxy) as string,
      httpsProxy: sealedUrl(this, "httpsProxy", args.httpsProxy ?? args.topology.proxy?.httpsProxy) as string,
      noProxy: userEntries(args, joined) as string,
      trustBundle: trustBundle(this, name, args, check) as string,
      ...(args.additionalTrustBundle !== undefined && { additionalTrustBundle: args.additionalTrustBundle }),
    });
    const { existingHostedCluster, forcePatch: force, removeOnDelete } = args;
    if (existingHostedCluster) {
      const ownership = { fieldManager: FIELD_MANAGER.proxy, force, removeOnDelete };
      const patch = { ...wholeProxy(spec), ...ovnSubnetsOf(args) };
      patchHostedCluster(name, existingHostedCluster, patch, ownership, gated(this, check));
    }

    const httpsProxy = (args.httpsProxy ?? args.topology.proxy?.httpsProxy) !== undefined;
    const { region } = args;
    const effective = pulumi
      .output([userEntries(args, (entries) => entries), region])
      .apply(([entries, known]) =>
        effectiveNoProxy(topology!, entries as string[], known as string | undefined),
      );
    this.fragment = check.apply(() => pulumi.output(spec) as pulumi.Output<ProxyFragment>);
    this.noProxy = effective.apply(({ nodes }) => joined(nodes));
    this.noProxyEntries = effective.apply(({ nodes }) => nodes);
    this.sidecarNoProxy = effective.apply(({ sidecars }) => joined(sidecars));
    this.controlPlaneWorkloads = pulumi.output([...proxiedWorkloads]);
    this.nodeApiProxy = pulumi.output(
      userEntries(args, (noProxy) => apiProxyChoice(topology!, { httpsProxy, noProxy }).proxy),
    );
    this.topology = pulumi.output(topologyOutput({ ...args.topology, ...statedProxy(known) }, topology!));
    this.registerOutputs({
      noProxy: this.noProxy,
      noProxyEntries: this.noProxyEntries,
      sidecarNoProxy: this.sidecarNoProxy,
      controlPlaneWorkloads: this.controlPlaneWorkloads,
      nodeApiProxy: this.nodeApiProxy,
      topology: this.topology,
    });
  }
}

/** The part of the spec that comes from an OvnSubnetConfig and is patched together with the proxy. */
function ovnSubnetsOf({ ovnSubnets }: ProxyConfigArgs) {
  if (ovnSubnets === undefined) return {};
  const fragment = pulumi.output(ovnSubnets);
  return { operatorConfiguration: fragment.operatorConfiguration };
}

/** What follows from the entries that the user gave, as a list or in the topology's text. */
function userEntries<T>({ noProxy, topology }: ProxyConfigArgs, derive: (entries: string[]) => T) {
  return whenKnown(noProxy, (known) => {
    const inputs = { topology, noProxy: known } as unknown as ProxyInputs;
    return derive(noProxyEntries(proxyPlaces(inputs).noProxy));
  });
}

/** The ConfigMap of the trust bundle: made from certificates, or the one that was named; undefined without either. */
function trustBundle(
  parent: pulumi.Resource,
  name: string,
  args: ProxyConfigArgs,
  check: pulumi.Output<unknown>,
): pulumi.Input<string> | undefined {
  const { topology, trustedCa, trustedCaConfigMap, existingHostedCluster, removeOnDelete } = args;
  if (trustedCa === undefined) return trustedCaConfigMap;
  const namespace =
    args.namespace ?? existingHostedCluster?.namespace ?? topology.namespace ?? DEFAULT_NAMESPACE;
  const annotations = patchAnnotations(FIELD_MANAGER.trustBundle);
  const bundle = new kubernetes.core.v1.ConfigMap(
    `${name}-trust-bundle`,
    {
      metadata: { name: trustBundleName(topology.name), namespace, annotations },
      data: { [TRUST_BUNDLE_KEY]: trustedCa },
    },
    // A HostedCluster that names a ConfigMap which is gone stops being reconciled: the bundle stays as the proxy does.
    { ...gated(parent, check), retainOnDelete: removeOnDelete !== true },
  );
  return bundle.metadata.name;
}
