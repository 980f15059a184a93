import * as pulumi from "@pulumi/pulumi";
import { merged, parsedSpec, valueAt } from "../additionalSpec";
import { networkSpec, type NetworkSpec, type NetworkSettings } from "../spec";
import { proxyOfTopology } from "../fragments";
import {
  CONFIGURATION_FIELDS,
  OPERATOR_FIELDS,
  platformSections,
  SPEC_FIELDS,
} from "../../requirements/hostedCluster";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { HostedClusterNetworkArgs, HostedClusterNetworkSpec } from "./hostedClusterNetworkArgs";
import type { OvnSubnetFragment } from "../../ovnSubnets/component/ovnSubnetArgs";
import { secretWithCredentials } from "../../components/masked";
import type { ProxyFragment } from "../../proxy/component/proxyConfigArgs";
import { whenKnown } from "../../components/checked";
import { isEventual } from "../../components/settled";
import { PROXY_URLS } from "../../topology/proxy/apiProxy";
import { isRecord } from "../../collections";

type Fields = Record<string, unknown>;

/** What the typed inputs say of a spec: single values are Outputs where the inputs are. */
type TypedSpec = Pick<NetworkSpec, "platform" | "networking" | "services"> & Fields;

/** The settings beside the topology that are plain. */
export const plainSettings = ({
  mtu,
  allocateNodeCidrs,
  disableMultiNetwork,
}: HostedClusterNetworkArgs): NetworkSettings => ({
  ...(mtu !== undefined && { mtu }),
  ...(allocateNodeCidrs !== undefined && { allocateNodeCidrs }),
  ...(disableMultiNetwork !== undefined && { disableMultiNetwork }),
});

/** The part of the spec that comes from typed inputs; single values in it are Outputs where the inputs are. */
export function typedSpec(args: HostedClusterNetworkArgs, topology: NormalizedTopology): TypedSpec {
  const { allowedCidrBlocks } = args;
  const network = networkSpec(topology, {
    ...plainSettings(args),
    ...(allowedCidrBlocks !== undefined && { allowedCidrBlocks }),
  });
  return { ...network, ...operators(network, args), ...proxySpec(args) };
}

/** The operators' settings, with the subnets of a fragment. */
function operators({ operatorConfiguration }: NetworkSpec, { ovnSubnets }: HostedClusterNetworkArgs) {
  if (ovnSubnets === undefined) return {};
  const operator = operatorConfiguration?.clusterNetworkOperator;
  const own = operator?.ovnKubernetesConfig;
  const ipv4 = whenKnown(ovnSubnets, (fragment) => ({
    ...own?.ipv4,
    ...(fragment as OvnSubnetFragment).operatorConfiguration?.clusterNetworkOperator?.ovnKubernetesConfig
      ?.ipv4,
  }));
  return {
    operatorConfiguration: { clusterNetworkOperator: { ...operator, ovnKubernetesConfig: { ...own, ipv4 } } },
  };
}

/** Proxy and trust bundle, from a fragment or from the topology. */
function proxySpec({ proxy, topology }: HostedClusterNetworkArgs): Fields {
  if (proxy !== undefined) {
    const part = <Key extends keyof ProxyFragment>(key: Key) =>
      whenKnown(proxy, (fragment) => (fragment as ProxyFragment)[key]);
    const configuration = whenKnown(proxy, (fragment) => (fragment as ProxyFragment).configuration?.proxy);
    return { configuration: { proxy: configuration }, additionalTrustBundle: part("additionalTrustBundle") };
  }
  if (topology.proxy === undefined) return {};
  const settings = proxyOfTopology(topology);
  const urls = PROXY_URLS.flatMap((name) =>
    settings[name] === undefined ? [] : [[name, secretWithCredentials(settings[name])] as const],
  );
  return { configuration: { proxy: { ...settings, ...Object.fromEntries(urls) } } };
}

/**
 * The whole spec. Where the text of the rest is an Output, a preview cannot tell which fields there will be: it shows what
 * the typed inputs say, and asks for each field that a spec can have.
 */
export function wholeSpec(
  typed: TypedSpec,
  { additionalSpec, additionalSpecJson: rest = "" }: HostedClusterNetworkArgs,
): pulumi.Input<object> {
  if (additionalSpec !== undefined) return laid(typed, additionalSpec);
  if (typeof rest === "string") return withRest(typed, rest);
  if (pulumi.runtime.isDryRun()) return previewOf(typed, pulumi.output(rest));
  return pulumi.all([typed, rest]).apply(([known, text]) => withRest(known as Fields, text));
}

function withRest(typed: Fields, rest: string): object {
  const fields = Object.entries(typed).filter(([, value]) => value !== undefined);
  const additional = parsedSpec(rest);
  // An Output may turn out to be nothing, and must then not hide what the text says.
  const named = fields.filter(([key]) => key !== TRUST_BUNDLE || additional[key] === undefined);
  return merged(Object.fromEntries(named), additional);
}

/** A spec with another one laid into it, in which single values are Outputs: what is known of both stays known. */
function laid(typed: Fields, rest: Fields): object {
  const result: Fields = { ...rest };
  for (const [key, own] of Object.entries(typed)) {
    const other = rest[key];
    if (own === undefined || isEventual(own) || other === undefined) {
      if (other === undefined || (own !== undefined && key !== TRUST_BUNDLE)) result[key] = own;
    } else if (!isMapLike(own)) result[key] = own;
    else if (isMapLike(other)) result[key] = laid(own, other);
    else
      result[key] = pulumi
        .output(other)
        .apply((fields) => pulumi.output(laid(own, { ...(fields as Fields) })));
  }
  return result;
}

const isMapLike = (value: unknown): value is Fields => isRecord(value) && !isEventual(value);

const TRUST_BUNDLE = "additionalTrustBundle";

function previewOf(typed: TypedSpec, rest: pulumi.Output<string>): object {
  const additional = (path: string) => rest.apply((text) => valueAt(parsedSpec(text), path) as unknown);
  /** An object of which some fields are typed: the others are asked for one by one. */
  const beside = (key: string, fields: readonly string[]) => {
    const own = typed[key] as Fields | undefined;
    if (own === undefined) return additional(key);
    const others = fields.filter((field) => !(field in own));
    return { ...Object.fromEntries(others.map((field) => [field, additional(`${key}.${field}`)])), ...own };
  };
  const untyped = SPEC_FIELDS.filter((field) => !(field in typed));
  return {
    ...Object.fromEntries(untyped.map((field) => [field, additional(field)])),
    ...typed,
    [TRUST_BUNDLE]: pulumi
      .all([typed[TRUST_BUNDLE], additional(TRUST_BUNDLE)])
      .apply(([own, other]) => own ?? other),
    platform: previewOfPlatform(typed.platform, additional),
    configuration: beside("configuration", CONFIGURATION_FIELDS),
    operatorConfiguration: beside("operatorConfiguration", OPERATOR_FIELDS),
  };
}

function previewOfPlatform(
  platform: NetworkSpec["platform"],
  additional: (path: string) => pulumi.Output<unknown>,
): object {
  const section = Object.entries(platformSections).find(([name]) => name === platform.type)?.[1];
  if (!section) return platform;
  const own = platform[section.key] as Fields | undefined;
  const whole = additional(`platform.${section.key}`).apply((fields) =>
    fields === undefined && own === undefined ? undefined : { ...(fields as Fields | undefined), ...own },
  );
  return { type: platform.type, [section.key]: whole };
}

/** The typed part as an output. */
export const specOutput = (typed: TypedSpec): pulumi.Output<HostedClusterNetworkSpec> =>
  pulumi.output(typed) as unknown as pulumi.Output<HostedClusterNetworkSpec>;
