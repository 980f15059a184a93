import { join } from "node:path";

import type { Report } from "../report";
import { cached, cachedOrMade, type CacheEntry } from "./cache";
import { isExecutable, onPath } from "./command";
import { goBuild, goCompiler, type GoBuild } from "./goBuild";
import { Absent, firstOf, type Found, type Source } from "./sources";
import { ETCD_VERSION, KUBERNETES_STAGING_VERSION, KUBERNETES_VERSION } from "./versions";

/** The two programs of a Kubernetes API without nodes. */
export interface KubernetesTools {
  readonly apiServer: string;
  readonly etcd: string;
}

const API_SERVER = "kube-apiserver";
const ETCD = "etcd";
const BUILT: CacheEntry = { tool: "kubernetes", version: KUBERNETES_VERSION, proof: API_SERVER };
const KUBECTL_BUILT: CacheEntry = { tool: "kubectl", version: KUBERNETES_VERSION, proof: "kubectl" };

/** Where kube-apiserver and etcd may come from, in order of preference. */
export const kubernetesSources: readonly Source<KubernetesTools>[] = [
  { from: "KUBEBUILDER_ASSETS", find: assetsOfKubebuilder },
  { from: "the user's cache folder", find: () => Promise.resolve(toolsIn(cached(BUILT))) },
  { from: "their Go modules, built here", find: buildKubernetes },
];

/** Finds or builds kube-apiserver and etcd. */
export function findKubernetes(report: Report): Promise<Found<KubernetesTools>> {
  return firstOf("kube-apiserver and etcd", kubernetesSources, report);
}

/** Where kubectl may come from. No part of a session needs it; it is for users who want to inspect the cluster. */
export const kubectlSources: readonly Source<string>[] = [
  { from: "kubectl on PATH", find: () => Promise.resolve(onPath("kubectl") ?? new Absent("there is none")) },
  { from: "KUBEBUILDER_ASSETS", find: () => Promise.resolve(kubectlIn(process.env.KUBEBUILDER_ASSETS)) },
  { from: "the user's cache folder", find: () => Promise.resolve(kubectlIn(cached(KUBECTL_BUILT))) },
  { from: "its Go module, built here", find: buildKubectl },
];

/** Finds or builds kubectl. */
export function findKubectl(report: Report): Promise<Found<string>> {
  return firstOf("kubectl", kubectlSources, report);
}

function assetsOfKubebuilder(): Promise<KubernetesTools | Absent> {
  const folder = process.env.KUBEBUILDER_ASSETS;
  return Promise.resolve(folder ? toolsIn(folder) : new Absent("not set"));
}

function toolsIn(folder: string | undefined): KubernetesTools | Absent {
  if (folder === undefined) {
    return new Absent("they are not there yet");
  }
  const tools = { apiServer: join(folder, API_SERVER), etcd: join(folder, ETCD) };
  return isExecutable(tools.apiServer) && isExecutable(tools.etcd)
    ? tools
    : new Absent(`${folder} does not hold both ${API_SERVER} and ${ETCD}`);
}

function kubectlIn(folder: string | undefined): string | Absent {
  const command = folder && join(folder, "kubectl");
  return command && isExecutable(command) ? command : new Absent("it is not there");
}

async function buildKubernetes(report: Report): Promise<KubernetesTools | Absent> {
  const go = goCompiler();
  if (go instanceof Absent) {
    return go;
  }
  const folder = await report.step(
    `building kube-apiserver ${KUBERNETES_VERSION} and etcd ${ETCD_VERSION}`,
    () => cachedOrMade(BUILT, report, (root) => goBuild(go, API, root)),
  );
  return toolsIn(folder);
}

async function buildKubectl(report: Report): Promise<string | Absent> {
  const go = goCompiler();
  if (go instanceof Absent) {
    return go;
  }
  const folder = await report.step(`building kubectl ${KUBERNETES_VERSION}`, () =>
    cachedOrMade(KUBECTL_BUILT, report, (root) => goBuild(go, KUBECTL, root)),
  );
  return kubectlIn(folder);
}

/** Modules that Kubernetes builds from its own tree; outside of it, each needs its published version. */
const STAGING_MODULES = [
  "api",
  "apiextensions-apiserver",
  "apimachinery",
  "apiserver",
  "cli-runtime",
  "client-go",
  "cloud-provider",
  "cluster-bootstrap",
  "code-generator",
  "component-base",
  "component-helpers",
  "controller-manager",
  "cri-api",
  "cri-client",
  "csi-translation-lib",
  "dynamic-resource-allocation",
  "endpointslice",
  "externaljwt",
  "kms",
  "kube-aggregator",
  "kube-controller-manager",
  "kube-proxy",
  "kube-scheduler",
  "kubectl",
  "kubelet",
  "metrics",
  "mount-utils",
  "pod-security-admission",
  "sample-apiserver",
  "sample-cli-plugin",
  "sample-controller",
];

const replace = STAGING_MODULES.map(
  (name) => `k8s.io/${name} => k8s.io/${name} v${KUBERNETES_STAGING_VERSION}`,
);
const [major, minor] = KUBERNETES_VERSION.split(".");
const stamp = Object.fromEntries(
  ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].flatMap((name) => [
    [`${name}.gitVersion`, `v${KUBERNETES_VERSION}`],
    [`${name}.gitMajor`, `${major}`],
    [`${name}.gitMinor`, `${minor}`],
  ]),
);

const API: GoBuild = {
  go: "1.25",
  replace,
  commands: {
    [API_SERVER]: { package: "k8s.io/kubernetes/cmd/kube-apiserver", version: KUBERNETES_VERSION, stamp },
    [ETCD]: { package: "go.etcd.io/etcd/server/v3", version: ETCD_VERSION },
  },
};

const KUBECTL: GoBuild = {
  go: "1.25",
  replace,
  commands: { kubectl: { package: "k8s.io/kubernetes/cmd/kubectl", version: KUBERNETES_VERSION, stamp } },
};
