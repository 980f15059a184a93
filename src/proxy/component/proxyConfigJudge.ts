import * as pulumi from "@pulumi/pulumi";
import { parseAddress } from "../../address/parse";
import type { Fault } from "../../fault";
import { patchInputs, unpatchedFaults } from "../../objects/hostedClusterReference";
import { ignoredTextWarnings, isHostName, judgeProxy, type ProxyInputs } from "../settings";
import { proxyUrlWarnings, proxyWarnings } from "../warnings";
import { isGiven, type PropertyMap } from "../../resources/read";
import { from } from "../../objects/places";
import {
  type Fields,
  hiddenText,
  inputFaults,
  labelName,
  number,
  plain,
  plainSwitch,
  text,
} from "../../objects/shape";
import { awsRegion, type ObjectForm } from "../../requirements/hostedCluster/forms";
import { AzureCloud, Platform } from "../../requirements/vocabulary";
import { type ApiProxyChoice, NodeApiProxy, PROXY_URLS } from "../../topology/proxy/apiProxy";
import { secretWithCredentials } from "../../components/masked";
import { sentences, warn } from "../../components/checked";
import { withoutCredentials } from "../../components/outputs";
import type { TopologyJudgement } from "../../topology/normalizeTopology";
import type { ProxyConfigArgs } from "./proxyConfigArgs";

const host: ObjectForm = {
  matches: (text) => isHostName(text) || parseAddress(text).address !== undefined,
  name: "a host name or address",
  remedy: "write it without scheme and port: api.example.com",
};

/** The shape of each input by itself. */
const INPUTS: Fields = {
  namespace: labelName,
  region: text({ form: awsRegion }),
  azureCloud: plain(
    text({ words: Object.values(AzureCloud), remedy: "write one of them, or leave it out" }),
    `write one of ${Object.values(AzureCloud).join(", ")}`,
  ),
  // The value may be a URL with credentials.
  apiServerHost: hiddenText({ form: host }),
  computeNodes: number({ range: from(0) }),
  additionalTrustBundle: plainSwitch,
};

/** Applies every rule to the inputs of a ProxyConfig. */
export function judgeProxyConfig(known: PropertyMap): TopologyJudgement {
  const { topology, faults, warnings } = judgeProxy(known as unknown as ProxyInputs);
  return {
    ...(topology && { topology }),
    faults: [
      ...faults,
      ...inputFaults({ ...INPUTS, ...patchInputs(topology) }, known),
      ...unpatchedFaults(known),
      ...(known.additionalTrustBundle === true &&
      !isGiven(known.trustedCa) &&
      !isGiven(known.trustedCaConfigMap)
        ? [NO_BUNDLE]
        : []),
      ...(isGiven(known.ovnSubnets) && !isGiven(known.existingHostedCluster) ? [NOTHING_TO_PATCH] : []),
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
  ofChange: true,
};

/** Warnings: what works, but probably not as intended. */
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

/** The inputs in a form that is safe in the state: URLs with credentials are secrets, even if the program did not mark them. */
export function sealed(args: ProxyConfigArgs): ProxyConfigArgs {
  const urls = PROXY_URLS.flatMap((name) => {
    const url: pulumi.Input<string> | undefined = args?.[name];
    return url === undefined ? [] : [[name, secretWithCredentials(url)] as const];
  });
  return { ...args, topology: withoutCredentials(args?.topology), ...Object.fromEntries(urls) };
}

/** The URL of a proxy for objects and outputs: a secret if it contains credentials. */
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

/** Warns about a URL that is an Output once its value is known. Plain URLs are among the other warnings. */
function warnLater(
  component: pulumi.Resource,
  { path, setting }: { path: string; setting: "httpProxy" | "httpsProxy" },
  url: pulumi.Output<string>,
  choice: pulumi.Output<ApiProxyChoice>,
): void {
  pulumi.all([url, choice]).apply(async ([value, { proxy }]) => {
    const isTakenByNodes = setting === "httpsProxy" && proxy === NodeApiProxy.ControlPlaneOperator;
    const surroundings = { isSecret: await pulumi.isSecret(url), isTakenByNodes };
    const ignored = setting === "httpProxy" ? ignoredTextWarnings({ path, value }) : [];
    warn(component, sentences([...ignored, ...proxyUrlWarnings({ path, value }, surroundings)]));
  });
}
