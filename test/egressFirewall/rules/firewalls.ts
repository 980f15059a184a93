import { type PropertyValue, type Resource } from "../../../src/resources/resource";
import { type Rule } from "../../../src/gate/rule";
import { resource, unknowns, violations, type Properties } from "../../rules/builders";
import type { Configuration } from "../../../src/gate/configuration";

export const TYPE = "kubernetes:k8s.ovn.org/v1:EgressFirewall";

export const COMPONENT = "hypershift-network:index:EgressFirewall";

export const rule = (
  type: PropertyValue,
  cidrSelector: PropertyValue,
  ports?: PropertyValue,
): Properties => ({
  type,
  to: { cidrSelector },
  ...(ports !== undefined && { ports }),
});

export const named = (type: string, dnsName: PropertyValue): Properties => ({ type, to: { dnsName } });

export const port = (number: number, protocol = "TCP"): PropertyValue => [{ port: number, protocol }];

export const denyAll = rule("Deny", "0.0.0.0/0");

export const api = rule("Allow", "172.20.0.1/32", port(6443));

export function firewall(
  egress: PropertyValue,
  {
    name = "default",
    namespace = "shop",
    type = TYPE,
    at = "firewall",
  }: Partial<Record<string, PropertyValue>> = {},
): Resource {
  return resource(type as string, at as string, {
    apiVersion: "k8s.ovn.org/v1",
    kind: "EgressFirewall",
    metadata: { ...(name !== null && { name }), namespace },
    spec: { egress },
  });
}

export const described = (topology: Properties): Configuration => ({
  file: "hypershift-network.yaml",
  clusters: [
    {
      path: "hostedClusters[0]",
      topology: { name: "tenant-a", platform: "None", ...topology },
      securityGroups: {},
    },
  ],
  levels: {},
});

export const messages = (judgedRule: Rule, resources: readonly Resource[], configuration?: Configuration) =>
  violations(judgedRule, resources, configuration).map(({ path, message }) => `${path}: ${message}`);

export const open = (judgedRule: Rule, resources: readonly Resource[], configuration?: Configuration) =>
  unknowns(judgedRule, resources, configuration).map(({ message }) => message);
