import type { Place } from "../../objects/places";
import { TRUST_BUNDLE_KEY, trustBundleFaults, trustBundleWarnings } from "../trustBundle";
import { D3, HYPERSHIFT, at } from "../../requirements/documents";
import { API_NAMESPACE } from "../../resources/objectText";
import { readText, readValue } from "../../resources/read";
import { UNKNOWN, type Resource } from "../../resources/resource";
import { isConfigMap, isHostedCluster } from "../../resources/resourceTypes";
import { DEFAULT_NAMESPACE } from "../../topology/normalizeTopology";
import type { JudgedResources } from "../../gate/judgedResources";
import { writtenProxies } from "./proxies";
import { Level, describeResource, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { withObjectFaults } from "../../hostedCluster/rules/withObjectFaults";

/** A proxy whose certificates are not where HyperShift looks for them. */
export const proxyTrustedCa: Rule = {
  id: "proxy-trusted-ca",
  title: "The certificates of a proxy are where HyperShift looks for them",
  level: Level.Error,
  description: `The ConfigMaps that spec.configuration.proxy.trustedCA and spec.additionalTrustBundle of a HostedCluster name: in the HostedCluster's namespace, with certificates in PEM form under ${TRUST_BUNDLE_KEY} that hold today. One that the stack does not hold is counted as not judged.`,
  documents: [
    at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go"),
    at(D3, "Control plane workloads that need to access external services"),
  ],
  remediation: `Write a ConfigMap with ${TRUST_BUNDLE_KEY} into the namespace of the HostedCluster.`,
  single: isHostedCluster,
  judge: (judged) =>
    withObjectFaults(
      judged,
      "proxy-trusted-ca",
      namedBundles(judged).flatMap((bundle) => judgeBundle(judged, bundle)),
    ),
};

/** A ConfigMap that a HostedCluster names. */
interface NamedBundle extends Place {
  resource: Resource;
}

const ADDITIONAL = "spec.additionalTrustBundle.name";

function namedBundles(judged: JudgedResources): NamedBundle[] {
  const additional = judged.ofKind(isHostedCluster).flatMap((resource): NamedBundle[] => {
    const value = readValue(resource.properties, ADDITIONAL);
    return value === undefined ? [] : [{ resource, path: ADDITIONAL, value }];
  });
  return [
    ...writtenProxies(judged).map(({ resource, trustedCa }) => ({ resource, ...trustedCa })),
    ...additional,
  ];
}

function judgeBundle(judged: JudgedResources, { resource, path, value: name }: NamedBundle): Judgement[] {
  if (name === UNKNOWN) return [unknown({ resource, path })];
  if (typeof name !== "string" || name === "") return [];
  const namespace = readText(resource.properties, "metadata.namespace") ?? DEFAULT_NAMESPACE;
  const named = judged
    .ofKind(isConfigMap)
    .filter(({ properties }) => readText(properties, "metadata.name") === name);
  const own = named.find(({ properties }) => {
    const where = readText(properties, "metadata.namespace");
    return where === namespace || where === UNKNOWN || namespace === UNKNOWN;
  });
  if (own) return judgeConfigMap(own);
  const [elsewhere] = named;
  if (!elsewhere) {
    const because = judged.ofKind(isConfigMap).map((one) => ({ resource: one, path: "metadata.name" }));
    return [unknown({ resource, path, reason: `ConfigMap ${name} is not in this stack`, because })];
  }
  const where = readText(elsewhere.properties, "metadata.namespace");
  return [
    violated({
      resource: resource.origin,
      path,
      message: `ConfigMap ${name} is in namespace ${typeof where === "string" ? where : API_NAMESPACE}, and HyperShift looks for it in ${String(namespace)}`,
      fix: `write ${describeResource(elsewhere)} into namespace ${String(namespace)}`,
    }),
  ];
}

function judgeConfigMap(resource: Resource): Judgement[] {
  const data = readValue(resource.properties, "data");
  const value = isData(data) ? data[TRUST_BUNDLE_KEY] : data;
  const path = `data["${TRUST_BUNDLE_KEY}"]`;
  if (data === UNKNOWN || value === UNKNOWN) return [unknown({ resource, path })];
  const faults =
    isData(data) && value !== undefined
      ? [...trustBundleFaults({ path, value }), ...trustBundleWarnings({ path, value }, new Date())]
      : [missing(path)];
  return faults.map(({ problem, remedy }) =>
    violated({ resource: resource.origin, path, message: problem, fix: remedy }),
  );
}

const missing = (path: string) => ({
  path,
  problem: "missing",
  remedy: `write the certificates under ${TRUST_BUNDLE_KEY}`,
});

const isData = (value: unknown): value is Readonly<Record<string, Resource["properties"][string]>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
