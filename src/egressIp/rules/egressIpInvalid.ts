import { judgeEgressIp, knownAddresses, selectionOf } from "../judge";
import { Overlap, overlapOf, type EgressIpSelection } from "../selection";
import { D4, OCP_OVN, at } from "../../requirements/documents";
import { append } from "../../resources/append";
import { readValue } from "../../resources/read";
import { UNKNOWN, type Resource } from "../../resources/resource";
import { isEgressIp } from "../../resources/resourceTypes";
import { EGRESS_IP_PATHS, egressIpInputs } from "./egressIps";
import type { JudgedResources } from "../../gate/judgedResources";
import { objectFaults } from "../../gate/objectFaults";
import { Level, describeResource, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

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
    const users = new Map<string, Told[]>();
    const before: Told[] = [];
    return judged.ofKind(isEgressIp).flatMap((object) => {
      const told = toldBy(judged, object);
      const found = [...judgeObject(told), ...judgeOthers(told, before, users)];
      before.push(told);
      for (const address of told.addresses) append(users, address, [told]);
      return found;
    });
  },
};

/** What an object says, read once. */
interface Told {
  object: Resource;
  inputs: ReturnType<typeof egressIpInputs>;
  addresses: ReadonlySet<string>;
  selection: EgressIpSelection | undefined;
}

function toldBy(judged: JudgedResources, object: Resource): Told {
  const inputs = egressIpInputs(judged, object);
  const addresses = new Set(knownAddresses(inputs.addresses));
  return { object, inputs, addresses, selection: selectionOf(inputs) };
}

function judgeObject({ object, inputs }: Told): Judgement[] {
  const { faults } = judgeEgressIp(inputs);
  const pending = Object.values(EGRESS_IP_PATHS).filter(
    (path) => path.startsWith("spec.") && readValue(object.properties, path) === UNKNOWN,
  );
  return [
    ...objectFaults(object, faults, EGRESS_IP_PATHS),
    ...pending.map((path) => unknown({ resource: object, path })),
  ];
}

/** Objects before this one with one of its addresses, or for the same pods. */
function judgeOthers(
  { object: { origin }, addresses, selection }: Told,
  before: readonly Told[],
  users: ReadonlyMap<string, readonly Told[]>,
): Judgement[] {
  const shared = [...addresses].flatMap((address) =>
    (users.get(address) ?? []).map(({ object }) =>
      violated({
        resource: origin,
        path: EGRESS_IP_PATHS.addresses,
        message: `${address} is also an address of ${describeResource(object)}`,
        fix: "take it out of one of the two",
        witness: address,
      }),
    ),
  );
  const same = before.filter(
    (other) => selection && other.selection && overlapOf(selection, other.selection) === Overlap.Certain,
  );
  return [
    ...shared,
    ...same.map(({ object }) =>
      violated({
        resource: origin,
        path: EGRESS_IP_PATHS.namespaceSelector,
        message: `selects the same pods as ${describeResource(object)}, and nothing says whose addresses those get`,
        fix: "give the two selectors different values of one label",
      }),
    ),
  ];
}
