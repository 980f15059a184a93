import * as pulumi from "@pulumi/pulumi";
import { NodeApiProxy, type ApiProxyChoice } from "../../topology/proxy/apiProxy";
import { proxyPlaces, type ProxyInputs } from "../settings";
import { proxyUrlWarnings } from "../warnings";
import type { PropertyMap } from "../../resources/places";
import { secretWithCredentials } from "../../components/credentials";
import { warn, sentences } from "../../components/refuse";
import { withoutCredentials } from "../../components/topologyOutput";
import type { ProxyConfigArgs } from "./proxyConfigArgs";

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
  url: pulumi.Input<string> | undefined,
  choice: pulumi.Output<ApiProxyChoice>,
): pulumi.Input<string> | undefined {
  if (url === undefined) return undefined;
  if (typeof url !== "string") warnLater(component, setting, pulumi.output(url), choice);
  return secretWithCredentials(url);
}

/** Plain values are warned about with the other findings; an Output says only later what it holds. */
function warnLater(
  component: pulumi.Resource,
  setting: "httpProxy" | "httpsProxy",
  url: pulumi.Output<string>,
  choice: pulumi.Output<ApiProxyChoice>,
): void {
  pulumi.all([url, choice]).apply(async ([value, { proxy }]) => {
    const isTakenByNodes = setting === "httpsProxy" && proxy === NodeApiProxy.ControlPlaneOperator;
    const surroundings = { isSecret: await pulumi.isSecret(url), isTakenByNodes };
    warn(component, sentences(proxyUrlWarnings({ path: setting, value }, surroundings)));
  });
}

/** The proxy as the registered topology shows it: without credentials, and without URLs that are not plain. */
export function statedProxy(known: PropertyMap): Pick<ProxyConfigArgs["topology"], "proxy"> {
  const { httpProxy, httpsProxy, noProxy } = proxyPlaces(known as unknown as ProxyInputs);
  const entries = Array.isArray(noProxy.value) ? noProxy.value : [noProxy.value];
  const texts = {
    httpProxy: httpProxy.value,
    httpsProxy: httpsProxy.value,
    noProxy: entries.every((entry) => typeof entry === "string") ? entries.join(",") : undefined,
  };
  const plain = Object.entries(texts).filter(([, text]) => typeof text === "string");
  return plain.length > 0
    ? withoutCredentials({ proxy: Object.fromEntries(plain) as Record<string, string> })
    : {};
}
