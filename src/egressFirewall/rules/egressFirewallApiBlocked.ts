import { parsePrefix, readPrefix, type Prefix } from "../../address";
import { apiServerEndpoint, apiServerFaults, defaultApiServerCidrs } from "../apiServer";
import { endpointVerdict, type FirewallVerdict } from "../../reachability/egressFirewall";
import { Proof } from "../../reachability/proof";
import { D4, HYPERSHIFT, at } from "../../requirements/documents";
import { MANAGEMENT_API_PORT } from "../../requirements/publishedServices";
import { nodeApiServerPort } from "../../topology/publishing";
import { isUnknown } from "../../topology/normalizedTopology";
import type { JudgedCluster } from "../../gate/clusters";
import {
  egressFirewalls,
  exemptBlocks,
  wholeTopology,
  type JudgedFirewall,
} from "../../gate/egressFirewalls";
import { cutByFirewall } from "../../gate/refutedFlows";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

/** An egress firewall keeps pods from their API server. */
export const egressFirewallApiBlocked: Rule = {
  id: "egress-firewall-api-blocked",
  title: "Egress firewalls leave the API server reachable",
  level: Level.Error,
  description:
    "EgressFirewall objects against the address and port at which pods of the hosted cluster reach their API server: 172.20.0.1 (and fd00::1 where the firewall speaks of IPv6) or the advertiseAddress and apiServer port of the cluster. The service kubernetes leads there, and no rule is about the service's own address. Which addresses the public name of the API server has is not in a plan: pods that call it by that name need an Allow for it besides. In namespaces of hosted control planes the management cluster's API server is meant.",
  documents: [
    at(D4, "15.5.1. How an egress firewall works in a project"),
    at(HYPERSHIFT, "api/hypershift/v1beta1/hostedcluster_types.go"),
  ],
  remediation:
    "Put an Allow for the API server's address and port before the Deny; EgressFirewall does that with allowApiServer: true.",
  judge: (judged) =>
    egressFirewalls(judged).flatMap((one) =>
      judgeFirewall(one).map((found) => ({ ...found, ...cutByFirewall(judged, one, false) })),
    ),
};

/** An API server that may be the one of a firewall's pods. */
interface Candidate {
  prefixes: readonly Prefix[];
  port: number;
  exempt: readonly Prefix[];
  /** Why it may be elsewhere, and the addresses among which it is then. */
  doubt?: { reason: string; within: readonly Prefix[] };
}

function judgeFirewall(judgedFirewall: JudgedFirewall): Judgement[] {
  const { firewall, rules } = judgedFirewall;
  const verdicts = candidatesOf(judgedFirewall).map(({ prefixes, port, exempt, doubt }) => {
    const on = (addresses: readonly Prefix[]) =>
      endpointVerdict(rules, apiServerEndpoint(addresses, port), exempt);
    const verdict = on(prefixes);
    const isSure = verdict.proof === Proof.Refuted && (!doubt || on(doubt.within).isCutOff);
    return { verdict, isSure, reason: doubt?.reason ?? SEVERAL };
  });
  const [first] = verdicts;
  if (first && verdicts.every(({ isSure }) => isSure)) return deniedFindings(judgedFirewall, first.verdict);
  return verdicts.flatMap(({ verdict: { proof, values }, reason }) =>
    proof === Proof.Refuted
      ? [unknown({ resource: firewall, path: "spec.egress", reason })]
      : values.map(unknown),
  );
}

const SEVERAL = "it cuts off the API server of one hosted cluster, and nothing says in which of them it is";

const deniedFindings = ({ firewall, rules }: JudgedFirewall, verdict: FirewallVerdict): Judgement[] =>
  apiServerFaults(
    rules.views,
    verdict,
    ({ text }) =>
      `put an Allow for ${text} port ${verdict.endpoint.port} TCP before it; EgressFirewall does that with allowApiServer: true`,
  ).map(({ path, problem, remedy }) =>
    violated({
      resource: firewall.origin,
      path,
      message: problem,
      fix: remedy,
      ...(verdict.packet && {
        witness: `pods of the namespace -> ${verdict.packet.destination}, TCP ${verdict.packet.port}`,
      }),
    }),
  );

function candidatesOf({ clusters, rules, isOnManagementCluster }: JudgedFirewall): Candidate[] {
  if (isOnManagementCluster) return clusters.flatMap(managementCandidate);
  const known = clusters.flatMap((cluster) => hostedCandidate(cluster, rules.views));
  if (known.length > 0) return known;
  const reason = "nothing describes the hosted cluster, and thus nobody knows where its API server is";
  const doubt = { reason, within: EVERYWHERE };
  return [{ ...addressed(defaultApiServerCidrs(rules.views), nodeApiServerPort()), exempt: [], doubt }];
}

function hostedCandidate(cluster: JudgedCluster, views: JudgedFirewall["rules"]["views"]): Candidate[] {
  const topology = wholeTopology(cluster);
  if (!topology) return [];
  const asked = ["advertiseAddress", "apiServerPort"].find((property) => isUnknown(topology, property));
  return [
    {
      ...addressed(defaultApiServerCidrs(views, topology), nodeApiServerPort(topology)),
      exempt: exemptBlocks(topology),
      ...(asked !== undefined && {
        doubt: { reason: `${asked} of ${cluster.key} is not known`, within: EVERYWHERE },
      }),
    },
  ];
}

/** The management cluster's API server has addresses among those of its nodes, or elsewhere where nothing says them. */
function managementCandidate(cluster: JudgedCluster): Candidate[] {
  const topology = wholeTopology(cluster);
  if (!topology) return [];
  const stated = topology.managementClusterCidrs;
  const prefixes = stated.length > 0 ? stated : EVERYWHERE;
  const reason = "which addresses the management cluster's API server has is not known";
  return [{ prefixes, port: MANAGEMENT_API_PORT, exempt: [], doubt: { reason, within: prefixes } }];
}

const EVERYWHERE = [readPrefix("0.0.0.0/0")!];

const addressed = (cidrs: readonly string[], port: number) => ({
  prefixes: cidrs.flatMap((cidr) => parsePrefix(cidr).prefix ?? []),
  port,
});
