import * as pulumi from "@pulumi/pulumi";
import { hasCredentials, proxyPlaces, type ProxyInputs } from "../../manifests";
import type { PropertyMap } from "../../manifests/places";
import { warn } from "../refuse";
import { withoutCredentials } from "../topologyOutput";
import type { ProxyConfigArgs } from "./proxyConfigArgs";

/** The inputs as they may stand in the state: URLs with credentials are secrets, whether or not the program said so. */
export function sealed(args: ProxyConfigArgs): ProxyConfigArgs {
  const urls = (["httpProxy", "httpsProxy"] as const).flatMap((name) =>
    hasCredentials(args?.[name]) ? [[name, pulumi.secret(args[name])] as const] : [],
  );
  return { ...args, topology: withoutCredentials(args?.topology), ...Object.fromEntries(urls) };
}

/** The URL of a proxy as it goes into objects and outputs: a secret where it holds credentials. */
export function sealedUrl(
  component: pulumi.Resource,
  setting: string,
  url: pulumi.Input<string> | undefined,
): pulumi.Input<string> | undefined {
  if (url === undefined) return undefined;
  if (typeof url === "string") return hasCredentials(url) ? pulumi.secret(url) : url;
  const eventual = pulumi.output(url);
  return eventual.apply(async (known) => {
    if (!hasCredentials(known) || (await pulumi.isSecret(eventual))) return known;
    warn(component, [`${setting} holds credentials and is no secret: wrap it in pulumi.secret`]);
    return pulumi.secret(known);
  }) as pulumi.Output<string>;
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
