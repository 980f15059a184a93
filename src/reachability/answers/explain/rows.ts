import { describeReference } from "../../../requirements/documents";
import { ALL_PLATFORMS, ALL_STRATEGIES, type Requirement } from "../../../requirements/requirement";
import { Direction, Protocol } from "../../../requirements/vocabulary";
import type { ExplainedRow } from "./explanation";

/** A row as plain data, with all that does not agree with it. */
export function explainedRow(row: Requirement): ExplainedRow {
  const { id, purpose, component, direction, perspective, phase, note, upstream, service } = row;
  return {
    id,
    purpose,
    component,
    direction,
    perspective,
    service: serviceOf(row),
    peers: direction === Direction.Ingress ? row.sources : row.destinations,
    phase,
    publishing: row.publishing.length === ALL_STRATEGIES.length ? [] : row.publishing,
    ...(service && { published: service }),
    platforms: row.platforms.length === ALL_PLATFORMS.length ? [] : row.platforms,
    documents: row.documents.map(describeReference),
    ...(note !== undefined && { note }),
    ...(upstream !== undefined && { upstream }),
    disagreements: disagreements(row),
  };
}

function serviceOf({ protocol, ports }: Requirement): string {
  const name = protocol === Protocol.Any ? "every protocol" : protocol;
  if (!ports) return name;
  return `${name} ${ports.from === ports.to ? ports.from : `${ports.from}-${ports.to}`}`;
}

/** Where reality is not as the row says it. */
function disagreements(row: Requirement): string[] {
  const { replacedOn, upstreamRejects, openInFirewall, portSeenAt, documents } = row;
  const others = replacedOn.map(
    ({ platform, publishing, port }) =>
      `on ${platform}${publishing ? ` with ${publishing}` : ""} the port is ${port}`,
  );
  const refused =
    upstreamRejects.length > 0
      ? [`HyperShift refuses this way of publishing on ${upstreamRejects.join(", ")}`]
      : [];
  return [
    ...others,
    ...refused,
    ...(openInFirewall ? [] : ["it listens on localhost: no firewall is to be opened for it"]),
    ...(portSeenAt === "pod"
      ? ["a port of pods: packet filters of hosts do not see it unless the pod uses the host network"]
      : []),
    ...(documents.every(({ document }) => document.repository !== undefined)
      ? ["no document lists it: the software needs it"]
      : []),
  ];
}
