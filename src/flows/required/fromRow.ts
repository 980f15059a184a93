import { serviceKey } from "../../requirements/publishedServices";
import { describeReference } from "../../requirements/documents";
import type { Requirement } from "../../requirements/requirement";
import { Direction, type Perspective, type Role, type Service } from "../../requirements/vocabulary";
import { reachedPrivately } from "../../requirements/platforms";
import { releaseWithin } from "../../requirements/release";
import { requirements } from "../../requirements/requirements";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { View, type RequiredFlow } from "../model";

/** What a flow has beside what its row says. */
type Particulars = Pick<RequiredFlow, "key" | "peers"> &
  Partial<Omit<RequiredFlow, "requirement" | "direction" | "role">>;

/** The flow that a row demands of a role, with what the topology adds or changes. */
export function flowOf(
  row: Requirement,
  role: Role,
  { notes = [], ...particulars }: Particulars,
): RequiredFlow {
  return {
    requirement: row.id,
    role,
    direction: row.direction,
    protocol: row.protocol,
    ...(row.ports && { ports: row.ports }),
    view: View.Documented,
    phase: row.phase,
    purpose: row.purpose,
    optIn: false,
    publicAllowed: row.publicAllowed ?? row.direction === Direction.Egress,
    notes: [...rowNotes(row), ...notes],
    documents: row.documents.map(describeReference),
    ...particulars,
  };
}

/** What a row says beside what it demands. */
function rowNotes({ note, upstream }: Requirement): string[] {
  return [...(note ? [note] : []), ...(upstream ? [`Upstream: ${upstream}`] : [])];
}

/** Whether a row holds for a cluster: platform, strategy of its service, release, private access. */
export function holds(row: Requirement, topology: NormalizedTopology): boolean {
  const strategies = row.service ? [topology.services[row.service].type] : strategiesOf(topology);
  const { platform, release } = topology;
  return (
    row.platforms.includes(platform) &&
    !row.upstreamRejects.includes(platform) &&
    strategies.some(
      (strategy) =>
        strategy !== undefined &&
        row.publishing.includes(strategy) &&
        !row.replacedOn.some(
          (replacement) =>
            replacement.platform === platform && (replacement.publishing ?? strategy) === strategy,
        ),
    ) &&
    (!row.releases || !release || releaseWithin(release, row.releases)) &&
    (!row.privateOnly || reachedPrivately(topology.endpointAccess)) &&
    row.openInFirewall
  );
}

/** The rows that hold, by id. */
export function holdingRows(topology: NormalizedTopology, perspective: Perspective, direction: Direction) {
  const rows = requirements.filter(
    (row) => row.perspective === perspective && row.direction === direction && holds(row, topology),
  );
  return new Map<string, Requirement>(rows.map((row) => [row.id, row]));
}

const strategiesOf = ({ services }: NormalizedTopology) => Object.values(services).map(({ type }) => type);

/** The key of the flow to the node port of a service: one of its own where the topology says which it is. */
export const nodePortKey = ({ services }: NormalizedTopology, service: Service): string =>
  services[service].nodePort === undefined ? UNPINNED : `${serviceKey[service]}-node-port`;

/** The key of the flow to all services whose node port the topology does not say. */
export const UNPINNED = "node-ports";
