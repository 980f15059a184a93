import * as kubernetes from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";

/** The tenants' namespaces in the hosted cluster, or only their names until its kubeconfig is set. */
export function tenantsNamespaces(kubeconfig: pulumi.Output<string> | undefined) {
  const provider = kubeconfig && new kubernetes.Provider("hosted", { kubeconfig });
  const namespace = (name: string): pulumi.Input<string> =>
    provider
      ? new kubernetes.core.v1.Namespace(name, { metadata: { name, labels: { tenant: name } } }, { provider })
          .metadata.name
      : name;
  return { shop: namespace("shop"), stream: namespace("stream") };
}
