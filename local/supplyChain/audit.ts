/** The known vulnerabilities that a registry reports, or why it does not answer. */
export type Audit = { isAnswered: true; vulnerable: string[] } | { isAnswered: false; reason: string };

interface Answer {
  auditReportVersion?: number;
  vulnerabilities?: Record<
    string,
    { severity?: string; range?: string; via?: (string | { title?: string; url?: string })[] }
  >;
  message?: string;
  error?: { summary?: string; code?: string };
}

/** Reads the output of `npm audit --json`. Only a report counts as an answer; anything else may hide vulnerabilities. */
export function readAudit(output: string): Audit {
  const answer = parsed(output);
  if (answer?.auditReportVersion === undefined || answer.vulnerabilities === undefined)
    return { isAnswered: false, reason: reasonOf(answer) };
  const vulnerable = Object.entries(answer.vulnerabilities).map(([name, { severity, range, via = [] }]) => {
    const titles = via.map((one) => (typeof one === "string" ? one : `${one.title} ${one.url}`));
    return `${name} ${range} ${severity}: ${titles.join(", ")}`;
  });
  return { isAnswered: true, vulnerable };
}

const reasonOf = (answer: Answer | undefined): string => {
  const said = [answer?.message, answer?.error?.summary, answer?.error?.code].find((one) => one);
  // The message may contain the address of a mirror with a user name.
  return said?.replace(/https?:\/\/\S+/g, "the registry").split("\n")[0] ?? "npm audit printed no report";
};

function parsed(output: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(output);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
