import * as pulumi from "@pulumi/pulumi";
import { hasCredentials } from "../proxy/settings";

/** Settings as they may stand in the state: their kubeconfig is a secret. */
export const sealedKubeconfig = <T extends { kubeconfig?: pulumi.Input<string> }>(settings: T): T =>
  settings?.kubeconfig === undefined
    ? settings
    : { ...settings, kubeconfig: pulumi.secret(settings.kubeconfig) };

/** A URL that is a secret where it holds credentials. */
export function secretWithCredentials(url: pulumi.Input<string>): pulumi.Input<string> {
  if (typeof url === "string") return hasCredentials(url) ? pulumi.secret(url) : url;
  return pulumi
    .output(url)
    .apply((known) => (hasCredentials(known) ? pulumi.secret(known) : pulumi.output(known)));
}
