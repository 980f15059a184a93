import { jsonDocument } from "../text";
import type { Report, ReportedFinding } from "./report";

/** The report for programs. Its version changes when a property goes or means something else; properties may come. */
export function jsonReport({ conclusions, findings, exempted, stale, notes, summary }: Report): string {
  const document = {
    version: 1,
    hostedClusters: conclusions.map(({ cluster, counts }) => ({ cluster, summary: counts })),
    findings: findings.map(jsonFinding),
    exempted: exempted.map(({ finding, exemption }) => ({
      ...jsonFinding(finding),
      reason: exemption.reason,
    })),
    staleExemptions: stale.map(({ path, rule, resource }) => ({ path, rule, resource })),
    notes,
    summary,
  };
  return jsonDocument(document);
}

function jsonFinding(finding: ReportedFinding) {
  const { rule, code, level, status, resource, line, path, message, fix, requirement, documents } = finding;
  const { witness, cluster, flow, hop } = finding;
  return {
    rule,
    code,
    level,
    status,
    resource: { ...resource, ...(line !== undefined && { line }) },
    path,
    message,
    fix,
    ...(requirement !== undefined && { requirement }),
    documents,
    ...(witness !== undefined && { witness }),
    ...(cluster !== undefined && { cluster }),
    ...(flow && { flow }),
    ...(hop !== undefined && { hop }),
  };
}
