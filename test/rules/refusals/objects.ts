import { Platform } from "../../../src/requirements/vocabulary";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { restOf } from "../../hostedCluster/inputs";
import { HOSTED_CLUSTER, resource, type Properties } from "../builders";

/** A change of an object: objects are merged, lists replace lists, and null removes a value. */
export type Change = Readonly<Record<string, unknown>>;

const SERVICES = ["APIServer", "OAuthServer", "Konnectivity", "Ignition"] as const;

/** The entry of a service that is published by NodePort. */
export const byNodePort = (service: string, nodePort: object = { address: "192.0.2.10" }) => ({
  service,
  servicePublishingStrategy: { type: "NodePort", nodePort },
});

/** The entry of a service with a strategy of this type. */
export const by = (service: string, type: string, more: object = {}) => ({
  service,
  servicePublishingStrategy: { type, ...more },
});

const loadBalanced = [by("APIServer", "LoadBalancer"), ...SERVICES.slice(1).map((name) => by(name, "Route"))];
export const nodePorts = SERVICES.map((name) => byNodePort(name));

/** A HostedCluster that the API server and HyperShift accept. */
export function validCluster(platform: Platform): Properties {
  const { platform: section } = restOf[platform] as { platform?: object };
  const isByNodePort = platform === Platform.Agent || platform === Platform.None;
  return {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "HostedCluster",
    metadata: { name: "tenant-a", namespace: "clusters" },
    spec: {
      release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
      pullSecret: { name: "pull-secret" },
      sshKey: {},
      etcd: {
        managementType: "Managed",
        managed: { storage: { type: "PersistentVolume", persistentVolume: { size: "8Gi" } } },
      },
      platform: { type: platform, ...section },
      dns: { baseDomain: "example.com" },
      networking: {
        networkType: "OVNKubernetes",
        machineNetwork: [{ cidr: "10.0.0.0/16" }],
        clusterNetwork: [{ cidr: "10.132.0.0/14" }],
        serviceNetwork: [{ cidr: "172.31.0.0/16" }],
      },
      services: isByNodePort ? nodePorts : loadBalanced,
    },
  };
}

/** An object with a change merged into it. */
export function changed(value: PropertyValue, change: unknown): PropertyValue {
  if (typeof change !== "object" || change === null || Array.isArray(change)) return change as PropertyValue;
  const known = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  const result: Record<string, PropertyValue> = { ...(known as Properties) };
  for (const [key, entry] of Object.entries(change))
    if (entry === null) delete result[key];
    else result[key] = changed(result[key] ?? null, entry);
  return result;
}

export const clusterWith = (platform: Platform, spec: Change): Properties =>
  changed(validCluster(platform), { spec }) as Properties;

/** The resource that rules judge. */
export const judgedCluster = (object: Properties): Resource => resource(HOSTED_CLUSTER, "tenant-a", object);
