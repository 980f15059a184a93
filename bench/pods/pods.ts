import type { PodEnd } from "../../src/reachability/filters/policySelection";
import type { Resource } from "../../src/resources/resource";
import { numbers } from "../prefixes";

const NAMESPACES = 20;
const APPS = 25;
const TIERS = ["api", "worker"] as const;

/** Pods in some namespaces; replicas have the same labels. */
export function generatePods(count: number, seed: number): PodEnd[] {
  const next = numbers(seed);
  return Array.from({ length: count }, (): PodEnd => {
    const namespace = namespaceAt(next());
    return {
      kind: "pod",
      namespace,
      namespaceLabels: { labels: { "kubernetes.io/metadata.name": namespace }, complete: true },
      labels: { labels: { app: appAt(next()), tier: tierAt(next()) }, complete: true },
    };
  });
}

/** Network policies with matchLabels: most for one app, some for a tier of it, and one for all pods of each namespace. */
export function generatePolicies(count: number, seed: number): Resource[] {
  const next = numbers(seed);
  return Array.from({ length: count }, (_, position): Resource => {
    const isDefault = position < NAMESPACES;
    const matchLabels = isDefault
      ? {}
      : { app: appAt(next()), ...(next() % 3 === 0 && { tier: tierAt(next()) }) };
    const port = 8_000 + (next() % 4);
    const name = `policy-${position}`;
    return {
      origin: { file: "policies.yaml", line: position + 1 },
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      name,
      properties: {
        metadata: { name, namespace: namespaceAt(isDefault ? position : next()) },
        spec: {
          podSelector: { matchLabels },
          policyTypes: ["Ingress"],
          ingress: isDefault
            ? []
            : [
                {
                  from: [{ ipBlock: { cidr: next() % 2 === 0 ? "10.0.0.0/8" : "10.0.0.0/9" } }],
                  ports: [{ port, endPort: port + 1 }],
                },
              ],
        },
      },
    };
  });
}

const namespaceAt = (number: number): string => `tenant-${number % NAMESPACES}`;
const appAt = (number: number): string => `app-${number % APPS}`;
const tierAt = (number: number): string => TIERS[number % TIERS.length]!;
