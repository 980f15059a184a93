import { withoutHostBits } from "../../address";
import { countFaults, egressRuleFaults } from "../faults";
import { D4, OVN_KUBERNETES, at } from "../../requirements/documents";
import { viewsOfEntries } from "../../resources/egressFirewallRules";
import { isList, unknownPlaces } from "../../resources/places";
import { readValue } from "../../resources/read";
import { UNKNOWN, type Resource } from "../../resources/resource";
import { isEgressFirewall, isPatch } from "../../resources/resourceTypes";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

/** A rule of an EgressFirewall cannot be read, and the whole object stays unapplied. */
export const egressFirewallRuleInvalid: Rule = {
  id: "egress-firewall-rule-invalid",
  title: "Every rule of an egress firewall is one that OVN-Kubernetes can read",
  level: Level.Error,
  description:
    "Each rule of EgressFirewall objects: Allow or Deny, exactly one destination, a CIDR block with a mask, a DNS name, ports with port and protocol. The API's own patterns are loose: it takes Allowed, TCPX and an address without a mask. One rule that OVN-Kubernetes cannot read leaves the whole object unapplied, those that deny included.",
  documents: [
    at(D4, "15.5.2.1. EgressFirewall rules"),
    at(OVN_KUBERNETES, "go-controller/pkg/ovn/egressfirewall.go"),
  ],
  remediation: "Correct the rule: until then none of the object's rules holds.",
  single: isEgressFirewall,
  judge: (judged) => judged.ofKind(isEgressFirewall).flatMap(judgeFirewall),
};

function judgeFirewall(firewall: Resource): Judgement[] {
  const path = "spec.egress";
  const value = readValue(firewall.properties, path);
  if (value === undefined && isPatch(firewall.type)) return [];
  if (isList(value) && value.length === 0) return [withoutRules(firewall, path)];
  const views = viewsOfEntries(value);
  const tooMany = new Set(countFaults(path, views.length).map(({ problem }) => problem));
  // OVN-Kubernetes reads host bits for the block around: cidr-invalid speaks of them.
  const read = new Set(
    views.filter(({ cidr }) => withoutHostBits(cidr.value) !== cidr.value).map(({ cidr }) => cidr.path),
  );
  const faults = egressRuleFaults({ path, value }, views).filter(
    (fault) => !tooMany.has(fault.problem) && !read.has(fault.path),
  );
  return [
    ...(value === UNKNOWN ? [unknown({ resource: firewall, path })] : []),
    ...views.flatMap((view) =>
      [...unknownPlaces(view.value, view.path)].map((place) => unknown({ resource: firewall, path: place })),
    ),
    ...faults.map((fault) =>
      violated({
        resource: firewall.origin,
        path: fault.path,
        message: `${fault.problem}: OVN-Kubernetes leaves ${wholeText(views.length)} unapplied for it`,
        fix: fault.remedy,
      }),
    ),
  ];
}

/** OVN-Kubernetes applies it, and pods reach what they reached before. */
const withoutRules = ({ origin }: Resource, path: string): Judgement =>
  violated({
    resource: origin,
    path,
    message: "has no rules, so that everything passes",
    fix: "write one, or leave the firewall out",
    level: Level.Warning,
  });

const wholeText = (count: number): string =>
  count > 1 ? `the whole object with its ${count} rules` : "the whole object";
