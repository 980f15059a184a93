import { describeReference, type DocumentReference } from "../../../requirements/documents";
import { NODE_PORTS } from "../../../requirements/ports";
import type { Requirement } from "../../../requirements/requirement";
import { requirements } from "../../../requirements/requirements";
import { Direction, Perspective, Phase } from "../../../requirements/vocabulary";
import type { RuleExplanation } from "./explanation";
import { explainedRow } from "./rows";

/** A rule of the gate, as far as its texts go. */
export interface ExplainableRule {
  /** `port-missing` */
  id: string;
  title: string;
  description: string;
  remediation: string;
  documents: readonly DocumentReference[];
}

const atHosts = ({ openInFirewall, portSeenAt }: Requirement): boolean =>
  openInFirewall && portSeenAt !== "pod";
const intoPods = ({ perspective, direction, openInFirewall }: Requirement): boolean =>
  perspective === Perspective.ControlPlane && direction === Direction.Ingress && openInFirewall;

/** The rows that rules hold plans against, where the documents of a rule do not say it: the rule asks for rows by what they are. */
const ROWS_OF: Readonly<Record<string, (row: Requirement) => boolean>> = {
  "port-missing": atHosts,
  "port-excess": atHosts,
  "port-public": ({ publicAllowed, openInFirewall }) => publicAllowed === false && openInFirewall,
  "port-localhost-only": ({ openInFirewall }) => !openInFirewall,
  "bootstrap-port-open": ({ phase }) => phase === Phase.Bootstrap,
  "node-port-range": ({ ports }) => ports?.from === NODE_PORTS.from && ports.to === NODE_PORTS.to,
  "isolation-default-deny": intoPods,
  "isolation-flow-blocked": intoPods,
  "isolation-flow-excess": intoPods,
};

/** What a rule of the gate demands, where that is documented, and the rows behind it. */
export function explainRule(rule: ExplainableRule): RuleExplanation {
  const { id, title, description, remediation, documents } = rule;
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
    rows: requirements.filter(ROWS_OF[id] ?? sharesHeading).map(explainedRow),
  };
}
