import { withoutHostBits } from "../../address";
import type { Fault } from "../../fault";
import { isFilled, type Place, read, readText, readValue } from "../../resources/read";
import { noProxyEntries, noProxyFaults } from "../noProxy";
import {
  ignoredTextWarnings,
  proxyUrlFaults,
  readinessFaults,
  TRUST_BUNDLE_KEY,
  trustBundleFaults,
  trustBundleWarnings,
} from "../settings";
import { OCP_PROXY, HYPERSHIFT, NETWORK_OPERATOR, at } from "../../requirements/documents";
import { UNKNOWN, type Resource } from "../../resources/resource";
import { isClusterProxy, isConfigMap, isHostedCluster, isPatch } from "../../resources/resourceTypes";
import { nodeProxyFaults } from "../warnings";
import { clusterProxies, proxiesOf, WHETHER_BYPASSED, writtenProxies, type WrittenSettings } from "./proxies";
import type { JudgedCluster } from "../../gate/clusters";
import { isUnknown } from "../../topology/normalizedTopology";
import { apiProxyChoice, NodeApiProxy } from "../../topology/proxy/apiProxy";
import {
  Level,
  describeResource,
  unknown,
  violated,
  violatedBy,
  type Judgement,
  type Rule,
} from "../../gate/rule";
import { withObjectFaults } from "../../hostedCluster/rules/publishing";
import { API_NAMESPACE, labelAt, labelOf } from "../../resources/kubernetesObject";
import { DEFAULT_NAMESPACE } from "../../topology/normalizeTopology";
import type { JudgedResources } from "../../gate/judgedResources";
import { isRecord } from "../../collections";

/** Reports proxies that the API accepts and the cluster's network operator then refuses. */
export const proxyInvalid: Rule = {
  id: "proxy-invalid",
  title: "Proxy setting is invalid",
  level: Level.Error,
  description:
    "Reports invalid values of spec.configuration.proxy of HostedClusters and of patches on them, and of Proxy objects in the clusters themselves.",
  details: [
    "URLs need a scheme that the setting accepts, a host and a port; text after the port is a warning in httpProxy.",
    "If nodes reach the API server through httpsProxy, credentials and a slash at its end are errors, because HyperShift takes them as a part of the address.",
    "noProxy needs domains, addresses and CIDR blocks, or only *. readinessEndpoints needs http URLs with a host, and https URLs only if trustedCA is set.",
    "The API accepts any text; the network operator refuses it once the cluster runs.",
    "Findings never show a URL, because it may contain credentials.",
  ],
  documents: [
    at(OCP_PROXY, "Control plane workloads that need to access external services"),
    at(NETWORK_OPERATOR, "pkg/controller/proxyconfig/validation.go"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.configuration.proxy"),
    at(HYPERSHIFT, "hypershift-operator/controllers/nodepool/haproxy.go"),
  ],
  remediation: "Write URLs such as http://proxy.example.com:3128, and host names or CIDR blocks in noProxy.",
  single: (type) => isHostedCluster(type) || isClusterProxy(type),
  judge: (judged) =>
    withObjectFaults(judged, "proxy-invalid", [
      ...[...writtenProxies(judged), ...clusterProxies(judged)].flatMap(judgeProxy),
      ...judged.clusters.flatMap(judgeNodeProxy),
    ]),
};

/** Judges whether nodes can dial the proxy through which they reach the API server. An unknown noProxy is counted as such elsewhere. */
function judgeNodeProxy(cluster: JudgedCluster): Judgement[] {
  const { topology, partial } = cluster;
  const proxies = proxiesOf(cluster);
  const faults = proxies.flatMap(({ resource, httpsProxy }) =>
    nodeProxyFaults(httpsProxy).map((fault) => ({ ...fault, resource })),
  );
  if (!topology || partial || faults.length === 0) return [];
  if (proxies.some(({ noProxy }) => noProxy.value === UNKNOWN)) return [];
  const noProxy = proxies.flatMap((proxy) => noProxyEntries(proxy.noProxy));
  const choice = apiProxyChoice(topology, { httpsProxy: true, noProxy });
  if (choice.proxy === NodeApiProxy.Haproxy) return [];
  const isOpen = choice.undecided !== undefined || isUnknown(topology, "endpointAccess");
  return faults.map(({ resource, ...fault }) =>
    isOpen ? unknown({ resource, path: fault.path, reason: WHETHER_BYPASSED }) : violatedBy(resource, fault),
  );
}

function judgeProxy(settings: WrittenSettings): Judgement[] {
  const { resource, path: at, httpProxy, httpsProxy, noProxy } = settings;
  const bundle = readText(resource.properties, `${at}.trustedCA.name`);
  const hasBundle = isPatch(resource.type) || isFilled(bundle) || bundle === UNKNOWN;
  const endpoints = read(resource.properties, `${at}.readinessEndpoints[]`);
  const faults = [
    ...proxyUrlFaults("httpProxy", unlessEmpty(httpProxy)),
    ...proxyUrlFaults("httpsProxy", unlessEmpty(httpsProxy)),
    ...noProxyFaults(withoutHostBitsIn(noProxy)),
    ...endpoints.flatMap((endpoint) => readinessFaults(endpoint, hasBundle)),
  ];
  const without =
    !isPatch(resource.type) &&
    [httpProxy, httpsProxy].every(({ value }) => value === undefined || value === "");
  if (without && typeof noProxy.value === "string" && noProxy.value !== "")
    faults.push({
      path: at,
      problem: "sets neither httpProxy nor httpsProxy, so noProxy has no effect",
      remedy: "write one of the two, or leave the proxy out",
    });
  const pending = [httpProxy, httpsProxy, noProxy, ...endpoints].filter(({ value }) => value === UNKNOWN);
  return [
    ...faults.map((fault) => violatedBy(resource, fault)),
    ...[...hostBits(noProxy), ...ignoredTextWarnings(httpProxy)].map((fault) =>
      violatedBy(resource, fault, { level: Level.Warning }),
    ),
    ...pending.map(({ path }) => unknown({ resource, path })),
  ];
}

/** Treats an empty text as absent: templates, and patches that clear a setting, write it for no proxy. */
const unlessEmpty = ({ path, value }: Place): Place => ({ path, value: value === "" ? undefined : value });

const withoutHostBitsIn = ({ path, value }: Place): Place => ({
  path,
  value:
    typeof value === "string"
      ? value
          .split(",")
          .map((entry) => withoutHostBits(entry.trim()) || entry)
          .join(",")
      : value,
});

/** Host bits in noProxy, which the network operator accepts and every reader clears. */
const hostBits = (noProxy: Place): Fault[] =>
  noProxyEntries(noProxy)
    .filter((entry) => withoutHostBits(entry) !== entry)
    .flatMap((entry) => noProxyFaults({ path: noProxy.path, value: entry }));

/**
 * The label of ConfigMaps, in any namespace of an OpenShift cluster, in which the network operator overwrites the certificates with
 * the cluster's own trust bundle. Whether the management cluster is OpenShift is in no object.
 */
const INJECTED = "config.openshift.io/inject-trusted-cabundle";
const FILLED = `which the network operator of OpenShift fills because of the label ${INJECTED}`;

/** Reports proxies whose certificates are not where HyperShift looks for them. */
export const proxyTrustedCa: Rule = {
  id: "proxy-trusted-ca",
  title: "Trusted CA of a proxy is missing or invalid",
  level: Level.Error,
  description: `Reports missing and invalid ConfigMaps of spec.configuration.proxy.trustedCA and spec.additionalTrustBundle of HostedClusters. They must be in the HostedCluster's namespace, with PEM certificates under ${TRUST_BUNDLE_KEY} that are valid today. One that is not in the stack, or that the network operator fills because of the label ${INJECTED}, is counted as not judged.`,
  documents: [
    at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go"),
    at(OCP_PROXY, "Control plane workloads that need to access external services"),
    at(NETWORK_OPERATOR, "pkg/controller/configmap_ca_injector/controller.go"),
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
  const value = isRecord(data) ? data[TRUST_BUNDLE_KEY] : data;
  const path = `data["${TRUST_BUNDLE_KEY}"]`;
  if (data === UNKNOWN || value === UNKNOWN) return [unknown({ resource, path })];
  if (labelOf(resource.properties, INJECTED) === "true") return [unknown({ resource, path, reason: FILLED })];
  const faults =
    isRecord(data) && value !== undefined
      ? [...trustBundleFaults({ path, value }), ...trustBundleWarnings({ path, value }, new Date())]
      : [missing(path)];
  if (faults.length > 0 && labelAt(resource.properties, INJECTED) === UNKNOWN)
    return [unknown({ resource, path: "metadata.labels" })];
  return faults.map((fault) => violatedBy(resource, fault));
}

const missing = (path: string) => ({
  path,
  problem: "missing",
  remedy: `write the certificates under ${TRUST_BUNDLE_KEY}`,
});
