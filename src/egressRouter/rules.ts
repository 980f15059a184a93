import { clusterInputs, judgeAttachments, routerAttachments } from "./attachments";
import { EgressRouterForm } from "./egressRouter";
import { judgeEgressRouter, type EgressRouterInputs } from "./judge";
import { judgeOwnAddresses } from "../addressRanges/ownAddresses";
import { entriesOf, propertyOf, readText, readValue, unknownPlaces } from "../resources/read";
import { OCP_4_7_OVN, NETWORK_OPERATOR, OCP_BALANCING, OCP_OVN, at } from "../requirements/documents";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { isEgressRouter, isNetworkAttachment, isPatch } from "../resources/resourceTypes";
import { hadBefore, ifInOneCluster, judgePlatform } from "../gate/guestCluster";
import type { JudgedResources } from "../gate/judgedResources";
import { isStatedIn, namesIn, objectFaults } from "../gate/clusterFaults";
import {
  Level,
  describeResource,
  servicesOn,
  unknown,
  violated,
  violatedBy,
  type Judgement,
  type Rule,
  type ListedRule,
} from "../gate/rule";
import { EGRESS_SINCE, egressRouterSupport } from "../requirements/egressSupport";
import { formatRelease } from "../requirements/release";

/** Reports EgressRouter objects from which the network operator creates no working router. */
export const egressRouterInvalid: Rule = {
  id: "egress-router-invalid",
  title: "Egress router address, gateway or destination is invalid",
  level: Level.Error,
  description:
    "Reports EgressRouter objects that are not valid. An object needs mode Redirect, one address with its prefix length, a gateway in that subnet, destinations of the address's family, and no port twice.",
  details: [
    "The operator reads only the first address.",
    `Releases before ${formatRelease(EGRESS_SINCE.egressRouterObject.release)} have no such objects.`,
    "A namespace can have one object, because the operator gives fixed names to what it creates.",
    "The source address must not belong to a node, an EgressIP object, a load-balancer pool or another router of the cluster; routers on two interfaces of the nodes may be in two networks.",
    "Routers that consist of a network attachment and a pod need the same in the configuration of the egress-router plug-in, with destinations as the release reads them.",
    "Each attachment can have one pod, because only one can have the source address at a time.",
  ],
  documents: [
    at(OCP_4_7_OVN, "15.12. Deploying an egress router pod in redirect mode"),
    at(OCP_OVN, "Deploying an egress router pod in redirect mode"),
    at(NETWORK_OPERATOR, "pkg/controller/egress_router"),
    at(OCP_BALANCING, "Configuring MetalLB address pools"),
  ],
  remediation: "Write one address such as 192.168.12.99/24, its gateway, and its destinations.",
  single: (type) => isEgressRouter(type) || isNetworkAttachment(type),
  judge: (judged) => {
    const routers = judged.ofKind(isEgressRouter);
    return [
      ...routers.flatMap((router) => judgeRouter(judged, router)),
      ...judgeNamespaces(
        judged,
        routers.filter(({ type }) => !isPatch(type)),
      ),
      ...judgeOwnAddresses(judged, ({ router }) => router !== undefined),
      ...judgeAttachments(judged),
    ];
  },
};

/** Maps the inputs of the component to their paths in the EgressRouter object. */
const NAMES = namesIn({
  namespace: "metadata.namespace",
  objectName: "metadata.name",
  address: "spec.addresses[0].ip",
  gateway: "spec.addresses[0].gateway",
  redirectRules: "spec.redirect.redirectRules",
  destinationIp: "destinationIP",
  fallbackIp: "spec.redirect.fallbackIP",
  macvlan: "spec.networkInterface.macvlan",
});

function judgeRouter(judged: JudgedResources, router: Resource): Judgement[] {
  const at = (path: string) => readValue(router.properties, path);
  const [first] = entriesOf(at("spec.addresses"));
  const part = (key: string): PropertyValue | undefined =>
    at("spec.addresses") === UNKNOWN || first === UNKNOWN ? UNKNOWN : propertyOf(first, key);
  const ip = part("ip");
  const gateway = part("gateway");
  const inputs: EgressRouterInputs = {
    ...clusterInputs(judged, router),
    form: EgressRouterForm.CustomResource,
    namespace: at("metadata.namespace") ?? UNKNOWN,
    objectName: at("metadata.name") ?? UNKNOWN,
    address: ip,
    gateway,
    redirectRules: at("spec.redirect.redirectRules"),
    fallbackIp: at("spec.redirect.fallbackIP"),
    macvlan: at("spec.networkInterface.macvlan"),
  };
  const faults = judgeEgressRouter(inputs, NAMES).faults.filter(isStatedIn(router));
  return [
    ...faults
      .filter(({ path }) => path === "form")
      .map((fault) => violatedBy(router, fault, { path: "kind", fix: WITHOUT_OBJECTS })),
    ...objectFaults(router, faults),
    ...modeFault(router, at("spec.mode")),
    ...addressesFault(router, at("spec.addresses")),
    ...[...unknownPlaces(at("spec"), "spec")].map((path) => unknown({ resource: router, path })),
  ];
}

/** The fix for an object in a release that does not have such objects. */
const WITHOUT_OBJECTS = `write a network attachment and a pod, which EgressRouter creates with form: ${EgressRouterForm.NetworkAttachment}`;

const MODE = "Redirect";

function modeFault({ origin }: Resource, mode: PropertyValue | undefined): Judgement[] {
  if (mode === undefined || mode === UNKNOWN || mode === MODE) return [];
  const message = `${JSON.stringify(mode)} is not a mode of egress routers`;
  return [violated({ resource: origin, path: "spec.mode", message, fix: `write ${MODE}` })];
}

function addressesFault({ origin }: Resource, addresses: PropertyValue | undefined): Judgement[] {
  const count = entriesOf(addresses).length;
  if (count <= 1) return [];
  const message = `${count} addresses, of which the network operator uses only the first`;
  return [violated({ resource: origin, path: "spec.addresses[1]", message, fix: "remove it" })];
}

/** Findings of a second router in a namespace, which the operator merges with the first. */
function judgeNamespaces(judged: JudgedResources, routers: readonly Resource[]): Judgement[] {
  const path = "metadata.namespace";
  const placed = routers.flatMap((resource) => {
    const key = readText(resource.properties, path);
    return typeof key === "string" ? [{ resource, key }] : [];
  });
  return hadBefore(judged, placed).map(({ one: { resource, key }, first, isSure }) => {
    const found = violated({
      resource: resource.origin,
      path,
      message: `${describeResource(first.resource)} is already in namespace ${key}, and the network operator creates one router from both`,
      fix: "put it into a separate namespace",
    });
    return isSure ? found : ifInOneCluster(resource, found);
  });
}

/** Reports egress routers on platforms that drop the frames of the second interface. */
export const egressRouterPlatform: Rule = {
  id: "egress-router-platform",
  title: "Egress router is not supported on the platform",
  level: Level.Error,
  description:
    "Reports EgressRouter objects, and network attachments of the egress-router plug-in, in a stack with one hosted cluster whose platform or network type does not support them. The router's second interface is a macvlan, and the network of a public cloud drops frames from a MAC address that it did not assign.",
  documents: [
    at(OCP_4_7_OVN, "15.11.1. About an egress router pod"),
    at(OCP_OVN, "Considerations for the use of an egress router pod"),
  ],
  remediation: "Leave the router out; an EgressIP object gives pods an address of their own on clouds.",
  judge: (judged) =>
    judgePlatform(judged, { feature: "egress routers", support: egressRouterSupport }, [
      ...judged.ofKind(isEgressRouter),
      ...routerAttachments(judged).map(({ resource }) => resource),
    ]),
};

const router = (address: string) => `
apiVersion: network.operator.openshift.io/v1
kind: EgressRouter
metadata: { name: legacy, namespace: shop }
spec:
  mode: Redirect
  addresses: [{ ip: ${address}, gateway: 10.0.0.1 }]
  redirect:
    redirectRules: [{ port: 80, protocol: TCP, destinationIP: 192.0.2.1 }]
`;

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const egressRouterRules: readonly ListedRule[] = [
  { rule: egressRouterInvalid, violated: router("10.0.0.9"), mended: router("10.0.0.9/16") },
  {
    rule: egressRouterPlatform,
    violated: router("10.0.0.9/16"),
    mended: `${servicesOn("Agent")}---${router("10.0.0.9/16")}`,
  },
];
