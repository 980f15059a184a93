import * as pulumi from "@pulumi/pulumi";
import { hasCredentials, proxyPlaces, type ProxyInputs } from "../../manifests";
import type { PropertyMap } from "../../manifests/places";
import { warn } from "../refuse";
import { withoutCredentials } from "../topologyOutput";
import type { ProxyConfigArgs } from "./proxyConfigArgs";

/** The inputs as they may stand in the state: URLs with credentials are secrets, whether or not the program said so. */
export function sealed(args: ProxyConfigArgs): ProxyConfigArgs {
  const urls = (["httpProxy", "httpsProxy"] as const).flatMap((name) => {
    const url: pulumi.Input<string> | undefined = args?.[name];
    return url === undefined ? [] : [[name, secretWithCredentials(url)] as const];
  });
  return { ...args, topology: withoutCredentials(args?.topology), ...Object.fromEntries(urls) };
}

/** A URL that is a secret where it holds credentials. */
function secretWithCredentials(url: pulumi.Input<string>): pulumi.Input<string> {
  if (typeof url === "string") return hasCredentials(url) ? pulumi.secret(url) : url;
  return pulumi
    .output(url)
    .apply((known) => (hasCredentials(known) ? pulumi.secret(known) : pulumi.output(known)));
}

/** The URL of a proxy as it goes into objects and outputs: a secret where it holds credentials. */
export function sealedUrl(
  component: pulumi.Resource,
  setting: string,
  url: pulumi.Input<string> | undefined,
): pulumi.Input<string> | undefined {
  if (url === undefined) return undefined;
  if (typeof url !== "string") warnOfOpenCredentials(component, setting, pulumi.output(url));
  return secretWithCredentials(url);
}

/** Plain values are warned about with the other findings; an Output says only later what it holds. */
function warnOfOpenCredentials(
  component: pulumi.Resource,
  setting: string,
  url: pulumi.Output<string>,
): void {
  url.apply(async (known) => {
    if (!hasCredentials(known) || (await pulumi.isSecret(url))) return;
    warn(component, [`${setting} holds credentials and is no secret: wrap it in pulumi.secret`]);
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
