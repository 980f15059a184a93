import { readPrefix, type Prefix } from "../../address";
import { deniedAddresses, deniedBlock, dnsEndpoints } from "../apiServer";
import { endpointVerdict, type FirewallVerdict } from "../../reachability/egressFirewall";
import { Proof } from "../../reachability/proof";
import { D4, at } from "../../requirements/documents";
import { PORT } from "../../requirements/ports";
import { isGiven } from "../../resources/places";
import type { JudgedCluster } from "../../gate/clusters";
import {
  egressFirewalls,
  exemptBlocks,
  wholeTopology,
  type JudgedFirewall,
} from "../../gate/egressFirewalls";
import { cutByFirewall } from "../../gate/refutedFlows";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { hostOf } from "../../gate/wording";

/** An egress firewall keeps pods from DNS servers outside the cluster network. */
export const egressFirewallDns: Rule = {
  id: "egress-firewall-dns",
  title: "Egress firewalls leave DNS servers reachable",
  level: Level.Warning,
  description:
    "EgressFirewall objects against dnsServerCidrs of the topology, by UDP and TCP. Pods reach the cluster's own DNS service and the DNS of their node whatever the rules say; servers elsewhere, only where rules let them. Rules with DNS names need pods to get the addresses that OVN-Kubernetes got: where such rules stand before a Deny and nothing says the servers, the result is unknown.",
  documents: [at(D4, "15.5.1.3. How Domain Name Server (DNS) resolution works")],
  remediation: "Put an Allow for the DNS servers, port 53 by UDP and TCP, before the Deny.",
  judge: (judged) =>
    egressFirewalls(judged).flatMap((one) =>
      judgeFirewall(one).map((found) => ({ ...found, ...cutByFirewall(judged, one, true) })),
    ),
};

function judgeFirewall(judgedFirewall: JudgedFirewall): Judgement[] {
  const { clusters, isOnManagementCluster } = judgedFirewall;
  if (isOnManagementCluster) return [];
  const [only, ...others] = clusters;
  const topology = only && others.length === 0 ? wholeTopology(only) : undefined;
  const servers = topology?.dnsServerCidrs ?? [];
  const exempt = exemptBlocks(topology);
  return servers.length > 0
    ? serversFindings(judgedFirewall, verdictsOf(judgedFirewall, servers, exempt))
    : unsaidServers(judgedFirewall, verdictsOf(judgedFirewall, EVERYWHERE, exempt), clusters);
}

const EVERYWHERE = [readPrefix("0.0.0.0/0")!];

const verdictsOf = ({ rules }: JudgedFirewall, servers: readonly Prefix[], exempt: readonly Prefix[]) =>
  dnsEndpoints(servers).map((endpoint) => endpointVerdict(rules, endpoint, exempt));

const hasNames = ({ rules }: JudgedFirewall): boolean =>
  rules.views.some(({ dnsName }) => isGiven(dnsName.value));

function serversFindings(judgedFirewall: JudgedFirewall, verdicts: readonly FirewallVerdict[]): Judgement[] {
  const { firewall, rules } = judgedFirewall;
  const why = hasNames(judgedFirewall)
    ? "its rules with DNS names then hold for addresses that pods do not get"
    : "pods that ask it themselves get no answer";
  return verdicts.flatMap(({ denials, proof, values, endpoint: { protocol } }) => [
    ...(proof === Proof.Unknown ? values.map(unknown) : []),
    ...denials.map((denial) => {
      const server = deniedAddresses(denial)[0];
      return violated({
        resource: firewall.origin,
        path: denial.clause.path,
        message: `denies ${deniedBlock(rules.views, denial)}, and with it ${protocol} ${PORT.dns} of the DNS server ${server?.text ?? ""}: ${why}`,
        witness: `pods of the namespace -> ${server ? hostOf(server) : ""}, ${protocol} ${PORT.dns}`,
        fix: `put an Allow for ${server?.text ?? "the DNS servers"} port ${PORT.dns}, UDP and TCP, before it`,
      });
    }),
  ]);
}

/** Names are resolved by servers of which nobody says where they are: that matters where some addresses are denied. */
function unsaidServers(
  judgedFirewall: JudgedFirewall,
  verdicts: readonly FirewallVerdict[],
  clusters: readonly JudgedCluster[],
): Judgement[] {
  if (!hasNames(judgedFirewall) || verdicts.every(({ proof }) => proof === Proof.Proved)) return [];
  const [only, ...others] = clusters;
  const reason =
    only && others.length === 0
      ? `its DNS names need DNS servers that pods reach: dnsServerCidrs of ${only.key} does not say where they are`
      : "its DNS names need DNS servers that pods reach, and nothing says where they are";
  return [unknown({ resource: judgedFirewall.firewall, path: "spec.egress", reason })];
}
