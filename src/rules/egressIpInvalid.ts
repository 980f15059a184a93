import { judgeEgressIp, knownAddresses, selectionOf } from "../manifests/egressIp/judge";
import { Overlap, overlapOf } from "../manifests/egressIp/selection";
import { D4, OCP_OVN, at } from "../requirements/documents";
import { readValue } from "../resources/read";
import { UNKNOWN, type Resource } from "../resources/resource";
import { isEgressIp } from "../resources/resourceTypes";
import { EGRESS_IP_PATHS, egressIpInputs } from "./egressIps";
import type { JudgedResources } from "./judgedResources";
import { objectFaults } from "./objectFaults";
import { Level, describeResource, unknown, violated, type Judgement, type Rule } from "./rule";

/** An EgressIP object whose addresses or selectors cannot work. */
export const egressIpInvalid: Rule = {
  id: "egress-ip-invalid",
  title: "Egress IP addresses are free addresses of the nodes' network, each for pods of its own",
  level: Level.Error,
  description:
    "EgressIP objects: addresses that are some, of the machine network and no reserved or used ones in it; selectors that select something; no address in two objects, and no two objects for the same pods. The server takes every text as an address.",
  documents: [
    at(D4, "15.9. Configuring an egress IP address"),
    at(OCP_OVN, "Configuring an egress IP address"),
  ],
  remediation: "Write free addresses of the nodes' subnet, and selectors that no other object shares.",
  single: isEgressIp,
  judge: (judged) => {
    const objects = judged.ofKind(isEgressIp);
    return objects.flatMap((object, position) => [
      ...judgeObject(judged, object),
      ...objects.slice(0, position).flatMap((other) => judgePair(judged, object, other)),
    ]);
  },
};

function judgeObject(judged: JudgedResources, object: Resource): Judgement[] {
  const { faults } = judgeEgressIp(egressIpInputs(judged, object));
  const pending = Object.values(EGRESS_IP_PATHS).filter(
    (path) => path.startsWith("spec.") && readValue(object.properties, path) === UNKNOWN,
  );
  return [
    ...objectFaults(object, faults, EGRESS_IP_PATHS),
    ...pending.map((path) => unknown({ resource: object, path })),
  ];
}

/** Two objects with one address, or for the same pods. */
function judgePair(judged: JudgedResources, object: Resource, other: Resource): Judgement[] {
  const [own, before] = [object, other].map((one) => egressIpInputs(judged, one));
  const taken = new Set(knownAddresses(before!.addresses));
  const shared = knownAddresses(own!.addresses).filter((address) => taken.has(address));
  const selections = [selectionOf(own!), selectionOf(before!)] as const;
  const isSame =
    selections[0] && selections[1] && overlapOf(selections[0], selections[1]) === Overlap.Certain;
  const origin = object.origin;
  return [
    ...shared.map((address) =>
      violated({
        resource: origin,
        path: EGRESS_IP_PATHS.addresses,
        message: `${address} is also an address of ${describeResource(other)}`,
        fix: "take it out of one of the two",
        witness: address,
      }),
    ),
    ...(isSame
      ? [
          violated({
            resource: origin,
            path: EGRESS_IP_PATHS.namespaceSelector,
            message: `selects the same pods as ${describeResource(other)}, and nothing says whose addresses those get`,
            fix: "give the two selectors different values of one label",
          }),
        ]
      : []),
  ];
}
