import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { FIELD_MANAGER, patchAnnotations } from "../../objects/hostedClusterReference";
import {
  NodeApiProxy,
  apiProxyChoice,
  nodeApiAddress,
  type ApiProxyChoice,
} from "../../topology/proxy/apiProxy";
import { proxiedWorkloadsOn } from "../../requirements/proxyFacts";
import { judgeProxy, type ProxyInputs, proxyPlaces, TRUST_BUNDLE_KEY, trustBundleName } from "../settings";
import { effectiveNoProxy, joined, noProxyEntries, type EffectiveNoProxy } from "../noProxy";
import { ignitionStub, proxyFragment, wholeProxy, type ProxyValues } from "../fragment";
import { isGiven, type PropertyMap } from "../../resources/read";
import type { PropertyValue } from "../../resources/resource";
import { Service } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { DEFAULT_NAMESPACE } from "../../topology/normalizeTopology";
import type { HostedClusterTopology, ProxySettings } from "../../topology/hostedClusterTopology";
import { checked, ownOutputs, plainnessFaults, warnOf, whenKnown } from "../../components/checked";
import { leafwise, planned, withKnownAddresses, topologyOutput } from "../../components/outputs";
import { gated, givenPart } from "../../components/settled";
import { patchHostedCluster, secondPatchFaults } from "../../components/hostedClusterPatch";
import type {
  IgnitionStub,
  ProxiedControlPlaneWorkload,
  ProxyConfigArgs,
  ProxyFragment,
  SidecarProxySettings,
} from "./proxyConfigArgs";
import { judgeProxyConfig, proxyConfigWarnings, sealed, sealedUrl } from "./proxyConfigJudge";

/**
 * The cluster-wide proxy of one hosted cluster: settings and trust bundle for a HostedCluster that you create, or a patch of an
 * existing one, and the values that follow from them. Destroying it leaves the proxy of a running cluster as it is. The smallest role
 * for the patch is rbac/hosted-cluster-patch.yaml.
 */
export class ProxyConfig extends pulumi.ComponentResource {
  /** The part of `spec` for the HostedCluster that you create. A secret if a URL contains credentials. */
  public readonly fragment: pulumi.Output<ProxyFragment>;
  /** Destinations that bypass the proxy on the nodes, as HyperShift computes them, separated by commas. */
  public readonly noProxy: pulumi.Output<string>;
  /** The entries of `noProxy`, one by one. */
  public readonly noProxyEntries: pulumi.Output<string[]>;
  /** Destinations that bypass the proxy for control-plane workloads behind a konnectivity sidecar, separated by commas. */
  public readonly sidecarNoProxy: pulumi.Output<string>;
  /** Proxy settings of those sidecars. A secret if a URL contains credentials. */
  public readonly sidecarProxy: pulumi.Output<SidecarProxySettings>;
  /**
   * The control-plane workloads that send requests outside through the data plane: their purpose, their route, whether they use the
   * proxy, and their environment variables.
   */
  public readonly controlPlaneWorkloads: pulumi.Output<ProxiedControlPlaneWorkload[]>;
  /**
   * The known part of the user data with which new nodes start: the proxy through which they reach the ignition endpoint. HyperShift
   * writes the user data itself. A secret if a URL contains credentials.
   */
  public readonly ignitionStub: pulumi.Output<IgnitionStub>;
  /** The program that will listen on each node at the address of the API server. */
  public readonly nodeApiProxy: pulumi.Output<NodeApiProxy>;
  /** The condition that decides `nodeApiProxy`, as a sentence. */
  public readonly nodeApiProxyReason: pulumi.Output<string>;
  /** Where it listens: `172.20.0.1:6443`, or another port if `networking.apiServer.port` sets one. */
  public readonly nodeApiProxyAddress: pulumi.Output<string>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults and this proxy, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: ProxyConfigArgs, opts?: pulumi.ComponentResourceOptions) {
    super("hypershift-network:index:ProxyConfig", name, sealed(args), opts);
    const inputs = { ...args };
    const subject = `ProxyConfig ${name}`;
    const check = checked(this, subject, inputs, (known) => [
      ...plainnessFaults("topology", inputs.topology),
      ...judgeProxyConfig(known as PropertyMap).faults,
      ...secondPatchFaults(this, subject, (known as PropertyMap).existingHostedCluster),
    ]);
    const given = givenPart(inputs);
    const { topology } = judgeProxyConfig(planned(given));
    this.warnings = warnOf(this, proxyConfigWarnings(planned(given)));

    const choice = apiProxy(given, topology!);
    const urls = sealedUrls(this, given, choice);
    const spec = proxyFragment({
      ...(urls as ProxyValues),
      noProxy: userEntries(given, joined) as string,
      trustBundle: trustBundle(this, name, given, check) as string,
      ...(given.additionalTrustBundle !== undefined && {
        additionalTrustBundle: given.additionalTrustBundle,
      }),
    });
    const {
      existingHostedCluster,
      hostedClusterAnnotations: annotations,
      forcePatch: force,
      removeOnDelete,
    } = given;
    if (existingHostedCluster) {
      const ownership = { fieldManager: FIELD_MANAGER.proxy, force, removeOnDelete };
      const patch = { ...wholeProxy(spec), ...ovnSubnetsOf(given) };
      patchHostedCluster(
        name,
        existingHostedCluster,
        { spec: patch, annotations },
        ownership,
        gated(this, check),
      );
    }

    const effective = noProxyOf(given);
    const settings = pulumi.output({ ...urls, effective, gate: check.apply(() => undefined) });
    const ignitionHost = topology!.services[Service.Ignition].hostname;
    this.fragment = check.apply(() => pulumi.output(spec) as pulumi.Output<ProxyFragment>);
    this.noProxy = effective.apply(({ nodes }) => joined(nodes));
    this.noProxyEntries = effective.apply(({ nodes }) => nodes);
    this.sidecarNoProxy = effective.apply(({ sidecars }) => joined(sidecars));
    this.sidecarProxy = settings.apply(({ httpProxy, httpsProxy, effective: { sidecars } }) => ({
      ...(httpProxy !== undefined && { httpProxy }),
      ...(httpsProxy !== undefined && { httpsProxy }),
      noProxy: joined(sidecars),
    }));
    this.controlPlaneWorkloads = pulumi.output(proxiedWorkloadsOn(topology!.platform));
    this.ignitionStub = settings.apply(({ httpProxy, httpsProxy, effective: { nodes } }) =>
      ignitionStub({ httpProxy, httpsProxy, noProxy: nodes, ignitionHost }),
    );
    this.nodeApiProxy = choice.apply(({ proxy }) => proxy);
    this.nodeApiProxyReason = choice.apply(({ reason }) => reason);
    this.nodeApiProxyAddress = pulumi.output(nodeApiAddress(topology!));
    this.topology = leafwise(topologyOutput({ ...given.topology, proxy: statedProxy(given) }, topology!));
    this.registerOutputs(ownOutputs(this, "fragment", "sidecarProxy", "ignitionStub"));
  }
}

/** The proxy URLs for objects and outputs; secrets if they contain credentials. */
function sealedUrls(
  component: pulumi.Resource,
  args: ProxyConfigArgs,
  choice: pulumi.Output<ApiProxyChoice>,
): Pick<ProxyConfigArgs, "httpProxy" | "httpsProxy"> {
  const http = sealedUrl(component, "httpProxy", args, choice);
  const https = sealedUrl(component, "httpsProxy", args, choice);
  return {
    ...(http !== undefined && { httpProxy: http }),
    ...(https !== undefined && { httpsProxy: https }),
  };
}

/**
 * The proxy for the registered topology, from the topology and the other inputs. Leaves out URLs of the other inputs that are not
 * plain: most are secrets, and would make the whole output a secret.
 */
function statedProxy(args: ProxyConfigArgs): ProxySettings {
  const { httpProxy, httpsProxy, noProxy, topology } = args;
  return {
    ...topology.proxy,
    ...(typeof httpProxy === "string" && { httpProxy }),
    ...(typeof httpsProxy === "string" && { httpsProxy }),
    ...(isGiven(noProxy) && { noProxy: userEntries(args, joined) }),
  };
}

/** Determines what will listen on the nodes at the address of the API server. */
function apiProxy(args: ProxyConfigArgs, topology: NormalizedTopology): pulumi.Output<ApiProxyChoice> {
  const httpsProxy = (args.httpsProxy ?? args.topology.proxy?.httpsProxy) !== undefined;
  const entries = userEntries(args, (noProxy) => noProxy);
  const choice = whenKnown([entries, args.apiServerHost], (known) => {
    const [noProxy, apiServerHost] = known as [string[], string | undefined];
    return apiProxyChoice(topology, { httpsProxy, noProxy, apiServerHost });
  });
  return pulumi.output(choice);
}

/** Destinations that bypass the proxy, including the entries that HyperShift adds. */
function noProxyOf(args: ProxyConfigArgs): pulumi.Output<EffectiveNoProxy> {
  const { region, azureCloud } = args;
  return pulumi
    .output<unknown[]>([withKnownAddresses(args), userEntries(args, (entries) => entries), region])
    .apply((all) => {
      const [known, entries, ofCloud] = all as unknown as [ProxyInputs, string[], string | undefined];
      const { topology } = judgeProxy(known);
      const place = { region: ofCloud, azureCloud };
      return topology ? effectiveNoProxy(topology, entries, place) : { nodes: [], sidecars: [] };
    });
}

/** The part of the spec from an OvnSubnetConfig, which is patched together with the proxy. */
function ovnSubnetsOf({ ovnSubnets }: ProxyConfigArgs) {
  if (ovnSubnets === undefined) return {};
  const fragment = pulumi.output(ovnSubnets);
  return { operatorConfiguration: fragment.operatorConfiguration };
}

/** Derives a value from the user's entries, given as a list or as the topology's text. */
function userEntries<T>({ noProxy, topology }: ProxyConfigArgs, derive: (entries: string[]) => T) {
  const stated = topology.proxy?.noProxy;
  return whenKnown([noProxy, stated], (known) => {
    const [own, ofTopology] = known as PropertyValue[];
    const inputs = { topology: { proxy: { noProxy: ofTopology } }, noProxy: own } as ProxyInputs;
    return derive(noProxyEntries(proxyPlaces(inputs).noProxy));
  });
}

/** Returns the ConfigMap of the trust bundle: created from certificates, or the one that the user names; undefined without either. */
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
  const bundle = new core.ConfigMap(
    `${name}-trust-bundle`,
    {
      metadata: { name: trustBundleName(topology.name), namespace, annotations },
      data: { [TRUST_BUNDLE_KEY]: trustedCa },
    },
    // HyperShift stops reconciling a HostedCluster whose ConfigMap is gone: the bundle stays as the proxy does.
    { ...gated(parent, check), retainOnDelete: removeOnDelete !== true },
  );
  return bundle.metadata.name;
}
