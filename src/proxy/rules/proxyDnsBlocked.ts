import { D3, at } from "../../requirements/documents";
import { PORT } from "../../requirements/ports";
import { Direction, Role } from "../../requirements/vocabulary";
import { isGiven } from "../../resources/places";
import type { RequiredFlow } from "../../flows/model";
import type { Hosts } from "../../gate/hosts";
import type { JudgedResources } from "../../gate/judgedResources";
import { judgeFlows } from "../../securityGroups/rules/portMissing";
import { Level, Status, type Judgement, type Rule } from "../../gate/rule";

/** A hosted cluster with a proxy whose control plane cannot resolve names. */
export const proxyDnsBlocked: Rule = {
  id: "proxy-dns-blocked",
  title: "Control planes that use a proxy still reach their DNS servers",
  level: Level.Error,
  description:
    "For each hosted cluster with a proxy: DNS from the hosts of its control plane, proved through their security groups and network ACLs as for port-missing, by TCP and UDP. A proxy takes HTTP and HTTPS alone; the control plane resolves the proxy's own name, those in noProxy and those of identity providers itself. Clusters of which no group or ACL is in the stack are not judged.",
  documents: [at(D3, "Control plane workloads that need to access external services")],
  remediation: `Let control-plane hosts send TCP and UDP ${PORT.dns} to the DNS servers, and the answers come back.`,
  judge: (judged) => judged.hosts.filter(isProxied).flatMap((hosts) => judgeHosts(judged, hosts)),
};

const isProxied = ({ cluster, role }: Hosts): boolean =>
  role === Role.ControlPlane && isGiven(cluster.raw.proxy);

const isDns = ({ direction, ports }: RequiredFlow): boolean =>
  direction === Direction.Egress && ports?.from === PORT.dns && ports.to === PORT.dns;

const judgeHosts = (judged: JudgedResources, hosts: Hosts): Judgement[] =>
  judgeFlows(judged, hosts, isDns).map((judgement) =>
    judgement.status === Status.Unknown
      ? judgement
      : {
          ...judgement,
          message: `${judgement.message}. The cluster has a proxy, which resolves no names for it`,
        },
  );
