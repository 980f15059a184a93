import { textAt } from "../resources/kubernetesObject";
import { isGiven, parsedJson, type Place, read, readText, readTexts } from "../resources/read";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import {
  EGRESS_ROUTER_PLUGIN,
  EgressRouterForm,
  EgressRouterWorkload,
  OPERATOR_NAMES,
  OPERATOR_POD_LABEL,
} from "./egressRouter";
import { InfrastructurePlatform } from "../requirements/vocabulary";
import { addressFaults, parseAddress, parsePrefix } from "../address/parse";
import type { Address, Prefix } from "../address";
import type { Fault } from "../fault";
import { subnetEndProblem } from "../objects/nodes";
import { shownText } from "../objects/places";

/** The annotation by which a pod requests additional interfaces. (Network Plumbing Working Group, 4.1) */
export const NETWORKS_ANNOTATION = "k8s.v1.cni.cncf.io/networks";

/** The annotations in which Multus reports the interfaces of a pod, newest name first. */
export const NETWORK_STATUS_ANNOTATIONS = [
  "k8s.v1.cni.cncf.io/network-status",
  "k8s.v1.cni.cncf.io/networks-status",
] as const;

/**
 * The network attachments that a pod requests, each as `namespace/name`.
 *
 * @param annotation `a, shop/b@net5`, or the same as a list in JSON
 * @param namespace the pod's, for entries that name none
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
  /** `shop/egress-router-cni-nad`. Releases before 4.8 write only the name that is in the attachment's configuration. */
  network: string;
  /** Name of the interface: `net1`. */
  name: string;
  /** Without prefix lengths. */
  addresses: string[];
}

/** The interfaces of a pod that Multus reports; undefined if the text is something else. */
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

/** The egress router in a network attachment's configuration; undefined if it is for another plug-in, or unreadable. */
export function routerConfigIn(config: string): { addresses: string[] } | undefined {
  const own = routerPluginIn(config);
  if (own === undefined) return undefined;
  return { addresses: readTexts(own, "ip.addresses[]") };
}

/** The part of a network attachment's configuration for the egress router's plug-in, whether it is the only plug-in or one of several. */
export const routerPluginIn = (config: string): PropertyValue | undefined =>
  pluginIn(config, EGRESS_ROUTER_PLUGIN);

/** The part of a network attachment's configuration for a plug-in. */
export function pluginIn(config: string, type: string): PropertyValue | undefined {
  const parsed = parsedJson(config);
  const plugins: readonly (PropertyValue | undefined)[] = [
    parsed,
    ...read(parsed, "plugins[]").map(({ value }) => value),
  ];
  return plugins.find((plugin) => readText(plugin, "type") === type);
}

/** Whether a network attachment's configuration is unreadable, although it names the egress router's plug-in. */
export const isBrokenRouterConfig = (config: string): boolean =>
  parsedJson(config) === undefined && config.includes(`"${EGRESS_ROUTER_PLUGIN}"`);

/** The values of a router that verification and platform setup need. */
export interface RouterPlace {
  namespace: string;
  name: string;
  form: EgressRouterForm;
  workload: EgressRouterWorkload;
  address: string;
  gateway: string;
}

/** A note of the documents on every egress router, printed once per program. */
export const MAC_ADDRESS_NOTE =
  "Each egress router adds a MAC address to the interface of its node: many of them exceed what the interface filters in hardware, so make routers for few destinations only";

const label = ({ form, name }: RouterPlace): string =>
  form === EgressRouterForm.CustomResource ? `app=${OPERATOR_POD_LABEL.app}` : `name=${name}`;

const SETUP: Readonly<Partial<Record<InfrastructurePlatform, (router: RouterPlace) => string[]>>> = {
  [InfrastructurePlatform.OpenStack]: (router) => {
    const address = router.address.split("/")[0];
    const mac = `oc get pod -n ${router.namespace} -l ${label(router)} -o jsonpath='{.items[0].metadata.annotations.k8s\\.v1\\.cni\\.cncf\\.io/network-status}'`;
    return [
      `Find the MAC address of the router's second interface: ${mac}`,
      `Allow it on the port of the node that runs the router: openstack port set --allowed-address ip_address=${address},mac_address=<mac_address> <neutron_port_uuid>`,
    ];
  },
  [InfrastructurePlatform.OVirt]: () => [
    "Select No Network Filter for the virtual network interface cards of the nodes that may run the router",
  ],
  [InfrastructurePlatform.VSphere]: () => [
    "Enable MAC Address Changes, Forged Transmits and Promiscuous Mode on the virtual switch of the nodes that may run the router",
  ],
};

/** Whether the network of a platform drops the router's frames until it is configured to allow them. */
export const needsSetup = (platform: InfrastructurePlatform | undefined): boolean =>
  platform !== undefined && SETUP[platform] !== undefined;

/** What the user must do outside the cluster so that the network does not drop the router's frames. */
export const platformSetup = (router: RouterPlace, platform: InfrastructurePlatform | undefined): string[] =>
  (platform && SETUP[platform]?.(router)) ?? [];

/** How to verify that a router has its second interface and that traffic leaves through it. */
export function routerVerification(router: RouterPlace) {
  const { namespace, name, form, workload, address, gateway } = router;
  const operated = form === EgressRouterForm.CustomResource;
  const attachment = operated ? OPERATOR_NAMES.networkAttachment : name;
  const container = operated ? OPERATOR_NAMES.container : name;
  const found = `$(oc get pods -n ${namespace} -l ${label(router)} -o jsonpath='{.items[0].metadata.name}')`;
  const pod = !operated && workload === EgressRouterWorkload.Pod ? name : found;
  return {
    commands: [
      ...(operated ? [`oc get egressrouter ${name} -n ${namespace} -o yaml`] : []),
      `oc get network-attachment-definition ${attachment} -n ${namespace} -o yaml`,
      `POD=${pod}`,
      `oc get events -n ${namespace} --field-selector involvedObject.name=$POD`,
      `POD_NODENAME=$(oc get pod $POD -n ${namespace} -o jsonpath='{.spec.nodeName}')`,
      "oc debug node/$POD_NODENAME",
      "chroot /host",
      `crictl ps --name ${container} | awk '{print $1}'`,
      "crictl inspect -o yaml <container_id> | grep 'pid:' | awk '{print $2}'",
      "nsenter -n -t <pid>",
      "ip route",
    ],
    expected: [
      `AddedInterface   pod   Add net1 [${address}] from ${namespace}/${attachment}`,
      `default via ${gateway} dev net1`,
    ],
  };
}

/** The address of an interface with its subnet: `192.168.12.99/24`. */
export interface InterfaceAddress {
  address: Address;
  subnet: Prefix;
  /** Canonical text. */
  text: string;
}

/** Parses an address with its prefix length; the host bits are the address. */
export function parseInterfaceAddress(
  text: unknown,
): (InterfaceAddress & { problem?: undefined }) | { problem: string; remedy: string } {
  const remedy = "write it with the prefix length of its subnet, as in 192.168.12.99/24";
  if (typeof text !== "string") return { problem: `${shownText(text as never)} is not an address`, remedy };
  const { prefix, problem } = parsePrefix(text, { hostBits: "clear" });
  if (!prefix) return { problem, remedy };
  const host = parseAddress(text.split("/")[0]);
  const { address } = host;
  if (!address)
    return { problem: host.problem, remedy: `${host.remedy} with the prefix length of its subnet` };
  return { address, subnet: prefix, text: `${address.text}/${prefix.length}` };
}

/** Faults of the router's own address that follow from its subnet. */
export function interfaceAddressFaults({ path, value }: Place): Fault[] {
  if (value === UNKNOWN) return [];
  const remedy = "write the reserved source address with its prefix length, such as 192.168.12.99/24";
  if (!isGiven(value)) return [{ path, problem: "missing", remedy }];
  const read = parseInterfaceAddress(value);
  if (read.problem !== undefined) return [{ path, problem: read.problem, remedy: read.remedy }];
  const unfit = subnetEndProblem(read.address, read.subnet);
  return unfit ? [{ path, ...unfit }] : [];
}

/** Faults of the gateway, which must be in the subnet of the router's address. */
export function gatewayFaults({ path, value }: Place, address: Place): Fault[] {
  if (value === UNKNOWN) return [];
  const remedy = "write the address of the next hop in the subnet of the router's address";
  if (!isGiven(value)) return [{ path, problem: "missing", remedy }];
  const { address: gateway } = parseAddress(value);
  if (!gateway) return addressFaults(path, value);
  const own = parseInterfaceAddress(address.value);
  if (own.problem !== undefined) return [];
  const { subnet } = own;
  if (gateway.family !== subnet.family || gateway.value < subnet.start || gateway.value > subnet.end)
    return [{ path, problem: `${gateway.text} lies outside ${subnet.text}`, remedy }];
  if (gateway.text === own.address.text)
    return [{ path, problem: `${gateway.text} is the router's own address`, remedy }];
  const unfit = subnetEndProblem(gateway, subnet);
  return unfit ? [{ path, problem: unfit.problem, remedy }] : [];
}
