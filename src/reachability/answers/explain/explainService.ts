import { serviceKey } from "../../../requirements/publishedServices";
import { PORT } from "../../../requirements/ports";
import type { Requirement } from "../../../requirements/requirement";
import { requirements } from "../../../requirements/requirements";
import { Service } from "../../../requirements/vocabulary";
import { hostFlows } from "../../../flows";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { flowKey } from "../../../flows/model";
import { narrowestFirst, notYetKnown } from "./explainPacket";
import { explainedRow, type PacketExplanation, type RuleExplanation } from "./explanation";
import { describeReference, type DocumentReference } from "../../../requirements/documents";

/** `kube-apiserver`, out of `kubeApiserver`. */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A port that only one service has is found by that service's name. */
const OWN_PORT: ReadonlyMap<string, number> = new Map(
  Object.entries(PORT)
    .filter(([, number], _, all) => all.filter(([, other]) => other === number).length === 1)
    .map(([name, number]) => [kebab(name), number]),
);
const PUBLISHED: ReadonlyMap<string, Service> = new Map(
  Object.values(Service).flatMap((service) => [
    [service.toLowerCase(), service],
    [serviceKey[service], service],
  ]),
);

/** The names in which a row says who listens or is asked. */
const componentsOf = ({ component }: Requirement): string[] => component.toLowerCase().split(", ");

/** Every name of a service that `explainService` takes: who listens, what is published, what a port is for. */
export const serviceNames: readonly string[] = [
  ...new Set([...requirements.flatMap(componentsOf), ...PUBLISHED.keys(), ...OWN_PORT.keys()]),
].filter((name) => /^[a-z][a-z0-9-]+$/.test(name));

const names: ReadonlySet<string> = new Set(serviceNames);

/** Whether a word is the name of a service, however it is capitalised. */
export const isServiceName = (word: string): boolean => names.has(word.toLowerCase());

/** Which requirements speak of a service, and with a topology which flows of that cluster they ask for. */
export function explainService(word: string, topology?: NormalizedTopology): PacketExplanation {
  const name = word.toLowerCase();
  const all = topology ? [...hostFlows(topology).values()] : [];
  const asked = new Set(all.map(({ requirement }) => requirement));
  // Nodes need some ports on every platform, whatever the platform of which their row speaks.
  const isHere = ({ id, platforms }: Requirement) =>
    !topology || platforms.includes(topology.platform) || asked.has(id);
  const about = requirements.filter(isHere);
  const own = about.filter((row) => isOf(row, name));
  const others = about.filter((row) => !own.includes(row) && isNamedIn(row, name));
  const rows = [...narrowestFirst(own), ...narrowestFirst(others)];
  const ids = new Set(rows.map(({ id }) => id));
  const flows = all.filter(({ requirement }) => ids.has(requirement));
  return {
    version: 1,
    asked: name,
    rows: rows.map(explainedRow),
    flows: flows.map((flow) => ({
      key: flowKey(flow),
      purpose: flow.purpose,
      place: `${flow.direction} of ${flow.role}`,
      requirements: [flow.requirement],
      sure: flow.peers.every(({ prefixes }) => prefixes),
    })),
    notes: notYetKnown(topology),
  };
}

/** Whether a row is of the service itself. */
function isOf(row: Requirement, name: string): boolean {
  const number = OWN_PORT.get(name);
  const isAtPort = number !== undefined && row.ports?.from === number && row.ports.to === number;
  const published = PUBLISHED.get(name);
  return (
    isAtPort || (published !== undefined && row.service === published) || componentsOf(row).includes(name)
  );
}

/** Whether the purpose of a row names the service: as the one that calls, for one. */
const isNamedIn = ({ purpose }: Requirement, name: string): boolean =>
  new RegExp(`(?<![\\w-])${name}s?(?![\\w-])`, "i").test(purpose);

/** A rule of the gate, as far as its texts go. */
export interface ExplainableRule {
  /** `port-missing` */
  id: string;
  title: string;
  description: string;
  remediation: string;
  documents: readonly DocumentReference[];
  rows?: (row: Requirement) => boolean;
}

/** What a rule of the gate demands, where that is documented, and the rows behind it. */
export function explainRule(rule: ExplainableRule): RuleExplanation {
  const { id, title, description, remediation, documents, rows } = rule;
  const references = new Set(documents.map(describeReference));
  const sharesHeading = (row: Requirement) =>
    row.documents.some((reference) => references.has(describeReference(reference)));
  return {
    version: 1,
    rule: id,
    title,
    description,
    remediation,
    documents: [...references],
    rows: requirements.filter(rows ?? sharesHeading).map(explainedRow),
  };
}
