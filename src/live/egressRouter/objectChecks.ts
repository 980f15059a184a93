import { parseInterfaceAddress } from "../../egressRouter/interfaceAddress";
import { routerConfigIn } from "../../egressRouter/podNetworks";
import { read } from "../../resources/read";
import type { LiveCheck } from "../../cluster/liveCheck";
import type { LiveObject } from "../../cluster/liveCluster";
import type { RouterState } from "./routerState";
import { canonical, check, failed, passed, textsOf, wantedBy, type Verdict } from "./verdict";

/** Where there is nothing of that name. */
export const absent = ({ namespace, name }: RouterState): LiveCheck =>
  check(
    {
      id: "egress-router/object",
      what: `egress router ${namespace}/${name}`,
      expected: "an EgressRouter, or a NetworkAttachmentDefinition, of that name",
    },
    failed("neither of them"),
    `look at oc get egressrouters,network-attachment-definitions -n ${namespace}`,
  );

/** The operators of some releases write no conditions: then there is none against it. */
export function objectCheck({ namespace, name }: RouterState, router: LiveObject): LiveCheck {
  const against = read(router, "status.conditions[]").flatMap(({ value }) => {
    const [type = "", status = "", ...why] = ["type", "status", "reason", "message"].flatMap((field) =>
      textsOf(value as LiveObject, field),
    );
    return AGAINST[type] === status ? [[`${type}=${status}`, ...why].join(": ")] : [];
  });
  const verdict = against.length > 0 ? failed(against.join("; ")) : addressVerdict(router);
  return check(
    {
      id: "egress-router/object",
      what: `EgressRouter ${namespace}/${name}`,
      expected: "an address, and no condition against it",
    },
    verdict,
    against.length > 0 ? FIX_OPERATOR : "write spec.addresses[0].ip with its prefix length: 192.168.12.99/24",
  );
}

/** Operators pass over an address that has no prefix length. */
function addressVerdict(router: LiveObject): Verdict {
  const [address] = read(router, "spec.addresses[].ip");
  if (!address) return failed("spec.addresses has none");
  const { problem } = parseInterfaceAddress(address.value);
  return problem === undefined ? passed(address.value as string) : failed(problem);
}

const AGAINST: Readonly<Record<string, string>> = { Available: "False", Degraded: "True" };
const FIX_OPERATOR = "look at what the Cluster Network Operator says: oc get clusteroperator network -o yaml";

/** Whether the network attachment is there, and has the address that the EgressRouter reserves. */
export function attachmentCheck(state: RouterState): LiveCheck {
  const { namespace, attachmentName, attachment, router } = state;
  const wanted = router && wantedBy(router);
  return check(
    {
      id: "egress-router/network-attachment",
      what: `NetworkAttachmentDefinition ${namespace}/${attachmentName}`,
      expected: `of the plug-in egress-router, with ${wanted ?? "an address"}`,
    },
    attachmentVerdict(attachment, wanted),
    router
      ? FIX_OPERATOR
      : "write spec.config for the plug-in egress-router, as the component EgressRouter does",
  );
}

function attachmentVerdict(attachment: LiveObject | undefined, wanted: string | undefined): Verdict {
  if (!attachment) return failed("there is none");
  const [text = ""] = textsOf(attachment, "spec.config");
  const config = routerConfigIn(text);
  if (!config) return failed("spec.config is of another plug-in, or cannot be read");
  const [address] = config.addresses;
  if (address === undefined) return failed("no address");
  const isWanted = wanted === undefined || canonical(address) === wanted;
  return isWanted ? passed(address) : failed(address);
}
