import * as kubernetes from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { PublishingType, Service } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../../topology/normalizedTopology";

/**
 * The AWSEndpointService objects of a private cluster, by name: HyperShift makes one endpoint for the private router, and
 * one for the API server where a load balancer of its own publishes it.
 */
export function endpointServicesOf({ services }: NormalizedTopology): string[] {
  const ownBalancer = services[Service.APIServer].type === PublishingType.LoadBalancer;
  return [PRIVATE_ROUTER, ...(ownBalancer ? [PRIVATE_API_SERVER] : [])];
}

const PRIVATE_ROUTER = "private-router";
const PRIVATE_API_SERVER = "kube-apiserver-private";

/** The id of the endpoint that an AWSEndpointService names in its status; empty while it names none. */
export function endpointIdOf(
  name: string,
  namespace: string,
  service: string,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const read = new kubernetes.apiextensions.CustomResource(
    `${name}-${service}`,
    // A property that is not among the inputs stays undefined, whatever the provider has read.
    { apiVersion: "hypershift.openshift.io/v1beta1", kind: "AWSEndpointService", status: undefined },
    { ...opts, id: `${namespace}/${service}` },
  );
  const { status } = read as unknown as { status: pulumi.Output<{ endpointID?: string } | undefined> };
  return status.apply((known) => known?.endpointID ?? "");
}
