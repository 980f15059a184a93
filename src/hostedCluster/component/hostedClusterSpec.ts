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

/** The fields of a spec that the typed inputs set. Single values are Outputs if the inputs are. */
type TypedSpec = Pick<NetworkSpec, "platform" | "networking" | "services"> & Fields;

/** The plain settings that are not part of the topology. */
export const plainSettings = ({
  mtu,
  allocateNodeCidrs,
  disableMultiNetwork,
}: HostedClusterNetworkArgs): NetworkSettings => ({
  ...(mtu !== undefined && { mtu }),
  ...(allocateNodeCidrs !== undefined && { allocateNodeCidrs }),
  ...(disableMultiNetwork !== undefined && { disableMultiNetwork }),
});

/** The part of the spec that comes from typed inputs. Single values in it are Outputs if the inputs are. */
export function typedSpec(args: HostedClusterNetworkArgs, topology: NormalizedTopology): TypedSpec {
  const { allowedCidrBlocks } = args;
  const network = networkSpec(topology, {
    ...plainSettings(args),
    ...(allowedCidrBlocks !== undefined && { allowedCidrBlocks }),
  });
  return { ...network, ...operators(network, args), ...proxySpec(args) };
}

/** The operator settings, with the subnets of a fragment. */
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
 * Returns the whole spec. If the JSON text of the rest is an Output, a preview cannot tell which fields the spec will have: it
 * shows the fields from the typed inputs, and reads each other field that a spec can have from the text.
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
  // An Output may resolve to undefined and must then not hide the value in the text.
  const named = fields.filter(([key]) => key !== TRUST_BUNDLE || additional[key] === undefined);
  return merged(Object.fromEntries(named), additional);
}

/** Merges two specs in which single values are Outputs: what is known of either stays known. */
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
  /** An object of which some fields are typed. Each of the other fields is read from the rest. */
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

/** The part from typed inputs, as an output. */
export const specOutput = (typed: TypedSpec): pulumi.Output<HostedClusterNetworkSpec> =>
  pulumi.output(typed) as unknown as pulumi.Output<HostedClusterNetworkSpec>;
