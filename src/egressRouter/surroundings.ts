import { InfrastructurePlatform } from "../requirements/vocabulary";
import { EgressRouterForm, EgressRouterWorkload, OPERATOR_NAMES, OPERATOR_POD_LABEL } from "./egressRouter";

/** A router as far as verification and surroundings are concerned. */
export interface RouterPlace {
  namespace: string;
  name: string;
  form: EgressRouterForm;
  workload: EgressRouterWorkload;
  address: string;
  gateway: string;
}

/** What the documents say of every egress router, worth one line in a program. */
export const MAC_ADDRESS_NOTE =
  "Each egress router adds a MAC address to the interface of its node: many of them exceed what the interface filters in hardware, so make routers for few destinations only";

const label = ({ form, name }: RouterPlace): string => {
  const labels = form === EgressRouterForm.CustomResource ? OPERATOR_POD_LABEL : { name };
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
};

/** What has to be done outside the cluster, so that the network lets the router's frames pass. */
export function platformSetup(router: RouterPlace, platform: InfrastructurePlatform | undefined): string[] {
  const address = router.address.split("/")[0];
  const mac = `oc get pod -n ${router.namespace} -l ${label(router)} -o jsonpath='{.items[0].metadata.annotations.k8s\\.v1\\.cni\\.cncf\\.io/network-status}'`;
  switch (platform) {
    case InfrastructurePlatform.OpenStack:
      return [
        `Find the MAC address of the router's second interface: ${mac}`,
        `Allow it on the port of the node that runs the router: openstack port set --allowed-address ip_address=${address},mac_address=<mac_address> <neutron_port_uuid>`,
      ];
    case InfrastructurePlatform.OVirt:
      return [
        "Select No Network Filter for the virtual network interface cards of the nodes that may run the router",
      ];
    case InfrastructurePlatform.VSphere:
      return [
        "Enable MAC Address Changes, Forged Transmits and Promiscuous Mode on the virtual switch of the nodes that may run the router",
      ];
    default:
      return [];
  }
}

/** How to see that a router has its second interface, and that traffic leaves by it. */
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
