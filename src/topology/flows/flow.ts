import { describeReference } from "../../requirements/documents";
import type { Requirement } from "../../requirements/requirement";
import { Direction, PublishingType, Service } from "../../requirements/vocabulary";
import { reachedPrivately } from "../../requirements/platforms";
import { releaseWithin } from "../../requirements/release";
import type { NormalizedTopology } from "../normalizedTopology";
import { View } from "../requiredFlow";
import type { RequiredFlow, Role } from "../requiredFlow";

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

/** The services that are published in one of these ways. */
export function publishedBy(topology: NormalizedTopology, ...types: PublishingType[]): Service[] {
  return Object.values(Service).filter((service) =>
    types.some((type) => topology.services[service].type === type),
  );
}

const strategiesOf = ({ services }: NormalizedTopology) => Object.values(services).map(({ type }) => type);

/** Services that users outside call too. */
export const CALLED_BY_USERS: ReadonlySet<Service> = new Set([Service.APIServer, Service.OAuthServer]);

/** The key of the flow to the node port of a service: one of its own where the topology says which it is. */
export const nodePortKey = ({ services }: NormalizedTopology, service: Service): string =>
  services[service].nodePort === undefined ? UNPINNED : `${serviceKey[service]}-node-port`;

/** The key of the flow to all services whose node port the topology does not say. */
export const UNPINNED = "node-ports";

/** Names of services in keys of rules. */
export const serviceKey: Readonly<Record<Service, string>> = {
  [Service.APIServer]: "kube-apiserver",
  [Service.OAuthServer]: "oauth",
  [Service.Konnectivity]: "konnectivity",
  [Service.Ignition]: "ignition",
};
