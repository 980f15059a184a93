import { textAt } from "../resources/kubernetesObject";
import { read, readText } from "../resources/read";
import type { PropertyValue } from "../resources/resource";
import { EGRESS_ROUTER_PLUGIN } from "./egressRouter";

/** By this annotation a pod asks for further interfaces. (Network Plumbing Working Group, 4.1) */
export const NETWORKS_ANNOTATION = "k8s.v1.cni.cncf.io/networks";

/** In these annotations Multus writes which interfaces a pod has, the newest name first. */
export const NETWORK_STATUS_ANNOTATIONS = [
  "k8s.v1.cni.cncf.io/network-status",
  "k8s.v1.cni.cncf.io/networks-status",
] as const;

/**
 * The network attachments that a pod asks for, each as `namespace/name`.
 *
 * @param annotation `a, shop/b@net5`, or the same as a list in JSON
 * @param namespace that of the pod, where an entry names none
 */
export function attachmentsIn(annotation: string, namespace: string): string[] {
  const listed = parsedJson(annotation);
  if (Array.isArray(listed))
    return listed.flatMap((entry: PropertyValue) => {
      const name = readText(entry, "name");
      const where = readText(entry, "namespace");
      return typeof name === "string" ? [`${typeof where === "string" ? where : namespace}/${name}`] : [];
    });
  return annotation
    .split(",")
    .map((entry) => entry.trim().split("@")[0]!)
    .filter((entry) => entry !== "")
    .map((entry) => (entry.includes("/") ? entry : `${namespace}/${entry}`));
}

/** An interface of a pod. */
export interface PodInterface {
  /** `shop/egress-router-cni-nad`; releases before 4.8 write the name only in the attachment's configuration. */
  network: string;
  /** `net1` */
  name: string;
  /** Without prefix lengths. */
  addresses: string[];
}

/** The interfaces that Multus says a pod has; undefined where the text is something else. */
export function interfacesIn(annotation: string): PodInterface[] | undefined {
  const listed = parsedJson(annotation);
  if (!Array.isArray(listed)) return undefined;
  return listed.map((entry: PropertyValue) => ({
    network: textAt(entry, "name"),
    name: textAt(entry, "interface"),
    addresses: read(entry, "ips[]").flatMap(({ value }) =>
      typeof value === "string" ? [value.split("/")[0]!] : [],
    ),
  }));
}

/** What a network attachment's configuration says of an egress router; undefined where it is of another plug-in, or none. */
export function routerConfigIn(config: string): { addresses: string[] } | undefined {
  const parsed = parsedJson(config);
  const plugins: readonly (PropertyValue | undefined)[] = [
    parsed,
    ...read(parsed, "plugins[]").map(({ value }) => value),
  ];
  const own = plugins.find((plugin) => readText(plugin, "type") === EGRESS_ROUTER_PLUGIN);
  if (own === undefined) return undefined;
  const addresses = read(own, "ip.addresses[]").flatMap(({ value }) =>
    typeof value === "string" ? [value] : [],
  );
  return { addresses };
}

function parsedJson(text: string): PropertyValue | undefined {
  try {
    return JSON.parse(text) as PropertyValue;
  } catch {
    return undefined;
  }
}
