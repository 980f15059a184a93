import { POD_LABEL } from "../requirements/networkPolicies";
import { PORT } from "../requirements/ports";
import { LISTENER } from "../requirements/publishedServices";
import { port } from "../requirements/requirement";
import { Phase, Protocol, Zone } from "../requirements/vocabulary";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { Role } from "../topology/requiredFlow";
import { amongNodes } from "./hosts";
import type { Journey, PodHop } from "./journey";
import { betweenNodes } from "./nodeTunnels";
import { Outside } from "./outside";
import type { Surroundings } from "./surroundings";

/**
 * What the control plane asks of nodes and of pods on them. No packet of it goes to workers: agents on the nodes have dialled
 * the konnectivity server, and what it is asked for comes out of that connection at one of them. Any agent may be taken, so
 * that the last part leads from one node to another, whose groups see it.
 */
export function tunnelJourneys(
  topology: NormalizedTopology,
  surroundings: Surroundings,
  published: readonly Journey[],
): Journey[] {
  const dialled = published.find(({ key }) => key === "workers-konnectivity");
  if (!dialled) return [];
  const journey = (
    key: string,
    title: string,
    last: Pick<Journey, "hops" | "missing">,
    outside: readonly Outside[],
  ): Journey => ({
    key: `control-plane-${key}`,
    title: `The control plane ${title} through the tunnel of konnectivity`,
    from: Zone.ControlPlane,
    phase: Phase.Always,
    hops: [...serverHops(), ...dialled.hops, ...last.hops],
    missing: [...dialled.missing, ...last.missing],
    outside: [...dialled.outside, ...outside],
  });
  return [
    journey(
      "kubelet",
      "reaches kubelets, for logs, exec and metrics,",
      { hops: amongNodes(topology, Role.Workers, ({ key }) => key === "nodes-kubelet"), missing: [] },
      [],
    ),
    journey(
      "webhooks",
      "reaches webhooks and APIs in pods of the hosted cluster",
      betweenNodes(topology, Role.Workers, surroundings),
      [Outside.TunnelledPods, Outside.PacketSize],
    ),
  ];
}

/** API server to konnectivity server, which newer releases keep in one pod. */
const serverHops = (): PodHop[] =>
  [LISTENER.konnectivity, LISTENER.konnectivityInApiServer].map(({ app }) => ({
    kind: "pods",
    app,
    from: { labels: { [POD_LABEL.app]: LISTENER.apiServer.app } },
    protocol: Protocol.Tcp,
    ports: port(PORT.konnectivityLocal),
    sources: [{ zone: Zone.SameNamespace, input: "" }],
    destinations: [],
  }));
