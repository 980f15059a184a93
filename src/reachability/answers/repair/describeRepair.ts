import { Direction } from "../../../requirements/vocabulary";
import { describeRule, describeWritten } from "../places";
import type {
  AwsTraffic,
  EgressFirewallRepair,
  LabelSelector,
  NetworkAclRepair,
  NetworkPolicyRepair,
  PolicyRuleRepair,
  Repair,
  SecurityGroupRepair,
} from "./repair";

/** A repair as an instruction on one line. */
export function describeRepair(repair: Repair): string {
  switch (repair.kind) {
    case "security-group-rule":
      return groupText(repair);
    case "network-acl-rule":
      return aclText(repair);
    case "network-policy":
      return policyText(repair);
    case "egress-firewall-rule":
      return firewallText(repair);
  }
}

const side = (direction: Direction): string => (direction === Direction.Ingress ? "from" : "to");

const range = (from: number, to: number): string => (from === to ? `${from}` : `${from}-${to}`);

/** `tcp 443`, `icmp`, `every protocol`. */
function trafficText({ protocol, fromPort, toPort }: AwsTraffic): string {
  if (protocol === "-1") return "every protocol";
  if (protocol === "tcp" || protocol === "udp") return `${protocol} ${range(fromPort, toPort)}`;
  return /^\d+$/.test(protocol) ? `protocol ${protocol}` : protocol;
}

function groupText(repair: SecurityGroupRepair): string {
  const { group, direction, cidrBlocks, ipv6CidrBlocks } = repair;
  const blocks = [...cidrBlocks, ...ipv6CidrBlocks].join(", ");
  const where = group ? describeWritten(group) : "the security group";
  return `add to ${where}: ${direction} ${trafficText(repair)} ${side(direction)} ${blocks}${formText(repair)}`;
}

/** The form in which the rule is written, as for the other rules of the group. */
function formText({ form, direction, cidrBlocks, ipv6CidrBlocks }: SecurityGroupRepair): string {
  switch (form) {
    case "inline":
      return `, as an entry of its ${direction}`;
    case "classic":
      return `, as a SecurityGroupRule of type ${direction}`;
    case "split": {
      const kind = direction === Direction.Ingress ? "SecurityGroupIngressRule" : "SecurityGroupEgressRule";
      return cidrBlocks.length + ipv6CidrBlocks.length > 1
        ? `, as a ${kind} for each block`
        : `, as a ${kind}`;
    }
    case undefined:
      return "";
  }
}

function aclText(repair: NetworkAclRepair): string {
  const { acl, direction, ruleNumber, cidrBlock, ipv6CidrBlock, before, asked } = repair;
  const where = acl ? describeWritten(acl) : "the network ACL";
  const what = `allow ${trafficText(repair)} ${side(direction)} ${cidrBlock ?? ipv6CidrBlock}`;
  const why = asked === "answers" ? ", for the answers" : "";
  return `add to ${where}: ${direction} rule ${ruleNumber}, ${what}${why}${before ? `, before ${describeRule(before)}` : ""}`;
}

function policyText({ namespace, podSelector, ingress }: NetworkPolicyRepair): string {
  return `add a NetworkPolicy to namespace ${namespace}: pods ${labelsText(podSelector)}, ingress ${portsText(ingress)} from ${sendersText(ingress)}`;
}

const labelsText = ({ matchLabels }: LabelSelector): string =>
  Object.entries(matchLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",") || "with any labels";

const portsText = ({ ports }: PolicyRuleRepair): string =>
  ports?.map(({ protocol, port, endPort }) => `${protocol} ${range(port, endPort ?? port)}`).join(", ") ??
  "every port";

const sendersText = ({ from }: PolicyRuleRepair): string =>
  from
    ?.map((peer) => {
      if ("ipBlock" in peer) return peer.ipBlock.cidr;
      const { podSelector, namespaceSelector } = peer;
      const pods = podSelector ? `pods ${labelsText(podSelector)}` : "every pod";
      return namespaceSelector ? `${pods} of namespaces ${labelsText(namespaceSelector)}` : pods;
    })
    .join(", ") ?? "everybody";

function firewallText({ firewall, index, rule, before }: EgressFirewallRepair): string {
  const ports = rule.ports?.map(({ protocol, port }) => `${protocol} ${port}`).join(", ") ?? "every port";
  return `insert into ${describeWritten(firewall)} at spec.egress[${index}]: Allow ${ports} to ${rule.to.cidrSelector}${before ? `, before ${describeRule(before)}` : ""}`;
}
