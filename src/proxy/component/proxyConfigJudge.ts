import * as pulumi from "@pulumi/pulumi";
import { parseAddress } from "../../address/parse";
import type { Fault } from "../../fault";
import {
  hostedClusterReferenceFaults,
  patchedAnnotationFaults,
  switchFaults,
} from "../../objects/hostedClusterReference";
import { isHostName, judgeProxy, type ProxyInputs, type ProxyJudgement } from "../settings";
import { proxyUrlWarnings, proxyWarnings } from "../warnings";
import { isGiven, type PropertyMap } from "../../resources/read";
import { labelNameFaults, shownText } from "../../objects/places";
import { AzureCloud, Platform } from "../../requirements/vocabulary";
import { UNKNOWN } from "../../resources/resource";
import { type ApiProxyChoice, NodeApiProxy } from "../../topology/proxy/apiProxy";
import { secretWithCredentials } from "../../components/masked";
import { sentences, warn } from "../../components/checked";
import { withoutCredentials } from "../../components/topologyOutput";
import type { ProxyConfigArgs } from "./proxyConfigArgs";

/** Every rule on the inputs of a ProxyConfig. */
export function judgeProxyConfig(known: PropertyMap): ProxyJudgement {
  const { topology, faults, warnings } = judgeProxy(known as unknown as ProxyInputs);
  const { namespace, region, azureCloud, apiServerHost, computeNodes, existingHostedCluster } = known;
  return {
    ...(topology && { topology }),
    faults: [
      ...faults,
      ...(isGiven(namespace) ? labelNameFaults({ path: "namespace", value: namespace }, "") : []),
      ...regionFaults(region),
      ...azureCloudFaults(azureCloud),
      ...hostFaults(apiServerHost),
      ...countFaults(computeNodes),
      ...hostedClusterReferenceFaults("existingHostedCluster", existingHostedCluster, topology),
      ...patchedAnnotationFaults(known),
      ...["additionalTrustBundle", "forcePatch", "removeOnDelete"].flatMap((name) =>
        switchFaults(name, known[name]),
      ),
      ...(known.additionalTrustBundle === true &&
      !isGiven(known.trustedCa) &&
      !isGiven(known.trustedCaConfigMap)
        ? [NO_BUNDLE]
        : []),
      ...(isGiven(known.ovnSubnets) && !isGiven(existingHostedCluster) ? [NOTHING_TO_PATCH] : []),
    ],
    warnings,
  };
}

const NO_BUNDLE: Fault = {
  path: "additionalTrustBundle",
  problem: "true, but there are no certificates",
  remedy: "write trustedCa or trustedCaConfigMap",
};

const NOTHING_TO_PATCH: Fault = {
  path: "ovnSubnets",
  problem: "is given, but there is no HostedCluster to patch",
  remedy: "write existingHostedCluster, or put both fragments into the HostedCluster that you create",
};

const ROLLS_NODES: Fault = {
  path: "existingHostedCluster",
  problem: "a change of the proxy of a running cluster rolls its nodes",
  remedy: "make it in a maintenance window",
};

/** What works, but probably not as meant. */
export function proxyConfigWarnings(known: PropertyMap): Fault[] {
  const { topology, warnings } = judgeProxyConfig(known);
  if (!topology) return warnings;
  const { computeNodes, region, apiServerHost } = known;
  const around = {
    topology,
    now: new Date(),
    ...(typeof computeNodes === "number" && { computeNodes }),
    ...(typeof apiServerHost === "string" && { apiServerHost }),
  };
  const regionless = topology.platform === Platform.AWS && !isGiven(region);
  return [
    ...warnings,
    ...proxyWarnings(known as unknown as ProxyInputs, around),
    ...(regionless ? [NO_REGION] : []),
    ...(isGiven(known.existingHostedCluster) ? [ROLLS_NODES] : []),
  ];
}

const NO_REGION: Fault = {
  path: "region",
  problem: "missing: the computed noProxy lacks the domain of the instances' names",
  remedy: "write the AWS region of the cluster",
};

function regionFaults(region: PropertyMap[string] | undefined): Fault[] {
  if (!isGiven(region) || region === UNKNOWN) return [];
  if (typeof region === "string" && /^[a-z]{2,}(-[a-z]+)+-\d+$/.test(region)) return [];
  const problem = `${shownText(region)} is no AWS region`;
  return [{ path: "region", problem, remedy: "write one such as us-east-1" }];
}

function azureCloudFaults(cloud: PropertyMap[string] | undefined): Fault[] {
  const clouds: unknown[] = Object.values(AzureCloud);
  if (!isGiven(cloud) || clouds.includes(cloud)) return [];
  const problem = cloud === UNKNOWN ? "is an Output" : `${shownText(cloud)} is no Azure cloud`;
  return [{ path: "azureCloud", problem, remedy: `write one of ${clouds.join(", ")}` }];
}

function hostFaults(host: PropertyMap[string] | undefined): Fault[] {
  if (!isGiven(host) || host === UNKNOWN) return [];
  if (typeof host === "string" && (isHostName(host) || parseAddress(host).address)) return [];
  const problem = `${typeof host === "string" && host.includes("@") ? "a URL" : shownText(host)} is no host name or address`;
  return [{ path: "apiServerHost", problem, remedy: "write it without scheme and port: api.example.com" }];
}

function countFaults(count: PropertyMap[string] | undefined): Fault[] {
  if (!isGiven(count) || count === UNKNOWN) return [];
  if (typeof count === "number" && Number.isInteger(count) && count >= 0) return [];
  const problem = `${shownText(count)} is no number of nodes`;
  return [{ path: "computeNodes", problem, remedy: "write a whole number from 0" }];
}

/** The inputs as they may stand in the state: URLs with credentials are secrets, whether or not the program said so. */
export function sealed(args: ProxyConfigArgs): ProxyConfigArgs {
  const urls = (["httpProxy", "httpsProxy"] as const).flatMap((name) => {
    const url: pulumi.Input<string> | undefined = args?.[name];
    return url === undefined ? [] : [[name, secretWithCredentials(url)] as const];
  });
  return { ...args, topology: withoutCredentials(args?.topology), ...Object.fromEntries(urls) };
}

/** The URL of a proxy as it goes into objects and outputs: a secret where it holds credentials. */
export function sealedUrl(
  component: pulumi.Resource,
  setting: "httpProxy" | "httpsProxy",
  args: ProxyConfigArgs,
  choice: pulumi.Output<ApiProxyChoice>,
): pulumi.Input<string> | undefined {
  const { [setting]: own, topology } = args;
  const url = own ?? topology.proxy?.[setting];
  if (url === undefined) return undefined;
  const path = own === undefined ? `topology.proxy.${setting}` : setting;
  if (typeof url !== "string") warnLater(component, { path, setting }, pulumi.output(url), choice);
  return secretWithCredentials(url);
}

/** Plain values are warned about with the other findings; an Output says only later what it holds. */
function warnLater(
  component: pulumi.Resource,
  { path, setting }: { path: string; setting: "httpProxy" | "httpsProxy" },
  url: pulumi.Output<string>,
  choice: pulumi.Output<ApiProxyChoice>,
): void {
  pulumi.all([url, choice]).apply(async ([value, { proxy }]) => {
    const isTakenByNodes = setting === "httpsProxy" && proxy === NodeApiProxy.ControlPlaneOperator;
    const surroundings = { isSecret: await pulumi.isSecret(url), isTakenByNodes };
    warn(component, sentences(proxyUrlWarnings({ path, value }, surroundings)));
  });
}
