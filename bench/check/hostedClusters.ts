import { PORT } from "../../src/requirements/ports";

/** The machine network of a hosted cluster; up to 50 clusters share no addresses. */
const machinesOf = (position: number): string => `10.${200 + (position % 50)}.0.0/16`;

const SERVICES = ["APIServer", "OAuthServer", "Konnectivity", "Ignition"] as const;

/** A HostedCluster object as a program creates it. */
export function hostedCluster(position: number) {
  const name = `tenant-${position}`;
  return {
    type: "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster",
    name,
    inputs: {
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "HostedCluster",
      metadata: { name, namespace: "clusters" },
      spec: {
        networking: {
          clusterNetwork: [{ cidr: "10.132.0.0/14" }],
          machineNetwork: [{ cidr: machinesOf(position) }],
          networkType: "OVNKubernetes",
          serviceNetwork: [{ cidr: "172.31.0.0/16" }],
        },
        platform: { aws: { endpointAccess: "Private", region: "us-east-1" }, type: "AWS" },
        release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
        services: SERVICES.map((service) => ({
          service,
          servicePublishingStrategy: { type: service === "APIServer" ? "LoadBalancer" : "Route" },
        })),
      },
    },
  };
}

/** Only some of the rules that the control plane needs: the missing ones are findings. */
export const documentedRules = (position: number) =>
  [PORT.https, PORT.apiServer, PORT.konnectivity].map((port) => ({
    cidrBlocks: [machinesOf(position)],
    description: "Documented flow of a hosted cluster",
    fromPort: port,
    protocol: "tcp",
    toPort: port,
  }));
