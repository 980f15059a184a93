import { intersection, isEmpty } from "../../reachability/packets";
import { bootstrapPackets } from "../../reachability/path";
import { D0, D2, at } from "../../requirements/documents";
import { Direction } from "../../requirements/vocabulary";
import { isUnknown } from "../../topology/normalizedTopology";
import type { Hosts } from "../../gate/hosts";
import { openFilter } from "./openFilter";
import { openedPacket, openedText } from "./openedText";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { HOSTS } from "../../gate/wording";

/** Ports for joining nodes are still open although all nodes have joined. */
export const bootstrapPortOpen: Rule = {
  id: "bootstrap-port-open",
  title: "Ignition ports are closed when the nodes have joined",
  level: Level.Warning,
  description:
    "For every security group with a role in a hosted cluster whose topology says `bootstrap: false`: rules that still open a port which only joining nodes need. What they fetch there holds keys and certificates. Ports that other flows share, such as 443 of a router, are left alone.",
  documents: [at(D0, "Common ingress ports, NodePort"), at(D2, "Source IP Restrictions")],
  remediation:
    "Take the port out of the rule, and open it again, with `bootstrap: true`, before nodes are added.",
  judge: (judged) => judged.hosts.flatMap(judgeHosts),
};

function judgeHosts(hosts: Hosts): Judgement[] {
  const { cluster, role, rules } = hosts;
  const { topology } = cluster;
  const [first] = rules;
  if (!first) return [];
  if (isUnknown(topology, "bootstrap")) {
    const { holder, path } = cluster.locate("bootstrap");
    return [unknown({ resource: holder ?? first.resource, path })];
  }
  if (topology.bootstrap) return [];
  const joining = bootstrapPackets(topology);
  const us = `${HOSTS[role]} of ${cluster.key}`;
  return Object.values(Direction).flatMap((direction) => {
    const closed = joining(role, direction);
    if (isEmpty(closed)) return [];
    return openFilter(hosts, direction).clauses.flatMap(
      ({ resource, path, sure, possible, unknown: values }) => {
        const open = intersection(sure, closed);
        if (isEmpty(open)) return isEmpty(intersection(possible, closed)) ? [] : values.map(unknown);
        const what = openedText(open, direction, open);
        return [
          violated({
            resource: resource.origin,
            path: path === "" ? direction : path,
            message: `keeps open what only joining nodes need at ${us}: ${what}. The topology says bootstrap: false`,
            witness: openedPacket(open, direction, HOSTS[role]),
            fix: `take ${what} out of the rule; write bootstrap: true before nodes are added`,
          }),
        ];
      },
    );
  });
}
