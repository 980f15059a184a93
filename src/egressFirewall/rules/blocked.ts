import { parsePrefix } from "../../address/parse";
import type { Prefix } from "../../address";
import {
  apiServerEndpoint,
  apiServerFaults,
  defaultApiServerCidrs,
  deniedAddress,
  deniedBlock,
  dnsEndpoints,
  hasIpv6Rules,
} from "../egressFirewall";
import { Proof } from "../../reachability/proof/prove";
import { OCP_4_7_OVN, HYPERSHIFT, at } from "../../requirements/documents";
import { EVERY_IPV4, EVERY_IPV6, everyAddress } from "../../flows/peers";
import { IN_BOTH_CLUSTERS } from "../../flows/surroundings";
import { MANAGEMENT_API_PORT } from "../../requirements/publishedServices";
import { unsaidNodeApiHost } from "../../topology/proxy/apiProxy";
import { nodeApiServerPort } from "../../topology/publishing";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import type { JudgedCluster } from "../../gate/clusters";
import {
  cutByFirewall,
  egressFirewalls,
  exemptBlocks,
  type JudgedFirewall,
  wholeTopology,
} from "../../gate/refutedFlows";
import { Level, unknown, violated, violatedBy, type Judgement, type Rule } from "../../gate/rule";
import { PORT } from "../../requirements/ports";
import { isGiven } from "../../resources/read";
import { exampleHost } from "../../gate/finding";
import { type FirewallVerdict, endpointVerdict } from "../../reachability/egressFirewall/analyse";

/** An egress firewall that blocks access from pods to their API server. */
export const egressFirewallApiBlocked: Rule = {
  id: "egress-firewall-api-blocked",
  title: "Egress firewall blocks the API server",
  level: Level.Error,
  description:
    "Reports EgressFirewall objects that block the address and port at which pods of the hosted cluster reach their API server: 172.20.0.1 (and fd00::1 if the firewall has IPv6 rules), or the advertiseAddress and apiServer port of the cluster.",
  details: [
    "The Service kubernetes leads to that address; no rule matches the address of the Service itself.",
    "A plan does not contain the addresses of the API server's public name: pods that use that name need an additional Allow.",
    "In namespaces of hosted control planes, the rule judges access to the management cluster's API server. It does not judge other namespaces of the management cluster: those of HostedClusters and operators.",
  ],
  documents: [
    at(OCP_4_7_OVN, "15.5.1. How an egress firewall works in a project"),
    at(HYPERSHIFT, "api/hypershift/v1beta1/hostedcluster_types.go"),
  ],
  remediation:
    "Put an Allow for the API server's address and port before the Deny; EgressFirewall does that with allowApiServer: true.",
  judge: (judged) =>
    egressFirewalls(judged).flatMap((one) =>
      judgeApi(one).map((found) => ({ ...found, ...cutByFirewall(judged, one, false) })),
    ),
};

/** An API server that may be the one that the firewall's pods use. */
interface Candidate {
  prefixes: readonly Prefix[];
  port: number;
  exempt: readonly Prefix[];
  /** Whether no input states where it is. */
  isAnywhere?: boolean;
  /** Why the API server may have other addresses or another port, and the range in which it then is, if its port is known. */
  doubt?: { reason: string; within?: readonly Prefix[] };
}

function judgeApi(judgedFirewall: JudgedFirewall): Judgement[] {
  const { firewall, rules, cluster } = judgedFirewall;
  const verdicts = candidatesOf(judgedFirewall).map(({ prefixes, port, exempt, isAnywhere, doubt }) => {
    const on = (addresses: readonly Prefix[]) =>
      endpointVerdict(rules, apiServerEndpoint(addresses, port), exempt);
    const verdict = on(prefixes);
    const isSure =
      verdict.proof === Proof.Refuted &&
      cluster !== undefined &&
      (!doubt || (doubt.within !== undefined && on(doubt.within).isCutOff));
    return { verdict, isSure, reason: doubt?.reason ?? SEVERAL, isAnywhere };
  });
  const [first] = verdicts;
  if (first && verdicts.every(({ isSure }) => isSure))
    return first.isAnywhere
      ? deniedAnywhere(judgedFirewall, first.verdict)
      : deniedFindings(judgedFirewall, first.verdict);
  return verdicts.flatMap(({ verdict: { proof, values }, reason }) =>
    proof === Proof.Refuted
      ? [
          cluster === undefined
            ? whichCluster(judgedFirewall)
            : unknown({ resource: firewall, path: "spec.egress", reason }),
        ]
      : values.map(unknown),
  );
}

const whichCluster = ({ firewall, namespace }: JudgedFirewall): Judgement =>
  unknown({
    resource: firewall,
    path: "metadata.namespace",
    ...(namespace !== undefined && { reason: IN_BOTH_CLUSTERS }),
  });

const SEVERAL =
  "it blocks the API server of one hosted cluster, and no input states to which cluster it belongs";

const deniedFindings = ({ firewall, rules }: JudgedFirewall, verdict: FirewallVerdict): Judgement[] =>
  apiServerFaults(
    rules.views,
    verdict,
    ({ text }) =>
      `put an Allow for ${text} port ${verdict.endpoint.port} TCP before it; EgressFirewall does that with allowApiServer: true`,
  ).map((fault) =>
    violatedBy(
      firewall,
      fault,
      verdict.packet && {
        witness: `pods of the namespace -> ${verdict.packet.destination}, TCP ${verdict.packet.port}`,
      },
    ),
  );

/** The findings if the address is not stated and every address is denied. They have no witness, because no single packet proves it. */
const deniedAnywhere = ({ firewall, rules }: JudgedFirewall, verdict: FirewallVerdict): Judgement[] =>
  apiServerFaults(
    rules.views,
    verdict,
    () => `put an Allow for its address and port ${verdict.endpoint.port} TCP before it`,
    () => "of the management cluster, wherever it is",
  ).map((fault) => violatedBy(firewall, fault));

function candidatesOf({ clusters, rules, controlPlanes, cluster: place }: JudgedFirewall): Candidate[] {
  if (controlPlanes.length > 0) {
    // These are pods of one control plane: what other control planes reach does not matter.
    const theirs = controlPlanes.filter((cluster) => clusters.includes(cluster));
    return (theirs.length > 0 ? theirs : clusters).flatMap((one) => managementCandidate(one, rules));
  }
  if (place === "management") return [];
  const known = clusters.flatMap((cluster) => hostedCandidate(cluster, rules.views));
  if (known.length > 0) return known;
  const reason = "no input describes the hosted cluster, so the address of its API server is unknown";
  const doubt = { reason, within: everywhere(rules) };
  return [{ ...addressed(defaultApiServerCidrs(rules.views), nodeApiServerPort()), exempt: [], doubt }];
}

function hostedCandidate(cluster: JudgedCluster, views: JudgedFirewall["rules"]["views"]): Candidate[] {
  const topology = wholeTopology(cluster);
  if (!topology) return [];
  const asked =
    unsaidNodeApiHost(topology) ?? (isUnknown(topology, "apiServerPort") ? "apiServerPort" : undefined);
  return [
    {
      ...addressed(defaultApiServerCidrs(views, topology), nodeApiServerPort(topology)),
      exempt: exemptBlocks(topology),
      ...(asked !== undefined && { doubt: { reason: `${asked} of ${cluster.key} is not known` } }),
    },
  ];
}

/** The management cluster's API server: somewhere in `managementClusterCidrs`, or anywhere if the topology states none. */
function managementCandidate(cluster: JudgedCluster, rules: JudgedFirewall["rules"]): Candidate[] {
  const topology = wholeTopology(cluster);
  if (!topology) return [];
  const stated = topology.managementClusterCidrs;
  const isAnywhere = stated.length === 0;
  const prefixes = isAnywhere ? everywhere(rules, topology) : stated;
  const reason = "the addresses of the management cluster's API server are not known";
  return [
    { prefixes, port: MANAGEMENT_API_PORT, exempt: [], isAnywhere, doubt: { reason, within: prefixes } },
  ];
}

/** Every address of the families that the firewall or the cluster has. */
function everywhere({ views }: JudgedFirewall["rules"], topology?: NormalizedTopology): Prefix[] {
  if (hasIpv6Rules(views)) return [EVERY_IPV4, EVERY_IPV6];
  return topology ? everyAddress(topology) : [EVERY_IPV4];
}

const addressed = (cidrs: readonly string[], port: number) => ({
  prefixes: cidrs.flatMap((cidr) => parsePrefix(cidr).prefix ?? []),
  port,
});

/** An egress firewall that blocks access from pods to DNS servers outside the cluster network. */
export const egressFirewallDns: Rule = {
  id: "egress-firewall-dns",
  title: "Egress firewall blocks DNS servers",
  level: Level.Warning,
  description:
    "Reports EgressFirewall objects that block DNS by UDP or TCP to dnsServerCidrs of the topology. Pods always reach the cluster's own DNS service and the DNS of their node; they reach other servers only if rules allow it. Rules with DNS names work only if pods get the addresses that OVN-Kubernetes got: if such rules come before a Deny and nothing states the servers, the result is unknown.",
  documents: [at(OCP_4_7_OVN, "15.5.1.3. How Domain Name Server (DNS) resolution works")],
  remediation: "Put an Allow for the DNS servers, port 53 by UDP and TCP, before the Deny.",
  judge: (judged) =>
    egressFirewalls(judged).flatMap((one) =>
      judgeDns(one).map((found) => ({ ...found, ...cutByFirewall(judged, one, true) })),
    ),
};

function judgeDns(judgedFirewall: JudgedFirewall): Judgement[] {
  const { clusters, rules, cluster: place } = judgedFirewall;
  if (place === "management") return [];
  const [only, ...others] = clusters;
  const topology = only && others.length === 0 ? wholeTopology(only) : undefined;
  const servers = topology?.dnsServerCidrs ?? [];
  const exempt = exemptBlocks(topology);
  if (servers.length > 0 && place === undefined) {
    const isAllowed = verdictsOf(judgedFirewall, servers, exempt).every(
      ({ proof }) => proof === Proof.Proved,
    );
    return isAllowed ? [] : [whichCluster(judgedFirewall)];
  }
  return servers.length > 0
    ? serversFindings(judgedFirewall, verdictsOf(judgedFirewall, servers, exempt))
    : unsaidServers(
        judgedFirewall,
        verdictsOf(judgedFirewall, everywhere(rules, topology), exempt),
        clusters,
      );
}

const verdictsOf = ({ rules }: JudgedFirewall, servers: readonly Prefix[], exempt: readonly Prefix[]) =>
  dnsEndpoints(servers).map((endpoint) => endpointVerdict(rules, endpoint, exempt));

const hasNames = ({ rules }: JudgedFirewall): boolean =>
  rules.views.some(({ dnsName }) => isGiven(dnsName.value));

function serversFindings(judgedFirewall: JudgedFirewall, verdicts: readonly FirewallVerdict[]): Judgement[] {
  const { firewall, rules } = judgedFirewall;
  const why = hasNames(judgedFirewall)
    ? "its rules with DNS names then apply to addresses that pods do not get"
    : "pods that query it directly get no answer";
  return verdicts.flatMap(({ denials, values, endpoint: { protocol } }) => [
    ...values.map(unknown),
    ...denials.map((denial) => {
      const server = deniedAddress(denial);
      return violated({
        resource: firewall.origin,
        path: denial.clause.path,
        message: `denies ${deniedBlock(rules.views, denial)}, which includes ${protocol} ${PORT.dns} of the DNS server ${server.text}: ${why}`,
        witness: `pods of the namespace -> ${exampleHost(server)}, ${protocol} ${PORT.dns}`,
        fix: `put an Allow for ${server.text} port ${PORT.dns}, UDP and TCP, before it`,
      });
    }),
  ]);
}

/** Unknown findings for DNS names that are resolved by servers whose addresses are not stated, if some addresses are denied. */
function unsaidServers(
  judgedFirewall: JudgedFirewall,
  verdicts: readonly FirewallVerdict[],
  clusters: readonly JudgedCluster[],
): Judgement[] {
  if (!hasNames(judgedFirewall) || verdicts.every(({ proof }) => proof === Proof.Proved)) return [];
  const [only, ...others] = clusters;
  const reason =
    only && others.length === 0
      ? `its DNS names need DNS servers that pods can reach: dnsServerCidrs of ${only.key} does not state them`
      : "its DNS names need DNS servers that pods can reach, and no input states them";
  return [unknown({ resource: judgedFirewall.firewall, path: "spec.egress", reason })];
}
