import { type ListedRule, servicesOn } from "../gate/rule";
import { hostedClusterName, immutableField } from "./rules/identity";
import {
  publishedTwice,
  nodePortRange,
  publishingUnsupported,
  serviceTrafficPolicy,
} from "./rules/publishing";

const publishedAt = (name: string, host: string) => `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: ${name}, namespace: clusters }
spec:
  platform: { type: KubeVirt }
  services:
    - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
    - { service: OAuthServer, servicePublishingStrategy: { type: Route, route: { hostname: ${host} } } }
    - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
    - { service: Ignition, servicePublishingStrategy: { type: Route } }
`;

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const hostedClusterRules: readonly ListedRule[] = [
  {
    rule: hostedClusterName,
    violated: `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: tenant.a, namespace: clusters }
spec: { platform: { type: AWS } }
`,
    mended: { "tenant.a": "tenant-b" },
  },
  {
    rule: publishedTwice,
    violated: `${publishedAt("tenant-b", "oauth.example.com")}---${publishedAt("tenant-c", "oauth.example.com")}`,
    mended: `${publishedAt("tenant-b", "oauth-b.example.com")}---${publishedAt("tenant-c", "oauth-c.example.com")}`,
  },
  {
    rule: nodePortRange,
    violated: servicesOn("Agent", {
      Ignition: "{ type: NodePort, nodePort: { address: 10.0.0.1, port: 8443 } }",
    }),
    mended: { "port: 8443": "port: 31443" },
  },
  {
    rule: publishingUnsupported,
    violated: `
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: NodePort, nodePort: { address: 10.0.0.1 } } }
`,
    mended: { "type: NodePort, nodePort: { address: 10.0.0.1 }": "type: Route" },
  },
  {
    rule: serviceTrafficPolicy,
    violated: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.7.1-x86_64' }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { type: LoadBalancer, externalTrafficPolicy: Local }
`,
    mended: { "4.7.1": "4.20.1" },
  },
  {
    rule: immutableField,
    violated: `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedClusterPatch
metadata: { name: tenant-a, namespace: clusters }
spec: { networking: { clusterNetwork: [{ cidr: 10.136.0.0/14 }] } }
`,
    mended: { "10.136.0.0/14": "10.132.0.0/14" },
  },
];
