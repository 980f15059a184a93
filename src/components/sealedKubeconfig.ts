import * as pulumi from "@pulumi/pulumi";

/** Settings as they may stand in the state: their kubeconfig is a secret. */
export const sealedKubeconfig = <T extends { kubeconfig?: pulumi.Input<string> }>(settings: T): T =>
  settings?.kubeconfig === undefined
    ? settings
    : { ...settings, kubeconfig: pulumi.secret(settings.kubeconfig) };
